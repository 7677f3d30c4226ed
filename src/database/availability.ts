/**
 * SQLSTATEs of a database that is away, overloaded or shutting down (connection exceptions, insufficient resources,
 * operator intervention), rather than of a faulty statement.
 */
const unavailableStates = /^(08|53|57)/

const unavailableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])

/** pg reports these with a text only. */
const unavailableTexts = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

export function isUnavailable(error: Error & { code?: string }): boolean {
  if (error.code !== undefined && (unavailableCodes.has(error.code) || unavailableStates.test(error.code))) return true
  return unavailableTexts.test(error.message)
}
