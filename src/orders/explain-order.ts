import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { Id, Money, OrganizationId, oneOf } from '../contract/fields.ts'
import { isOrder, readState } from './order-state-store.ts'
import { readPrices } from './order-update-store.ts'
import { paymentSlots } from './payments/payment-slots.ts'
import { type OrderState, obstacleTo, received, refundable, refunded } from './rules/order-rules.ts'
import type { Prices } from './rules/prices.ts'
import { orderStatuses, payableStatuses } from './rules/status.ts'

/** How each price of an order came about, which moves are possible now, and why the others are not. */
export const explainOrder = endpoint({
  id: 'explainOrder',
  method: 'GET',
  path: '/api/v5/entity/order/explain',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'read',
  summary: 'Explain the prices and the possible moves of an order',
  input: Type.Object({ corp_id: OrganizationId, order_id: Id }),
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    currency: Type.String(),
    prices: Type.Array(Type.Object({ name: Type.String(), value: Money, because: Type.String() })),
    moves: Type.Array(
      Type.Object({ status: oneOf(orderStatuses), is_possible: Type.Boolean(), because: Type.String() }),
    ),
    payment: Type.Object({ is_possible: Type.Boolean(), because: Type.String() }),
    refund: Type.Object({ is_possible: Type.Boolean(), at_most: Money, because: Type.String() }),
  }),
  example: {
    input: { corp_id: '0198c0de00007c41a2f0d8e6b4937215', order_id: '0198c0de11117c41a2f0d8e6b4937215' },
    data: {
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      status: 'success',
      version: 2,
      currency: 'CNY',
      prices: [{ name: 'total_price', value: 1_280_000, because: 'discounted_price 1280000 + charges 0' }],
      moves: [{ status: 'locked', is_possible: true, because: 'the state machine has this move' }],
      payment: { is_possible: true, because: 'an order that is success takes payments' },
      refund: { is_possible: true, at_most: 1_280_000, because: 'received 1280000 − refunded 0' },
    },
  },
  errors: ['orderNotFound'],

  async handle({ db }, { corp_id, order_id }) {
    // The prices and the sums are to be those of one moment.
    return db.snapshot(async (tx) => {
      if (!(await isOrder(tx, corp_id, order_id))) throw new ApiError('orderNotFound')
      const state = await readState(tx, corp_id, order_id)
      const prices = await readPrices(tx, corp_id, order_id)
      return explain(state, prices)
    })
  },
})

function explain(state: OrderState, prices: Prices & { coupon_ids: string[] }) {
  const { order_id, status, version, currency } = state
  const atMost = state.subOrders.reduce((sum, subOrder) => sum + refundable(subOrder), 0)
  return {
    order_id,
    status,
    version,
    currency,
    prices: explainPrices(state, prices),
    moves: orderStatuses
      .filter((to) => to !== status)
      .map((to) => {
        const obstacle = obstacleTo(state, to)
        return { status: to, is_possible: !obstacle, because: obstacle ?? 'the state machine has this move' }
      }),
    payment: explainPayment(state),
    refund: {
      is_possible: atMost > 0,
      at_most: atMost,
      because: `received ${received(state)} − refunded ${refunded(state)}`,
    },
  }
}

function explainPayment({ status, subOrders }: OrderState) {
  if (!payableStatuses.includes(status)) {
    return { is_possible: false, because: `an order that is ${status} takes no payments` }
  }
  const isFull = subOrders.every(({ payments }) => payments >= paymentSlots)
  return {
    is_possible: !isFull,
    because: isFull
      ? `every sub-order has taken ${paymentSlots} payments`
      : `an order that is ${status} takes payments`,
  }
}

function explainPrices(state: OrderState, prices: Prices & { coupon_ids: string[] }) {
  const paid = received(state)
  const back = refunded(state)
  const charges = prices.service_charge + prices.foreign_service_charge
  const discount = prices.listed_price - prices.discounted_price
  const isOpen = state.status !== 'canceled' && state.status !== 'expired'
  const coupons = prices.coupon_ids.length > 0 ? ` (coupons ${prices.coupon_ids.join(', ')})` : ''
  const payments = state.subOrders.reduce((sum, subOrder) => sum + subOrder.payments, 0)
  return [
    { name: 'listed_price', value: prices.listed_price, because: 'as the order was made or last changed' },
    {
      name: 'discounted_price',
      value: prices.discounted_price,
      because: `listed_price ${prices.listed_price} − discount ${discount}${coupons}`,
    },
    {
      name: 'total_price',
      value: prices.total_price,
      because: `discounted_price ${prices.discounted_price} + charges ${charges}`,
    },
    {
      name: 'paid_price',
      value: paid,
      because: `the sum of ${payments} payments in the currency of the order`,
    },
    { name: 'refund_price', value: back, because: 'the sum of the refunds' },
    { name: 'post_refund_price', value: paid - back, because: `paid_price ${paid} − refund_price ${back}` },
    {
      name: 'unpaid_price',
      value: isOpen ? Math.max(0, prices.total_price - paid) : 0,
      because: isOpen
        ? `total_price ${prices.total_price} − paid_price ${paid}, at least 0`
        : `nothing can be paid any more: the order is ${state.status}`,
    },
    {
      name: 'over_payment_price',
      value: Math.max(0, paid - prices.total_price),
      because: `paid_price ${paid} − total_price ${prices.total_price}, at least 0`,
    },
  ]
}
