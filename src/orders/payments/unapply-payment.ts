import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { changeOrders, resultOf } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { sum } from '../rules/allocation.ts'
import { forbidden, isShort, loseMoney } from '../rules/order-rules.ts'
import { paymentStates } from './payment-states.ts'
import { findPayments } from './payment-store.ts'

/** Takes the money of a payment off an order, to be applied elsewhere or refunded. */
export const unapplyPayment = endpoint({
  id: 'unapplyPayment',
  method: 'POST',
  path: '/api/v5/entity/payment/unapply',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Take a payment off an order',
  description:
    'All that lies of the payment on the order is unapplied: what is paid falls, and the order falls back, as with a void. ' +
    'What has been refunded stays with the order.',
  input: Type.Object({
    corp_id: OrganizationId,
    payment_id: Id,
    order_id: Id,
    reason: Type.Optional(Reason),
    dry_run: DryRun,
  }),
  data: Type.Object({
    payment_id: Id,
    order_id: Id,
    price: described(Money, 'What was taken off'),
    state: oneOf(paymentStates, 'Of the payment: part of it may lie on another order'),
    order_status: oneOf(orderStatuses),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      reason: 'Paid for another order',
    },
    data: {
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      price: 1_280_000,
      state: 'unapplied',
      order_status: 'created',
      order_version: 4,
    },
  },
  errors: ['orderNotFound', 'paymentNotFound', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    async ({ db, account }, input) => {
      const { corp_id, payment_id, order_id, reason = null } = input
      return db.transaction(async (tx) => {
        const changer = { db: tx, corp_id, executor_id: account.app_id }
        const results = await changeOrders(changer, [input], async () => {
          const payment = (await findPayments(tx, corp_id, [payment_id])).get(payment_id)
          return (_input, before, at) => {
            if (!payment) throw new ApiError('paymentNotFound')
            const price = sum(before.allocations.filter((line) => line.payment_id === payment_id))
            if (price === 0) throw forbidden(before, 'Nothing of the payment lies on the order.')
            const left = before.allocations.filter((line) => line.payment_id !== payment_id)
            const state = loseMoney(before, left, at)
            if (isShort(state))
              throw forbidden(before, 'Money of the payment has been refunded: it is not here any more.')
            const isElsewhere = payment.lines.some((line) => line.order_id !== order_id)
            return {
              state,
              cause: { change: 'unapply', reason, subject_id: payment_id },
              result: ({ version, to_status }) => ({
                ...{
                  payment_id,
                  order_id,
                  price,
                  state: isElsewhere ? ('applied' as const) : ('unapplied' as const),
                },
                ...{ order_status: to_status, order_version: version },
              }),
            }
          }
        })
        return resultOf(results[0]!)
      })
    },
  ),
})
