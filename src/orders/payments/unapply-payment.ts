import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { sum, takeOffPayment } from '../rules/allocation.ts'
import { loseMoney } from '../rules/order-rules.ts'
import { paymentStates, requireBalance, stateOfPayment } from '../rules/payment-balance.ts'
import { findPayments } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  order_id: Id,
  reason: Type.Optional(Reason),
  dry_run: DryRun,
})
type UnapplyInput = Static<typeof Input>

const Unapplied = Type.Object({
  payment_id: Id,
  order_id: Id,
  price: described(Money, 'The amount taken off the order'),
  state: oneOf(paymentStates, 'Of the payment: it is applied if another order has a part of it'),
  order_status: oneOf(orderStatuses),
  order_version: Type.Integer(),
})
type Unapplied = Static<typeof Unapplied>

/** Takes the money of a payment off an order, to apply it elsewhere or to refund it. */
export const unapplyPayment = endpoint({
  id: 'unapplyPayment',
  method: 'POST',
  path: '/api/v5/entity/payment/unapply',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Take a payment off an order',
  description:
    'The money of the payment on the order becomes unapplied. The paid price decreases, and the status moves back as with ' +
    'a void. Refunded money stays with the order.',
  input: Input,
  data: Type.Object({ ...Unapplied.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      payment_id: '019fc3de88e87e2f9592913b0d70390d',
      order_id: '019fa30775f8708b8026cce4912edb88',
      reason: 'Paid for another order',
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 1_280_000,
      state: 'unapplied',
      order_status: 'created',
      order_version: 4,
    },
  },
  errors: ['orderNotFound', 'paymentNotFound', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    ({ db, account }, input) =>
      changeOrder({ db, corp_id: input.corp_id, executor_id: account.app_id }, input, unapplyRule),
  ),
})

const unapplyRule: FindRule<UnapplyInput, Unapplied> = async (tx, inputs) => {
  const payments = await findPayments(tx, inputs)
  return ({ payment_id, order_id, reason = null }, before, at) => {
    const payment = payments.get(payment_id)
    if (!payment) throw new ApiError('paymentNotFound')
    requireBalance(payment, { order_id })
    const { taken, allocations } = takeOffPayment(before.allocations, payment_id)
    const price = sum(taken)
    const lines = payment.lines.map((line) =>
      line.order_id === order_id ? { ...line, price: line.refunded } : line,
    )
    return {
      state: loseMoney(before, allocations, at),
      cause: { change: 'unapply', reason, subject_id: payment_id },
      result: ({ version, to_status }) => ({
        payment_id,
        order_id,
        price,
        state: stateOfPayment({ ...payment, lines }),
        order_status: to_status,
        order_version: version,
      }),
    }
  }
}
unapplyRule.isAlone = true
