import { type Static, Type } from 'typebox'
import { instantOfLocal } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf, oneOfOr, optionalText } from '../../contract/fields.ts'
import { convert, largestAmount } from '../../contract/rounding.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { Currency, ExchangeRate, LocalTime, PaidPrice } from '../fields.ts'
import { findVersionsOf, type MadeVersion } from '../history-store.ts'
import type { LedgerInstant } from '../ledger-clock-store.ts'
import { movesFrom, type OrderState, received, type SubOrder, takePayment } from '../rules/order-rules.ts'
import { orderDefaults, orderSources, orderStatuses } from '../rules/status.ts'
import { paymentSlots } from './payment-slots.ts'
import {
  type Charge,
  chargeKey,
  findPaymentsByCharge,
  type Payment,
  type PaymentRow,
} from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(described(Id, 'Default: the first sub-order that is not paid in full')),
  price: described(PaidPrice, 'What was paid, in minor units of its own currency'),
  currency: Type.Optional(described(Currency, 'Default: the order’s')),
  exchange_rate: Type.Optional(described(ExchangeRate, 'Required where the currency is not the order’s')),
  source: oneOfOr(orderDefaults.source, orderSources),
  charge_id: Type.Optional(
    described(Id, 'The gateway’s id: the same charge of a source is one payment, however often it is told'),
  ),
  receipt_num: Type.Optional(Type.Integer({ minimum: 0, maximum: largestAmount })),
  comments: optionalText(),
  completed_time: Type.Optional(described(LocalTime, 'When it was paid; default: now')),
})

export type PaymentInput = Static<typeof Input>

/** Adds a payment to the ledger. Gateways tell twice: the same charge makes one payment and is answered alike. */
export const createPayment = endpoint({
  id: 'createPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  summary: 'Record a payment',
  description:
    'The first payment moves an order from created to pending, the one that completes it to success. A sub-order takes ' +
    `${paymentSlots} payments. The same charge_id of a source with the same content is answered alike; with other content it is 40901.`,
  input: Input,
  data: Type.Object({
    payment_id: Id,
    order_id: Id,
    sub_order_id: Id,
    order_price: Type.Integer({ description: 'What it counts for, in minor units of the order’s currency' }),
    order_status: oneOf(orderStatuses, 'Of the order, as this payment left it'),
    order_version: Type.Integer(),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      price: 1_280_000,
      currency: 'CNY',
      source: 'payment_gateway',
      charge_id: 'ch_20240311_0001',
      completed_time: '2024-03-11 09:30:00',
    },
    data: {
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      order_price: 1_280_000,
      order_status: 'success',
      order_version: 2,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'taken', 'stateForbids'],
  handle: recordPayment,
})

async function recordPayment(context: OrganizationContext, input: PaymentInput) {
  const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, input, paymentRule(context))
}

/** Takes payments; a charge that made one before is answered as it was then. Spreadsheets come in by the same door. */
export function paymentRule(context: OrganizationContext): FindRule<PaymentInput, ReturnType<typeof answer>> {
  const { corp_id, time_zone } = context.organization
  return async (tx, inputs) => {
    const payments = await findPaymentsByCharge(
      tx,
      corp_id,
      inputs.flatMap((input) => chargeOf(input) ?? []),
    )
    const made = [...payments.values()].map(({ order_id, payment_id: subject_id }) => ({
      order_id,
      subject_id,
    }))
    const versions = await findVersionsOf(tx, corp_id, made)
    return (input, state, at) => {
      const charge = chargeOf(input)
      const existing = charge && payments.get(chargeKey(charge))
      if (existing) {
        if (!isRepetition(existing, input, state.currency, time_zone))
          throw taken('charge_id', 'belongs to a payment of other content', {
            payment_id: existing.payment_id,
          })
        // Payments from before the history stand for the order as it is.
        const now = { version: state.version, to_status: state.status }
        return { unchanged: answer(existing, versions.get(existing.payment_id) ?? now) }
      }
      const { payment, paid } = applyPaymentInput(context, input, state, at)
      if (charge) payments.set(chargeKey(charge), payment)
      return {
        state: paid,
        payment,
        cause: { change: 'payment', reason: payment.comments, subject_id: payment.payment_id },
        result: (version) => answer(payment, version),
      }
    }
  }
}

function chargeOf({ source = 'open_api', charge_id }: PaymentInput): Charge | undefined {
  return charge_id === undefined ? undefined : { source, charge_id }
}

/** The rules of a payment, without a database: the payment that it is, and the order that it leaves. */
export function applyPaymentInput(
  { newId, organization, account }: Pick<OrganizationContext, 'newId' | 'organization' | 'account'>,
  input: PaymentInput,
  state: OrderState,
  at: LedgerInstant,
): { payment: Payment & PaymentRow; paid: OrderState } {
  const subOrder = subOrderOf(state, input.sub_order_id)
  const payment = {
    ...paymentOf(input, state, subOrder, newId(), organization.time_zone, at),
    status: 'success',
    executor_id: account.app_id,
    ctime: at,
  }
  const paid = takePayment(state, subOrder.sub_order_id, payment.order_price, at)
  if (subOrder.payments >= paymentSlots) {
    const msg = `The sub-order has taken ${paymentSlots} payments, which is all it can.`
    throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
  }
  if (received(paid) > largestAmount) {
    throw invalid('price', 'makes the order receive more than the ledger takes')
  }
  return { payment, paid }
}

/** Whether an input tells of a payment that was recorded before. */
export function isRepetition(
  existing: Payment,
  input: PaymentInput,
  orderCurrency: string,
  timeZone: string,
): boolean {
  return (
    existing.order_id === input.order_id &&
    (input.sub_order_id === undefined || existing.sub_order_id === input.sub_order_id) &&
    existing.price === input.price &&
    existing.currency === (input.currency ?? orderCurrency) &&
    (input.exchange_rate === undefined || existing.exchange_rate === input.exchange_rate) &&
    (existing.receipt_num ?? undefined) === input.receipt_num &&
    (existing.comments ?? undefined) === input.comments &&
    (input.completed_time === undefined ||
      new Date(existing.completed_time).getTime() ===
        instantOfLocal(input.completed_time, timeZone).getTime())
  )
}

function subOrderOf(state: OrderState, subOrderId: string | undefined): SubOrder {
  const subOrder =
    subOrderId === undefined
      ? (state.subOrders.find(({ paid, total_price }) => paid < total_price) ?? state.subOrders.at(-1))
      : state.subOrders.find(({ sub_order_id }) => sub_order_id === subOrderId)
  if (!subOrder) throw new ApiError('subOrderNotFound')
  return subOrder
}

function paymentOf(
  input: PaymentInput,
  state: OrderState,
  subOrder: SubOrder,
  payment_id: string,
  timeZone: string,
  at: LedgerInstant,
): Payment {
  const currency = input.currency ?? state.currency
  const exchange_rate = rateOf(input, currency, state.currency)
  const order_price = convert(input.price, currency, state.currency, exchange_rate)
  if (order_price < 1) throw invalid('price', 'is nothing in the currency of the order')
  if (order_price > largestAmount)
    throw invalid('price', 'is more than the ledger takes in the currency of the order')
  return {
    payment_id,
    order_id: state.order_id,
    sub_order_id: subOrder.sub_order_id,
    price: input.price,
    currency,
    exchange_rate,
    order_price,
    source: input.source ?? orderDefaults.source,
    charge_id: input.charge_id ?? null,
    receipt_num: input.receipt_num ?? null,
    comments: input.comments ?? null,
    completed_time:
      input.completed_time === undefined ? at : instantOfLocal(input.completed_time, timeZone).toISOString(),
  }
}

function rateOf({ exchange_rate }: PaymentInput, currency: string, orderCurrency: string): number {
  if (currency === orderCurrency) {
    if (exchange_rate !== undefined && exchange_rate !== 10_000) {
      throw invalid('exchange_rate', 'must be 10000 where the currency is the order’s own')
    }
    return 10_000
  }
  if (exchange_rate === undefined)
    throw invalid('exchange_rate', `is required: the order is in ${orderCurrency}`)
  return exchange_rate
}

function answer(payment: Payment, { version, to_status }: MadeVersion) {
  const { payment_id, order_id, sub_order_id, order_price } = payment
  return { payment_id, order_id, sub_order_id, order_price, order_status: to_status, order_version: version }
}
