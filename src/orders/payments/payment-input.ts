import { described, Id, LocalTime, OrganizationId, oneOfOr, optionalText } from '../../contract/fields.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Currency, ExchangeRate, Method, PaidPrice, Provider, Rate } from '../ledger/fields.ts'
import { orderDefaults, orderSources } from '../rules/status.ts'

/** A payment as reported. */
export const PaymentInput = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(
    described(Id, 'The sub-order to pay first; default: the first one that is not fully paid'),
  ),
  price: described(PaidPrice, 'The paid amount, in minor units of its currency'),
  currency: Type.Optional(described(Currency, 'Default: the order’s')),
  exchange_rate: Type.Optional(
    described(ExchangeRate, 'Required (or rate, or settled_price) if the currency is not the order’s'),
  ),
  rate: Type.Optional(Rate),
  settled_price: Type.Optional(
    described(PaidPrice, 'The credited amount in the order’s currency; it takes precedence over a rate'),
  ),
  source: oneOfOr(orderDefaults.source, orderSources),
  provider: Type.Optional(Provider),
  method: Type.Optional(Method),
  charge_id: Type.Optional(
    described(Id, 'The provider’s id: a charge is one payment, even if it is reported several times'),
  ),
  reinstate: Type.Optional(
    Type.Boolean({
      description:
        'Record a charge again whose payment was voided, on any order; requires the permission finance. Default false',
    }),
  ),
  receipt_num: Type.Optional(Type.Integer({ minimum: 0, maximum: largestAmount })),
  comments: optionalText(),
  payer_id: Type.Optional(described(Id, 'Payer, if not the user of the order; payer/create creates one')),
  completed_time: Type.Optional(described(LocalTime, 'The time of the payment; default: now')),
})

export type PaymentInput = Static<typeof PaymentInput>
