import { type Static, Type } from 'typebox'
import { Id, IsoInstant, Money, NullableString, namedObject } from '../../contract/fields.ts'
import { type Movement, movementNames, type PeriodFigures } from './closing-store.ts'

const Balances = namedObject('ClosingBalances', {
  held: { ...Money, description: 'Received and neither voided nor refunded' },
  unapplied: { ...Money, description: 'Of that, what lies on no order' },
  claims: { ...Money, description: 'What orders that stand come to, less what was written off' },
  covered: { ...Money, description: 'Of that, what is paid' },
  outstanding: { ...Money, description: 'claims − covered' },
  overdue: { ...Money, description: 'Of that, what should have been paid by then' },
})

const CurrencyFigures = namedObject('ClosingCurrency', {
  currency: Type.String(),
  opening: Balances,
  received: Money,
  voided: { ...Money, description: 'Payments that never stood' },
  refunded: Money,
  transferred: { ...Money, description: 'Moved from order to order' },
  retained: { ...Money, description: 'Kept of canceled orders' },
  written_off: { ...Money, description: 'What will not be paid any more' },
  applied: { ...Money, description: 'Laid onto orders, less what was taken back from them' },
  returned: { ...Money, description: 'Of refunded, what orders had taken' },
  charged: {
    ...Money,
    description: 'By how much claims grew: orders made, canceled, given other prices, written off',
  },
  settled: { ...Money, description: 'By how much more of them is covered' },
  earlier_periods: namedObject('ClosingEarlierPeriods', {
    received: { ...Money, description: 'Of received, what has a value date of an earlier period' },
    voided: { ...Money, description: 'Of voided, payments of earlier periods' },
    refunded: { ...Money, description: 'Of refunded, what was of payments of earlier periods' },
  }),
  closing: Balances,
})

/** A closing: what moved in a period by posting date, and where everything stood at its end. */
export const ClosingDocument = namedObject('Closing', {
  corp_id: Id,
  after: { ...NullableString, description: 'The last day of the period before; null for the first closing' },
  until: Type.String({ description: 'The last day of the period' }),
  time_zone: Type.String(),
  as_of: { ...IsoInstant, description: 'The last instant of that day: an export as of it shows the same' },
  closed_at: IsoInstant,
  chain: namedObject('ClosingChain', {
    head: Type.String({ description: 'Hash of the last link by then' }),
    length: Type.Integer(),
  }),
  currencies: Type.Array(CurrencyFigures),
})

export type ClosingDocument = Static<typeof ClosingDocument>
export type CurrencyFigures = Static<typeof CurrencyFigures>
type Balances = Static<typeof Balances>

const nothing: Balances = { held: 0, unapplied: 0, claims: 0, covered: 0, outstanding: 0, overdue: 0 }

/**
 * Puts the figures of a period behind those of the closing before it. What stands at the end is summed from all facts and
 * from the versions of then; together with the closing before, what moved must lead there, else nothing is closed.
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
      earlier_periods: {
        received: sumOf('received', 'of_earlier_periods'),
        voided: sumOf('voided', 'of_earlier_periods'),
        refunded: sumOf('refunded', 'of_earlier_periods'),
      },
      closing: {
        ...heldAfter(nothing, inAll as Record<Movement, number>),
        claims,
        covered,
        outstanding,
        overdue,
      },
    }
    for (const [what, sum, stands] of sumsOf(row))
      if (sum !== stands)
        throw new Error(`The books do not add up: ${what} of ${currency} is ${stands}, and comes to ${sum}.`)
    return row
  })
}

/** What is held, and what of it lies on no order, once all this has moved. */
function heldAfter(before: Pick<Balances, 'held' | 'unapplied'>, moved: Record<Movement, number>) {
  const { received, voided, refunded, applied, returned } = moved
  return {
    held: before.held + received - voided - refunded,
    unapplied: before.unapplied + received - voided - applied - (refunded - returned),
  }
}

/** Every figure at the end by the way that led there. */
export function sumsOf({
  opening,
  closing,
  ...row
}: CurrencyFigures): [what: string, sum: number, stands: number][] {
  const after = heldAfter(opening, row)
  return [
    ['held', after.held, closing.held],
    ['unapplied', after.unapplied, closing.unapplied],
    ['outstanding', opening.outstanding + row.charged - row.settled, closing.outstanding],
    ['outstanding', closing.claims - closing.covered, closing.outstanding],
  ]
}
