import { type Static, Type } from 'typebox'
import { described, Id, LocalTime, OrganizationId } from '../../contract/fields.ts'
import { Currency, ExchangeRate, Method, PaidPrice, Provider, Rate, Reason } from '../ledger/fields.ts'

/** What is told of a refund. */
export const RefundInput = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(
    described(Id, 'Where it is taken from first, once no surplus is left; default: the last that was paid'),
  ),
  payment_id: Type.Optional(
    described(Id, 'The payment to refund; one that no order has taken goes back too'),
  ),
  price: described(PaidPrice, 'What goes back, in minor units of the order’s currency'),
  currency: Type.Optional(described(Currency, 'That it was returned in; default: the order’s')),
  returned_price: Type.Optional(
    described(PaidPrice, 'What was returned, in that currency; required where it is not the order’s'),
  ),
  exchange_rate: Type.Optional(ExchangeRate),
  rate: Type.Optional(Rate),
  reason: Type.Optional(Reason),
  provider: Type.Optional(Provider),
  method: Type.Optional(Method),
  charge_id: Type.Optional(
    described(Id, 'The provider’s id: a charge is one refund, however often it is told'),
  ),
  completed_time: Type.Optional(described(LocalTime, 'When it was returned; default: now')),
})

export type RefundInput = Static<typeof RefundInput>
