import type { OrganizationContext } from '../contract/endpoint.ts'
import { statisticsOfGrowth } from '../database/schema-store.ts'
import type { ColumnFault } from '../spreadsheet/column-faults.ts'
import { LineFile } from '../spreadsheet/line-file.ts'
import { type ColumnMap, type Mapping, mapColumns } from '../spreadsheet/map-columns.ts'
import { type ReadOptions, readRows } from '../spreadsheet/read-rows.ts'
import { rejectedRows, rejectsPath } from '../spreadsheet/rejected-rows.ts'
import type { RowSource, SourceRow } from '../spreadsheet/row-source.ts'
import { type RowKey, type Survey, surveyRows } from '../spreadsheet/survey-rows.ts'
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
  onProgress?(bytes: number, total: number): void
}

/** What became of a row, for whoever reads it. */
export interface RowOutcome {
  row: number
  external_id: string | null
  outcome: RowPlan['outcome']
  reason: string | null
  /** What else there is to know of a row that is not rejected. */
  note: string | null
}

export interface ImportReport {
  dry_run: boolean
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
  /** The first ones, and the first that were rejected. */
  first: RowOutcome[]
  first_rejects: RowOutcome[]
}

/** Orders in a transaction of their own: few enough to hold the ledger's clock for a moment only. */
const batchRows = 200
const batchCharacters = 4_000_000
const shownRows = 10
const shownRejects = 50

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
    const survey = await surveyRows(source, map, rowKeys)
    return await importRows(context, { file, source, map, survey }, options)
  } finally {
    await source.close()
  }
}

/** An order comes once in a file, and so does a charge of a payment source. */
const rowKeys: RowKey<ColumnName>[] = [
  { column: 'external_id', keyOf: (textOf) => textOf('external_id') },
  {
    column: 'charge_id',
    keyOf(textOf) {
      const charge = textOf('charge_id')
      return charge && `${textOf('payment_source').toLowerCase() || 'import'} ${charge}`
    },
  },
]

interface Reading {
  file: string
  source: RowSource
  map: ColumnMap<ColumnName>
  survey: Survey
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
  const outcomes = options.outcomes === undefined ? undefined : new LineFile(options.outcomes)
  const tally = new Tally()
  const statistics = statisticsOfGrowth(context.db)
  const shown = { first: [] as RowOutcome[], first_rejects: [] as RowOutcome[] }
  try {
    for await (const batch of ahead(batchesOf(reading, options))) {
      const planned = await planAll(context, batch, dryRun)
      if (!dryRun) await statistics.noteBatch(planned.some(({ rowPlan }) => rowPlan.outcome === 'create'))
      for (const { row, rowPlan } of planned) {
        tally.add(rowPlan)
        const outcome = describe(row, rowPlan, map, source)
        await outcomes?.add(`${JSON.stringify(outcome)}\n`)
        if (outcome.outcome === 'reject') await rejects?.add(row, outcome.reason!)
        if (shown.first.length < shownRows) shown.first.push(outcome)
        if (outcome.outcome === 'reject' && shown.first_rejects.length < shownRejects)
          shown.first_rejects.push(outcome)
      }
    }
    await outcomes?.finish()
    const rejects_file = (await rejects?.finish()) ?? null
    return reportOf(reading, { dryRun, tally, rejects_file, shown })
  } catch (error) {
    await Promise.all([outcomes?.discard(), rejects?.discard()])
    throw error
  }
}

function reportOf(
  { source, map, survey }: Reading,
  done: {
    dryRun: boolean
    tally: Tally
    rejects_file: string | null
    shown: Pick<ImportReport, 'first' | 'first_rejects'>
  },
): ImportReport {
  return {
    dry_run: done.dryRun,
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

async function* batchesOf(
  { source, map, survey }: Reading,
  { onProgress }: ImportOptions,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  let characters = 0
  for await (const row of source.rows((bytes) => onProgress?.(bytes, source.bytes))) {
    const repeated = survey.faultOf(row.row)
    batch.push({ row, read: repeated ? [repeated] : readOrderRow(row, map, source) })
    characters += row.cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** Reads the next batch while this one is being worked on. */
async function* ahead<T>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = batches.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = batches.next()
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await batches.return(undefined)
  }
}

async function planAll(
  context: OrganizationContext,
  items: Item[],
  dryRun: boolean,
): Promise<{ row: SourceRow; rowPlan: RowPlan }[]> {
  const readable = items.flatMap(({ read }) => (Array.isArray(read) ? [] : [read]))
  const planned = readable.length === 0 ? [] : await importBatch(context, readable, dryRun)
  const rowPlans = new Map(planned.map(({ row, rowPlan }) => [row, rowPlan]))
  return items.map(({ row, read }) => ({
    row,
    rowPlan: Array.isArray(read) ? { outcome: 'reject', faults: read } : rowPlans.get(read)!,
  }))
}

/** Faults are named by the headers of the file, which is where they will be mended. */
function describe(
  source: SourceRow,
  rowPlan: RowPlan,
  { names }: ColumnMap<ColumnName>,
  { headers }: RowSource,
): RowOutcome {
  const cell = source.cells[names.indexOf('external_id')]
  const headerOf = (column: string) => headers[names.indexOf(column as never)] ?? column
  const reasons =
    rowPlan.outcome === 'reject'
      ? rowPlan.faults.map(({ column, reason }) => `column ${headerOf(column)}: ${reason}`)
      : []
  return {
    row: source.row,
    external_id: typeof cell === 'string' && cell !== '' ? cell : null,
    outcome: rowPlan.outcome,
    reason: reasons.length > 0 ? `row ${source.row}, ${reasons.join('; ')}` : null,
    note: rowPlan.outcome === 'create' ? overdueNote(rowPlan.overdue, rowPlan.currency) : null,
  }
}
