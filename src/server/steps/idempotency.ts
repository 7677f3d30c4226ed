import type { IncomingHttpHeaders } from 'node:http'
import { answerOnce, keyLifeMs } from '../../access/idempotency/answer-once.ts'
import { secretRemover } from '../../contract/contacts.ts'
import type { OrganizationContext, OrganizationEndpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import type { Queryable } from '../../database/database.ts'
import type { Call } from '../call.ts'
import type { Body } from '../respond.ts'
import type { Input } from './read-input.ts'

const validKey = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a call, if it has one. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !validKey.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** Answers calls with a key: does the work once, and repeats the bytes of the first answer, without its secrets. */
export function answerPerKey({ id, data }: OrganizationEndpoint) {
  const withoutSecrets = secretRemover(data)
  return async (
    key: string,
    { headers }: Call,
    { db, now, organization: { corp_id }, account: { app_id } }: OrganizationContext,
    input: Input,
    write: (tx: Queryable) => Promise<Body>,
  ): Promise<string> => {
    const oldest = new Date(now.getTime() - keyLifeMs)
    const body_hash = fingerprint([id, input])
    const { response, isReplay } = await answerOnce(
      db,
      { corp_id, app_id, key, body_hash, now, oldest },
      async (tx) => String(await write(tx)),
      withoutSecrets,
    )
    if (isReplay) headers.push('idempotent-replayed', 'true')
    return response
  }
}
