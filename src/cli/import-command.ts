import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { findOrganizations } from '../access/organizations/organization-store.ts'
import { programAccount } from '../contract/caller.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import { mostHeaderRow } from '../files/header-row.ts'
import { type Mapping, readMapping } from '../files/map-columns.ts'
import type { Progress } from '../files/read-rows.ts'
import type { FileReport, RowOutcome } from '../files/row-report.ts'
import { type Format, formats } from '../files/row-source.ts'
import { createCursors } from '../search/cursors.ts'
import { jsonOption, printError, record, visible } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { type Session, type Settings, withDatabase } from './session.ts'

/** Options of every file import. */
export interface ImportCommandOptions {
  org: string
  dryRun?: boolean
  map?: string
  mapping?: string
  rejects?: string
  outcomes?: string
  format?: Format
  encoding?: string
  sheet?: string
  headerRow?: number
  json?: boolean
}

export function importOptions(command: Command): Command {
  return command
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--dry-run', 'report the outcome of each row without changing anything')
    .option('--mapping <file>', 'JSON object that maps headers to columns')
    .addOption(new Option('--map <file>', 'the same as --mapping').hideHelp())
    .option('--rejects <file>', 'file for rejected rows (default: next to the imported file)')
    .option('--outcomes <file>', 'write the outcome of every row to a file, as NDJSON')
    .addOption(new Option('--format <format>', 'format of the file (default: by its name)').choices(formats))
    .option('--encoding <name>', 'text encoding (default: found; UTF-8, UTF-16 with a mark, GB 18030)')
    .option('--sheet <name>', 'sheet of the workbook (default: the first visible sheet with content)')
    .option('--header-row <number>', 'row of the headers; 0 if there are none (default: found)', rowNumber)
    .option(...jsonOption)
}

function rowNumber(text: string): number {
  const row = Number(text)
  if (!/^[0-9]{1,3}$/.test(text) || row > mostHeaderRow)
    throw new InvalidArgumentError(`It must be a row from 0 to ${mostHeaderRow}.`)
  return row
}

/** The options as input of the use cases. */
type Wanted = Omit<ImportCommandOptions, 'org' | 'json' | 'map' | 'mapping'> & {
  mapping?: Mapping
  onProgress: Progress
}

export async function runImport<Report>(
  settings: Settings,
  options: ImportCommandOptions,
  work: (context: OrganizationContext, wanted: Wanted) => Promise<Report>,
): Promise<Report> {
  const { org, json, map, mapping: file = map, ...rest } = options
  const mapping = file === undefined ? undefined : readMapping(await readFile(file, 'utf8'))
  const bar = progressBar('Importing', json)
  const onProgress: Progress = (bytes, total, rows) => bar.show(bytes, total, `${rows} rows`)
  return withDatabase(
    settings,
    async (session) => {
      try {
        return await work(await contextOf(session, org), { ...rest, mapping, onProgress })
      } finally {
        bar.stop()
      }
    },
    connections,
  )
}

/** An import of leads writes on two connections at a time. */
const connections = { max: 5 }

/** The caller of commands: the command line itself. */
const commandLine = programAccount('command-line', 'Command line')

export async function contextOf(
  { db, openKeyring, now }: Session,
  corp_id: string,
): Promise<OrganizationContext> {
  const [organization] = await findOrganizations(db.shared, [corp_id])
  if (!organization)
    throw new Error(`There is no organization ${corp_id}. List organizations with matricula org list.`)
  const cursors = createCursors()
  const keyring = await openKeyring()
  return {
    ...{ db: db.of(corp_id), organization, account: commandLine, now, newId, cursors, keyring },
    role: undefined,
    reach: 'everyone',
  }
}

type AnyReport = FileReport<RowOutcome, { reject: number; erased: number }>

/** A report as text. `more` follows the counts. */
export function textOfReport<Report extends AnyReport>(
  report: Report,
  heading: string,
  more: string[],
  outcomeTable: (outcomes: Report['first']) => string,
): string {
  const { rows, first, first_rejects, first_erased, format, encoding, sheet, header_row } = report
  const shape = sheet === null ? { format, encoding } : { format, sheet: visible(sheet) }
  const said = report.dry_run ? 'Dry run, nothing changed. An import would do this:' : heading
  const parts = [`${said}\n${record({ ...shape, header_row, ...rows })}`, ...more]
  if (report.unknown_columns.length > 0)
    parts.push(
      `Ignored columns with unknown names: ${report.unknown_columns.map(withSuggestion(report)).join(', ')}.`,
    )
  if (report.dry_run) parts.push(`The first rows:\n${outcomeTable(first)}`)
  if (first_rejects.length > 0) parts.push(`${rejectHeading(report)}\n${outcomeTable(first_rejects)}`)
  if (first_erased.length > 0)
    parts.push(
      `Rows of erased people (${rows.erased}), which are not imported unless matricula privacy lift allows it:\n` +
        outcomeTable(first_erased),
    )
  if (report.rejects_file)
    parts.push(
      `The rejected rows are in ${visible(report.rejects_file)}. Correct them there and import that file.`,
    )
  return parts.join('\n\n')
}

/** The end of the description of an import. */
export const exitCodes =
  'Exit code 0: no row was rejected; 3: some rows were rejected, the others were imported; 1: the file was refused, nothing was imported. A dry run has the same codes.'

const someRejected = 3

/** Says on standard error how many rows were rejected, and sets the exit code. */
export function endImport({ rows, dry_run }: AnyReport): void {
  const rejected = rows.reject + rows.erased
  if (rejected === 0) return
  const said = dry_run ? 'would be' : 'were'
  const others = rows.total > rejected ? ` The others ${said} imported.` : ''
  printError(`${rejected} of ${rows.total} rows ${said} rejected.${others}`)
  process.exitCode = someRejected
}

export function undoLine(batch_id: string): string {
  return `To undo: matricula undo ${batch_id} --org …`
}

function withSuggestion({ suggested_columns }: AnyReport) {
  return (header: string) =>
    visible(header) +
    (Object.hasOwn(suggested_columns, header) ? ` (perhaps ${suggested_columns[header]})` : '')
}

function rejectHeading({ rows, first_rejects }: AnyReport): string {
  return rows.reject > first_rejects.length
    ? `Rejected, the first ${first_rejects.length} of ${rows.reject}:`
    : 'Rejected:'
}
