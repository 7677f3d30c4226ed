import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { changeOrders, resultOf } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { allocationsOf, forbidden, obstacleToMoney, takeMoney } from '../rules/order-rules.ts'
import { PaymentAllocation } from './create-payment.ts'
import { findPayments, unappliedOf } from './payment-store.ts'

/** Puts money on an order that no order has taken so far. */
export const applyPayment = endpoint({
  id: 'applyPayment',
  method: 'POST',
  path: '/api/v5/entity/payment/apply',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Apply a payment that no order has taken',
  description:
    'The order need not be the one that the payment was told for, but in the same currency. All that is unapplied of the ' +
    'payment is put on its sub-orders, as a payment that comes in would be.',
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
    price: described(Money, 'What was applied'),
    state: oneOf(['applied']),
    allocations: Type.Array(PaymentAllocation),
    order_status: oneOf(orderStatuses),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
    },
    data: {
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      price: 1_280_000,
      state: 'applied',
      allocations: [{ sub_order_id: '0198c0de22227c41a2f0d8e6b4937215', price: 1_280_000 }],
      order_status: 'success',
      order_version: 4,
    },
  },
  errors: ['orderNotFound', 'paymentNotFound', 'stateForbids'],

  /** In a transaction of its own, behind the ledger's clock: nobody else moves the money of the payment meanwhile. */
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
            const price = unappliedOf(payment)
            if (price === 0) throw forbidden(before, 'Nothing of the payment is unapplied.')
            if (payment.currency !== before.currency)
              throw invalid(
                'order_id',
                `must name an order in ${payment.currency}, not in ${before.currency}`,
              )
            const obstacle = obstacleToMoney(before, payment.completed_time)
            const taken =
              obstacle === undefined ? takeMoney(before, [{ payment_id, price }], at) : { because: obstacle }
            if ('because' in taken)
              throw forbidden(before, `The order cannot take the money: ${taken.because}.`)
            const allocations = allocationsOf(taken, payment_id)
            return {
              state: taken,
              cause: { change: 'apply', reason, subject_id: payment_id },
              result: ({ version, to_status }) => ({
                ...{ payment_id, order_id, price, state: 'applied' as const, allocations },
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
