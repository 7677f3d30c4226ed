import { Command } from 'commander'
import {
  type ImportReport,
  importOrders,
  type OrderRowOutcome,
} from '../changes/order-import/import-orders.ts'
import {
  type ImportCommandOptions,
  importOptions,
  runImport,
  textOfReport,
  undoLine,
} from './import-command.ts'
import { print, table } from './output.ts'
import type { Settings } from './session.ts'

export function ordersCommand(settings: Settings): Command {
  const orders = new Command('orders')
  const command = orders
    .command('import')
    .description(
      'Import a file of orders; running it again changes nothing, and takes up what was interrupted.',
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is an order, and a payment of it where it tells of one')
  importOptions(command).action((file, options) => run(settings, file, options))
  return orders
}

async function run(settings: Settings, file: string, options: ImportCommandOptions): Promise<void> {
  const report = await runImport(settings, options, (context, wanted) => importOrders(context, file, wanted))
  print({ json: report, text: textOf(report) }, options.json)
  if (report.rows.reject + report.rows.erased > 0) process.exitCode = 1
}

function textOf(report: ImportReport): string {
  const more = report.totals.length > 0 ? [tableOf(report.totals)] : []
  if (report.batch_id !== null) more.push(undoLine(report.batch_id))
  if (report.overdue.length > 0) more.push(`Under way already:\n${overdueTable(report.overdue)}`)
  return textOfReport(report, 'Imported the file:', more, outcomeTable)
}

function outcomeTable(outcomes: OrderRowOutcome[]): string {
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
