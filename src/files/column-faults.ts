/** What is wrong with a cell of a row, to be read behind the name of its column. */
export interface ColumnFault {
  column: string
  reason: string
}

/** A row that cannot be imported, and the columns that are to blame. */
export class RowRefused extends Error {
  readonly faults: ColumnFault[]

  constructor(column: string, reason: string)
  constructor(faults: ColumnFault[])
  constructor(column: string | ColumnFault[], reason = '') {
    const faults = typeof column === 'string' ? [{ column, reason }] : column
    super(faults.map((fault) => `${fault.column} ${fault.reason}`).join('; '))
    this.faults = faults
  }
}
