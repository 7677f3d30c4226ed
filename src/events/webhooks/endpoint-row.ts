import { exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  BigInteger,
  described,
  Id,
  IsoInstant,
  NullableInstant,
  NullableInteger,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { deliveryProblemNames } from './delivery-problem.ts'
import { disabledReasons, type EndpointHealth, findEndpointHealth, maxCounted } from './endpoint-store.ts'

declare module '../../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Whether webhooks may reach private networks. Absent: no. */
    allowsPrivateWebhooks?: boolean
  }
}

/** Shared members of the operations on webhooks. */
export const webhookOperation = { group: 'Webhooks', permission: 'admin' } as const

export const endpointParameters = {
  url: Type.String({
    format: 'line',
    minLength: 1,
    maxLength: longest.url,
    description: 'https address that receives POST requests, on port 443',
  }),
  types: Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: longest.id }), {
    minItems: 1,
    maxItems: longest.listItems,
    description: 'Types to receive, such as order.created, order.* or *. event/type/list names them',
  }),
  description: optionalLine(longest.shortText, 'For administrators'),
}

export const namedEndpoint = {
  corp_id: OrganizationId,
  endpoint_id: described(Id, 'The endpoint; webhook/endpoint/list has it'),
}

export const instantOrNull = (description: string) =>
  described(NullableInstant, `${description}: ISO 8601, UTC`)

export const Problem = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  enum: [...deliveryProblemNames, null],
})

const healths = ['new', 'healthy', 'failing', 'disabled'] as const

export const EndpointRow = namedObject('WebhookEndpoint', {
  endpoint_id: Id,
  url: Type.String(),
  types: Type.Array(Type.String()),
  description: Type.String(),
  is_enabled: Type.Boolean(),
  disabled_reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...disabledReasons, null],
    description:
      'failing: five days of failures only; gone: the receiver answered 410; paused: by an administrator; null: enabled',
  }),
  disabled_at: instantOrNull('When it was disabled'),
  health: oneOf(healths, 'new: nothing was sent yet; failing: the last attempt failed'),
  failing_since: instantOrNull('The first failure after the last success'),
  delivered_at: instantOrNull('The last success'),
  failed_at: instantOrNull('The last failure'),
  error: described(Problem, 'The problem of the last failure'),
  status: described(NullableInteger, 'The HTTP status of the last failure'),
  paused_until: instantOrNull('The receiver asked by Retry-After to wait'),
  waiting: Type.Integer({
    description: `Deliveries that wait for an attempt or its result; at most ${maxCounted} are counted`,
  }),
  dead: Type.Integer({
    description: `Deliveries that were given up; at most ${maxCounted} are counted`,
  }),
  lag: described(BigInteger, 'Events of the feed that it has not come to yet'),
  old_secret_until: instantOrNull('The replaced secret signs too, until then'),
  version: Type.Integer(),
  ctime: IsoInstant,
  mtime: IsoInstant,
})
export type EndpointRow = Static<typeof EndpointRow>

export function endpointRow(found: EndpointHealth): EndpointRow {
  const { seq, newest, is_enabled, failing_since, delivered_at, ...rest } = found
  const health = !is_enabled ? 'disabled' : failing_since ? 'failing' : delivered_at ? 'healthy' : 'new'
  return {
    ...rest,
    is_enabled,
    health,
    failing_since: isoOrNull(failing_since),
    delivered_at: isoOrNull(delivered_at),
    disabled_at: isoOrNull(found.disabled_at),
    failed_at: isoOrNull(found.failed_at),
    paused_until: isoOrNull(found.paused_until),
    old_secret_until: isoOrNull(found.old_secret_until),
    lag: Math.max(0, newest - seq),
    ctime: found.ctime.toISOString(),
    mtime: found.mtime.toISOString(),
  }
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

/** The row of a known endpoint. */
export async function rowOf(
  on: Queryable,
  corp_id: string,
  endpoint_id: string,
  now: Date,
): Promise<EndpointRow> {
  const [found] = await findEndpointHealth(on, corp_id, now, endpoint_id)
  if (!found) throw new ApiError('webhookEndpointNotFound')
  return endpointRow(found)
}

export const exampleEndpoint: EndpointRow = {
  endpoint_id: exampleIds.webhook_endpoint_id,
  url: 'https://hooks.lakeside.example/matricula',
  types: ['order.*', 'user.created'],
  description: 'Data warehouse',
  is_enabled: true,
  disabled_reason: null,
  disabled_at: null,
  health: 'healthy',
  failing_since: null,
  delivered_at: '2026-11-15T01:30:05.412Z',
  failed_at: null,
  error: null,
  status: null,
  paused_until: null,
  waiting: 0,
  dead: 0,
  lag: 0,
  old_secret_until: null,
  version: 1,
  ctime: '2026-11-14T02:00:00.000Z',
  mtime: '2026-11-14T02:00:00.000Z',
}

export const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1Nn5pNZ2bHE='
