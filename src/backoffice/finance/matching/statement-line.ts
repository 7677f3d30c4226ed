import { createHash } from 'node:crypto'
import { described, namedObject, optionalLine, optionalText } from '../../../contract/fields.ts'
import { longest } from '../../../contract/lengths.ts'
import { largestAmount } from '../../../contract/rounding.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { Currency } from '../../../orders/ledger/fields.ts'

/** A line as callers send it. */
export const StatementLineInput = namedObject('StatementLine', {
  value_date: Type.String({ format: 'date', description: 'The day of the line' }),
  price: Type.Integer({
    minimum: -largestAmount,
    maximum: largestAmount,
    description: 'Minor units of the currency, not 0; outgoing amounts are negative',
  }),
  currency: Type.Optional(described(Currency, 'Default: that of the account or the organization')),
  provider: optionalLine(longest.id, 'The bank or gateway of the statement'),
  charge_id: optionalLine(longest.id, 'The charge id of the provider'),
  reference: optionalLine(longest.name, 'Text that names a charge, or the id or external id of an order'),
  payer: optionalLine(longest.name, 'The other party, as the bank names it'),
  description: optionalText(),
  fee_price: Type.Optional(
    Type.Integer({
      minimum: -largestAmount,
      maximum: largestAmount,
      description: 'The fee that the gateway deducted: price + fee_price is the gross amount; default: 0',
    }),
  ),
  payout_id: optionalLine(longest.id, 'The payout of the gateway that includes the line'),
})
export type StatementLineInput = Static<typeof StatementLineInput>

/** A line of a statement: money that a bank or a gateway reports as received or sent. */
export interface StatementLine {
  /** The bank or gateway of the statement; '' if unknown. */
  provider: string
  charge_id: string | null
  /** Text by the payer: a charge, or the id or external id of an order. */
  reference: string | null
  /** The other party, as the bank names it. */
  payer: string | null
  description: string | null
  /** Minor units; outgoing amounts are negative. Net of the fee. */
  price: number
  /** The fee that a gateway deducted: price + fee_price is the gross amount. */
  fee_price: number
  payout_id: string | null
  currency: string
  /** YYYY-MM-DD on the calendar of the organization. */
  value_date: string
}

export interface IdentifiedLine extends StatementLine {
  line_id: string
}

/** A line as it is stored, with defaults for omitted members. */
export function lineOfInput(
  { charge_id, reference, payer, description, payout_id, ...line }: StatementLineInput,
  defaults: { provider: string; currency: string },
): StatementLine {
  return {
    ...{ value_date: line.value_date, price: line.price, fee_price: line.fee_price ?? 0 },
    ...{ provider: line.provider || defaults.provider, currency: line.currency ?? defaults.currency },
    ...{ charge_id: charge_id || null, reference: reference || null, payout_id: payout_id || null },
    ...{ payer: payer || null, description: description || null },
  }
}

/** The id of a line of a statement. */
export function lineIdOf(statement_id: string, number: number): string {
  return digest([statement_id, number])
}

/** Whether two lines have the same content. Texts of a stored line may have been erased. */
export function isSameLine(stored: StatementLine, sent: StatementLine | undefined): boolean {
  const isSameText = (name: 'reference' | 'payer' | 'description') =>
    stored[name] === null || stored[name] === sent?.[name]
  return (
    stored.value_date === sent?.value_date &&
    stored.price === sent.price &&
    stored.currency === sent.currency &&
    stored.provider === sent.provider &&
    stored.charge_id === sent.charge_id &&
    stored.fee_price === sent.fee_price &&
    stored.payout_id === sent.payout_id &&
    isSameText('payer') &&
    isSameText('reference') &&
    isSameText('description')
  )
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
