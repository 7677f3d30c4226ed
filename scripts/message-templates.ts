// Reads from the source every sentence of the service that can reach a person: the error catalogue, the messages of failures,
// and the reasons of faults. A value inside a sentence is a hole, named after its expression: "must be at most {most}".
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'
import { errorCatalogue } from '../src/contract/errors.ts'
import { returningTexts, sharedWithCommands, textsElsewhere, valuesPassedOn } from './messages-elsewhere.ts'

const root = join(import.meta.dirname, '..')
const catalogueFile = 'src/contract/errors.ts'

export interface MessageTemplates {
  /** Templates with the places that they come from, as `path:line`. */
  templates: Map<string, string[]>
  /** Expressions that could not be followed to a text, and entries of `valuesPassedOn` that nothing uses. */
  faults: string[]
}

interface Node {
  type: string
  start: number
  end: number
  parent?: Node
  // biome-ignore lint/suspicious/noExplicitAny: the nodes of a parsed program, read by their type
  [member: string]: any
}

interface SourceFile {
  path: string
  code: string
  program: Node
  /** Calls by the name of what they call. */
  calls: Map<string, Node[]>
  /** Imported names: the file and the name there. */
  imports: Map<string, { path: string; name: string }>
}

/** The argument of a call that is a sentence for people. */
const sentenceAt: Record<string, number> = {
  ...{ invalid: 1, taken: 1 },
  // Faults of files, rows and cells.
  ...{
    FileRefused: 0,
    CellRefused: 0,
    RowRefused: 1,
    refusedAt: 2,
    refusedLine: 1,
    ColumnsMissing: 0,
    must: 2,
    unreadableRow: 1,
  },
}

/** Longest chain of names that is followed. */
const deepest = 12

/** Most texts that one hole can have; with more it stays a hole. */
const mostTexts = 14

export function messageTemplates(): MessageTemplates {
  const files = new Map<string, SourceFile>()
  const paths = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  for (const path of paths.toSorted()) files.set(path, parsed(path))
  return new TemplateReader(files).read()
}

function parsed(path: string): SourceFile {
  const code = readFileSync(join(root, path), 'utf8')
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const file: SourceFile = {
    path,
    code,
    program: program as unknown as Node,
    calls: new Map(),
    imports: new Map(),
  }
  visit(file.program, undefined, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier')
      file.calls.set(node.callee.name, [...(file.calls.get(node.callee.name) ?? []), node])
    if (node.type === 'ImportSpecifier') {
      const from = normalize(join(dirname(path), node.parent!.source.value))
      file.imports.set(node.local.name, { path: from, name: node.imported.name })
    }
  })
  return file
}

function visit(node: Node, parent: Node | undefined, on: (node: Node) => void): void {
  node.parent = parent as Node
  on(node)
  for (const [name, member] of Object.entries(node)) {
    if (name === 'parent') continue
    for (const child of Array.isArray(member) ? member : [member])
      if (child && typeof child.type === 'string') visit(child, node, on)
  }
}

/** One reading of all files. */
class TemplateReader {
  readonly #files: Map<string, SourceFile>
  readonly #templates = new Map<string, string[]>()
  readonly #faults: string[] = []
  readonly #used = new Set<string>()

  constructor(files: Map<string, SourceFile>) {
    this.#files = files
  }

  read(): MessageTemplates {
    this.#readCatalogue()
    for (const [text, place] of textsElsewhere) this.#add(text, place)
    for (const file of this.#files.values())
      visit(file.program, undefined, (node) => this.#readNode(file, node))
    for (const entry of Object.keys(valuesPassedOn))
      if (!this.#used.has(entry))
        this.#faults.push(`scripts/messages-elsewhere.ts: nothing passes on "${entry}"`)
    return { templates: this.#templates, faults: this.#faults }
  }

  #readCatalogue(): void {
    const lines = this.#files.get(catalogueFile)!.code.split('\n')
    for (const [name, [, sentence]] of Object.entries(errorCatalogue)) {
      const line = lines.findIndex((text) => text.startsWith(`  ${name}: [`)) + 1
      this.#add(sentence, `${catalogueFile}:${line}`)
    }
  }

  #readNode(file: SourceFile, node: Node): void {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.#readCall(file, node)
    if (node.type === 'ObjectExpression') this.#readObject(file, node)
    if (node.type === 'FunctionDeclaration' && returningTexts.has(`${file.path}: ${node.id?.name}`))
      this.#followReturns(file, node)
    const isCheckOfColumns =
      node.type === 'Property' && keyOf(node) === 'missing' && /^src.changes/.test(file.path)
    if (isCheckOfColumns && /Function/.test(node.value.type)) this.#followReturns(file, node.value)
  }

  /** Of a function that returns a value or a sentence, the sentences. */
  #followReturns(file: SourceFile, fn: Node): void {
    const branches = (node: Node): Node[] =>
      node.type === 'ConditionalExpression' ? [node.consequent, node.alternate].flatMap(branches) : [node]
    for (const text of returnsOf(fn).flatMap(branches))
      if (text.type === 'TemplateLiteral' || typeof text.value === 'string') this.#follow(file, text)
  }

  #readCall(file: SourceFile, node: Node): void {
    const isSuper = node.callee.type === 'Super' && extendsApiError(node)
    const called = isSuper ? 'ApiError' : node.callee.name
    if (called === 'ApiError' && node.arguments[1]) this.#readDetails(file, node.arguments[1])
    if (called === 'Error' && sharedWithCommands.has(file.path)) this.#follow(file, node.arguments[0])
    // `invalid` and `taken` pass the reason on inside the catalogue.
    if (file.path === catalogueFile || !Object.hasOwn(sentenceAt, called ?? '')) return
    const sentence = node.arguments[sentenceAt[called]!] as Node | undefined
    if (sentence) this.#follow(file, sentence)
  }

  #readObject(file: SourceFile, node: Node): void {
    const isRow = /^src.(files|changes.(lead|order)-import)/.test(file.path)
    const isOfOrder = /^src.orders.(rules|payments)/.test(file.path)
    const sentences = [
      (isRow || member(node, 'param')) && member(node, 'reason'),
      isRow && member(node, 'fault'),
      isOfOrder && member(node, 'because'),
    ]
    for (const sentence of sentences)
      if (sentence && !isSchema(sentence) && !isExample(node)) this.#follow(file, sentence)
  }

  #readDetails(file: SourceFile, details: Node): void {
    if (details.type === 'ObjectExpression') {
      const msg = member(details, 'msg')
      if (msg) this.#follow(file, msg)
    } else this.#unknown(file, details)
  }

  #follow(file: SourceFile, node: Node): void {
    const found = this.#textsOf(file, node, 0)
    for (const { text, place } of found ?? []) this.#add(text, place)
    if (!found) this.#unknown(file, node)
  }

  #unknown(file: SourceFile, node: Node): void {
    const entry = entryOf(file, node)
    if (Object.hasOwn(valuesPassedOn, entry)) this.#used.add(entry)
    else this.#faults.push(`${placeOf(file, node)}: cannot follow this to its text, list it as "${entry}"`)
  }

  #add(text: string, place: string): void {
    if (!isSentence(text)) return
    const places = this.#templates.get(text) ?? []
    if (!places.includes(place)) this.#templates.set(text, [...places, place])
  }

  /** All texts that an expression can have; undefined where one of them is unknown. */
  #textsOf(file: SourceFile, node: Node, depth: number): Text[] | undefined {
    const found = this.#found(file, node, depth)
    if (found) return found
    const entry = entryOf(file, node)
    if (!Object.hasOwn(valuesPassedOn, entry)) return
    this.#used.add(entry)
    return []
  }

  #found(file: SourceFile, node: Node, depth: number): Text[] | undefined {
    if (depth > deepest) return
    const place = placeOf(file, node)
    switch (node.type) {
      case 'Literal':
        if (node.value === null) return []
        return typeof node.value === 'string' ? [{ text: node.value, place }] : undefined
      case 'TemplateLiteral':
        return this.#textsOfTemplate(file, node, depth)
      case 'ConditionalExpression':
        return all([node.consequent, node.alternate], (part) => this.#textsOf(file, part, depth + 1))
      case 'LogicalExpression':
        // Of `condition && text`, only the text can be shown.
        return all(node.operator === '&&' ? [node.right] : [node.left, node.right], (part) =>
          this.#textsOf(file, part, depth + 1),
        )
      case 'BinaryExpression':
        return node.operator === '+' ? this.#joined(file, [node.left, node.right], depth) : undefined
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
        return this.#textsOf(file, node.expression ?? node.argument, depth + 1)
      case 'Identifier':
        return node.name === 'undefined' ? [] : this.#textsOfName(file, node, depth)
      case 'CallExpression':
        return node.callee.type === 'Identifier' ? this.#textsOfCall(file, node, depth) : undefined
      case 'MemberExpression':
        return this.#textsOfMember(file, node, depth)
    }
    return
  }

  #textsOfTemplate(file: SourceFile, node: Node, depth: number): Text[] {
    const place = placeOf(file, node)
    const names = new Map<string, string>()
    let texts = ['']
    node.quasis.forEach((quasi: Node, at: number) => {
      texts = texts.map((text) => text + quasi.value.cooked)
      const hole = node.expressions[at] as Node | undefined
      if (!hole) return
      const name = holeName(hole)
      const parts = this.#fixedTexts(file, hole, depth) ?? [
        `{${uniqueName(name, file.code.slice(hole.start, hole.end), names)}}`,
      ]
      texts = texts.flatMap((text) => parts.map((part) => text + part))
    })
    return texts.map((text) => ({ text, place }))
  }

  /** The texts of a hole that has few of them. Where it has many, or they have holes, each is a template of its own. */
  #fixedTexts(file: SourceFile, node: Node, depth: number): string[] | undefined {
    const found = this.#textsOf(file, node, depth + 1)
    if (!found) {
      // The name suggests a sentence, but its texts are unknown.
      if (/^(reason|because|message|sums|facts|fault|why|msg)$|refusal/i.test(holeName(node)))
        this.#unknown(file, node)
      return
    }
    const texts = [...new Set(found.map(({ text }) => text))]
    if (texts.length > 0 && texts.length <= mostTexts && !texts.some((text) => text.includes('{')))
      return texts
    for (const { text, place } of found) this.#add(text, place)
    return
  }

  #joined(file: SourceFile, parts: Node[], depth: number): Text[] | undefined {
    const [left, right] = parts.map((part) => this.#textsOf(file, part, depth + 1))
    if (!left || !right) return
    return left.flatMap((one) => right.map((other) => ({ text: one.text + other.text, place: one.place })))
  }

  #textsOfName(file: SourceFile, node: Node, depth: number): Text[] | undefined {
    const declared = declarationOf(node)
    if (!declared) {
      const imported = file.imports.get(node.name)
      const from = imported && this.#files.get(imported.path)
      const value = from && exportedValue(from, imported.name)
      return value && this.#textsOf(from, value, depth + 1)
    }
    if (declared.kind === 'value') return this.#textsOf(file, declared.value, depth + 1)
    if (declared.kind === 'parameter') return this.#textsOfParameter(file, declared, depth)
    return
  }

  /** The arguments that callers of a function pass for one of its parameters. */
  #textsOfParameter(
    file: SourceFile,
    { fn, index, property, fallback }: Parameter,
    depth: number,
  ): Text[] | undefined {
    const name = functionName(fn)
    if (!name) return
    const callers = [...this.#files.values()].flatMap((caller) => {
      const isHere = caller.path === file.path
      const local = [...caller.imports].find(([, from]) => from.path === file.path && from.name === name)?.[0]
      const called = isHere ? name : local
      return called ? (caller.calls.get(called) ?? []).map((call) => ({ caller, call })) : []
    })
    if (callers.length === 0) return
    return all(callers, ({ caller, call }) => {
      const argument = call.arguments[index] as Node | undefined
      if (!argument) return fallback ? this.#textsOf(file, fallback, depth + 1) : []
      if (!property) return this.#textsOf(caller, argument, depth + 1)
      const value = argument.type === 'ObjectExpression' ? member(argument, property) : undefined
      return value && this.#textsOf(caller, value, depth + 1)
    })
  }

  /** The return values of a function of the project. */
  #textsOfCall(file: SourceFile, node: Node, depth: number): Text[] | undefined {
    const { name } = node.callee
    const imported = file.imports.get(name)
    const at = imported ? this.#files.get(imported.path) : file
    const fn = at && exportedValue(at, imported?.name ?? name)
    if (!fn || !/Function/.test(fn.type)) return
    return all(returnsOf(fn), (value) => this.#textsOf(at, value, depth + 1))
  }

  /** A member of a table of texts: `texts[kind]`, `texts.kind`, `texts[kind][1]`. */
  #textsOfMember(file: SourceFile, node: Node, depth: number): Text[] | undefined {
    const values = this.#valuesOf(file, node)
    if (!values || values.length === 0) return
    return all(values, ({ at, value }) => this.#textsOf(at, value, depth + 1))
  }

  /** The expressions that a name or a member of a table can be. */
  #valuesOf(file: SourceFile, node: Node): { at: SourceFile; value: Node }[] | undefined {
    if (node.type === 'Identifier') {
      const declared = declarationOf(node)
      if (declared)
        return declared.kind === 'value' ? [{ at: file, value: plain(declared.value) }] : undefined
      const imported = file.imports.get(node.name)
      const at = imported && this.#files.get(imported.path)
      const value = at && exportedValue(at, imported.name)
      return value && [{ at, value: plain(value) }]
    }
    if (node.type !== 'MemberExpression') return
    const named = node.computed
      ? node.property.type === 'Literal'
        ? String(node.property.value)
        : undefined
      : node.property.name
    return this.#valuesOf(file, plain(node.object))?.flatMap(({ at, value }) =>
      membersOf(value, named).map((each) => ({ at, value: plain(each) })),
    )
  }
}

/** The members of an object or list with a name or index; without one, all. */
function membersOf(value: Node, named: string | undefined): Node[] {
  if (value.type === 'ArrayExpression')
    return (value.elements as Node[]).filter((_, index) => named === undefined || String(index) === named)
  if (value.type !== 'ObjectExpression') return []
  return (value.properties as Node[])
    .filter((property) => property.type === 'Property' && (named === undefined || keyOf(property) === named))
    .map((property) => property.value)
}

/** Without the casts around it. */
function plain(node: Node): Node {
  let value = node
  while (/^TS(As|Satisfies|NonNull)Expression$/.test(value.type)) value = value.expression
  return value
}

/** A member of a contract, not a value. */
function isSchema({ type, callee }: Node): boolean {
  return type === 'CallExpression' && (callee.name === 'described' || callee.object?.name === 'Type')
}

function isExample(node: Node): boolean {
  for (let scope: Node | undefined = node; scope; scope = scope.parent)
    if (scope.type === 'Property' && keyOf(scope) === 'example') return true
  return false
}

function entryOf({ path, code }: SourceFile, { start, end }: Node): string {
  return `${path}: ${code.slice(start, end).replace(/\s+/g, ' ')}`
}

/** Two words, or a capital beside holes. Anything less is a value. */
function isSentence(text: string): boolean {
  const fixed = text.replace(/\{\w+\}/g, '')
  return /\p{L}{2,}\P{L}+\p{L}/u.test(fixed) || (fixed !== text && /\p{Lu}\p{L}{2}/u.test(fixed))
}

interface Text {
  text: string
  place: string
}

interface Parameter {
  kind: 'parameter'
  fn: Node
  index: number
  /** Set where the parameter is taken apart. */
  property?: string
  /** The default. */
  fallback?: Node
}

type Declaration = { kind: 'value'; value: Node } | Parameter | { kind: 'unknown' }

/** The declaration of a name in its file, from the inside out. */
function declarationOf(name: Node): Declaration | undefined {
  for (let scope = name.parent; scope; scope = scope.parent) {
    if (/Function/.test(scope.type)) {
      const found = parameterOf(scope, name.name)
      if (found) return found
    }
    const statements = (
      scope.type === 'Program' || scope.type === 'BlockStatement' ? scope.body : []
    ) as Node[]
    for (const statement of statements) {
      const declaration = statement.declaration ?? statement
      if (declaration.type !== 'VariableDeclaration') continue
      for (const { id, init } of declaration.declarations as Node[]) {
        if (id.type === 'Identifier' && id.name === name.name)
          return init && declaration.kind === 'const' ? { kind: 'value', value: init } : { kind: 'unknown' }
        if (id.type !== 'Identifier' && namesIn(id).includes(name.name)) return { kind: 'unknown' }
      }
    }
  }
  return
}

function parameterOf(fn: Node, name: string): Parameter | undefined {
  const parameters = fn.params as Node[]
  for (const [index, parameter] of parameters.entries()) {
    const [target, fallback] =
      parameter.type === 'AssignmentPattern' ? [parameter.left, parameter.right] : [parameter, undefined]
    if (target.type === 'Identifier' && target.name === name)
      return { kind: 'parameter', fn, index, ...(fallback && { fallback }) }
    if (target.type === 'ObjectPattern' && namesIn(target).includes(name))
      return { kind: 'parameter', fn, index, property: name }
  }
  return
}

function namesIn(pattern: Node): string[] {
  const names: string[] = []
  const read = (node: Node | null): void => {
    if (!node) return
    if (node.type === 'Identifier') names.push(node.name)
    if (node.type === 'ObjectPattern')
      for (const property of node.properties) read(property.value ?? property.argument)
    if (node.type === 'ArrayPattern') for (const element of node.elements) read(element)
    if (node.type === 'AssignmentPattern') read(node.left)
  }
  read(pattern)
  return names
}

function functionName(fn: Node): string | undefined {
  if (fn.id) return fn.id.name
  return fn.parent?.type === 'VariableDeclarator' ? fn.parent.id.name : undefined
}

/** The value that a file declares at its top under a name. */
function exportedValue({ program }: SourceFile, name: string): Node | undefined {
  for (const statement of program.body as Node[]) {
    const declaration = statement.declaration ?? statement
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name) return declaration
    if (declaration?.type !== 'VariableDeclaration') continue
    const found = (declaration.declarations as Node[]).find(({ id }) => id.name === name)
    if (found) return found.init
  }
  return
}

function returnsOf(fn: Node): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body]
  const values: Node[] = []
  const read = (node: Node): void => {
    if (node !== fn.body && /Function/.test(node.type)) return
    if (node.type === 'ReturnStatement' && node.argument) values.push(node.argument)
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent') continue
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child.type === 'string') read(child)
    }
  }
  read(fn.body)
  return values
}

function extendsApiError(node: Node): boolean {
  let scope: Node | undefined = node
  while (scope && !/^Class(Declaration|Expression)$/.test(scope.type)) scope = scope.parent
  return scope?.superClass?.name === 'ApiError'
}

function member(node: Node, name: string): Node | undefined {
  return (node.properties as Node[]).find(
    (property) => property.type === 'Property' && keyOf(property) === name,
  )?.value
}

function keyOf({ key }: Node): string {
  return key.name ?? String(key.value)
}

function all<T>(parts: T[], textsOf: (part: T) => Text[] | undefined): Text[] | undefined {
  const found = parts.map(textsOf)
  return found.includes(undefined) ? undefined : (found as Text[][]).flat()
}

/** A hole is named after the last name of its expression: `state.currency` is {currency}, `longest(list)` is {longest}. */
function holeName(node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'MemberExpression':
      return node.computed ? holeName(node.object) : node.property.name
    case 'CallExpression':
      // Of a method, what it is called on: `names.join(', ')` is {names}.
      return node.callee.type === 'MemberExpression' &&
        /^(join|replace|replaceAll|slice|at|toString|toLowerCase|map|flat)$/.test(node.callee.property.name)
        ? holeName(node.callee.object)
        : holeName(node.callee)
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'AwaitExpression':
      return holeName(node.expression ?? node.argument)
    case 'LogicalExpression':
    case 'BinaryExpression':
      return holeName(node.left)
    case 'ConditionalExpression':
      return holeName(node.test)
    case 'NewExpression':
      return holeName(node.callee)
    case 'ArrayExpression':
      return node.elements[0] ? holeName(node.elements[0]) : 'value'
    case 'UnaryExpression':
      return holeName(node.argument)
    default:
      return 'value'
  }
}

function uniqueName(name: string, expression: string, names: Map<string, string>): string {
  let unique = name
  for (let count = 2; names.has(unique) && names.get(unique) !== expression; count++)
    unique = `${name}${count}`
  names.set(unique, expression)
  return unique
}

function placeOf({ path, code }: SourceFile, { start }: Node): string {
  return `${path}:${code.slice(0, start).split('\n').length}`
}
