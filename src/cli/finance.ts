import { Command, Option } from 'commander'
import { checkLedger, type LedgerReport } from '../backoffice/finance/check-ledger.ts'
import type { ControlSheet } from '../backoffice/finance/control-sheet.ts'
import { exportFinancialRows } from '../backoffice/finance/export-financial-rows.ts'
import { exportMoney } from '../backoffice/finance/export-money.ts'
import { type ExportFormat, exportFormats } from '../backoffice/finance/write-export.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { paymentStates } from '../orders/rules/payment-balance.ts'
import { describeRange, fullOption, rangeOf } from './check-range.ts'
import { bankCommand } from './finance-bank.ts'
import { addClosingCommands, closeCommand } from './finance-close.ts'
import { addPayerCommands } from './finance-payers.ts'
import { addReportCommands } from './finance-reports.ts'
import { print, record, table, visible } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { describeComparison, findPublishedHeads, headsOption } from './published-heads.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

export function createCommand(settings: Settings): Command {
  const finance = new Command('finance')
  finance
    .command('export')
    .description('Write financial rows, payments or refunds as of an instant to a file, with control sums.')
    .requiredOption('--org <corp_id>', 'the organization')
    .addOption(new Option('--format <format>', 'file format').choices(exportFormats).makeOptionMandatory())
    .requiredOption('--out <file>', 'where to write it')
    .addOption(new Option('--what <what>', 'records to write').choices(exportable).default('rows'))
    .option(
      '--as-of <instant>',
      'an instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end (default: now)',
    )
    .option('--start-date <date>', 'first day of the range')
    .option('--end-date <date>', 'last day of the range, inclusive')
    .addOption(new Option('--status <status>', 'only sub-orders in this status').choices([...orderStatuses]))
    .addOption(
      new Option(
        '--time-range-type <type>',
        'the time that the range and the sorting use (default: create)',
      ).choices(['create', 'modify']),
    )
    .addOption(new Option('--state <state>', 'only payments in this state').choices([...paymentStates]))
    .option('--method <method>', 'only payments or refunds of this method')
    .option('--provider <provider>', 'only payments or refunds of this provider')
    .option('--force', 'replace existing files')
    .action((options) => exportRows(settings, options))
  finance
    .command('check')
    .description(
      'Prove that orders, sub-orders, payments, refunds, versions, their chain and closings agree; exit code 1 where they do not.',
    )
    .option('--org <corp_id>', 'one organization (default: all)')
    .option(...fullOption)
    .option(
      '--head <hash>',
      'an earlier head of the chain; everything up to it must be unchanged; implies --full',
    )
    .addOption(headsOption())
    .action((options) => check(settings, options))
  addReportCommands(finance, settings)
  addPayerCommands(finance, settings)
  finance.addCommand(closeCommand(settings))
  addClosingCommands(finance, settings)
  finance.addCommand(bankCommand(settings))
  return finance
}

interface ExportOptions {
  org: string
  format: ExportFormat
  out: string
  asOf?: string
  startDate?: string
  endDate?: string
  status?: string
  timeRangeType?: string
  what: (typeof exportable)[number]
  state?: string
  method?: string
  provider?: string
  force?: boolean
  json?: boolean
}

async function exportRows(settings: Settings, options: ExportOptions): Promise<void> {
  const { org: corp_id, format, out, force, what, state, method, provider, status } = options
  const { asOf: as_of, startDate: start_date, endDate: end_date, timeRangeType: time_range_type } = options
  const target = { corp_id, format, out, force, as_of, start_date, end_date }
  refuseOthers(what, what === 'rows' ? { state, method, provider } : { status, time_range_type })
  const bar = progressBar('Exporting', options.json)
  const { files, control } = await withDatabase(
    settings,
    (session) =>
      (what === 'rows'
        ? exportFinancialRows(session, { ...target, status, time_range_type }, bar.show)
        : exportMoney(session, { ...target, what, state, method, provider }, bar.show)
      ).finally(bar.stop),
    withoutTimeouts,
  )
  print(
    { json: { files, ...control }, text: `Wrote ${files.map(visible).join(' and ')}:\n${describe(control)}` },
    options.json,
  )
}

const exportable = ['rows', 'payments', 'refunds'] as const

/** Refuses filters that would have no effect. */
function refuseOthers(what: string, filters: Record<string, unknown>): void {
  const [name] = Object.entries(filters).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throw new Error(`The filter ${name} does not apply to an export of ${what}.`)
}

function describe({ sums, ...control }: ControlSheet): string {
  if (sums.length === 0) return record(control)
  return `${record(control)}\n\n${table(sums, ['column', 'currency', 'sum'])}`
}

interface CheckOptions {
  full?: boolean
  org?: string
  head?: string
  heads?: string[]
  json?: boolean
}

async function check(settings: Settings, { org, full, head, heads, json }: CheckOptions): Promise<void> {
  if (head !== undefined && org === undefined)
    throw new Error('--head needs --org, because each organization has its own chain.')
  const published = await findPublishedHeads(settings(), heads)
  const bar = progressBar('Checking', json)
  const report = await withDatabase(
    settings,
    async (session) => {
      const range = await rangeOf(session, full === true || head !== undefined)
      const options = { head, published, progress: bar.show, range }
      return checkLedger(session.db, org, options).finally(bar.stop)
    },
    withoutTimeouts,
  )
  if (report.total > 0) process.exitCode = 1
  const text = `${outcome(report)}\n${describeComparison(settings(), published)}`
  print({ json: { ...report, compared: published.report() }, text }, json)
}

function outcome({ organizations, orders, total, discrepancies, chains }: LedgerReport): string {
  const extent = `${count(orders, 'order')} of ${count(organizations, 'organization')}`
  if (total === 0) {
    const heads = table(chains, {
      organization: 'corp_id',
      links: 'length',
      checked_from: ({ from }) => String(from + 1),
      last_full_check: 'full_at',
      head: 'head',
    })
    const left = describeRange(chains, 'orders')
    return [`The ledger agrees: ${extent} checked.`, left, heads].filter(Boolean).join('\n')
  }
  const found = table(discrepancies, {
    organization: 'corp_id',
    order: 'order_id',
    what: ({ subject, what }) => (subject === null ? what : `${subject}: ${what}`),
    expected: 'expected',
    found: 'found',
  })
  const rest = total - discrepancies.length
  return `${found}\n${rest > 0 ? `and ${rest} more\n` : ''}The ledger does not agree: ${count(total, 'discrepancy')} in ${extent}.`
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : noun.replace(/y?$/, (y) => (y ? 'ies' : 's'))}`
}
