import { localTime } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { changeOrders, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, ExchangeRate, PaidPrice, Rate, Reason } from '../ledger/fields.ts'
import { takeOffPayment } from '../rules/allocation.ts'
import { forbidden, loseMoney } from '../rules/order-rules.ts'
import { requireBalance } from '../rules/payment-balance.ts'
import { createPayment, paymentAnswer } from './create-payment.ts'
import { findKnownCharges } from './known-charges.ts'
import { chargeOf, findPayments, findReportedPayment, type Payment } from './payment-store.ts'
import { receivePayment } from './receive-payment.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  to_order_id: described(Id, 'The right order, in any currency'),
  exchange_rate: Type.Optional(ExchangeRate),
  rate: Type.Optional(Rate),
  settled_price: Type.Optional(
    described(PaidPrice, 'The credited amount in the currency of the right order'),
  ),
  reason: described(Reason, 'Why the payment belongs to the other order'),
  dry_run: DryRun,
})
type MoveInput = Static<typeof Input>

const { orders: _, ...Answer } = createPayment.data.properties

/** Moves a payment that was reported for the wrong order to one in another currency. */
export const movePayment = endpoint({
  id: 'movePayment',
  method: 'POST',
  path: '/api/v5/entity/payment/move',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Move a payment to an order in another currency',
  description:
    'The charge is recorded for the other order as a new payment, with its own conversion. The first payment has the state ' +
    'moved. A refunded payment cannot move: reverse the refund first. Within one currency, use order/transfer or ' +
    'payment/apply.',
  input: Input,
  data: Type.Object({ ...Answer, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      payment_id: '019e267a0b2874abbb8829677e4c98eb',
      to_order_id: '019e8544011875ccadb7a6f06e608062',
      reason: 'Reported for the wrong order',
      settled_price: 5_500,
    },
    data: createPayment.example.data,
  },
  errors: ['orderNotFound', 'paymentNotFound', 'stateForbids'],
  handle: withDryRun((input, { db }) => ordersOf(db, input), recordMove),
})

/** The right order first, then the orders that have the money. */
async function ordersOf(db: Queryable, input: MoveInput): Promise<string[]> {
  const payment = (await findPayments(db, [input])).get(input.payment_id)
  if (!payment) throw new ApiError('paymentNotFound')
  const { order_id, lines } = payment
  return [...new Set([input.to_order_id, order_id, ...lines.map((line) => line.order_id)])]
}

async function recordMove(context: OrganizationContext, input: MoveInput) {
  const { db, account } = context
  const { corp_id, payment_id } = input
  return db.transaction(async (tx) => {
    const reported = await findReportedPayment(tx, corp_id, payment_id)
    if (!reported) throw new ApiError('paymentNotFound')
    const orderIds = await ordersOf(tx, input)
    const changer = { db: tx, corp_id, executor_id: account.app_id }
    const changes = orderIds.map((order_id) => ({ order_id, orderIds }))
    const [moved] = await changeOrders(changer, changes, moveRule(context, input, reported))
    if (!moved) throw new ApiError('orderNotFound')
    return moved
  })
}

type Moved = ReturnType<typeof paymentAnswer>

function moveRule(
  context: OrganizationContext,
  input: MoveInput,
  reported: Payment,
): FindRule<{ order_id: string; orderIds: string[] }, Moved | undefined> {
  const { payment_id, to_order_id, reason } = input
  const to_payment_id = context.newId()
  const findRule: ReturnType<typeof moveRule> = async (tx) => {
    const payment = (await findPayments(tx, [input])).get(payment_id)
    const charge = chargeOf({ provider: reported.provider, charge_id: reported.charge_id ?? undefined })
    const again = charge && (await findKnownCharges(tx, input.corp_id, [charge])).again(reported)
    return ({ order_id, orderIds }, before, at) => {
      if (!payment) throw new ApiError('paymentNotFound')
      requireBalance(payment, 'all', payment.order_price)
      if (payment.lines.some((line) => !orderIds.includes(line.order_id)))
        throw forbidden(before, 'The money of the payment moved at the same time. Try again.')
      const cause = { change: 'move' as const, reason, subject_id: payment_id }
      if (order_id === to_order_id) {
        if (before.currency === payment.currency)
          throw invalid('to_order_id', `must name an order in another currency than ${payment.currency}`)
        const received = receivePayment(
          { ...context, newId: () => to_payment_id },
          paymentInputOf(context, input, reported),
          before,
          at,
          { again },
        )
        return {
          state: received.state,
          facts: { payments: [received.fact] },
          cause: { ...cause, subject_id: to_payment_id },
          result: (version) => paymentAnswer(received.payment, version),
        }
      }
      const hasMoney = payment.lines.some((line) => line.order_id === order_id)
      // The money left this order before the orders were locked.
      if (order_id !== payment.order_id && !hasMoney) return { unchanged: undefined }
      const fact = {
        payment_id,
        to_payment_id,
        order_id,
        price: payment.order_price,
        reason,
        executor_id: context.account.app_id,
        at,
      }
      const { allocations } = takeOffPayment(before.allocations, payment_id)
      return {
        state: loseMoney(before, allocations, at),
        ...(order_id === payment.order_id && { facts: { payment_moves: [fact] } }),
        cause,
        result: () => undefined,
      }
    }
  }
  findRule.includesAccounts = true
  return findRule
}

/** The payment as it would have been reported for the right order. */
function paymentInputOf({ organization }: OrganizationContext, input: MoveInput, reported: Payment) {
  const { corp_id, to_order_id, exchange_rate, rate, settled_price } = input
  const { method, charge_id, comments, payer_id, source, provider } = reported
  return {
    corp_id,
    order_id: to_order_id,
    price: reported.price,
    currency: reported.currency as 'CNY',
    exchange_rate,
    rate,
    settled_price,
    source: source as 'console',
    provider,
    ...(method !== null && { method }),
    ...(charge_id !== null && { charge_id }),
    ...(comments !== null && { comments }),
    ...(payer_id !== null && { payer_id }),
    completed_time: localTime(reported.completed_time, organization.time_zone),
  }
}
