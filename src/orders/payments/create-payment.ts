import { type Static, Type } from 'typebox'
import { instantOfLocal } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf, oneOfOr, optionalText } from '../../contract/fields.ts'
import { convert, largestAmount } from '../../contract/rounding.ts'
import type { Queryable } from '../../database/database.ts'
import { changeOrder, type MadeVersion, versionOf } from '../change-order.ts'
import { Currency, ExchangeRate, LocalTime, PaidPrice } from '../fields.ts'
import { movesFrom, type OrderState, received, type SubOrder, takePayment } from '../rules/order-rules.ts'
import { orderDefaults, orderSources, orderStatuses } from '../rules/status.ts'
import { paymentSlots } from './payment-slots.ts'
import { findPaymentByCharge, insertPayment, type Payment } from './payment-store.ts'

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

/** Also the way in for spreadsheets. */
export async function recordPayment(context: OrganizationContext, input: PaymentInput) {
  const changer = { ...context, corp_id: input.corp_id, executor_id: context.account.app_id }
  return changeOrder<ReturnType<typeof answer>>(changer, input.order_id, async (tx, state, at) => {
    const told = await findTold(tx, input, state, context.organization.time_zone)
    if (told) return { unchanged: answer(told, await versionOf(tx, input.corp_id, state, told.payment_id)) }
    const { fact, paid } = applyPaymentInput(context, input, state, at)
    const isNew = await insertPayment(tx, input.corp_id, { ...fact, executor_id: changer.executor_id }, at)
    if (!isNew) throw taken('charge_id', 'belongs to a payment of another order')
    return {
      state: paid,
      change: { change: 'payment', reason: fact.comments, subject_id: fact.payment_id },
      result: (version) => answer(fact, version),
    }
  })
}

/** The rules of a payment, without a database: the fact that it is, and the order that it leaves. */
export function applyPaymentInput(
  { newId, organization }: Pick<OrganizationContext, 'newId' | 'organization'>,
  input: PaymentInput,
  state: OrderState,
  at: string,
): { fact: Payment; paid: OrderState } {
  const subOrder = partOf(state, input.sub_order_id)
  const fact = factOf(input, state, subOrder, newId(), organization.time_zone, at)
  const paid = takePayment(state, subOrder.sub_order_id, fact.order_price, at)
  if (subOrder.payments >= paymentSlots) {
    const msg = `The sub-order has taken ${paymentSlots} payments, which is all it can.`
    throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
  }
  if (received(paid) > largestAmount) {
    throw invalid('price', 'makes the order receive more than the ledger takes')
  }
  return { fact, paid }
}

/** The payment that this charge made before; 40901 where it was another one. */
async function findTold(
  tx: Queryable,
  input: PaymentInput,
  state: OrderState,
  timeZone: string,
): Promise<Payment | undefined> {
  if (input.charge_id === undefined) return undefined
  const told = await findPaymentByCharge(tx, input.corp_id, {
    source: input.source ?? orderDefaults.source,
    charge_id: input.charge_id,
  })
  if (!told) return undefined
  if (isRepetition(told, input, state.currency, timeZone)) return told
  throw taken('charge_id', 'belongs to a payment of other content', { payment_id: told.payment_id })
}

/** Whether a paymentInput tells of a payment that was recorded before. */
export function isRepetition(
  told: Payment,
  input: PaymentInput,
  orderCurrency: string,
  timeZone: string,
): boolean {
  return (
    told.order_id === input.order_id &&
    (input.sub_order_id === undefined || told.sub_order_id === input.sub_order_id) &&
    told.price === input.price &&
    told.currency === (input.currency ?? orderCurrency) &&
    (input.exchange_rate === undefined || told.exchange_rate === input.exchange_rate) &&
    (told.receipt_num ?? undefined) === input.receipt_num &&
    (told.comments ?? undefined) === input.comments &&
    (input.completed_time === undefined ||
      new Date(told.completed_time).getTime() === instantOfLocal(input.completed_time, timeZone).getTime())
  )
}

function partOf(state: OrderState, subOrderId: string | undefined): SubOrder {
  const subOrder =
    subOrderId === undefined
      ? (state.subOrders.find(({ paid, total_price }) => paid < total_price) ?? state.subOrders.at(-1))
      : state.subOrders.find(({ sub_order_id }) => sub_order_id === subOrderId)
  if (!subOrder) throw new ApiError('subOrderNotFound')
  return subOrder
}

function factOf(
  input: PaymentInput,
  state: OrderState,
  subOrder: SubOrder,
  payment_id: string,
  timeZone: string,
  at: string,
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

function answer(fact: Payment, { version, to_status }: MadeVersion) {
  const { payment_id, order_id, sub_order_id, order_price } = fact
  return { payment_id, order_id, sub_order_id, order_price, order_status: to_status, order_version: version }
}
