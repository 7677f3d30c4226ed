// Writes what is derived from the contracts: docs/openapi.json, docs/errors.md, docs/orders.md, docs/permissions.md, and in README.md
// the settings and the number of the schema; and from the lock file docs/sbom.json.
// With --check it writes nothing, and fails naming each file that would change.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../src/config.ts'
import { errorCatalogue } from '../src/contract/errors.ts'
import { openApiOf } from '../src/contract/openapi.ts'
import { catalogue } from '../src/endpoints.ts'
import { moves, movesByMoney, type OrderStatus } from '../src/orders/rules/status.ts'
import { serviceVersion } from '../src/service-version.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { permissionsPage } from './permissions-page.ts'

const root = join(import.meta.dirname, '..')
const stale: string[] = []

put('docs/openapi.json', () => `${compactJson(openApiOf(catalogue, { version: serviceVersion }))}\n`)
put('docs/errors.md', errorsPage)
put('docs/orders.md', ordersPage)
put('docs/permissions.md', () => permissionsPage(table))
put('docs/sbom.json', () => `${compactJson(billOfMaterials(readLock()))}\n`)
put('README.md', withSettings)
put('README.md', withSchema)

if (stale.length > 0) {
  process.stderr.write(`Out of date, run "npm run generate": ${stale.join(', ')}\n`)
  process.exitCode = 1
}

function put(name: string, make: (before: string | undefined) => string | undefined): void {
  const path = join(root, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const after = make(before)
  if (after === undefined || after === before) return
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
    targets.join(', ') || 'nowhere: it is final',
    (movesByMoney[from as OrderStatus] ?? []).join(', '),
  ])
  return [
    '# How orders move',
    '',
    'Made by `npm run generate` from `src/orders/rules/status.ts`. The running service shows it at `/docs/orders`, with the',
    'rules in words and as a picture.',
    '',
    '`order/status/update` takes the moves of the second column. Those of the third come of money by itself: of what is paid, or turns',
    'out not to have been, and of an order for nothing that is confirmed.',
    '',
    table(['From', 'To', 'By money'], rows),
    '',
  ].join('\n')
}

function statusOf(code: number): string {
  return `${Math.floor(code / 100)}`
}

function withSettings(readme: string | undefined): string | undefined {
  const [opening, closing] = ['<!-- settings -->', '<!-- /settings -->']
  const [start, end] = [readme?.indexOf(opening) ?? -1, readme?.indexOf(closing) ?? -1]
  if (readme === undefined || start < 0 || end < start) {
    process.stderr.write(`README.md has no place for the settings (${opening} … ${closing}): left out.\n`)
    return undefined
  }
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    shownDefault(setting),
    setting.meaning,
  ])
  const made = `\n\n${table(['Setting', 'Default', 'Meaning'], rows)}\n\n`
  return readme.slice(0, start + opening.length) + made + readme.slice(end)
}

/** README.md quotes the version of the schema: 1 for `schema/`, and one more for each migration. */
function withSchema(readme: string | undefined): string | undefined {
  const migrations = readdirSync(join(root, 'migrations')).filter((file) => file.endsWith('.sql'))
  const schema = 1 + migrations.length
  const newest = migrations
    .toSorted()
    .at(-1)
    ?.replace(/\.sql$/, '')
  return readme
    ?.replace(
      /schema \d+, but this version … only knows schema \d+/,
      `schema ${schema + 1}, but this version … only knows schema ${schema}`,
    )
    .replace(/this version needs schema \d+/, `this version needs schema ${schema}`)
    .replace(/(current {2}|wanted {3})\d+/g, `$1${schema}`)
    .replace(/^applied {2}.*$/m, `applied  0001_schema${newest ? `, …, ${newest}` : ''}`)
}

function shownDefault(setting: { default?: string | undefined; defaultShown?: string }): string {
  if (setting.defaultShown) return setting.defaultShown
  return setting.default ? `\`${setting.default}\`` : ''
}

/** JSON for people: what fits on a line stands on one. */
function compactJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 110) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${compactJson(member, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** Columns are padded, as the formatter of the repository wants them. */
function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map(escapeCell))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const [first, ...rest] = cells.map(line)
  return [first, rule, ...rest].join('\n')
}

/** A bar would end the cell, and angle brackets outside code would be taken for HTML. */
function escapeCell(text: string): string {
  const barred = text.replaceAll('|', '\\|')
  return barred.startsWith('`') ? barred : barred.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
