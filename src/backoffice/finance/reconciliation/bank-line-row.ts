import {
  DayText,
  described,
  Id,
  Money,
  NullableBigInteger,
  NullableString,
  namedObject,
  oneOf,
} from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { type MatchRule, matchRules } from '../matching/match-rules.ts'
import { exampleBank } from './bank-operation.ts'

export const lineStates = ['open', 'matched', 'booked', 'ignored'] as const

export const entryKinds = [
  'payment',
  'refund',
  'fee',
  'difference',
  'transfer',
  'unidentified',
  'ignored',
] as const

/** A line with its state and its match, as operations return it. */
export const BankLineRow = namedObject('BankLine', {
  line_id: Id,
  account_id: Id,
  statement_id: Id,
  number: Type.Integer({ description: 'Number in the statement' }),
  value_date: DayText,
  price: described(Money, 'Minor units; outgoing amounts are negative'),
  currency: Type.String(),
  provider: Type.String(),
  charge_id: NullableString,
  reference: NullableString,
  payer: described(NullableString, 'The other party, as the bank names it'),
  description: NullableString,
  fee_price: described(Money, 'The fee that the gateway deducted: price + fee_price is the gross amount'),
  payout_id: described(NullableString, 'The payout of the gateway that includes the line'),
  age: Type.Integer({ description: 'Days since the value date' }),
  state: oneOf(lineStates),
  match_id: NullableString,
  rule: Type.Unsafe<MatchRule | null>({
    type: ['string', 'null'],
    enum: [...matchRules, null],
    description: 'The rule that made the match',
  }),
  reason: described(NullableString, 'Words of the person who booked or ignored the line'),
  entries: Type.Array(
    namedObject('BankLineEntry', {
      kind: oneOf(entryKinds),
      payment_id: NullableString,
      refund_id: NullableString,
      transfer_line_id: described(NullableString, 'The line of the other account'),
      transfer_price: described(NullableBigInteger, 'The price of that line'),
      transfer_currency: NullableString,
      order_id: described(NullableString, 'The order of the payment or refund'),
      user_name: described(NullableString, 'Current name of the person of the order'),
      price: Money,
    }),
    { description: 'The counterparts of the line, which sum to its price' },
  ),
})

/** The members of an entry without a record. */
export const noEntry = {
  payment_id: null,
  refund_id: null,
  transfer_line_id: null,
  transfer_price: null,
  transfer_currency: null,
  order_id: null,
  user_name: null,
}

export const exampleLine: Static<typeof BankLineRow> = {
  line_id: exampleBank.line_id,
  account_id: exampleBank.account_id,
  statement_id: exampleBank.statement_id,
  number: 1,
  value_date: '2026-10-14',
  price: 1_280_000,
  currency: 'CNY',
  provider: '',
  charge_id: null,
  reference: null,
  payer: '林晓',
  description: 'Tuition',
  fee_price: 0,
  payout_id: null,
  age: 12,
  state: 'open',
  match_id: null,
  rule: null,
  reason: null,
  entries: [],
}
