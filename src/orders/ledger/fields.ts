import { currencyExponents } from '../../contract/currencies.ts'
import { described, Id, LocalTime, LongText, namedObject, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { Type } from '../../contract/type.ts'
import { subOrderTypes } from '../rules/status.ts'

/** Input fields of the ledger's operations. */

/** The guard of operations on orders: a counsellor may work on an order of anybody. */
export const anyOrder = {
  people: 'everyone',
  why: 'An order belongs to the school, not to a counsellor.',
} as const

export const Currency = {
  ...oneOf(Object.keys(currencyExponents).sort(), 'ISO 4217 code'),
  title: 'Currency',
}
export const Price = Type.Integer({
  minimum: 0,
  maximum: largestAmount,
  description: 'Minor units of the currency',
})
export const PaidPrice = Type.Integer({
  minimum: 1,
  maximum: largestAmount,
  description: 'Minor units of the currency',
})
export const ExchangeRate = Type.Integer({
  minimum: 1,
  maximum: 100_000_000_000,
  description: 'Units of the order’s currency for one of this one, × 10,000',
})
export const Rate = Type.String({
  pattern: '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,30})?$',
  description: 'The same as a decimal of any length, above 0',
})
export const Provider = described(Id, 'The provider of the charge_id. Two providers may use the same id')
export const Method = described(Id, 'How it was paid: card, transfer, cash')
export const Reason = described(LongText, 'Why, for the history')
export const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The version this call builds on',
})
export const IdList = Type.Array(Id, { maxItems: longest.listItems })

export const PlannedSubOrders = Type.Array(
  namedObject('PlannedSubOrder', {
    sub_order_id: Type.Optional(described(Id, 'Of an existing sub-order')),
    type: Type.Optional(oneOf(subOrderTypes)),
    total_price: Price,
    payment_deadline: Type.Optional(LocalTime),
  }),
  { minItems: 1, maxItems: 60, description: 'The instalments in order; they sum to the total price' },
)

/** Owner to fraction; stored as basis points. */
export const ShareProportion = Type.Unsafe<Record<string, number>>({
  type: 'object',
  title: 'ShareProportion',
  propertyNames: Id,
  additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
  maxProperties: longest.listItems,
  description: 'Owner ID to fraction of the order, of at most four decimals; they sum to 1',
})
