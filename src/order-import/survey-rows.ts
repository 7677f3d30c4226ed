import type { ColumnMap } from '../spreadsheet/map-columns.ts'
import { RepeatedKeys } from '../spreadsheet/repeated-keys.ts'
import type { RowSource, SourceRow } from '../spreadsheet/row-source.ts'
import type { ColumnFault } from './read-order-row.ts'

/** What the file as a whole says of a row. */
export interface Survey {
  rows: number
  faultOf(row: number): ColumnFault | undefined
}

/**
 * Reads the file through before anything is done: a fault of the file as a whole shows here, and so do rows that
 * repeat each other's external_id or charge, of which the first counts.
 */
export async function surveyRows(source: RowSource, { names }: ColumnMap): Promise<Survey> {
  const orders = await RepeatedKeys.make()
  const charges = await RepeatedKeys.make()
  try {
    const at = {
      order: names.indexOf('external_id'),
      charge: names.indexOf('charge_id'),
      source: names.indexOf('payment_source'),
    }
    let rows = 0
    for await (const row of source.rows()) {
      rows++
      const order = textAt(row, at.order)
      const charge = textAt(row, at.charge)
      if (order !== '') await orders.add(order, row.row)
      if (charge !== '')
        await charges.add(`${textAt(row, at.source).toLowerCase() || 'import'} ${charge}`, row.row)
    }
    const repeated = { external_id: await orders.find(), charge_id: await charges.find() }
    return {
      rows,
      faultOf(row) {
        for (const [column, repetitions] of Object.entries(repeated)) {
          const first = repetitions.get(row)
          if (first !== undefined) return { column, reason: `stands in row ${first} already` }
        }
        return undefined
      },
    }
  } finally {
    await Promise.all([orders.close(), charges.close()])
  }
}

function textAt({ cells }: SourceRow, index: number): string {
  const cell = index < 0 ? '' : cells[index]!
  return typeof cell === 'string' ? cell : ''
}
