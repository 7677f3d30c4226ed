import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { selectTypes } from '../types-filter.ts'
import { allTypes } from './create-endpoint.ts'
import { findDelivery, replayDead, replayDelivery, replayRange } from './delivery-store.ts'
import { namedEndpoint, webhookOperation } from './endpoint-row.ts'
import { deliveryIdOf } from './list-deliveries.ts'
import { disabledRefuses, requireEndpoint } from './update-endpoint.ts'

/** Events of one call. */
const maxReplayed = 10_000

const Seq = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })

export const replayWebhookDeliveries = endpoint({
  ...webhookOperation,
  id: 'replayWebhookDeliveries',
  method: 'POST',
  path: '/api/v5/entity/webhook/delivery/replay',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Deliver events again',
  description:
    'One delivery by `delivery_id`; the events of a range of the feed by `from_seq` and `until_seq`; or all dead deliveries ' +
    'of the endpoint by `all_dead`. A range includes events that the endpoint never ' +
    `received, as far as the feed still has them. One call replays at most ${maxReplayed} events; repeat it while ` +
    '`has_more` is true. The header webhook-id stays the same.',
  input: Type.Object({
    ...namedEndpoint,
    delivery_id: Type.Optional(described(Id, 'One delivery')),
    from_seq: Type.Optional(described(Seq, 'Number of the first event')),
    until_seq: Type.Optional(described(Seq, 'Number of the last event')),
    all_dead: Type.Optional(Type.Boolean({ description: 'true: all dead deliveries' })),
  }),
  rules: selectionFaults,
  data: Type.Object({
    replayed: Type.Integer({ description: 'Deliveries that are attempted again' }),
    has_more: Type.Boolean({ description: 'Whether dead deliveries are left' }),
  }),
  example: {
    input: { corp_id: exampleIds.corp_id, endpoint_id: exampleIds.webhook_endpoint_id, all_dead: true },
    data: { replayed: 12, has_more: false },
  },
  errors: ['webhookEndpointNotFound', 'webhookDeliveryNotFound', 'stateForbids'],

  async handle({ db, now }, { corp_id, endpoint_id, delivery_id, from_seq, until_seq }) {
    const one = delivery_id === undefined ? undefined : deliveryIdOf(delivery_id)
    const isOwn = one?.endpoint_id === endpoint_id && (await findDelivery(db, corp_id, one))
    if (delivery_id !== undefined && !isOwn) throw new ApiError('webhookDeliveryNotFound')
    return db.transaction(async (tx) => {
      const { is_enabled, types } = await requireEndpoint(tx, corp_id, endpoint_id)
      if (!is_enabled) throw disabledRefuses()
      const replayed = one
        ? await replayDelivery(tx, corp_id, one, now)
        : from_seq === undefined
          ? await replayDead(tx, corp_id, endpoint_id, now, maxReplayed)
          : await replayRange(
              tx,
              corp_id,
              endpoint_id,
              { from: from_seq, until: until_seq!, types: [...selectTypes(types, allTypes), 'ping'] },
              now,
            )
      if (replayed > 0)
        tx.note({
          record_type: 'webhook_endpoints',
          record_id: endpoint_id,
          action: 'changed',
          after: { replayed, ...(one && { seq: one.seq }), ...(from_seq && { from_seq, until_seq }) },
        })
      return { replayed, has_more: !one && from_seq === undefined && replayed === maxReplayed }
    })
  },
})

interface Selection {
  delivery_id?: string
  from_seq?: number
  until_seq?: number
  all_dead?: boolean
}

function selectionFaults({ delivery_id, from_seq, until_seq, all_dead }: Selection): InputFault[] {
  const isRange = from_seq !== undefined || until_seq !== undefined
  const named = [delivery_id !== undefined, isRange, all_dead !== undefined].filter(Boolean).length
  const missing = (param: string, reason = 'is required'): InputFault[] => [{ param, reason, missing: true }]
  if (named === 0) return missing('delivery_id', 'is required without from_seq or all_dead')
  if (named > 1)
    return [{ param: 'delivery_id', reason: 'or from_seq and until_seq or all_dead: send one of them' }]
  if (delivery_id !== undefined) return []
  if (all_dead === false) return [{ param: 'all_dead', reason: 'must be true or absent' }]
  if (all_dead) return []
  if (from_seq === undefined) return missing('from_seq')
  if (until_seq === undefined) return missing('until_seq')
  if (until_seq < from_seq) return [{ param: 'until_seq', reason: 'must not be less than from_seq' }]
  if (until_seq - from_seq < maxReplayed) return []
  return [{ param: 'until_seq', reason: `must be less than from_seq + ${maxReplayed}` }]
}
