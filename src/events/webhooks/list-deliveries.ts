import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import {
  BigInteger,
  described,
  Id,
  IsoInstant,
  NullableInteger,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { eventOf, exampleEvent } from '../event.ts'
import { eventTypeNames } from '../event-types.ts'
import { findEvent } from '../feed-store.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryId,
  deliveryStates,
  findAttempts,
  findDeliveries,
  findDelivery,
} from './delivery-store.ts'
import { instantOrNull, isoOrNull, namedEndpoint, Problem, webhookOperation } from './endpoint-row.ts'
import { findEndpoint } from './endpoint-store.ts'
import { bodyOf } from './payload.ts'

const DeliveryRow = namedObject('WebhookDelivery', {
  delivery_id: Id,
  endpoint_id: Id,
  event_id: described(Id, 'Also the header webhook-id of every attempt'),
  type: oneOf(eventTypeNames),
  seq: described(BigInteger, 'The number of the event in the feed'),
  state: oneOf(deliveryStates, 'waiting: for an attempt or its result; dead: given up'),
  attempts: Type.Integer({ description: 'Attempts so far' }),
  failures: Type.Integer({ description: 'Failures since the first attempt or the latest replay' }),
  next_at: instantOrNull('The next attempt, or the end of the current one, of a waiting delivery'),
  error: described(Problem, 'The problem of the latest failure'),
  status: described(NullableInteger, 'The HTTP status of the latest response'),
  ctime: IsoInstant,
  mtime: IsoInstant,
})

const AttemptRow = namedObject('WebhookAttempt', {
  attempt: Type.Integer(),
  at: described(IsoInstant, 'Also the header webhook-timestamp, in seconds'),
  duration_ms: Type.Integer(),
  error: described(Problem, 'null: delivered'),
  status: described(NullableInteger, 'null: no response'),
  response: Type.String({ description: 'The first kilobyte of the response' }),
})

const DeliveryWithAttempts = namedObject('WebhookDeliveryWithAttempts', {
  ...DeliveryRow.properties,
  url: Type.String({ description: 'The present address of the endpoint' }),
  body: described(NullableString, 'The body of every attempt; null if the event was deleted for its age'),
  attempt_list: Type.Array(AttemptRow, { description: 'The latest 50 attempts, the newest first' }),
})

const exampleDelivery: Static<typeof DeliveryRow> = {
  delivery_id: `${exampleIds.webhook_endpoint_id}-${exampleEvent.seq}`,
  endpoint_id: exampleIds.webhook_endpoint_id,
  event_id: exampleEvent.event_id,
  type: exampleEvent.type,
  seq: exampleEvent.seq,
  state: 'delivered',
  attempts: 1,
  failures: 0,
  next_at: null,
  error: null,
  status: 200,
  ctime: '2026-11-15T01:30:05.201Z',
  mtime: '2026-11-15T01:30:05.412Z',
}

const maxListed = 1000

export const listWebhookDeliveries = endpoint({
  ...webhookOperation,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v5/entity/webhook/delivery/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List deliveries of a webhook endpoint',
  description:
    'The newest event first. Deliveries are kept for 14 days after their end, dead ones for 90 days.',
  input: Type.Object({
    ...namedEndpoint,
    state: Type.Optional(oneOf(deliveryStates, 'Only deliveries in this state')),
    after: optionalLine(20, 'The next_cursor of the page before. Absent: the first page'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxListed, default: 100, description: 'Deliveries per page' }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(DeliveryRow),
    next_cursor: Type.String({ description: 'Send it as `after` for the next page; "" on the last page' }),
    has_more: Type.Boolean(),
  }),
  example: {
    input: { corp_id: exampleIds.corp_id, endpoint_id: exampleIds.webhook_endpoint_id, limit: 100 },
    data: { list: [exampleDelivery], next_cursor: '', has_more: false },
  },
  errors: ['webhookEndpointNotFound'],

  async handle({ db }, { corp_id, endpoint_id, state, after, limit = 100 }) {
    if (!(await findEndpoint(db, corp_id, endpoint_id))) throw new ApiError('webhookEndpointNotFound')
    const before = after === undefined || after === '' ? undefined : numberOf(after)
    const found = await findDeliveries(db, corp_id, { endpoint_id, state, before, limit: limit + 1 })
    const list = found.slice(0, limit)
    const has_more = found.length > limit
    return { list: list.map(deliveryRow), next_cursor: has_more ? String(list.at(-1)!.seq) : '', has_more }
  },
})

function numberOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw invalid('after', 'is not a cursor of this list')
  return Number(cursor)
}

const attemptsShown = 50

export const fetchWebhookDelivery = endpoint({
  ...webhookOperation,
  id: 'fetchWebhookDelivery',
  method: 'GET',
  path: '/api/v5/entity/webhook/delivery/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch a delivery with its attempts',
  input: Type.Object({ corp_id: OrganizationId, delivery_id: described(Id, 'webhook/delivery/list has it') }),
  data: DeliveryWithAttempts,
  example: {
    input: { corp_id: exampleIds.corp_id, delivery_id: exampleDelivery.delivery_id },
    data: {
      ...exampleDelivery,
      url: 'https://hooks.lakeside.example/matricula',
      body: bodyOf(exampleEvent),
      attempt_list: [
        {
          attempt: 1,
          at: '2026-11-15T01:30:05.204Z',
          duration_ms: 208,
          error: null,
          status: 200,
          response: 'ok',
        },
      ],
    },
  },
  errors: ['webhookDeliveryNotFound'],

  async handle({ db }, { corp_id, delivery_id }) {
    const id = deliveryIdOf(delivery_id)
    const delivery = id && (await findDelivery(db, corp_id, id))
    const owner = id && (await findEndpoint(db, corp_id, id.endpoint_id))
    if (!delivery || !owner) throw new ApiError('webhookDeliveryNotFound')
    const event = await findEvent(db, corp_id, delivery.event_id)
    return {
      ...deliveryRow(delivery),
      url: owner.url,
      body: event ? bodyOf(eventOf(event)) : null,
      attempt_list: (await findAttempts(db, corp_id, id, attemptsShown)).map(attemptRow),
    }
  },
})

/** The endpoint and the event that an id of a delivery names. */
export function deliveryIdOf(delivery_id: string): DeliveryId | undefined {
  const [, endpoint_id, seq] = /^(.+)-(\d{1,15})$/.exec(delivery_id) ?? []
  return endpoint_id === undefined ? undefined : { endpoint_id, seq: Number(seq) }
}

function deliveryRow({ next_at, ctime, mtime, ...delivery }: Delivery): Static<typeof DeliveryRow> {
  const { endpoint_id, seq, state } = delivery
  return {
    ...delivery,
    type: delivery.type as Static<typeof DeliveryRow>['type'],
    delivery_id: `${endpoint_id}-${seq}`,
    next_at: state === 'waiting' ? isoOrNull(next_at) : null,
    ctime: ctime.toISOString(),
    mtime: mtime.toISOString(),
  }
}

function attemptRow({ at, ...attempt }: Attempt): Static<typeof AttemptRow> {
  return { ...attempt, at: at.toISOString() }
}
