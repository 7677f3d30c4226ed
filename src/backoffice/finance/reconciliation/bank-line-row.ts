import {
  described,
  Id,
  Money,
  NullableInteger,
  NullableString,
  namedObject,
  oneOf,
} from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { exampleBank } from './bank-operation.ts'

export const lineStates = ['open', 'matched', 'booked', 'ignored'] as const

/** A line with its state and its match, as operations return it. */
export const BankLineRow = namedObject('BankLine', {
  line_id: Id,
  account_id: NullableString,
  statement_id: NullableString,
  number: described(NullableInteger, 'Number in the statement'),
  value_date: Type.String(),
  price: described(Money, 'Minor units; outgoing amounts are negative'),
  currency: Type.String(),
  provider: Type.String(),
  charge_id: NullableString,
  reference: NullableString,
  description: NullableString,
  state: oneOf(lineStates),
  match_id: NullableString,
  reason: NullableString,
  entries: Type.Array(
    namedObject('BankLineEntry', {
      kind: oneOf(['payment', 'refund', 'fee', 'unidentified', 'ignored']),
      payment_id: NullableString,
      refund_id: NullableString,
      price: Money,
    }),
    { description: 'The counterparts of the line, which sum to its price' },
  ),
})

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
  description: 'Tuition',
  state: 'open',
  match_id: null,
  reason: null,
  entries: [],
}
