import type { OrganizationContext } from '../../contract/endpoint.ts'
import { freshStatistics } from '../../database/fresh-statistics.ts'
import type { ColumnFault } from '../../files/column-faults.ts'
import { type ColumnMap, type Mapping, mapColumns } from '../../files/map-columns.ts'
import { type ReadOptions, readRows } from '../../files/read-rows.ts'
import { rejectedRows, rejectsPath } from '../../files/rejected-rows.ts'
import { type Progress, rowBatches } from '../../files/row-batches.ts'
import { type RowOutcome, RowReport, reasonOf, type ShownRows, textUnder } from '../../files/row-report.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { type RowKeys, type Survey, surveyRows } from '../../files/survey-rows.ts'
import { completeBatch, insertBatch } from '../undo/change-batch-store.ts'
import { type ColumnName, orderColumns } from './columns.ts'
import { importBatch } from './import-batch.ts'
import { overdueNote } from './overdue.ts'
import type { RowPlan } from './plan-row.ts'
import { type OrderRow, readOrderRow } from './read-order-row.ts'
import { type CurrencyTotal, type OverdueTotal, Tally } from './tally.ts'

export interface ImportOptions extends ReadOptions {
  dryRun?: boolean
  mapping?: Mapping
  /** Where rejected rows go; a dry run writes them only where it is told to. */
  rejects?: string
  /** Where to write what became of every row. */
  outcomes?: string
  onProgress?: Progress
}

/** What became of a row, for whoever reads it. */
export interface OrderRowOutcome extends RowOutcome {
  external_id: string | null
  outcome: RowPlan['outcome']
  /** What else there is to know of a row that is not rejected. */
  note: string | null
}

export interface ImportReport extends ShownRows<OrderRowOutcome> {
  dry_run: boolean
  /** What takes the import back, as far as it moved no money; null for a dry run. */
  batch_id: string | null
  format: string
  encoding: string | null
  rows: Tally['rows'] & { total: number }
  totals: CurrencyTotal[]
  /** Of plans that come in while they are under way. */
  overdue: OverdueTotal[]
  unknown_columns: string[]
  /** For some of those, the column that may be meant. */
  suggested_columns: Record<string, string>
  rejects_file: string | null
}

/** Orders in a transaction of their own: few enough to hold the ledger's clock for a moment only. */
const batchSize = { rows: 200, characters: 4_000_000 }

/**
 * Imports a file of orders. Every batch of rows is a transaction together with the record of its rows, so that an
 * import that was killed is taken up by running it again; rows that were imported are found unchanged.
 */
export async function importOrders(
  context: OrganizationContext,
  file: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const source = await readRows(file, options)
  try {
    const map = mapColumns(orderColumns, source.headers, options.mapping)
    const survey = await surveyRows(source, [...uniqueColumns], rowKeys(map))
    return await importRows(context, { file, source, map, survey }, options)
  } finally {
    await source.close()
  }
}

/** An order comes once in a file, and so does a charge of a payment source. */
const uniqueColumns = ['external_id', 'charge_id'] as const
type UniqueColumn = (typeof uniqueColumns)[number]

function rowKeys(map: ColumnMap<ColumnName>): RowKeys<UniqueColumn> {
  const textOf = textUnder(map)
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
  survey: Survey<UniqueColumn>
}

async function importRows(
  context: OrganizationContext,
  reading: Reading,
  options: ImportOptions,
): Promise<ImportReport> {
  const { file, source, map } = reading
  const { dryRun = false } = options
  const rejects =
    dryRun && !options.rejects
      ? undefined
      : rejectedRows(options.rejects ?? rejectsPath(file, source), source)
  const textOf = textUnder(map)
  const report = new RowReport<OrderRowOutcome>({ rejects, outcomes: options.outcomes })
  const tally = new Tally()
  const batch_id = dryRun ? undefined : await beginBatch(context)
  const statistics = freshStatistics(context.db)
  try {
    for await (const rows of rowBatches(source, batchSize, options.onProgress)) {
      const planned = await planAll(
        context,
        rows.map((row) => readItem(row, reading)),
        batch_id,
      )
      if (!dryRun) await statistics.noteBatch(planned.some(({ rowPlan }) => rowPlan.outcome === 'create'))
      for (const { row, rowPlan } of planned) {
        tally.add(rowPlan)
        await report.add(row, {
          row: row.row,
          external_id: textOf(row, 'external_id') || null,
          outcome: rowPlan.outcome,
          reason: 'faults' in rowPlan ? reasonOf(row, rowPlan.faults, map, source) : null,
          note: rowPlan.outcome === 'create' ? overdueNote(rowPlan.overdue, rowPlan.currency) : null,
        })
      }
    }
    if (batch_id) await completeBatch(context.db, context.organization.corp_id, batch_id, new Date())
    const rejects_file = await report.finish()
    return reportOf(reading, { batch_id, tally, rejects_file, shown: report.shown })
  } catch (error) {
    await report.discard()
    throw error
  }
}

async function beginBatch({ db, organization, account, newId }: OrganizationContext): Promise<string> {
  const batch = { batch_id: newId(), kind: 'order_import' as const, executor_id: account.app_id }
  await insertBatch(db, organization.corp_id, batch, new Date())
  return batch.batch_id
}

function reportOf(
  { source, map, survey }: Reading,
  done: {
    batch_id: string | undefined
    tally: Tally
    rejects_file: string | null
    shown: ShownRows<OrderRowOutcome>
  },
): ImportReport {
  return {
    dry_run: done.batch_id === undefined,
    batch_id: done.batch_id ?? null,
    format: source.format,
    encoding: source.encoding ?? null,
    rows: { total: survey.rows, ...done.tally.rows },
    totals: done.tally.totals,
    overdue: done.tally.overdue,
    unknown_columns: map.unknown,
    suggested_columns: map.suggestions,
    rejects_file: done.rejects_file,
    ...done.shown,
  }
}

/** A row as far as it could be read. */
type Item = { row: SourceRow; read: OrderRow | ColumnFault[] }

function readItem(row: SourceRow, { source, map, survey }: Reading): Item {
  const repeated = survey.repetitionOf(row.row)
  const read = repeated
    ? [{ column: repeated.column, reason: `stands in row ${repeated.first} already` }]
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
