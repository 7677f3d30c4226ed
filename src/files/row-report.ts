import type { ColumnFault } from './column-faults.ts'
import { LineFile } from './line-file.ts'
import type { ColumnMap } from './map-columns.ts'
import type { RejectedRows } from './rejected-rows.ts'
import type { RowSource, SourceRow } from './row-source.ts'

/** What became of a row, for whoever reads it. */
export interface RowOutcome {
  row: number
  outcome: string
  reason: string | null
}

/** The first outcomes, the first that were rejected, and the first that name somebody who was erased. */
export interface ShownRows<Outcome extends RowOutcome> {
  first: Outcome[]
  first_rejects: Outcome[]
  first_erased: Outcome[]
}

const shownRows = 10
const shownRejects = 50

/** Gathers what became of rows: all of it in a file where one is asked for, rejected rows in theirs, some to be shown. */
export class RowReport<Outcome extends RowOutcome> {
  readonly shown: ShownRows<Outcome> = { first: [], first_rejects: [], first_erased: [] }
  private readonly rejects: RejectedRows | undefined
  private readonly outcomes: LineFile | undefined

  constructor(files: { rejects: RejectedRows | undefined; outcomes: string | undefined }) {
    this.rejects = files.rejects
    this.outcomes = files.outcomes === undefined ? undefined : new LineFile(files.outcomes)
  }

  async add(row: SourceRow, outcome: Outcome): Promise<void> {
    const { first, first_rejects, first_erased } = this.shown
    await this.outcomes?.add(`${JSON.stringify(outcome)}\n`)
    if (first.length < shownRows) first.push(outcome)
    // Of somebody who was erased, no file is made once more.
    if (outcome.outcome === 'erased' && first_erased.length < shownRejects) first_erased.push(outcome)
    if (outcome.outcome !== 'reject') return
    await this.rejects?.add(row, outcome.reason!)
    if (first_rejects.length < shownRejects) first_rejects.push(outcome)
  }

  /** The path of the file of rejected rows; null where there is none. */
  async finish(): Promise<string | null> {
    await this.outcomes?.finish()
    return (await this.rejects?.finish()) ?? null
  }

  async discard(): Promise<void> {
    await Promise.all([this.outcomes?.discard(), this.rejects?.discard()])
  }
}

/** Faults are named by the headers of the file, which is where they will be mended. */
export function reasonOf<Name extends string>(
  { row }: SourceRow,
  faults: ColumnFault[],
  { names }: ColumnMap<Name>,
  { headers }: RowSource,
): string {
  const headerOf = (column: string) => headers[names.indexOf(column as never)] ?? column
  return `row ${row}, ${faults.map(({ column, reason }) => `column ${headerOf(column)}: ${reason}`).join('; ')}`
}

/** The text that a row has under a column; "" where there is none, or what cannot be read. */
export function textUnder<Name extends string>({ names }: ColumnMap<Name>) {
  const indexOf = new Map(names.map((name, index) => [name, index]))
  return ({ cells }: SourceRow, name: Name): string => {
    const cell = cells[indexOf.get(name) ?? -1]
    return typeof cell === 'string' ? cell : ''
  }
}
