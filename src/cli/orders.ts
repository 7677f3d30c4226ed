import { Command } from 'commander'
import {
  type ImportReport,
  importOrders,
  type OrderRowOutcome,
} from '../changes/order-import/import-orders.ts'
import {
  endImport,
  exitCodes,
  type ImportCommandOptions,
  importOptions,
  runImport,
  textOfReport,
  undoLine,
} from './import-command.ts'
import { print, table } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const orders = new Command('orders')
  const command = orders
    .command('import')
    .description(
      'Import a file of orders. A second run resumes an interrupted import and creates no duplicates. ' +
        exitCodes,
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is an order, optionally with a payment')
  importOptions(command).action((file, options) => run(settings, file, options))
  return orders
}

async function run(settings: Settings, file: string, options: ImportCommandOptions): Promise<void> {
  const report = await runImport(settings, options, (context, wanted) => importOrders(context, file, wanted))
  print({ json: report, text: textOf(report) }, options.json)
  endImport(report)
}

function textOf(report: ImportReport): string {
  const more: string[] = []
  if (report.totals.length > 0)
    more.push(table(report.totals, ['currency', 'orders', 'total_price', 'payments', 'paid_price']))
  if (report.batch_id !== null) more.push(undoLine(report.batch_id))
  if (report.overdue.length > 0) more.push(`Already overdue:\n${overdueTable(report.overdue)}`)
  return textOfReport(report, 'Imported the file:', more, outcomeTable)
}

function outcomeTable(outcomes: OrderRowOutcome[]): string {
  const reason = (row: OrderRowOutcome) => row.reason ?? row.note
  return table(outcomes, { row: 'row', external_id: 'external_id', outcome: 'outcome', reason })
}

function overdueTable(overdue: ImportReport['overdue']): string {
  return table(overdue, {
    currency: 'currency',
    orders_overdue: 'orders',
    overdue_price: 'overdue_price',
    orders_that_expire: 'expiring',
  })
}
