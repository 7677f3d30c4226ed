import { type Static, Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import type { InputFault } from '../contract/errors.ts'
import { described, Id, OrganizationId, oneOfOr, ShortText } from '../contract/fields.ts'
import {
  Currency,
  ExchangeRate,
  IdList,
  LocalTime,
  PlannedSubOrders,
  Price,
  ShareProportion,
} from './fields.ts'
import { makeOrder } from './make-order.ts'
import { sharesAreWhole } from './rules/shares.ts'
import { firstStatuses, orderDefaults, orderSources, orderTypes } from './rules/status.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  user_id: described(Id, 'Who buys'),
  external_id: Type.Optional(
    described(Id, 'The caller’s own id: repeating a creation answers the order it made'),
  ),
  course_id: Type.Optional(Id),
  course_code: Type.Optional(described(Id, 'Instead of course_id')),
  batch_id: Type.Optional(Id),
  leads_id: Type.Optional(described(Id, 'The lead of this user that brought the order')),
  type: oneOfOr(orderDefaults.type, orderTypes),
  source: oneOfOr(orderDefaults.source, orderSources),
  status: oneOfOr(orderDefaults.status, firstStatuses, 'The status to begin in'),
  currency: Type.Optional(described(Currency, 'Default: the course’s, else the organization’s')),
  exchange_rate: Type.Optional(ExchangeRate),
  listed_price: Type.Optional(described(Price, 'Default: the course’s')),
  discounted_price: Type.Optional(described(Price, 'Default: the listed price less the coupons')),
  service_charge: Type.Optional(Price),
  foreign_service_charge: Type.Optional(Price),
  coupon_ids: Type.Optional(IdList),
  sub_orders: Type.Optional(PlannedSubOrders),
  installment_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'Instead of sub_orders: so many equal ones, the remainder on the last',
    }),
  ),
  first_payment_deadline: Type.Optional(
    described(LocalTime, 'Of the first of equal instalments; the others follow by months'),
  ),
  share_proportion: Type.Optional(ShareProportion),
  application_fee_price: Type.Optional(Price),
  application_fee_currency: Type.Optional(Currency),
  application_fee_status: Type.Optional(ShortText),
  contract_id: Type.Optional(Id),
  business_id: Type.Optional(Id),
  product_id: Type.Optional(Id),
  course_start_time: Type.Optional(LocalTime),
  course_end_time: Type.Optional(LocalTime),
})

export type OrderCreation = Static<typeof Input>

/** Makes an order: prices, coupons, instalments, owners' shares, and the copy of its user and course. */
export const createOrder = endpoint({
  id: 'createOrder',
  method: 'POST',
  path: '/api/v5/entity/order/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  summary: 'Create an order',
  description:
    'listed_price − coupons = discounted_price; discounted_price + charges = total_price, which the instalments sum ' +
    'to. With external_id a repeated creation answers the same order; other content under the same id is 40901.',
  input: Input,
  rules: planIsGivenOnce,
  data: Type.Object({
    order_id: Id,
    sub_order_ids: Type.Array(Id),
    total_price: Price,
    currency: Type.String(),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      user_id: '0198c0de33337c41a2f0d8e6b4937215',
      external_id: 'checkout-4711',
      currency: 'CNY',
      listed_price: 1_380_000,
      discounted_price: 1_280_000,
      installment_count: 3,
      first_payment_deadline: '2027-01-31',
    },
    data: {
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_ids: [
        '0198c0de22227c41a2f0d8e6b4937215',
        '0198c0de22237c41a2f0d8e6b4937215',
        '0198c0de22247c41a2f0d8e6b4937215',
      ],
      total_price: 1_280_000,
      currency: 'CNY',
    },
  },
  errors: ['userNotFound', 'courseNotFound', 'batchNotFound', 'leadNotFound', 'couponNotFound', 'taken'],
  handle: makeOrder,
})

function planIsGivenOnce(input: Partial<OrderCreation>, isSent: (name: string) => boolean): InputFault[] {
  const faults = sharesAreWhole(input.share_proportion)
  if (isSent('sub_orders') && isSent('installment_count')) {
    faults.push({ param: 'installment_count', reason: 'must not stand beside sub_orders' })
  }
  if (isSent('sub_orders') && isSent('first_payment_deadline')) {
    faults.push({ param: 'first_payment_deadline', reason: 'must not stand beside sub_orders' })
  }
  if (isSent('course_id') && isSent('course_code')) {
    faults.push({ param: 'course_code', reason: 'must not stand beside course_id' })
  }
  if (isSent('batch_id') && !isSent('course_id') && !isSent('course_code')) {
    faults.push({ param: 'batch_id', reason: 'needs a course' })
  }
  if (input.sub_orders?.some((subOrder) => subOrder.sub_order_id !== undefined)) {
    faults.push({ param: 'sub_orders', reason: 'must not name sub-orders of an order that is not made yet' })
  }
  return faults
}
