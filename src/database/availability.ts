/**
 * SQLSTATEs of a database that is away, overloaded or shutting down (connection exceptions, insufficient resources,
 * operator intervention, failures of its files), or that is busy with others (locks, conflicts that outlasted the retries), rather than of
 * a faulty statement.
 */
const unavailableStates = /^(08|53|57|58|55P03|40001|40P01|25P03)/

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
])

/** pg reports these with a text only. */
const unavailableTexts =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable/

/** Citus reports a node that was lost during a commit with a text only; whether the node had committed, nobody knows. */
export function isNodeLost(error: Error): boolean {
  return (
    error.message.startsWith('failure on connection marked as essential') || isFailedCommit(error.message)
  )
}

/** With which Citus warns that a node has not carried out a commit, before it answers that all is committed. */
export function isFailedCommit(warning: string): boolean {
  return warning.startsWith('failed to commit transaction on ')
}

/** Citus passes on what a node said last during a COPY, as into which it makes some insertions, without its SQLSTATE. */
function isNodeLostInCopy({ code, routine, message }: DatabaseFailure): boolean {
  return (
    code === 'XX000' &&
    routine === 'ReportCopyError' &&
    /^(terminating connection|server closed the connection|the database system is)/.test(message)
  )
}

/** Where PostgreSQL keeps tables: what it cannot write there has no SQLSTATE of its own, unless the disk says that it is full. */
function isStorageFailure({ code, file }: DatabaseFailure): boolean {
  return code === 'XX000' && file === 'md.c'
}

/** With what pg tells of an error of the database: its SQLSTATE, and where in the source it was raised. */
type DatabaseFailure = Error & { code?: string; file?: string; routine?: string }

export function isUnavailable(error: DatabaseFailure): boolean {
  if (error.code !== undefined && (unavailableCodes.has(error.code) || unavailableStates.test(error.code)))
    return true
  return (
    unavailableTexts.test(error.message) ||
    isNodeLost(error) ||
    isNodeLostInCopy(error) ||
    isStorageFailure(error)
  )
}
