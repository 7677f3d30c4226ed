/**
 * SQLSTATEs that mean an unavailable database and not a faulty statement: connection exceptions, insufficient resources,
 * operator intervention, file failures, lock timeouts, and conflicts that outlasted the retries.
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

/** Citus reports a node lost during a commit without a SQLSTATE. The outcome of the commit is unknown. */
export function isNodeLost(error: Error): boolean {
  return (
    error.message.startsWith('failure on connection marked as essential') || isFailedCommit(error.message)
  )
}

/** The warning of Citus that a node has not committed. Citus then still reports a commit. */
export function isFailedCommit(warning: string): boolean {
  return warning.startsWith('failed to commit transaction on ')
}

/** Citus forwards the last message of a node during a COPY, which it uses for some inserts, without its SQLSTATE. */
function isNodeLostInCopy({ code, routine, message }: DatabaseFailure): boolean {
  return (
    code === 'XX000' &&
    routine === 'ReportCopyError' &&
    /^(terminating connection|server closed the connection|the database system is)/.test(message)
  )
}

/** A write to a table file failed. PostgreSQL has no SQLSTATE for this, except for a full disk. */
function isStorageFailure({ code, file }: DatabaseFailure): boolean {
  return code === 'XX000' && file === 'md.c'
}

/** An error of the database: its SQLSTATE, and where in the source it was raised. */
type DatabaseFailure = Error & { code?: string; file?: string; routine?: string }

/** By the beginning of the SQLSTATE; the first that fits. */
const causes: [state: RegExp, cause: string][] = [
  [/^53100/, 'the disk of the database is full'],
  [/^53200/, 'the database has no memory left'],
  [/^53300/, 'the database has no connection left'],
  [/^53/, 'the database has reached a limit of its configuration'],
  [/^57014/, 'a statement took too long'],
  [/^57P03/, 'the database is starting or stopping'],
  [/^57/, 'the database was stopped or ended the connection'],
  [/^58/, 'the database cannot read or write its files'],
  [/^(55P03|40)/, 'other transactions held locks for too long'],
  [/^(08|25P03|E[A-Z]+$)/, 'the database cannot be reached'],
]

/** Why the database is not available, for the log. Messages of PostgreSQL may hold personal data, so none is repeated. */
export function unavailableCause(error: DatabaseFailure): string {
  const known = causes.find(([state]) => state.test(error.code ?? ''))
  if (known) return known[1]
  return isStorageFailure(error)
    ? 'the database cannot read or write its files'
    : 'the database does not answer'
}

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
