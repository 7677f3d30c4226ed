// The generated files of packages/client: types of the schemas, and the table of operations with a method for each.
import { currencyExponents } from '../src/contract/currencies.ts'
import { iteratorNameOf, methodNameOf } from './client-methods.ts'
import { commentOf, createDeclarations, type JsonSchema } from './client-types.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>
}

/** The parts of an OpenAPI document that the client reads. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    examples: Record<string, { value: { code: number; msg: string } }>
  }
}

interface Method {
  group: string
  method: string
  httpMethod: string
  path: string
  operation: Operation
  input: string | undefined
  needsInput: boolean
  data: string
  paging: Paging | undefined
  isSigned: boolean
}

/** The paging of a list: by page numbers, by a first row, or by a cursor. */
type Paging = 'page' | 'step' | 'cursor'

const notice = '// Generated from the OpenAPI document by `npm run generate`. Changes here are overwritten.\n'

/** The files by name. */
export function clientFilesOf(document: Document): Record<string, string> {
  const declarations = createDeclarations(document.components.schemas)
  const methods = methodsOf(document, declarations)
  const groups = Map.groupBy(methods, ({ group }) => group)
  return {
    'types.ts': [
      notice,
      "import type { Amount, Minor } from '../money.ts'\n",
      `${errorCodesOf(document)}\n`,
      `${declarations.text()}\n`,
    ].join('\n'),
    'operations.ts': operationsFile(groups, declarations.names()),
    'currency-digits.ts': `${notice}\n${currencyDigits()}\n`,
  }
}

function methodsOf({ paths, components }: Document, declarations: ReturnType<typeof createDeclarations>) {
  const seen = new Map<string, string>()
  const methods: Method[] = []
  for (const [path, byMethod] of Object.entries(paths))
    for (const [httpMethod, operation] of Object.entries(byMethod)) {
      const { operationId, parameters, tags, requestBody, responses } = operation
      const { group, method } = methodNameOf(operationId, tags[0]!)
      const name = `${group}.${method}`
      const other = seen.get(name)
      if (other)
        throw new Error(`${other} and ${operationId} are both ${name}: name one in client-methods.ts`)
      seen.set(name, operationId)
      const title = operationId[0]!.toUpperCase() + operationId.slice(1)
      const sent = requestBody?.content['application/json']?.schema ?? queryOf(parameters, components)
      const resolvedInput = merged(resolve(sent, components.schemas), components.schemas)
      const isEmpty = Object.keys(resolvedInput.properties ?? {}).length === 0
      const answer = resolve(responses[200]!.content['application/json']!.schema, components.schemas)
      const data = answer.properties!.data!
      methods.push({
        group,
        method,
        httpMethod: httpMethod.toUpperCase(),
        path,
        operation,
        input: isEmpty ? undefined : declarations.declareAs(`${title}Input`, sent, 'sent'),
        needsInput: (resolvedInput.required ?? []).some((each) => each !== 'corp_id'),
        data: declarations.declareAs(`${title}Data`, data, 'received'),
        paging: pagingOf(resolvedInput, resolve(data, components.schemas)),
        isSigned: parameters.some(({ $ref }) => $ref?.endsWith('/Signature')),
      })
    }
  return methods
}

function queryOf(all: Parameter[], { parameters }: Document['components']): JsonSchema {
  const query = all
    .map((each) => (each.$ref ? parameters[each.$ref.split('/').at(-1)!]! : each))
    .filter((each) => each.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
}

function resolve(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  return schema.$ref ? resolve(schemas[schema.$ref.split('/').at(-1)!]!, schemas) : schema
}

/** The members of all shapes of a call. Required are those that every shape requires. */
function merged(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  if (!schema.oneOf) return schema
  const shapes = schema.oneOf.map((shape) => resolve(shape, schemas))
  return {
    type: 'object',
    properties: Object.assign({}, ...shapes.map(({ properties }) => properties)),
    required: shapes[0]!.required!.filter((name) => shapes.every(({ required }) => required!.includes(name))),
  }
}

function pagingOf(input: JsonSchema, data: JsonSchema): Paging | undefined {
  const takes = (name: string) => name in (input.properties ?? {})
  const has = (name: string) => name in (data.properties ?? {})
  if (takes('page') && takes('page_size') && has('list')) return 'page'
  if (takes('start_index') && takes('step') && has('rows')) return 'step'
  if (takes('after') && has('next_cursor') && has('list')) return 'cursor'
  return undefined
}

const pageParametersOf: Record<Paging, string> = {
  page: "'page'",
  step: "'start_index'",
  cursor: "'wait_seconds'",
}

function operationsFile(groups: Map<string, Method[]>, types: string[]): string {
  const interfaces = [...groups].map(([group, methods]) => interfaceOf(group, methods))
  const tables = [...groups].map(
    ([group, methods]) => `  ${group}: {\n${methods.map(entryOf).join('\n')}\n  },`,
  )
  const body = interfaces.join('\n\n')
  const used = types.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  return `${notice}
import type { CallOptions, Rows } from '../call-options.ts'
import type {
${used
  .toSorted()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.ts'

${body}

/** The operations by group. */
export interface Groups {
${[...groups.keys()].map((group) => `  readonly ${group}: ${interfaceName(group)}`).join('\n')}
}

/** Method and path below /api/v5/ of each operation. \`!\` marks a call that is signed, the last word how a list is read. */
export const operations = {
${tables.join('\n')}
} as const
`
}

function interfaceOf(group: string, methods: Method[]): string {
  const members = methods.flatMap((each) => [
    methodOf(each),
    ...(each.paging ? [iteratorOf(each, each.paging)] : []),
  ])
  return `export interface ${interfaceName(group)} {\n${members.join('\n').replace(/^(?=.)/gm, '  ')}\n}`
}

function methodOf({ method, operation, input, needsInput, data }: Method): string {
  const comment = commentOf(`${operation.summary}.\n\n${operation.description}`)
  const parameters = input ? `input${needsInput ? '' : '?'}: ${input}, ` : 'input?: Record<string, never>, '
  return `${comment}${method}(${parameters}options?: CallOptions): Promise<${data}>`
}

function iteratorOf({ method, operation, input, needsInput, data }: Method, paging: Paging): string {
  const row = `${data}['${paging === 'step' ? 'rows' : 'list'}'][number]`
  const parameters = `input${needsInput ? '' : '?'}: Rows<${input}, ${pageParametersOf[paging]}>`
  return `${commentOf(`${operation.summary}: every row, page after page.`)}${iteratorNameOf(method)}(${parameters}, options?: CallOptions): AsyncGenerator<${row}, void, undefined>`
}

function entryOf({ method, httpMethod, path, isSigned, paging }: Method): string {
  const words = [
    `${httpMethod}${isSigned ? '!' : ''}`,
    path.replace('/api/v5/', ''),
    ...(paging ? [paging] : []),
  ]
  return `    ${method}: '${words.join(' ')}',`
}

function interfaceName(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}Methods`
}

function errorCodesOf({ components }: Document): string {
  const codes = Object.entries(components.examples)
    .map(([name, { value }]) => ({ name, code: value.code, msg: value.msg }))
    .toSorted((one, other) => one.code - other.code)
  const members = codes.map(({ name, code, msg }) => `  /** ${msg} */\n  ${code}: '${name}'`)
  return `/** The failures that operations can answer, by code. */\nexport interface ErrorCodes {\n${members.join('\n')}\n}`
}

/** Digits of the minor unit; most currencies have two and are left out. */
function currencyDigits(): string {
  const others = Object.entries(currencyExponents).filter(([, digits]) => digits !== 2)
  const byDigits = Map.groupBy(others, ([, digits]) => digits)
  const lines = [...byDigits].map(
    ([digits, codes]) => `  ${digits}: '${codes.map(([code]) => code).join(' ')}',`,
  )
  return `/** Currencies by the digits of their minor unit. All others have two. */\nexport const currencyDigits = {\n${lines.join('\n')}\n}`
}
