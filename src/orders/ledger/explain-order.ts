import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import {
  credited,
  type OrderState,
  outstanding,
  overpaid,
  received,
  refunded,
  writtenOff,
} from '../rules/order-rules.ts'
import { manualDiscountOf } from '../rules/prices.ts'
import { owingStatuses } from '../rules/status.ts'
import { examplePossibilities, Possibilities, possibilitiesOf } from './explain-moves.ts'
import { readStates } from './order-state-store.ts'

/** Explains each price of an order, and which moves are possible now. */
export const explainOrder = endpoint({
  id: 'explainOrder',
  method: 'GET',
  path: '/api/v5/entity/order/explain',
  group: 'Orders',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Explain the prices and the possible moves of an order',
  description:
    'Lists the possible actions and, for the others, the reason: `because` in words, `code` for programs (`possible` where ' +
    'nothing prevents it). An operation may still refuse a particular input.',
  input: Type.Object({ corp_id: OrganizationId, order_id: Id }),
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    currency: Type.String(),
    prices: Type.Array(Type.Object({ name: Type.String(), value: Money, because: Type.String() })),
    discounts: Type.Array(
      Type.Object({
        kind: oneOf(['manual', 'coupon']),
        coupon_id: Type.String(),
        price: Money,
        because: Type.String(),
      }),
      { description: 'Each with its terms; listed_price less these is discounted_price' },
    ),
    ...Possibilities,
  }),
  example: {
    input: { corp_id: 'lakeside', order_id: '01a00491d4087169b3c88f8f9813ae4a' },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      status: 'success',
      version: 2,
      currency: 'CNY',
      prices: [{ name: 'total_price', value: 1_280_000, because: 'discounted_price 1280000 + charges 0' }],
      discounts: [{ kind: 'coupon', coupon_id: 'EARLY', price: 100_000, because: 'an amount of 100000' }],
      ...examplePossibilities,
    },
  },
  errors: ['orderNotFound'],

  async handle({ db }, { corp_id, order_id }) {
    const state = (await readStates(db, corp_id, [order_id])).get(order_id)
    if (!state) throw new ApiError('orderNotFound')
    return explain(state)
  },
})

function explain(state: OrderState) {
  const { order_id, status, version, currency } = state
  return {
    order_id,
    status,
    version,
    currency,
    prices: explainPrices(state),
    discounts: explainDiscounts(state),
    ...possibilitiesOf(state),
  }
}

function explainDiscounts(state: OrderState) {
  const manual = manualDiscountOf(state)
  const byHand = {
    kind: 'manual',
    coupon_id: '',
    price: manual,
    because: 'a discount given by hand',
  } as const
  const coupons = state.coupon_lines.map(({ coupon_id, amount, basis_points, price }) => ({
    kind: 'coupon' as const,
    coupon_id,
    price,
    because:
      basis_points === null ? `an amount of ${amount}` : `${basis_points} basis points of the listed price`,
  }))
  return manual > 0 ? [byHand, ...coupons] : coupons
}

function explainPrices(state: OrderState) {
  const { listed_price, discounted_price, total_price, status, coupon_ids } = state
  const [paid, back, credit, off] = [received(state), refunded(state), credited(state), writtenOff(state)]
  const charges = state.service_charge + state.foreign_service_charge
  const coupons = coupon_ids.length > 0 ? ` (coupons ${coupon_ids.join(', ')})` : ''
  const payments = new Set(state.allocations.map(({ payment_id }) => payment_id)).size
  const writeOff = off > 0 ? ` − written off ${off}` : ''
  const claim = `total_price ${total_price} − credited_price ${credit}${writeOff}`
  const price = (name: string, value: number, because: string) => ({ name, value, because })
  return [
    price('listed_price', listed_price, 'set when the order was created or last changed'),
    price(
      'discounted_price',
      discounted_price,
      `listed_price ${listed_price} − discount ${listed_price - discounted_price}${coupons}`,
    ),
    price('total_price', total_price, `discounted_price ${discounted_price} + charges ${charges}`),
    price('credited_price', credit, 'the sum of the credit notes'),
    price('paid_price', paid, `the allocations of ${payments} payments, in its currency`),
    price('refund_price', back, 'the sum of the refunds'),
    price('post_refund_price', paid - back, `paid_price ${paid} − refund_price ${back}`),
    price(
      'unpaid_price',
      outstanding(state),
      owingStatuses.includes(status)
        ? `${claim} − held ${paid - back}, at least 0`
        : `nothing is owed: the order is ${status}`,
    ),
    price('over_payment_price', overpaid(state), `held ${paid - back} − (${claim}), at least 0`),
  ]
}
