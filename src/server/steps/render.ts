import type { IncomingHttpHeaders } from 'node:http'
import fastJson from 'fast-json-stringify'
import type { Caller } from '../../access/caller.ts'
import { answerOnce, keyLifeMs } from '../../access/idempotency/answer-once.ts'
import { maskOf, secretRemover } from '../../contract/contacts.ts'
import type { Endpoint, OrganizationContext, OrganizationEndpoint } from '../../contract/endpoint.ts'
import { envelopeOf, success } from '../../contract/envelope.ts'
import { invalid } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { RenderedJson } from '../../contract/rendered-json.ts'
import type { Queryable } from '../../database/database.ts'
import { asSurvivor } from '../../people/users/as-survivor.ts'
import type { Call } from '../call.ts'
import type { Body } from '../respond.ts'
import { onFirstUse } from './on-first-use.ts'
import type { Input } from './read-input.ts'

export type BodyRenderer = (data: unknown, caller?: Caller) => Body

/** Renders the data of an operation as the body of a success. Staff see contacts masked. */
export function bodyRenderer({ data: schema }: Endpoint): BodyRenderer {
  // A schema of fast-json-stringify lacks the symbols of TypeBox; at run time both are JSON Schema.
  const toText = onFirstUse(() => fastJson(envelopeOf(schema) as never))
  const mask = maskOf(schema)
  return (data, caller) => {
    if (mask && caller?.kind === 'staff') return toText(success(mask(parsed(data))))
    return data instanceof RenderedJson ? data : toText(success(data))
  }
}

function parsed(data: unknown): unknown {
  return data instanceof RenderedJson ? JSON.parse(data.toString()).data : data
}

type UseCase = (context: OrganizationContext, input: Input) => Promise<unknown>

/** The use case of an operation. One that names a user repeats for the survivor if the user was merged. */
export function useCaseOf(endpoint: OrganizationEndpoint): UseCase {
  if (!('user_id' in endpoint.input.properties)) return (context, input) => endpoint.handle(context, input)
  return (context, input) => asSurvivor(context, input, (named: Input) => endpoint.handle(context, named))
}

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
