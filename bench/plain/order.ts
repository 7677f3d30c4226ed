import { taken } from '../../src/contract/errors.ts'
import { fingerprint } from '../../src/contract/fingerprint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { draftOrder, settleDraft } from '../../src/orders/draft-order.ts'
import {
  findByExternalIds,
  insertingSubOrders,
  insertOrders,
} from '../../src/orders/ledger/order-write-store.ts'
import { findSources, sourcesOf } from '../../src/orders/order-sources.ts'
import { oneByOne, recordVersion, tick } from './ledger.ts'
import { inTransaction, plainRoute } from './route.ts'

/** Creates an order in the plain way: the same rules and rows, by sequential statements. */
export const makePlainOrder = plainRoute(createOrder, ({ pool, account, organization }, input) =>
  inTransaction(pool, async (client) => {
    const { corp_id, external_id } = input
    const on = oneByOne(client)
    const creation_hash = fingerprint(input)
    if (external_id !== undefined) {
      const [known] = await findByExternalIds(on, corp_id, [external_id])
      if (known && known.creation_hash !== creation_hash)
        throw taken('external_id', 'belongs to an order of other content')
      if (known) return answerOf(known)
    }
    const sources = sourcesOf(input, await findSources(on, corp_id, [input], []))
    const context = { organization, account, role: undefined, newId, now: new Date() }
    const draft = draftOrder(context, input, sources, creation_hash)
    const at = await tick(client, corp_id)
    const { order, subOrders, state } = settleDraft(draft, newId, at)
    await insertOrders(on, corp_id, [order])
    for (const statement of insertingSubOrders(corp_id, subOrders)) await on.query(statement)
    const cause = { order_id: state.order_id, at, change: 'created', from_status: null } as const
    await recordVersion(client, corp_id, {
      ...cause,
      executor_id: account.app_id,
      reason: null,
      subject_id: null,
    })
    const sub_order_ids = state.subOrders.map(({ sub_order_id }) => sub_order_id)
    return answerOf({ ...state, sub_order_ids })
  }),
)

function answerOf(made: {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}) {
  const { order_id, sub_order_ids, total_price, currency } = made
  return { order_id, sub_order_ids, total_price, currency, state: 'done', request_id: null }
}
