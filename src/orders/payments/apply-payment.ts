import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, PaidPrice, Reason } from '../ledger/fields.ts'
import { allocationsOf, forbidden, obstacleToMoney, takeMoney } from '../rules/order-rules.ts'
import { requireBalance, unappliedOf } from '../rules/payment-balance.ts'
import { PaymentAllocation } from './create-payment.ts'
import { findPayments } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  order_id: Id,
  price: Type.Optional(described(PaidPrice, 'The amount to apply; default: all that is unapplied')),
  reason: Type.Optional(Reason),
  dry_run: DryRun,
})
type ApplyInput = Static<typeof Input>

const Applied = Type.Object({
  payment_id: Id,
  order_id: Id,
  price: described(Money, 'The applied amount'),
  state: oneOf(['applied']),
  allocations: Type.Array(PaymentAllocation),
  order_status: oneOf(orderStatuses),
  order_version: Type.Integer(),
})
type Applied = Static<typeof Applied>

/** Allocates the unapplied part of a payment to an order. */
export const applyPayment = endpoint({
  id: 'applyPayment',
  method: 'POST',
  path: '/api/v5/entity/payment/apply',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Apply an unapplied payment to an order',
  description:
    'The order may be another than the one that the payment was reported for, in the same currency. The unapplied part of ' +
    'the payment is allocated to its sub-orders as an arriving payment is.',
  input: Input,
  data: Type.Object({ ...Applied.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      payment_id: '019fc3de88e87e2f9592913b0d70390d',
      order_id: '019fa30775f8708b8026cce4912edb88',
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 1_280_000,
      state: 'applied',
      allocations: [{ sub_order_id: '01a00491d408759aa7e124d4a9581a85', price: 1_280_000 }],
      order_status: 'success',
      order_version: 4,
    },
  },
  errors: ['orderNotFound', 'paymentNotFound', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    ({ db, account }, input) =>
      changeOrder({ db, corp_id: input.corp_id, executor_id: account.app_id }, input, applyRule),
  ),
})

const applyRule: FindRule<ApplyInput, Applied> = async (tx, inputs) => {
  const payments = await findPayments(tx, inputs)
  return ({ payment_id, order_id, price: wanted, reason = null }, before, at) => {
    const payment = payments.get(payment_id)
    if (!payment) throw new ApiError('paymentNotFound')
    const price = wanted ?? unappliedOf(payment)
    requireBalance(payment, 'unapplied', Math.max(1, price))
    if (payment.currency !== before.currency)
      throw invalid('order_id', `must name an order in ${payment.currency}, not in ${before.currency}`)
    const obstacle = obstacleToMoney(before, payment.completed_time)
    const taken =
      obstacle === undefined ? takeMoney(before, [{ payment_id, price }], at) : { because: obstacle }
    if ('because' in taken) throw forbidden(before, `The order cannot take the money: ${taken.because}.`)
    return {
      state: taken,
      cause: { change: 'apply', reason, subject_id: payment_id },
      result: ({ version, to_status }) => ({
        payment_id,
        order_id,
        price,
        state: 'applied',
        allocations: allocationsOf(taken, payment_id),
        order_status: to_status,
        order_version: version,
      }),
    }
  }
}
applyRule.isAlone = true
