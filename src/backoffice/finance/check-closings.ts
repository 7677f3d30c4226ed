import type { Queryable } from '../../database/database.ts'
import type { Breach } from './check-store.ts'
import { type ClosingDocument, type ClosingReversal, earlierMovements, sumsOf } from './closing.ts'
import { accountSumsOf, accountsOf } from './closing-accounts.ts'
import { movementNames, type PeriodSums, readOwed, readPeriods } from './closing-figure-store.ts'
import { type ClosingEntry, findEntries, hashOf } from './closing-store.ts'

type Found = Omit<Breach, 'total'>

/** Checks closings and reversals. A manipulated document that is no closing ends the check with a breach. */
export async function* findBrokenClosings(tx: Queryable, corp_id: string): AsyncGenerator<Found> {
  try {
    yield* followed(tx, corp_id)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    const what = 'closing: readable documents'
    yield { order_id: null, subject: null, what, expected: 'closings and reversals', found: error.message }
  }
}

/**
 * Follows closings and reversals from the first one. Each names the hash of the entry before it; only the latest closing
 * is reversed; balances lead from one closing to the next. The figures of all closings in force are summed from the facts
 * again.
 */
async function* followed(tx: Queryable, corp_id: string): AsyncGenerator<Found> {
  const inForce: ClosingDocument[] = []
  let last = { number: 0, hash: '' }
  for (const entry of await findEntries(tx, corp_id)) {
    const content: ClosingDocument | ClosingReversal = JSON.parse(entry.document)
    const compare = comparing(entry.number)
    yield* compare('one entry behind the other', last.number + 1, entry.number)
    yield* compare('number: as in the document', content.number, entry.number)
    yield* compare('hash of the entry before it', last.hash, content.previous_hash)
    if (entry.closing_number !== null) {
      yield* compare('reversed: the latest one', inForce.at(-1)?.number ?? 'none', entry.closing_number)
      inForce.pop()
    } else {
      const closing = content as ClosingDocument
      yield* breachesOfClosing(inForce.at(-1), closing, entry)
      inForce.push(closing)
    }
    last = { number: entry.number, hash: hashOf(entry.document) }
  }
  if (inForce.length > 0) yield* breachesOfFigures(tx, corp_id, inForce)
}

function comparing(number: number) {
  return function* (what: string, expected: string | number, found: string | number): Generator<Found> {
    if (expected === found) return
    yield {
      order_id: null,
      subject: `closing ${number}`,
      what: `closing: ${what}`,
      expected: String(expected),
      found: String(found),
    }
  }
}

/** The closing follows from the one before it, and its figures add up. */
function* breachesOfClosing(
  before: ClosingDocument | undefined,
  closing: ClosingDocument,
  { number, until, as_of }: ClosingEntry,
): Generator<Found> {
  const compare = comparing(number)
  yield* compare('until: as in the document', closing.until, until ?? 'none')
  yield* compare('as_of: as in the document', closing.as_of, as_of ?? 'none')
  yield* compare('after: the day of the closing before it', before?.until ?? 'none', closing.after ?? 'none')
  for (const row of closing.currencies) {
    const { currency, opening } = row
    const balances = before?.currencies.find((one) => one.currency === currency)?.closing
    for (const name of Object.keys(opening) as (keyof typeof opening)[])
      yield* compare(`opening ${name} in ${currency}`, balances?.[name] ?? 0, opening[name])
    for (const [what, sum, balance] of sumsOf(row)) yield* compare(`${what} in ${currency}`, sum, balance)
  }
  for (const [what, sum, balance] of accountSumsOf(before?.accounts ?? [], closing))
    yield* compare(what, sum, balance)
}

/** The movements and accounts of every period, and the debts at the end of the last one. */
async function* breachesOfFigures(
  tx: Queryable,
  corp_id: string,
  closings: ClosingDocument[],
): AsyncGenerator<Found> {
  const asOfs = closings.map(({ as_of }) => as_of)
  const sums = await readPeriods(tx, corp_id, asOfs)
  for (const [period, closing] of closings.entries()) {
    const compare = comparing(closing.number)
    const [expected, found] = [summed(sums, period), stored(closing)]
    for (const what of new Set([...Object.keys(expected), ...Object.keys(found)]))
      yield* compare(what, expected[what] ?? 0, found[what] ?? 0)
  }
  const latest = closings.at(-1)!
  const owed = await readOwed(tx, corp_id, latest.as_of)
  for (const { currency, closing } of latest.currencies) {
    const debts = owed.find((row) => row.currency === currency)
    for (const name of ['claims', 'covered', 'outstanding', 'overdue'] as const)
      yield* comparing(latest.number)(`${name} in ${currency}`, debts?.[name] ?? 0, closing[name])
  }
}

type Figures = Record<string, number>

function stored({ currencies, accounts }: Pick<ClosingDocument, 'currencies' | 'accounts'>): Figures {
  const figures: Figures = {}
  for (const { currency, earlier_periods, ...row } of currencies) {
    for (const name of movementNames) figures[`${name} in ${currency}`] = row[name]
    for (const name of earlierMovements)
      figures[`${name} of earlier periods in ${currency}`] = earlier_periods[name]
  }
  return { ...figures, ...figuresOfAccounts(accounts) }
}

function figuresOfAccounts(accounts: ClosingDocument['accounts']): Figures {
  return Object.fromEntries(
    accounts.flatMap(({ account, currency, order_currency, opening, closing, ...row }) =>
      Object.entries({
        ...row,
        opening: opening.held,
        'opening of orders': opening.order_held,
        held: closing.held,
        'held of orders': closing.order_held,
      }).map(([name, amount]) => [
        `account "${account}": ${name} in ${currency} for ${order_currency}`,
        amount,
      ]),
    ),
  )
}

function summed({ moved, accounts }: PeriodSums, period: number): Figures {
  const figures: Figures = {}
  for (const { movement, currency, in_period, of_earlier_periods } of moved.filter(
    (row) => row.period === period,
  )) {
    figures[`${movement} in ${currency}`] = in_period
    if ((earlierMovements as readonly string[]).includes(movement))
      figures[`${movement} of earlier periods in ${currency}`] = of_earlier_periods
  }
  const upTo = accounts.filter((row) => row.period <= period)
  const rows = upTo.map(({ period: of, in_period, order_in_period, ...row }) => ({
    ...row,
    in_period: of === period ? in_period : 0,
    order_in_period: of === period ? order_in_period : 0,
    in_all: in_period,
    order_in_all: order_in_period,
  }))
  return { ...figures, ...figuresOfAccounts(accountsOf(rows)) }
}
