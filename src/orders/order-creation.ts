import { described, Id, LocalTime, OrganizationId, oneOfOr, ShortText } from '../contract/fields.ts'
import { type Static, Type } from '../contract/type.ts'
import { Currency, ExchangeRate, IdList, PlannedSubOrders, Price, ShareProportion } from './ledger/fields.ts'
import { firstStatuses, orderDefaults, orderSources, orderTypes } from './rules/status.ts'

/** The input that creates an order. */
export const OrderCreation = Type.Object({
  corp_id: OrganizationId,
  user_id: described(Id, 'The buyer'),
  external_id: Type.Optional(
    described(Id, 'The caller’s own id: a repeated creation returns the same order'),
  ),
  course_id: Type.Optional(Id),
  course_code: Type.Optional(described(Id, 'Instead of course_id')),
  batch_id: Type.Optional(Id),
  leads_id: Type.Optional(described(Id, 'The lead of this user that brought the order')),
  type: oneOfOr(orderDefaults.type, orderTypes),
  source: oneOfOr(orderDefaults.source, orderSources),
  status: oneOfOr(orderDefaults.status, firstStatuses, 'The first status'),
  currency: Type.Optional(described(Currency, 'Default: the course’s, else the organization’s')),
  exchange_rate: Type.Optional(ExchangeRate),
  listed_price: Type.Optional(described(Price, 'Default: the course’s')),
  discounted_price: Type.Optional(
    described(
      Price,
      'After all discounts; default: the listed price less the coupons and the manual discount',
    ),
  ),
  manual_discount: Type.Optional(
    described(Price, 'Instead of discounted_price: a discount in addition to the coupons'),
  ),
  service_charge: Type.Optional(Price),
  foreign_service_charge: Type.Optional(Price),
  coupon_ids: Type.Optional(IdList),
  sub_orders: Type.Optional(PlannedSubOrders),
  installment_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'Instead of sub_orders: the number of equal instalments; the last has the remainder',
    }),
  ),
  first_payment_deadline: Type.Optional(
    described(LocalTime, 'Of the first equal instalment; the others follow monthly'),
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

export type OrderCreation = Static<typeof OrderCreation>
