import pg from 'pg'
import { isNodeLost } from './availability.ts'
import type { Statement } from './sql.ts'

/**
 * A transaction with one of these SQLSTATEs has left nothing and can run again: serialization failure, deadlock, a
 * statement after a failed one, a reference to a record that was deleted in between.
 */
const retryableStates = new Set(['40001', '40P01', '25P02', '23503'])
/** The same for a single statement, whose caller may want to know of a missing reference. */
export const lostRaceStates = new Set(['40001', '40P01'])
const maxAttempts = 4

export async function retried<T>(run: () => Promise<T>, states = retryableStates): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error, states)) throw error
    }
  }
}

function isRetryable(error: unknown, states: Set<string>): boolean {
  if (error instanceof pg.DatabaseError && states.has(error.code ?? '')) return true
  return error instanceof Error && lostWithoutTrace.has(error)
}

/** Failures of connections before anything could have been committed. */
export const lostWithoutTrace = new WeakSet<Error>()

export function isRead({ text }: Statement): boolean {
  return !/\b(insert into|update [a-z_]+ |delete from)/i.test(text)
}

/** SQLSTATEs with which the server ends a connection. */
const endingStates = /^(08|57P|25P03)/

/** The failure, if it means that the connection must not be used again. */
export function connectionFailure(error: unknown): Error | undefined {
  const isUsable =
    error instanceof pg.DatabaseError && !endingStates.test(error.code ?? '') && !isNodeLost(error)
  return isUsable ? undefined : (error as Error)
}

/** Whether the database refused a statement, which then has left nothing. Otherwise the outcome is unknown. */
export function isRefused(error: unknown): boolean {
  return connectionFailure(error) === undefined
}
