// Every text of the console is in both language files with the same places, and every entry there is used.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { en } from '../console/src/languages/en.ts'
import { zh } from '../console/src/languages/zh.ts'

const root = join(import.meta.dirname, '..')
const faults: string[] = []
/** Texts of the code: whole ones name a word, the beginnings of templates name all words with that beginning. */
const literals = new Set<string>()
const beginnings = new Set<string>()

const shownAttributes =
  /^(title|label|placeholder|description|alt|text|confirmLabel|aria-label|aria-description|error|said|nothingFound)$/
const letters = /\p{L}/u
const chinese = /\p{Script=Han}/u

for await (const path of glob('console/src/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (name) => name.includes('languages'),
})) {
  readSource(path, await readFile(join(root, path), 'utf8'))
}
const english = new Map(wordsOf(en))
for (const key of english.keys()) {
  const base = key.replace(/_(one|other)$/, '')
  // Common words may be unused until a screen needs them.
  const isUsed =
    base.startsWith('common.') ||
    literals.has(base) ||
    [...beginnings].some((beginning) => base.startsWith(beginning))
  if (!isUsed) faults.push(`${key} is a word that no screen uses.`)
}
for (const [key, text] of wordsOf(zh)) {
  const [wanted, found] = [placesIn(english.get(key) ?? ''), placesIn(text)]
  if (wanted !== found)
    faults.push(`${key} fills in ${found || 'nothing'} in Chinese, ${wanted || 'nothing'} in English.`)
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}

function readSource(path: string, code: string): void {
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const complain = (node: { start: number }, text: string) => {
    const line = code.slice(0, node.start).split('\n').length
    faults.push(`${path}:${line} shows a text that is in no language file: ${text.trim()}`)
  }
  new Visitor({
    JSXText(node: ESTree.JSXText) {
      if (letters.test(node.value)) complain(node, node.value)
    },
    JSXAttribute({ name, value }: ESTree.JSXAttribute) {
      if (name.type !== 'JSXIdentifier' || value?.type !== 'Literal') return
      if (shownAttributes.test(name.name) && letters.test(String(value.value)))
        complain(value, String(value.value))
    },
    Literal(node: ESTree.Node & { value?: unknown }) {
      if (typeof node.value !== 'string') return
      literals.add(node.value)
      if (chinese.test(node.value)) complain(node, node.value)
    },
    TemplateElement(node: ESTree.TemplateElement) {
      if (chinese.test(node.value.raw)) complain(node, node.value.raw)
    },
    TemplateLiteral({ quasis }: ESTree.TemplateLiteral) {
      const beginning = quasis[0]!.value.raw
      if (/^\w+\./.test(beginning)) beginnings.add(beginning)
    },
  } as never).visit(program)
}

function wordsOf(words: object, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${name}`, value] as [string, string]]
      : wordsOf(value, `${prefix}${name}.`),
  )
}

function placesIn(text: string): string {
  return [...text.matchAll(/\{\{[^}]+\}\}/g)]
    .map(([place]) => place)
    .toSorted()
    .join(' ')
}
