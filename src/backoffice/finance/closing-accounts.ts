import { described, Money, namedObject } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { AccountSum } from './closing-figure-store.ts'
import type { AccountMovement } from './receipt-account-store.ts'

const AccountBalances = namedObject('ClosingAccountBalances', {
  held: described(Money, 'In the currency of receipt'),
  order_held: described(Money, 'The same money in the currency of its orders'),
})

/** The money that one account received and returned for orders in one currency. */
export const AccountFigures = namedObject('ClosingAccount', {
  account: Type.String({
    description: 'The provider that collected the money, or the method without one; "" if neither is stated',
  }),
  currency: Type.String({ description: 'The currency of receipt, which the amounts of the row are in' }),
  order_currency: Type.String({ description: 'The currency of the orders' }),
  opening: AccountBalances,
  received: Money,
  voided: described(Money, 'Voided payments, less reversed voids'),
  moved: described(Money, 'Payments moved to orders in another currency, where they are received'),
  refunded: described(Money, 'Refunds that left the account, less reversed refunds'),
  closing: AccountBalances,
})
export type AccountFigures = Static<typeof AccountFigures>

/** More accounts are one row per pair of currencies: methods are free texts. */
const mostAccounts = 500

/** The accounts with money or movements. Opening and closing balances are summed from all facts. */
export function accountsOf(sums: AccountSum[]): AccountFigures[] {
  const rows = grouped(sums)
  return rows.length > mostAccounts ? grouped(sums.map((sum) => ({ ...sum, account: '' }))) : rows
}

const signs: Record<AccountMovement, 1 | -1> = { received: 1, voided: -1, moved: -1, refunded: -1 }

function grouped(sums: AccountSum[]): AccountFigures[] {
  const rows = new Map<string, AccountFigures>()
  for (const { account, currency, order_currency, movement, ...sum } of sums) {
    const key = JSON.stringify([account, currency, order_currency])
    const row = rows.get(key) ?? emptyRow({ account, currency, order_currency })
    rows.set(key, row)
    row[movement] += sum.in_period
    row.opening.held += signs[movement] * (sum.in_all - sum.in_period)
    row.opening.order_held += signs[movement] * (sum.order_in_all - sum.order_in_period)
    row.closing.held += signs[movement] * sum.in_all
    row.closing.order_held += signs[movement] * sum.order_in_all
  }
  return [...rows]
    .filter(([, row]) => !isEmpty(row))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
}

function emptyRow(key: Pick<AccountFigures, 'account' | 'currency' | 'order_currency'>): AccountFigures {
  const none = { held: 0, order_held: 0 }
  return { ...key, opening: { ...none }, received: 0, voided: 0, moved: 0, refunded: 0, closing: { ...none } }
}

function isEmpty({ opening, closing, received, voided, moved, refunded }: AccountFigures): boolean {
  return [...Object.values(opening), ...Object.values(closing), received, voided, moved, refunded].every(
    (amount) => amount === 0,
  )
}

interface Closed {
  accounts: AccountFigures[]
  currencies: { currency: string; closing: { held: number } }[]
}

/**
 * Sums of accounts with the sums that they must equal: the balances of the previous closing, the movements, and the money
 * held in the currency of orders.
 */
export function accountSumsOf(
  before: AccountFigures[],
  { accounts, currencies }: Closed,
): [what: string, sum: number, balance: number][] {
  const openings = totals(accounts, ({ opening }) => opening.held)
  const closings = totals(before, ({ closing }) => closing.held)
  const orderHeld = new Map<string, number>()
  for (const { order_currency, closing } of accounts)
    orderHeld.set(order_currency, (orderHeld.get(order_currency) ?? 0) + closing.order_held)
  return [
    ...[...new Set([...openings.keys(), ...closings.keys()])].map((pair): [string, number, number] => [
      `accounts opening in ${pair}`,
      closings.get(pair) ?? 0,
      openings.get(pair) ?? 0,
    ]),
    ...accounts.map(
      ({ account, currency, order_currency, opening, closing, ...row }): [string, number, number] => [
        `account ${account} in ${pairOf({ currency, order_currency })}`,
        opening.held + row.received - row.voided - row.moved - row.refunded,
        closing.held,
      ],
    ),
    ...[...new Set([...orderHeld.keys(), ...currencies.map(({ currency }) => currency)])].map(
      (currency): [string, number, number] => [
        `accounts in ${currency}`,
        currencies.find((row) => row.currency === currency)?.closing.held ?? 0,
        orderHeld.get(currency) ?? 0,
      ],
    ),
  ]
}

function totals(rows: AccountFigures[], amountOf: (row: AccountFigures) => number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(pairOf(row), (sums.get(pairOf(row)) ?? 0) + amountOf(row))
  return sums
}

const pairOf = ({ currency, order_currency }: Pick<AccountFigures, 'currency' | 'order_currency'>) =>
  currency === order_currency ? currency : `${currency} for ${order_currency}`
