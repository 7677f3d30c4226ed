import type { Queryable } from '../../../database/database.ts'
import type { StatementLine } from '../matching/statement-line.ts'
import { findBalance } from './bank-account-store.ts'
import type { ReadLine } from './readers/statement-file.ts'
import { findLinesOfPeriod, type LineOfPeriod } from './repeated-line-store.ts'

/** A statement of the file with its name and balances. */
export interface NamedStatement {
  name: string
  opening_price: number
  closing_price: number
  has_balances: boolean
  from_date: string | null
  until_date: string | null
  lines: ReadLine[]
}

/** A statement of a file without the lines that other statements of the account have. */
export interface DistinctStatement extends NamedStatement {
  /** Positions of the omitted lines. */
  repeated: number[]
  /** The statements that have them. */
  repeats: string[]
}

/**
 * Leaves out lines that other statements of the account have in the same period, as many times as they have them. Two equal
 * lines of one statement stay two. A statement whose opening balance is the balance of the account repeats nothing. The lines
 * that are left out count to the opening balance, so that the closing balance stays as the bank states it.
 */
export async function leaveOutRepeated(
  on: Queryable,
  corp_id: string,
  account_id: string,
  statements: NamedStatement[],
): Promise<DistinctStatement[]> {
  let balance = await findBalance(on, corp_id, account_id)
  const names = statements.map(({ name }) => name)
  const distinct: DistinctStatement[] = []
  for (const statement of statements) {
    const isNext = statement.has_balances && statement.opening_price === balance
    const { from_date, until_date } = statement
    const stored =
      isNext || from_date === null || until_date === null
        ? []
        : await findLinesOfPeriod(on, corp_id, { account_id, from_date, until_date, names })
    const { repeated, repeats } = compare(statement.lines, stored)
    const isLeftOut = new Set(repeated)
    const lines = statement.lines.filter((_, index) => !isLeftOut.has(index))
    const sum = lines.reduce((total, { price }) => total + price, 0)
    const opening_price = statement.has_balances ? statement.closing_price - sum : balance
    distinct.push({
      ...{ ...statement, lines, repeated, repeats },
      ...{ opening_price, closing_price: opening_price + sum },
    })
    balance += sum
  }
  return distinct
}

type Content = Omit<StatementLine, 'provider' | 'currency' | 'fee_price' | 'payout_id'>

function compare(lines: Content[], stored: LineOfPeriod[]) {
  const references = countsOf(lines.flatMap(({ charge_id }) => charge_id ?? []))
  // Some banks write one constant for all lines without a reference.
  const isOwn = ({ charge_id }: Content) => charge_id !== null && references.get(charge_id) === 1
  const byReference = new Map<string, LineOfPeriod[]>()
  const byContent = new Map<string, LineOfPeriod[]>()
  for (const line of stored) {
    add(byReference, referenceKey(line), line)
    add(byContent, contentKey(line), line)
  }
  const repeats = new Set<string>()
  const repeated = lines.flatMap((line, index) => {
    const found = isOwn(line)
      ? byReference.get(referenceKey(line))?.pop()
      : byContent.get(contentKey(line))?.pop()
    if (!found) return []
    repeats.add(found.statement)
    return [index]
  })
  return { repeated, repeats: [...repeats].sort() }
}

function referenceKey({ charge_id, price }: Content): string {
  return JSON.stringify([charge_id, price])
}

function contentKey({ value_date, price, charge_id, payer, reference, description }: Content): string {
  return JSON.stringify([value_date, price, charge_id, payer, reference, description])
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

function countsOf(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
