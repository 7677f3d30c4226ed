import { described, Id, LocalTime, OrganizationId, oneOfOr } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Currency, ExchangeRate, Method, PaidPrice, Provider, Rate, Reason } from '../ledger/fields.ts'

/** A refund as reported. */
export const RefundInput = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(
    described(Id, 'The sub-order to refund first, after the surplus; default: the last paid one'),
  ),
  payment_id: Type.Optional(described(Id, 'The payment to refund; an unapplied payment can be refunded too')),
  as: oneOfOr(
    'credit',
    ['credit', 'return'],
    'The effect of a refund beyond the surplus. A credit reduces the price by a credit note; after a return the debt is ' +
      'open again',
  ),
  price: described(PaidPrice, 'The refunded amount, in minor units of the order’s currency'),
  currency: Type.Optional(described(Currency, 'The currency of the returned money; default: the order’s')),
  returned_price: Type.Optional(
    described(PaidPrice, 'The returned amount in that currency; required if it is not the order’s'),
  ),
  exchange_rate: Type.Optional(ExchangeRate),
  rate: Type.Optional(Rate),
  reason: described(Reason, 'The reason for the refund'),
  provider: Type.Optional(Provider),
  method: Type.Optional(Method),
  charge_id: Type.Optional(
    described(Id, 'The provider’s id: a charge is one refund, even if it is reported several times'),
  ),
  completed_time: Type.Optional(described(LocalTime, 'The time of the refund; default: now')),
})

export type RefundInput = Static<typeof RefundInput>
