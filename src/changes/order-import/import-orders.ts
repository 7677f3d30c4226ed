import type { OrganizationContext } from '../../contract/endpoint.ts'
import { freshStatistics } from '../../database/fresh-statistics.ts'
import type { ColumnFault } from '../../files/column-faults.ts'
import { type ColumnMap, isHeaderOf, mapColumns } from '../../files/map-columns.ts'
import { readRows, rowBatches } from '../../files/read-rows.ts'
import { rejectedRows, rejectsPath } from '../../files/rejected-rows.ts'
import { type RowKeys, type Survey, surveyRows } from '../../files/repeated-keys.ts'
import {
  type FileImportOptions,
  type FileReport,
  type RowOutcome,
  type RowReport,
  reasonOf,
  reportRows,
  textUnder,
} from '../../files/row-report.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { completeBatch, insertBatch } from '../undo/change-batch-store.ts'
import { type ColumnName, type OrderRow, orderColumns, readOrderRow } from './columns.ts'
import { importBatch } from './import-batch.ts'
import { overdueNote, type RowPlan } from './plan-row.ts'
import { type CurrencyTotal, type OverdueTotal, Tally } from './tally.ts'

/** The outcome of a row, as shown. */
export interface OrderRowOutcome extends RowOutcome {
  external_id: string | null
  outcome: RowPlan['outcome']
  /** A remark on a row that is not rejected. */
  note: string | null
}

/** Undoing the batch keeps payments. */
export interface ImportReport extends FileReport<OrderRowOutcome, Tally['rows']> {
  totals: CurrencyTotal[]
  /** Orders whose payment plans have already started. */
  overdue: OverdueTotal[]
}

/** Orders per transaction: few enough to lock the ledger clock only briefly. */
const batchSize = { rows: 200, characters: 4_000_000 }

/**
 * Imports a file of orders. Each batch of rows and the record of its rows are one transaction. An interrupted import
 * is resumed by running it again: imported rows are found unchanged.
 */
export async function importOrders(
  context: OrganizationContext,
  file: string,
  options: FileImportOptions,
): Promise<ImportReport> {
  const source = await readRows(file, { ...options, isHeader: isHeaderOf(orderColumns, options.mapping) })
  try {
    const map = mapColumns(orderColumns, source.headers, { mapping: options.mapping })
    const textOf = textUnder(map)
    const survey = await surveyRows(source, [...uniqueColumns], rowKeys(textOf))
    return await importRows(context, { file, source, map, textOf, survey }, options)
  } finally {
    await source.close()
  }
}

/** An order occurs once in a file, and so does a charge of a payment source. */
const uniqueColumns = ['external_id', 'charge_id'] as const
type UniqueColumn = (typeof uniqueColumns)[number]

function rowKeys(textOf: Reading['textOf']): RowKeys<UniqueColumn> {
  return (row) => {
    const charge = textOf(row, 'charge_id')
    return {
      external_id: textOf(row, 'external_id'),
      charge_id: charge && `${textOf(row, 'payment_source').toLowerCase() || 'import'} ${charge}`,
    }
  }
}

interface Reading {
  file: string
  source: RowSource
  map: ColumnMap<ColumnName>
  textOf(row: SourceRow, name: ColumnName): string
  survey: Survey<UniqueColumn>
}

async function importRows(
  context: OrganizationContext,
  reading: Reading,
  options: FileImportOptions,
): Promise<ImportReport> {
  const { file, source, map, survey } = reading
  const { dryRun = false, outcomes } = options
  const path = options.rejects ?? (dryRun ? undefined : rejectsPath(file, source))
  const rejects = path === undefined ? undefined : rejectedRows(path, source)
  return reportRows({ rejects, outcomes }, async (report: RowReport<OrderRowOutcome>) => {
    const tally = new Tally()
    const batch_id = dryRun ? undefined : await beginBatch(context)
    const statistics = freshStatistics(context.db)
    for await (const rows of rowBatches(source, batchSize, options.onProgress)) {
      const items = rows.map((row) => readItem(row, reading))
      const planned = await planAll(context, items, batch_id)
      const created = planned.filter(({ rowPlan }) => rowPlan.outcome === 'create')
      if (!dryRun) await statistics.noteRecords(created.length)
      for (const { row, rowPlan } of planned) {
        tally.add(rowPlan)
        const outcome = outcomeOf(row, rowPlan, reading)
        await report.show(outcome)
        if (outcome.outcome === 'reject') await report.reject(row, outcome.reason ?? '')
      }
    }
    if (batch_id) await completeBatch(context.db, context.organization.corp_id, batch_id, new Date())
    return {
      dry_run: dryRun,
      batch_id: batch_id ?? null,
      format: source.format,
      encoding: source.encoding ?? null,
      sheet: source.sheet ?? null,
      header_row: source.headerRow,
      rows: { total: survey.rows, ...tally.rows },
      totals: tally.totals,
      overdue: tally.overdue,
      unknown_columns: map.unknown,
      suggested_columns: map.suggestions,
    }
  })
}

function outcomeOf(row: SourceRow, rowPlan: RowPlan, { map, source, textOf }: Reading): OrderRowOutcome {
  return {
    row: row.row,
    external_id: textOf(row, 'external_id') || null,
    outcome: rowPlan.outcome,
    reason: 'faults' in rowPlan ? reasonOf(row, rowPlan.faults, map, source) : null,
    note: rowPlan.outcome === 'create' ? overdueNote(rowPlan.overdue, rowPlan.currency) : null,
  }
}

async function beginBatch({ db, organization, account, newId }: OrganizationContext): Promise<string> {
  const batch = { batch_id: newId(), kind: 'order_import' as const, executor_id: account.app_id }
  await insertBatch(db, organization.corp_id, batch, new Date())
  return batch.batch_id
}

/** A row, or the faults of its cells. */
type Item = { row: SourceRow; read: OrderRow | ColumnFault[] }

function readItem(row: SourceRow, { source, map, survey }: Reading): Item {
  const repeated = survey.repetitionOf(row.row)
  const read = repeated
    ? [{ column: repeated.column, reason: `is in row ${repeated.first} already` }]
    : readOrderRow(row, map, source)
  return { row, read }
}

async function planAll(
  context: OrganizationContext,
  items: Item[],
  batch_id: string | undefined,
): Promise<{ row: SourceRow; rowPlan: RowPlan }[]> {
  const readable = items.flatMap(({ read }) => (Array.isArray(read) ? [] : [read]))
  const planned = readable.length === 0 ? [] : await importBatch(context, readable, batch_id)
  const rowPlans = new Map(planned.map(({ row, rowPlan }) => [row, rowPlan]))
  return items.map(({ row, read }) => ({
    row,
    rowPlan: Array.isArray(read) ? { outcome: 'reject', faults: read } : rowPlans.get(read)!,
  }))
}
