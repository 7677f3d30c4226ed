import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { answerOnce, keyLifeMs } from '../idempotency/answer-once.ts'
import type { KeyedCall } from '../idempotency/idempotency-store.ts'

const sane = /^[\x21-\x7e]{1,255}$/

/** The caller's Idempotency-Key, if it sent one. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !sane.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** Answers a call with a key: by doing it, or with the very bytes of its first answer. */
export async function replyOnce(
  reply: FastifyReply,
  db: Queryable,
  call: Omit<KeyedCall, 'oldest'>,
  handle: (tx: Queryable) => Promise<object | string>,
): Promise<string> {
  const oldest = new Date(call.now.getTime() - keyLifeMs)
  const { response, isReplay } = await answerOnce(db, { ...call, oldest }, async (tx) =>
    serialized(reply, await handle(tx)),
  )
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return response
}

function serialized(reply: FastifyReply, payload: object | string): string {
  return typeof payload === 'string' ? payload : String(reply.serialize(payload))
}
