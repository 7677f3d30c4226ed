import type { Queryable } from '../../../database/database.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { setLineStates } from './line-store.ts'
import { type FoundAmounts, findAmounts, insertMatches, type MatchRow } from './match-store.ts'
import {
  findPairings,
  type Pairing,
  pairByCharge,
  pairByReference,
  pairByReferenceAndAmount,
  pairFees,
  pairForeignCharge,
  pairPayouts,
  pairRefunds,
  type Scope,
} from './pairing-store.ts'

export interface Matcher {
  db: Queryable
  newId(): string
  executor_id: string | null
}

/** Matches per transaction. The transaction holds the ledger clock, so it must be short. */
const batchSize = 1000

/** In descending order of certainty. A matched line or payment is not available to the next rule. */
const certainRules = [
  pairByCharge,
  pairByReference,
  pairByReferenceAndAmount,
  pairForeignCharge,
  pairRefunds,
  pairPayouts,
  pairFees,
]

/** Makes at most about `most` certain matches. `isComplete` says that no more are left. */
export async function matchCertainStep(
  matcher: Matcher,
  scope: Scope,
  most: number,
): Promise<{ matched: number; isComplete: boolean }> {
  let matched = 0
  for (const pairBy of certainRules) {
    for (;;) {
      const limit = most - matched
      const pairings = await findPairings(matcher.db, pairBy(scope), limit)
      const lines = await matchBatches(matcher, scope.corp_id, pairings)
      matched += lines
      if (matched >= most) return { matched, isComplete: false }
      if (pairings.length < limit || lines === 0) break
    }
  }
  return { matched, isComplete: true }
}

/** The number of lines that certain matches would match, at most about `most`. */
export async function countCertain(db: Queryable, scope: Scope, most: number): Promise<number> {
  const lines = new Set<string>()
  for (const pairBy of certainRules) {
    const pairings = await findPairings(db, pairBy(scope), most)
    for (const line_id of pairings.flatMap(({ line_ids }) => line_ids)) lines.add(line_id)
    if (lines.size >= most) break
  }
  return lines.size
}

async function matchBatches(matcher: Matcher, corp_id: string, pairings: Pairing[]): Promise<number> {
  let matched = 0
  for (let at = 0; at < pairings.length; at += batchSize) {
    matched += await matchOpen(matcher, corp_id, pairings.slice(at, at + batchSize))
  }
  return matched
}

/**
 * Matches the pairings whose lines and payments are still open. The transaction holds the ledger clock before it reads them,
 * so that concurrent calls cannot match anything twice.
 */
function matchOpen(
  { db, newId, executor_id }: Matcher,
  corp_id: string,
  pairings: Pairing[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const [at] = await takeInstants(tx, corp_id, 1)
    const amounts = await findAmounts(
      tx,
      corp_id,
      pairings.flatMap(({ line_ids }) => line_ids),
      pairings.flatMap(({ payment_ids }) => payment_ids),
      pairings.flatMap(({ refund_id }) => refund_id ?? []),
    )
    const taken = new Set<string>()
    const possible = pairings.filter((pairing) => isPossible(pairing, amounts, taken))
    const rows = possible.flatMap((pairing) => {
      const match = { match_id: newId(), rule: pairing.rule, reason: null, executor_id, at: at! }
      return partsOf(pairing, amounts).map((part, seq) => ({ ...match, ...noCounterpart, ...part, seq }))
    })
    const lineIds = possible.flatMap(({ line_ids }) => line_ids)
    await insertMatches(tx, corp_id, rows)
    await setLineStates(tx, corp_id, lineIds, 'matched')
    return lineIds.length
  })
}

/** The members of an entry without a record. */
export const noCounterpart = { payment_id: null, refund_id: null, transfer_line_id: null }

/**
 * Whether lines, payments and refunds are still open. A rule has compared their sums, which never change. Two references may
 * name one payment: the first pairing takes it.
 */
function isPossible(
  { line_ids, payment_ids, refund_id }: Pairing,
  { lines, payments, takenRefunds }: FoundAmounts,
  taken: Set<string>,
): boolean {
  const amounts = [...line_ids.map((id) => lines.get(id)), ...payment_ids.map((id) => payments.get(id))]
  if (amounts.some((amount) => amount === undefined || amount.is_matched)) return false
  if (refund_id && takenRefunds.has(refund_id)) return false
  const ids = [...line_ids, ...payment_ids]
  if (ids.some((id) => taken.has(id))) return false
  for (const id of ids) taken.add(id)
  return true
}

type Part = Pick<MatchRow, 'line_id' | 'kind' | 'price'> & Partial<MatchRow>

/** The entries of a match. Each line gets an entry for the fee that was deducted from it. */
function partsOf(pairing: Pairing, amounts: FoundAmounts): Part[] {
  const fees = pairing.line_ids.flatMap((line_id): Part[] => {
    const { fee_price } = amounts.lines.get(line_id)!
    return fee_price === 0 ? [] : [{ line_id, kind: 'fee', price: -fee_price }]
  })
  return [...grossParts(pairing, amounts), ...fees]
}

function grossParts(pairing: Pairing, amounts: FoundAmounts): Part[] {
  const { line_ids, payment_ids, refund_id } = pairing
  const [line_id, other] = line_ids as [string, string?]
  const { price } = amounts.lines.get(line_id)!
  if (pairing.is_foreign) return foreignParts(pairing, amounts)
  if (refund_id) return [{ line_id, kind: 'refund', refund_id, price }]
  if (payment_ids.length > 0) return allocatedParts(pairing, amounts)
  if (other === undefined) return []
  const received = amounts.lines.get(other)!.price
  return [
    { line_id, kind: 'transfer', transfer_line_id: other, price },
    { line_id: other, kind: 'transfer', transfer_line_id: line_id, price: received },
  ]
}

/** A payment in another currency counts with its amount in the ledger. The rest is the difference of the settlement. */
function foreignParts(
  { line_ids: [line_id], payment_ids: [payment_id] }: Pairing,
  amounts: FoundAmounts,
): Part[] {
  const line = amounts.lines.get(line_id!)!
  const payment = amounts.payments.get(payment_id!)!
  const price =
    payment.order_currency === line.currency && payment.order_price > 0 ? payment.order_price : line.price
  const difference: Part = { line_id: line_id!, kind: 'difference', price: line.price - price }
  return [
    { line_id: line_id!, kind: 'payment', payment_id: payment_id!, price },
    ...(difference.price === 0 ? [] : [difference]),
  ]
}

/** Allocates lines to payments, both in order, each completely before the next. */
function allocatedParts({ line_ids, payment_ids }: Pairing, { lines, payments }: FoundAmounts): Part[] {
  const parts: Part[] = []
  const left = payment_ids.map((id) => ({ payment_id: id, price: payments.get(id)!.price }))
  for (const line_id of line_ids) {
    for (let rest = lines.get(line_id)!.price; rest > 0; ) {
      const payment = left.find(({ price }) => price > 0)!
      const price = Math.min(rest, payment.price)
      parts.push({ line_id, kind: 'payment', payment_id: payment.payment_id, price })
      payment.price -= price
      rest -= price
    }
  }
  return parts
}
