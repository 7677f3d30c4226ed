import { raw, type Statement, sql } from '../../database/sql.ts'
import { type Movement, movements, type Period } from './closing-figure-store.ts'
import {
  credited,
  figureLines,
  leftOut,
  linesOfAll,
  negative,
  owes,
  type Part,
  paid,
  plan,
  refunded,
  writtenOff,
} from './explain-store.ts'
import { type AccountMovement, accountMovementNames, accountMovements } from './receipt-account-store.ts'

/** A closing of an organization, in one currency. A figure of accounts may be of one account or of orders in one currency. */
export interface ClosingCurrency {
  corp_id: string
  currency: string
  account?: string
  order_currency?: string
}

type Lines = (whose: ClosingCurrency, period: Period) => Statement[]

/** Facts that moved money: all of the period, those of it for earlier periods, or all up to its end. */
function moved(
  movement: Movement,
  which: 'in_period' | 'of_earlier_periods' | 'in_all',
  sign: 1 | -1 = 1,
): Lines {
  return ({ corp_id, currency }, { after = '-infinity', asOf }) => [
    sql`
    select ${raw(`'${movement}'`)}::text as kind, fact.id, fact.order_id, ''::text as sub_order_id, fact.at,
           (${raw(String(sign))} * fact.price)::bigint as price, fact.currency, ''::text as note
      from (${movements[movement](corp_id)}) fact
     where fact.currency = ${currency} and fact.at <= ${asOf}::timestamptz and fact.price <> 0
           ${which === 'in_all' ? raw('') : sql`and fact.at > ${after}::timestamptz`}
           ${which === 'of_earlier_periods' ? sql`and fact.value_at <= ${after}::timestamptz` : raw('')}`,
  ]
}

/** Facts that moved money on accounts, in the currency of receipt. */
function onAccount(movement: AccountMovement, which: 'in_period' | 'in_all', sign: 1 | -1 = 1): Lines {
  return ({ corp_id, currency, account, order_currency }, { after = '-infinity', asOf }) => [
    sql`
    select ${raw(`'${movement}'`)}::text as kind, fact.id, fact.order_id, ''::text as sub_order_id, fact.at,
           (${raw(String(sign))} * fact.price)::bigint as price, fact.currency, fact.account as note
      from (${accountMovements[movement](corp_id)}) fact
     where fact.currency = ${currency} and fact.at <= ${asOf}::timestamptz and fact.price <> 0
           ${account === undefined ? raw('') : sql`and fact.account = ${account}`}
           ${order_currency === undefined ? raw('') : sql`and fact.order_currency = ${order_currency}`}
           ${which === 'in_all' ? raw('') : sql`and fact.at > ${after}::timestamptz`}`,
  ]
}

/** Unpaid amounts of sub-orders that owe them. */
const owing = (part: Part): Part => ({ ...part, price: `case when ${owes} then ${part.price} else 0 end` })
const claims = [owing(plan), owing(negative(credited)), owing(negative(writtenOff))]
const covered = [
  paid,
  negative(refunded),
  leftOut(`case when ${owes} then money.claim_price - money.unpaid_price else 0 end - money.held_price`),
]

const atEnd =
  (parts: Part[]): Lines =>
  (whose, { asOf }) =>
    linesOfAll(parts, whose, asOf)

/** The change of a balance during the period. */
const grown =
  (parts: Part[]): Lines =>
  (whose, { after, asOf }) => [
    ...linesOfAll(parts, whose, asOf),
    ...(after === undefined ? [] : linesOfAll(parts.map(negative), whose, after)),
  ]

const all =
  (...lines: Lines[]): Lines =>
  (whose, period) =>
    lines.flatMap((each) => each(whose, period))

const linesByFigure: Record<string, Lines> = {
  ...Object.fromEntries(Object.keys(movements).map((name) => [name, moved(name as Movement, 'in_period')])),
  ...Object.fromEntries(
    (['received', 'voided', 'refunded'] as const).map((name) => [
      `earlier_periods.${name}`,
      moved(name, 'of_earlier_periods'),
    ]),
  ),
  charged: grown(claims),
  settled: grown(covered),
  held: all(
    moved('received', 'in_all'),
    moved('voided', 'in_all', -1),
    moved('moved', 'in_all', -1),
    moved('refunded', 'in_all', -1),
  ),
  unapplied: all(
    moved('received', 'in_all'),
    moved('voided', 'in_all', -1),
    moved('moved', 'in_all', -1),
    moved('applied', 'in_all', -1),
    moved('refunded', 'in_all', -1),
    moved('returned', 'in_all'),
  ),
  ...Object.fromEntries(
    accountMovementNames.map((name) => [`accounts.${name}`, onAccount(name, 'in_period')]),
  ),
  'accounts.held': all(
    onAccount('received', 'in_all'),
    onAccount('voided', 'in_all', -1),
    onAccount('moved', 'in_all', -1),
    onAccount('refunded', 'in_all', -1),
  ),
  claims: atEnd(claims),
  covered: atEnd(covered),
  outstanding: (whose, { asOf }) => figureLines('unpaid_price', whose, asOf),
  overdue: (whose, { asOf }) => figureLines('unpaid_price', { ...whose, dueBy: asOf }, asOf),
}

/** The figures of a closing: the movements of its period, and the balances at its end. */
export const closingFigures = Object.keys(linesByFigure)

export function closingLines(figure: string, whose: ClosingCurrency, period: Period): Statement[] {
  return linesByFigure[figure]!(whose, period)
}
