import { taken } from '../../src/contract/errors.ts'
import { newId } from '../../src/contract/new-id.ts'
import { insertingFacts } from '../../src/orders/ledger/fact-store.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { isSameRefund, refundOf } from '../../src/orders/payments/give-refund.ts'
import { findRefundsByCharge, type Refund } from '../../src/orders/payments/refund-store.ts'
import { refundLines } from '../../src/orders/rules/order-rules.ts'
import { lockOrder, oneByOne, recordVersion, storeState, tick } from './ledger.ts'
import { inTransaction, plainRoute } from './route.ts'

/** Records a refund in the plain way: the same rules and rows, by sequential statements. */
export const recordRefund = plainRoute(createRefund, ({ pool, account, organization }, input) =>
  inTransaction(pool, async (client) => {
    const { corp_id, order_id, charge_id, provider = '' } = input
    const on = oneByOne(client)
    const state = await lockOrder(client, corp_id, order_id)
    const at = await tick(client, corp_id)
    if (charge_id !== undefined) {
      const [existing] = (await findRefundsByCharge(on, corp_id, [{ provider, charge_id }])).values()
      if (existing) {
        if (!isSameRefund(existing, input, organization.time_zone))
          throw taken('charge_id', 'belongs to a refund of other content')
        return answerOf(existing, state.status, state.version)
      }
    }
    const { refund, facts } = refundOf({ newId, organization, account }, input, state, new Map(), at)
    for (const statement of insertingFacts(corp_id, [facts])) await on.query(statement)
    await storeState(client, corp_id, refundLines(state, refund.allocations, at), at)
    const { refund_id: subject_id, reason } = refund
    const cause = { order_id, at, change: 'refund', from_status: null, executor_id: account.app_id } as const
    const made = await recordVersion(client, corp_id, { ...cause, reason, subject_id })
    return answerOf(refund, made.to_status, made.version)
  }),
)

function answerOf(refund: Refund, order_status: string, order_version: number) {
  const { refund_id, order_id, price, allocations } = refund
  const sub_order_id = refund.sub_order_id ?? allocations[0]?.sub_order_id ?? null
  return {
    state: 'done',
    request_id: null,
    refund_id,
    order_id,
    sub_order_id,
    price,
    credited_price: allocations.reduce((all, line) => all + line.credited_price, 0),
    allocations,
    order_status,
    order_version,
  }
}
