// Writes the files that are derived from the code: docs/collections, docs/openapi.json, docs/openapi-console.json, docs/errors.md, docs/orders.md, docs/permissions.md,
// docs/stories and docs/sbom.json as a whole; in docs/configuration.md and docs/command-line.md the part between two markers.
// With --check it writes nothing, and fails naming each file that would change.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stories as storiesInEnglish } from '../console/src/languages/stories-en.ts'
import { stories as storiesInChinese } from '../console/src/languages/stories-zh.ts'
import { errorCatalogue } from '../src/contract/errors.ts'
import type { OrderStatus } from '../src/contract/order-statuses.ts'
import { administration, endpoints } from '../src/endpoints.ts'
import { openApiDocuments } from '../src/openapi-documents.ts'
import { moves, movesByMoney } from '../src/orders/rules/status.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { clientFilesOf, type Document } from './client-files.ts'
import { brunoCollection } from './collections/bruno.ts'
import { postmanCollection } from './collections/postman.ts'
import { foldersOf } from './collections/requests.ts'
import { commandLineReference } from './command-line-page.ts'
import { settingsTable } from './configuration-page.ts'
import { table } from './markdown-table.ts'
import { permissionsPage } from './permissions-page.ts'
import { storyPage } from './story-pages.ts'

const root = join(import.meta.dirname, '..')
const stale: string[] = []

for (const [name, document] of Object.entries(openApiDocuments))
  put(`docs/${name}`, () => `${compactJson(document(), { width: 160, step: ' ' })}\n`)
// The types of the document follow its construction; the client reads it as plain OpenAPI.
const integrators = openApiDocuments['openapi.json']() as unknown as Document
for (const [name, text] of Object.entries(clientFilesOf(integrators)))
  put(`packages/client/src/generated/${name}`, () => text)
const folders = foldersOf([...endpoints, ...administration])
put('docs/collections/matricula.postman.json', () => `${compactJson(postmanCollection(folders))}\n`)
put('docs/collections/matricula.bruno.json', () => `${compactJson(brunoCollection(folders))}\n`)
put('docs/errors.md', errorsPage)
put('docs/orders.md', ordersPage)
put('docs/permissions.md', permissionsPage)
for (const role of ['counsellor', 'finance', 'admin', 'viewer'] as const)
  put(`docs/stories/${role}.md`, () => storyPage(role, storiesInEnglish, storiesInChinese))
put('docs/sbom.json', () => `${compactJson(billOfMaterials(readLock()))}\n`)
const reference = await commandLineReference()
put('docs/configuration.md', (page) => between('settings', page, settingsTable()))
put('docs/command-line.md', (page) => between('commands', page, reference))

if (stale.length > 0) {
  process.stderr.write(`Out of date, run "npm run generate": ${stale.join(', ')}\n`)
  process.exitCode = 1
}

function put(name: string, make: (before: string | undefined) => string): void {
  const path = join(root, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const after = make(before)
  if (after === before) return
  if (process.argv.includes('--check')) stale.push(name)
  else writeFileSync(path, after)
}

function readLock() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

function errorsPage(): string {
  const rows = Object.values(errorCatalogue)
    .toSorted(([one], [other]) => one - other)
    .map(([code, msg, remedy]) => [`${code}`, statusOf(code), msg, remedy])
  return [
    '# Error catalogue',
    '',
    'Made by `npm run generate` from `src/contract/errors.ts`. The running service shows it at `/docs/errors`.',
    '',
    'A failure has its HTTP status, and in `code` that status × 100 and a count. `msg` may be more exact than here.',
    '',
    table(['Code', 'HTTP status', 'Message', 'What to do'], rows),
    '',
  ].join('\n')
}

function ordersPage(): string {
  const rows = Object.entries(moves).map(([from, targets]) => [
    from,
    targets.join(', ') || 'none: it is final',
    (movesByMoney[from as OrderStatus] ?? []).join(', '),
  ])
  return [
    '# Moves between order statuses',
    '',
    '`npm run generate` writes this page from `src/orders/rules/status.ts`. The running service shows it at `/docs/orders`, with the',
    'rules in words and as a picture.',
    '',
    '`order/status/update` takes the moves of the second column. Money causes the moves of the third: a payment, a void, or the',
    'confirmation of an order with a price of 0.',
    '',
    table(['From', 'To', 'By money'], rows),
    '',
  ].join('\n')
}

function statusOf(code: number): string {
  return `${Math.floor(code / 100)}`
}

/** The page with the part between `<!-- name -->` and `<!-- /name -->` replaced. */
function between(name: string, page = '', part: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [page.indexOf(opening), page.indexOf(closing)]
  if (start < 0 || end < start)
    throw new Error(`The page has no place for its ${name}: ${opening} … ${closing}.`)
  return `${page.slice(0, start + opening.length)}\n\n${part}\n\n${page.slice(end)}`
}

/** JSON with short values on one line. */
function compactJson(value: unknown, { width, step } = { width: 110, step: '  ' }, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line
  const inner = indent + step
  const parts = Array.isArray(value)
    ? value.map((item) => compactJson(item, { width, step }, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${compactJson(member, { width, step }, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}
