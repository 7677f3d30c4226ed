import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { findFeed } from '../feed-store.ts'
import { refuseTakenUrl, requireAddress, requireTypes } from './create-endpoint.ts'
import {
  EndpointRow,
  endpointParameters,
  exampleEndpoint,
  namedEndpoint,
  rowOf,
  webhookOperation,
} from './endpoint-row.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  type Endpoint,
  lockEndpoint,
  restartCursor,
} from './endpoint-store.ts'

const shared = { ...webhookOperation, method: 'POST' } as const
const named = { corp_id: exampleIds.corp_id, endpoint_id: exampleIds.webhook_endpoint_id }

/** Changes an endpoint, or pauses it. */
export const updateWebhookEndpoint = endpoint({
  ...shared,
  id: 'updateWebhookEndpoint',
  path: '/api/v5/entity/webhook/endpoint/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Change or pause a webhook endpoint',
  description:
    'Omitted members stay. With `is_enabled` false, the endpoint is paused: it receives nothing until it is enabled, and ' +
    'then continues where it stopped. New types apply to events that it has not come to yet.',
  input: Type.Object({
    ...namedEndpoint,
    url: Type.Optional(endpointParameters.url),
    types: Type.Optional(endpointParameters.types),
    description: endpointParameters.description,
    is_enabled: Type.Optional(
      Type.Boolean({ description: 'false pauses the endpoint, true enables it again' }),
    ),
  }),
  data: EndpointRow,
  example: {
    input: { ...named, types: ['order.*'] },
    data: { ...exampleEndpoint, types: ['order.*'], version: 2 },
  },
  errors: ['webhookEndpointNotFound', 'taken'],

  async handle({ db, now, allowsPrivateWebhooks = false }, { corp_id, endpoint_id, is_enabled, ...wanted }) {
    if (wanted.url !== undefined) requireAddress(wanted.url, allowsPrivateWebhooks)
    if (wanted.types !== undefined) requireTypes(wanted.types)
    return refuseTakenUrl(() =>
      db.transaction(async (tx) => {
        const before = await requireEndpoint(tx, corp_id, endpoint_id)
        const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
        const changes: Partial<Endpoint> = {
          ...Object.fromEntries(given),
          ...(is_enabled === true && enabled),
          ...(is_enabled === false && before.is_enabled && disabledFor('paused', now)),
        }
        if (isChange(before, changes)) await changeEndpoint(tx, corp_id, before, changes, now)
        if (is_enabled && !before.is_enabled) await restartCursor(tx, corp_id, endpoint_id, 0)
        return rowOf(tx, corp_id, endpoint_id, now)
      }),
    )
  },
})

/** Enables an endpoint that was disabled, by failures or by an administrator. */
export const enableWebhookEndpoint = endpoint({
  ...shared,
  id: 'enableWebhookEndpoint',
  path: '/api/v5/entity/webhook/endpoint/enable',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Enable a webhook endpoint again',
  description:
    'It continues where it stopped, so it receives the events of the meantime that the feed still has. With `skip_missed`, ' +
    'it continues with new events; waiting deliveries are still attempted.',
  input: Type.Object({
    ...namedEndpoint,
    skip_missed: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to skip the events of the meantime' }),
    ),
  }),
  data: EndpointRow,
  example: { input: named, data: { ...exampleEndpoint, version: 3 } },
  errors: ['webhookEndpointNotFound'],

  async handle({ db, now }, { corp_id, endpoint_id, skip_missed = false }) {
    return db.transaction(async (tx) => {
      const before = await requireEndpoint(tx, corp_id, endpoint_id)
      if (!before.is_enabled) {
        await changeEndpoint(tx, corp_id, before, enabled, now)
        const seq = skip_missed ? (await findFeed(tx, corp_id)).length : 0
        await restartCursor(tx, corp_id, endpoint_id, seq)
      }
      return rowOf(tx, corp_id, endpoint_id, now)
    })
  },
})

/** Sends a test event. */
export const pingWebhookEndpoint = endpoint({
  ...shared,
  id: 'pingWebhookEndpoint',
  path: '/api/v5/entity/webhook/endpoint/ping',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Adds an event of type ping to the feed. This endpoint receives it, whichever types it has, and no other does. ' +
    'webhook/delivery/list shows the result.',
  input: Type.Object(namedEndpoint),
  data: EndpointRow,
  example: { input: named, data: exampleEndpoint },
  errors: ['webhookEndpointNotFound', 'stateForbids'],

  async handle({ db, now }, { corp_id, endpoint_id }) {
    return db.transaction(async (tx) => {
      const { is_enabled } = await requireEndpoint(tx, corp_id, endpoint_id)
      if (!is_enabled) throw disabledRefuses()
      tx.note({
        record_type: 'webhook_endpoints',
        record_id: endpoint_id,
        action: 'changed',
        after: { pinged_at: now },
      })
      return rowOf(tx, corp_id, endpoint_id, now)
    })
  },
})

export const removeWebhookEndpoint = endpoint({
  ...shared,
  id: 'removeWebhookEndpoint',
  path: '/api/v5/entity/webhook/endpoint/remove',
  guard: { effect: 'irreversible', people: 'none' },
  summary: 'Remove a webhook endpoint with its deliveries',
  input: Type.Object(namedEndpoint),
  data: Type.Object({}),
  example: { input: named, data: {} },
  errors: ['webhookEndpointNotFound'],

  async handle({ db }, { corp_id, endpoint_id }) {
    await db.transaction(async (tx) =>
      deleteEndpoint(tx, corp_id, await requireEndpoint(tx, corp_id, endpoint_id)),
    )
    return {}
  },
})

/** Locks an endpoint until the end of the transaction. */
export async function requireEndpoint(
  tx: Queryable,
  corp_id: string,
  endpoint_id: string,
): Promise<Endpoint> {
  const found = await lockEndpoint(tx, corp_id, endpoint_id)
  if (!found) throw new ApiError('webhookEndpointNotFound')
  return found
}

export function disabledRefuses(): ApiError {
  return new ApiError('stateForbids', {
    msg: 'The webhook endpoint is disabled. Enable it first with webhook/endpoint/enable.',
    allowed: [],
  })
}

const enabled = { is_enabled: true, disabled_reason: null, disabled_at: null }

export function disabledFor(reason: NonNullable<Endpoint['disabled_reason']>, now: Date): Partial<Endpoint> {
  return { is_enabled: false, disabled_reason: reason, disabled_at: now }
}

function isChange(before: Endpoint, changes: Partial<Endpoint>): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(before[name as keyof Endpoint]) !== JSON.stringify(value),
  )
}
