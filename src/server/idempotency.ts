import type { IncomingHttpHeaders } from 'node:http'
import { answerOnce, keyLifeMs } from '../access/idempotency/answer-once.ts'
import type { KeyedCall } from '../access/idempotency/idempotency-store.ts'
import { invalid } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import type { Call } from './call.ts'
import type { Body } from './respond.ts'

const sane = /^[\x21-\x7e]{1,255}$/

/** The caller's Idempotency-Key, if it sent one. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !sane.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** Answers a call with a key: by doing it, or with the very bytes of its first answer, less its secrets. */
export async function answerOncePerKey(
  headers: Call['headers'],
  db: Queryable,
  call: Omit<KeyedCall, 'oldest'>,
  handle: (tx: Queryable) => Promise<Body>,
  kept: ((response: string) => string) | undefined,
): Promise<string> {
  const oldest = new Date(call.now.getTime() - keyLifeMs)
  const { response, isReplay } = await answerOnce(
    db,
    { ...call, oldest },
    async (tx) => String(await handle(tx)),
    kept,
  )
  if (isReplay) headers.push('idempotent-replayed', 'true')
  return response
}
