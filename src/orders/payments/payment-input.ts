import { type Static, Type } from 'typebox'
import { described, Id, LocalTime, OrganizationId, oneOfOr, optionalText } from '../../contract/fields.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { Currency, ExchangeRate, Method, PaidPrice, Provider, Rate } from '../ledger/fields.ts'
import { orderDefaults, orderSources } from '../rules/status.ts'

/** What is told of a payment. */
export const PaymentInput = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(
    described(Id, 'Where its money is put first; default: the first sub-order that is not paid in full'),
  ),
  price: described(PaidPrice, 'What was paid, in minor units of its own currency'),
  currency: Type.Optional(described(Currency, 'Default: the order’s')),
  exchange_rate: Type.Optional(
    described(ExchangeRate, 'Required where the currency is not the order’s, or rate, or settled_price'),
  ),
  rate: Type.Optional(Rate),
  settled_price: Type.Optional(
    described(PaidPrice, 'What was credited, in the order’s currency: then no rate decides'),
  ),
  source: oneOfOr(orderDefaults.source, orderSources),
  provider: Type.Optional(Provider),
  method: Type.Optional(Method),
  charge_id: Type.Optional(
    described(Id, 'The provider’s id: a charge is one payment, however often and by whatever way it is told'),
  ),
  receipt_num: Type.Optional(Type.Integer({ minimum: 0, maximum: largestAmount })),
  comments: optionalText(),
  completed_time: Type.Optional(described(LocalTime, 'When it was paid; default: now')),
})

export type PaymentInput = Static<typeof PaymentInput>
