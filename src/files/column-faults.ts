import type { ApiError } from '../contract/errors.ts'

/** A fault of a cell. The reason follows the name of the column. */
export interface ColumnFault {
  column: string
  reason: string
}

/** A row that cannot be imported, with its faults. */
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

/** The mapping of errors of operations to faults of columns. */
export interface FaultColumns {
  /** Faults of errors without parameters, by code. */
  byCode: Record<number, ColumnFault>
  /** The columns of parameters that have another name. */
  byParameter: Record<string, string>
  /** The column of all other errors. */
  fallback: string
}

/** The faults of an error of an operation, by column. */
export function faultsOfError(
  { code, message, details: { errors = [] } }: ApiError,
  { byCode, byParameter, fallback }: FaultColumns,
): ColumnFault[] {
  const known = byCode[code]
  if (known) return [known]
  if (errors.length === 0) return [{ column: fallback, reason: message.replace(/\.$/, '') }]
  return errors.map(({ param, reason }) => {
    const [name = param] = param.split('.')
    return { column: byParameter[name] ?? name, reason }
  })
}
