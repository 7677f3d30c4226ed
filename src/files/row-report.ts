import type { ColumnFault } from './column-faults.ts'
import { LineFile } from './line-file.ts'
import type { ColumnMap, Mapping } from './map-columns.ts'
import type { Progress, ReadOptions } from './read-rows.ts'
import type { RejectedRows } from './rejected-rows.ts'
import type { RowSource, SourceRow } from './row-source.ts'

/** The outcome of a row, as shown. */
export interface RowOutcome {
  row: number
  outcome: string
  reason: string | null
}

/** The first outcomes, the first rejected rows, and the first rows of erased people. */
export interface ShownRows<Outcome extends RowOutcome> {
  first: Outcome[]
  first_rejects: Outcome[]
  first_erased: Outcome[]
}

/** Options of every import of a file. */
export interface FileImportOptions extends ReadOptions {
  dryRun?: boolean
  mapping?: Mapping
  /** The file for rejected rows. A dry run writes it only if it is given. */
  rejects?: string
  /** The file for the outcomes of all rows. */
  outcomes?: string
  onProgress?: Progress
}

/** The report of every import of a file. */
export interface FileReport<Outcome extends RowOutcome, Counts extends object> extends ShownRows<Outcome> {
  dry_run: boolean
  /** The batch to undo; null for a dry run. */
  batch_id: string | null
  format: string
  encoding: string | null
  /** The sheet of a workbook. */
  sheet: string | null
  /** The row of the headers; 0 if the file has none. */
  header_row: number
  rows: Counts & { total: number }
  unknown_columns: string[]
  /** For some unknown columns, the column that may be meant. */
  suggested_columns: Record<string, string>
  rejects_file: string | null
}

/** Receives the outcomes of rows. */
export interface RowReport<Outcome extends RowOutcome> {
  /** Shows an outcome, and writes it to the file of outcomes. */
  show(outcome: Outcome): Promise<void>
  /** Writes a row to the file of rejected rows. */
  reject(row: SourceRow, reason: string): Promise<void>
}

const shownRows = 10
const shownRejects = 50

/**
 * Runs an import and collects the outcomes of its rows: all of them in a file if one is given, rejected rows in another
 * file, and some to show. If the import fails, no file is left.
 */
export async function reportRows<Outcome extends RowOutcome, Result>(
  files: { rejects: RejectedRows | undefined; outcomes: string | undefined },
  work: (report: RowReport<Outcome>) => Promise<Result>,
): Promise<Result & ShownRows<Outcome> & { rejects_file: string | null }> {
  const { rejects } = files
  const outcomes = files.outcomes === undefined ? undefined : new LineFile(files.outcomes)
  const shown: ShownRows<Outcome> = { first: [], first_rejects: [], first_erased: [] }
  const report: RowReport<Outcome> = {
    async show(outcome) {
      await outcomes?.add(`${JSON.stringify(outcome)}\n`)
      const { first, first_rejects, first_erased } = shown
      if (first.length < shownRows) first.push(outcome)
      if (outcome.outcome === 'erased' && first_erased.length < shownRejects) first_erased.push(outcome)
      if (outcome.outcome === 'reject' && first_rejects.length < shownRejects) first_rejects.push(outcome)
    },
    reject: async (row, reason) => rejects?.add(row, reason),
  }
  try {
    const result = await work(report)
    await outcomes?.finish()
    return { ...result, ...shown, rejects_file: (await rejects?.finish()) ?? null }
  } catch (error) {
    await Promise.all([outcomes?.discard(), rejects?.discard()])
    throw error
  }
}

/** Names faults by the headers of the file, where the user corrects them. */
export function reasonOf<Name extends string>(
  { row, fault }: SourceRow,
  faults: ColumnFault[],
  { names }: ColumnMap<Name>,
  { headers }: RowSource,
): string {
  if (fault !== undefined) return `row ${row}: ${fault}`
  const headerOf = (column: string) => headers[names.indexOf(column as never)] ?? column
  return `row ${row}, ${faults.map(({ column, reason }) => `column ${headerOf(column)}: ${reason}`).join('; ')}`
}

/** The text of a row in a column; "" if there is none, or if the cell cannot be read. */
export function textUnder<Name extends string>({ names }: ColumnMap<Name>) {
  const indexOf = new Map(names.map((name, index) => [name, index]))
  return ({ cells }: SourceRow, name: Name): string => {
    const cell = cells[indexOf.get(name) ?? -1]
    return typeof cell === 'string' ? cell : ''
  }
}
