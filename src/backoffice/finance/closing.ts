import {
  BigInteger,
  DayText,
  described,
  Id,
  IsoInstant,
  Money,
  NullableString,
  namedObject,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { AccountFigures } from './closing-accounts.ts'
import { type Movement, movementNames, type PeriodFigures } from './closing-figure-store.ts'

const Balances = namedObject('ClosingBalances', {
  held: { ...Money, description: 'Received and neither voided nor refunded' },
  unapplied: { ...Money, description: 'The part of `held` that is allocated to no order' },
  claims: { ...Money, description: 'The prices of orders that can be paid, less credits and write-offs' },
  covered: { ...Money, description: 'The paid part of `claims`' },
  outstanding: { ...Money, description: 'claims − covered' },
  overdue: { ...Money, description: 'The part of `outstanding` whose deadline has passed' },
})

/** Movements whose part for earlier periods is reported. */
export const earlierMovements = ['received', 'voided', 'refunded'] as const

const CurrencyFigures = namedObject('ClosingCurrency', {
  currency: Type.String(),
  opening: Balances,
  received: Money,
  voided: { ...Money, description: 'Voided payments, less reversed voids' },
  moved: { ...Money, description: 'Payments moved to orders in another currency, where they are received' },
  refunded: { ...Money, description: 'Refunds, less reversed refunds' },
  transferred: { ...Money, description: 'Moved from order to order' },
  retained: { ...Money, description: 'Money of canceled orders that was kept' },
  written_off: { ...Money, description: 'Debts that were written off' },
  applied: { ...Money, description: 'Allocated to orders, less allocations that were reversed' },
  returned: { ...Money, description: 'The part of `refunded` that was allocated to orders' },
  charged: {
    ...Money,
    description: 'Change of `claims`: orders created, canceled, repriced or written off',
  },
  settled: { ...Money, description: 'Change of `covered`' },
  earlier_periods: namedObject('ClosingEarlierPeriods', {
    received: { ...Money, description: 'The part of `received` with a value date in an earlier period' },
    voided: { ...Money, description: 'The part of `voided` for payments of earlier periods' },
    refunded: { ...Money, description: 'The part of `refunded` for payments of earlier periods' },
  }),
  closing: Balances,
})

/** A closing: the movements of a period by posting date, and the balances at its end. */
export const ClosingDocument = namedObject('Closing', {
  corp_id: Id,
  number: described(BigInteger, 'Its place among closings and reversals, from 1'),
  previous_hash: Type.String({
    description: 'SHA-256 of the closing or reversal before it, as stored; "" for the first one',
  }),
  after: {
    ...NullableString,
    description: 'The last day of the previous period; null for the first closing',
  },
  until: described(DayText, 'The last day of the period'),
  time_zone: Type.String(),
  as_of: {
    ...IsoInstant,
    description: 'The last instant of that day. An export as of this instant shows the same figures.',
  },
  closed_at: IsoInstant,
  chain: namedObject('ClosingChain', {
    head: Type.String({ description: 'Hash of the last link of the period' }),
    length: BigInteger,
  }),
  currencies: Type.Array(CurrencyFigures, { description: 'In the currency of the orders' }),
  accounts: Type.Array(AccountFigures, {
    description:
      'The same money by account and currency of receipt, as statements show it. If there are more than 500, one row per ' +
      'pair of currencies',
  }),
})

/** The reversal of a closing. It never changes. */
export const ClosingReversal = namedObject('ClosingReversal', {
  corp_id: Id,
  number: described(BigInteger, 'Its place among closings and reversals'),
  previous_hash: Type.String({ description: 'As in closings' }),
  closing_number: described(BigInteger, 'The reversed closing'),
  until: described(DayText, 'The last day of its period'),
  reason: Type.String(),
  requested_by: Type.String(),
  approved_by: Type.String(),
  reversed_at: IsoInstant,
})

export type ClosingDocument = Static<typeof ClosingDocument>
export type ClosingReversal = Static<typeof ClosingReversal>
export type CurrencyFigures = Static<typeof CurrencyFigures>
type Balances = Static<typeof Balances>

const nothing: Balances = { held: 0, unapplied: 0, claims: 0, covered: 0, outstanding: 0, overdue: 0 }

/**
 * Rolls the previous closing forward by the figures of a period. The closing balances are summed from all facts and
 * versions. The opening balances plus the movements of the period must give the same; otherwise nothing is closed.
 */
export function rollForward(before: CurrencyFigures[], figures: PeriodFigures): CurrencyFigures[] {
  const currencies = new Set([
    ...before.map(({ currency }) => currency),
    ...figures.moved.map(({ currency }) => currency),
    ...figures.owed.map(({ currency }) => currency),
  ])
  return [...currencies].sort().map((currency) => {
    const opening = before.find((one) => one.currency === currency)?.closing ?? nothing
    const sumOf = (movement: Movement, kind: 'in_period' | 'of_earlier_periods' | 'in_all') =>
      figures.moved.find((one) => one.currency === currency && one.movement === movement)?.[kind] ?? 0
    const inPeriod = Object.fromEntries(movementNames.map((name) => [name, sumOf(name, 'in_period')]))
    const inAll = Object.fromEntries(movementNames.map((name) => [name, sumOf(name, 'in_all')]))
    const owed = figures.owed.find((one) => one.currency === currency) ?? nothing
    const { claims, covered, outstanding, overdue } = owed
    const row: CurrencyFigures = {
      currency,
      opening,
      ...(inPeriod as Record<Movement, number>),
      charged: claims - opening.claims,
      settled: covered - opening.covered,
      earlier_periods: Object.fromEntries(
        earlierMovements.map((name) => [name, sumOf(name, 'of_earlier_periods')]),
      ) as CurrencyFigures['earlier_periods'],
      closing: {
        ...heldAfter(nothing, inAll as Record<Movement, number>),
        claims,
        covered,
        outstanding,
        overdue,
      },
    }
    for (const [what, sum, balance] of sumsOf(row))
      if (sum !== balance)
        throw new Error(`The books do not add up: ${what} in ${currency} is ${balance}, expected ${sum}.`)
    return row
  })
}

/** Held and unallocated money after the movements. */
function heldAfter(before: Pick<Balances, 'held' | 'unapplied'>, moved: Record<Movement, number>) {
  const { received, voided, refunded, applied, returned } = moved
  const arrived = received - voided - moved.moved
  return {
    held: before.held + arrived - refunded,
    unapplied: before.unapplied + arrived - applied - (refunded - returned),
  }
}

/** Closing balances with the sums that they must equal. */
export function sumsOf({
  opening,
  closing,
  ...row
}: CurrencyFigures): [what: string, sum: number, balance: number][] {
  const after = heldAfter(opening, row)
  return [
    ['held', after.held, closing.held],
    ['unapplied', after.unapplied, closing.unapplied],
    ['outstanding', opening.outstanding + row.charged - row.settled, closing.outstanding],
    ['outstanding', closing.claims - closing.covered, closing.outstanding],
  ]
}
