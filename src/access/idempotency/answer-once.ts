import pg from 'pg'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { claimKey, findResponse, type KeyedCall, keepResponse } from './idempotency-store.ts'

export const keyLifeMs = 24 * 60 * 60 * 1000
/** Concurrent calls with the same key wait this long for the first one, and then get its response. */
const waitMs = 5000
const lockNotAvailable = '55P03'

/**
 * Runs a call at most once per key. The response is stored in the transaction of its effect, so neither exists without the
 * other. A call that fails stores nothing and may be repeated. `kept` removes what must not be stored.
 */
export async function answerOnce(
  db: Queryable,
  call: KeyedCall,
  work: (tx: Queryable) => Promise<string>,
  kept: (response: string) => string = (response) => response,
): Promise<{ response: string; isReplay: boolean }> {
  return db.transaction(async (tx) => {
    if (await claim(tx, call)) {
      const response = await work(tx)
      await keepResponse(tx, call, kept(response))
      return { response, isReplay: false }
    }
    const first = await findResponse(tx, call)
    if (!first) throw inFlight()
    if (first.body_hash !== call.body_hash) throw new ApiError('keyReused')
    return { response: first.response, isReplay: true }
  })
}

async function claim(tx: Queryable, call: KeyedCall): Promise<boolean> {
  try {
    return await claimKey(tx, call, waitMs)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) throw inFlight()
    throw error
  }
}

function inFlight(): ApiError {
  return new ApiError('keyInFlight', { retryAfterSeconds: 1 })
}
