import { readFile } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import { Command, Option } from 'commander'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import type { Database } from '../database/database.ts'
import {
  type ImportOptions,
  type ImportReport,
  importOrders,
  type RowOutcome,
} from '../order-import/import-orders.ts'
import { createCursors } from '../orders/cursors.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import { readMapping } from '../spreadsheet/map-columns.ts'
import { type Format, formats } from '../spreadsheet/row-source.ts'
import { jsonOption } from './options.ts'
import { print, record, table, visible } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

interface ImportCommandOptions {
  org: string
  dryRun?: boolean
  mapping?: string
  rejects?: string
  outcomes?: string
  format?: Format
  encoding?: string
  sheet?: string
  json?: boolean
}

export function ordersCommand(settings: Settings): Command {
  const orders = new Command('orders').description('Bring orders in from spreadsheets.')
  orders
    .command('import')
    .description(
      'Import a file of orders; running it again changes nothing, and takes up what was interrupted.',
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is an order, and a payment of it where it tells of one')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--dry-run', 'say what would become of each row, and change nothing')
    .option('--mapping <file>', 'JSON object of headers and the columns they stand for')
    .option('--rejects <file>', 'where rejected rows go (default: beside the file)')
    .option('--outcomes <file>', 'write what became of every row, as NDJSON')
    .addOption(new Option('--format <format>', 'format of the file (default: by its name)').choices(formats))
    .option('--encoding <name>', 'text encoding (default: found; UTF-8, UTF-16 with a mark, GB 18030)')
    .option('--sheet <name>', 'sheet of the workbook (default: the first)')
    .option(...jsonOption)
    .action((file, options) => run(settings, file, options))
  return orders
}

async function run(settings: Settings, file: string, options: ImportCommandOptions): Promise<void> {
  const { dryRun, rejects, outcomes, format, encoding, sheet } = options
  const mapping =
    options.mapping === undefined ? undefined : readMapping(await readFile(options.mapping, 'utf8'))
  const bar = progressBar()
  const wanted: ImportOptions = {
    dryRun,
    rejects,
    outcomes,
    format,
    encoding,
    sheet,
    mapping,
    onProgress: bar.show,
  }
  const report = await withDatabase(settings, async ({ db, now }) => {
    try {
      return await importOrders(await contextOf(db, options.org, now), file, wanted)
    } finally {
      bar.stop()
    }
  })
  print({ json: report, text: textOf(report) }, options.json)
  if (report.rows.reject > 0) process.exitCode = 1
}

/** What is done on the command line is done in its own name. */
const commandLine = {
  app_id: 'command-line',
  name: 'Command line',
  permissions: ['read', 'write', 'finance'],
  token_epoch: 0,
  is_disabled: false,
  strict_time_stamps: false,
  rate_limit_per_minute: null,
} satisfies OrganizationContext['account']

export async function contextOf(db: Database, corp_id: string, now: Date): Promise<OrganizationContext> {
  const [organization] = await findOrganizations(db.shared, [corp_id])
  if (!organization) throw new Error(`There is no organization ${corp_id}: matricula org list shows them.`)
  return { db: db.of(corp_id), organization, account: commandLine, now, newId, cursors: createCursors() }
}

/** On a terminal only, and on standard error, so that what is printed stays clean. */
function progressBar(): { show(bytes: number, total: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, stop: () => undefined }
  const format = 'Importing [{bar}] {percentage}% {eta_formatted}'
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let isStarted = false
  return {
    show(bytes, total) {
      if (!isStarted) bar.start(total, 0)
      isStarted = true
      bar.update(Math.min(bytes, total))
    },
    stop: () => bar.stop(),
  }
}

function textOf(report: ImportReport): string {
  const { rows, totals, first, first_rejects } = report
  const heading = report.dry_run
    ? 'Nothing was changed; this is what an import would do:'
    : 'Imported the file:'
  const parts = [`${heading}\n${record({ format: report.format, encoding: report.encoding, ...rows })}`]
  if (totals.length > 0) parts.push(tableOf(totals))
  if (report.overdue.length > 0) parts.push(`Under way already:\n${overdueTable(report.overdue)}`)
  if (report.unknown_columns.length > 0)
    parts.push(
      `Ignored, as nothing is known of them: ${report.unknown_columns.map(withSuggestion(report)).join(', ')}.`,
    )
  if (report.dry_run) parts.push(`The first rows:\n${outcomeTable(first)}`)
  if (first_rejects.length > 0) parts.push(`${rejectHeading(report)}\n${outcomeTable(first_rejects)}`)
  if (report.rejects_file)
    parts.push(
      `The rejected rows are in ${visible(report.rejects_file)}: mend them there and import that file.`,
    )
  return parts.join('\n\n')
}

function withSuggestion({ suggested_columns }: ImportReport) {
  return (header: string) =>
    visible(header) +
    (Object.hasOwn(suggested_columns, header) ? ` (perhaps ${suggested_columns[header]})` : '')
}

function rejectHeading({ rows, first_rejects }: ImportReport): string {
  return rows.reject > first_rejects.length
    ? `Rejected, the first ${first_rejects.length} of ${rows.reject}:`
    : 'Rejected:'
}

function outcomeTable(outcomes: RowOutcome[]): string {
  return table(outcomes, {
    row: ({ row }) => row,
    external_id: ({ external_id }) => external_id,
    outcome: ({ outcome }) => outcome,
    reason: ({ reason, note }) => reason ?? note,
  })
}

function overdueTable(overdue: ImportReport['overdue']): string {
  return table(overdue, {
    currency: ({ currency }) => currency,
    orders_overdue: ({ orders }) => orders,
    overdue_price: ({ overdue_price }) => overdue_price,
    orders_that_expire: ({ expiring }) => expiring,
  })
}

function tableOf(totals: ImportReport['totals']): string {
  return table(totals, {
    currency: ({ currency }) => currency,
    orders: ({ orders }) => orders,
    total_price: ({ total_price }) => total_price,
    payments: ({ payments }) => payments,
    paid_price: ({ paid_price }) => paid_price,
  })
}
