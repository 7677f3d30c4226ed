import type { Queryable } from '../../../database/database.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { sum } from '../../../orders/rules/allocation.ts'
import { type LineState, setLineStates } from './line-store.ts'
import {
  type Candidate,
  candidatesByAmount,
  type FoundAmounts,
  findAmounts,
  findPairings,
  insertMatches,
  isCrowded,
  type MatchRow,
  type Pairing,
  pairByCharge,
  pairByDay,
  pairByReference,
  pairByReferenceAndAmount,
  pairFees,
  pairForeignCharge,
  pairPayouts,
  pairRefunds,
  readCandidates,
  type Scope,
} from './match-store.ts'

export interface Matcher {
  db: Queryable
  newId(): string
  executor_id: string | null
  /** Called after each batch of matches. */
  noteBatch?(isGrowing: boolean): Promise<void>
}

/** Matches per transaction. The transaction holds the ledger clock, so it must be short. */
const batchSize = 1000
/** Pairings per search. A search has a fixed cost, and this many pairings fit into memory. */
const mostFound = 10_000

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

/** Makes the certain matches, and returns the number of matched lines. */
export async function matchCertain(matcher: Matcher, scope: Scope): Promise<number> {
  let matched = 0
  for (;;) {
    const step = await matchCertainStep(matcher, scope, mostFound)
    matched += step.matched
    if (step.isComplete) return matched
  }
}

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
    const lines = await matchOpen(matcher, corp_id, pairings.slice(at, at + batchSize))
    await matcher.noteBatch?.(lines > 0)
    matched += lines
  }
  return matched
}

/** Matches the pairings whose lines and payments are still open. */
function matchOpen(matcher: Matcher, corp_id: string, pairings: Pairing[]): Promise<number> {
  return matcher.db.transaction(async (tx) => {
    const matching = await openMatching({ ...matcher, db: tx }, corp_id, pairings)
    return matching.make(pairings.filter((pairing) => matching.obstacleTo(pairing) === undefined))
  })
}

/**
 * Reads lines and payments for matching. The transaction holds the ledger clock from here on, so concurrent calls cannot
 * match anything twice.
 */
export async function openMatching(
  { db: tx, newId, executor_id }: Matcher,
  corp_id: string,
  pairings: PairedIds[],
) {
  const [at] = await takeInstants(tx, corp_id, 1)
  const amounts = await findAmounts(
    tx,
    corp_id,
    pairings.flatMap(({ line_ids }) => line_ids),
    pairings.flatMap(({ payment_ids }) => payment_ids),
    pairings.flatMap(({ refund_id }) => refund_id ?? []),
  )
  return {
    /** The reason why these cannot be a match; undefined if they can. */
    obstacleTo: (pairing: PairedIds) => obstacleTo(pairing, amounts),
    /** Returns the number of matched lines. */
    async make(possible: Omit<Pairing, 'score'>[], state: LineState = 'matched'): Promise<number> {
      const rows = possible.flatMap((pairing) => {
        const match = { match_id: newId(), reason: pairing.reason, executor_id, at: at! }
        return partsOf(pairing, amounts).map((part, seq) => ({ ...match, ...noCounterpart, ...part, seq }))
      })
      const lineIds = possible.flatMap(({ line_ids }) => line_ids)
      await insertMatches(tx, corp_id, rows)
      await setLineStates(tx, corp_id, lineIds, state)
      return lineIds.length
    },
  }
}

/** The members of an entry without a record. */
export const noCounterpart = { payment_id: null, refund_id: null, transfer_line_id: null }

type PairedIds = Pick<Pairing, 'line_ids' | 'payment_ids' | 'refund_id' | 'is_foreign'>

function obstacleTo(
  { line_ids, payment_ids, refund_id, is_foreign }: PairedIds,
  { lines, payments, takenRefunds }: FoundAmounts,
): string | undefined {
  const named = [...line_ids, ...payment_ids]
  if (new Set(named).size < named.length) return 'names something twice'
  if (line_ids.some((id) => !lines.has(id))) return 'names a line that does not exist'
  if (payment_ids.some((id) => !payments.has(id))) return 'names a payment that does not exist'
  const ofLines = line_ids.map((id) => lines.get(id)!)
  const ofPayments = payment_ids.map((id) => payments.get(id)!)
  const all = [...ofLines, ...ofPayments]
  if (all.some(({ is_matched }) => is_matched))
    return 'names a line or a payment that is already matched, or a void payment'
  if (refund_id && takenRefunds.has(refund_id)) return 'names a refund that is matched or reversed'
  // The statement that found these has compared them, and nothing but their state can have changed.
  if (payment_ids.length === 0 || is_foreign) return undefined
  if (ofLines.some(({ price }) => price < 0)) return 'names an outgoing line'
  if (new Set(all.map(({ currency }) => currency)).size > 1) return 'has more than one currency'
  const [reported, received] = [sum(ofLines), sum(ofPayments)]
  return reported === received
    ? undefined
    : `does not add up: the lines sum to ${reported}, the payments to ${received}`
}

type Part = Pick<MatchRow, 'line_id' | 'kind' | 'price'> & Partial<MatchRow>

/** The entries of a match. Each line gets an entry for the fee that was deducted from it. */
function partsOf(pairing: PairedIds, amounts: FoundAmounts): Part[] {
  const fees = pairing.line_ids.flatMap((line_id): Part[] => {
    const { fee_price } = amounts.lines.get(line_id)!
    return fee_price === 0 ? [] : [{ line_id, kind: 'fee', price: -fee_price }]
  })
  return [...grossParts(pairing, amounts), ...fees]
}

function grossParts(pairing: PairedIds, amounts: FoundAmounts): Part[] {
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
  { line_ids: [line_id], payment_ids: [payment_id] }: PairedIds,
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
function allocatedParts({ line_ids, payment_ids }: PairedIds, { lines, payments }: FoundAmounts): Part[] {
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

/**
 * Proposals for open lines, to be confirmed by a person. A line or a payment is in one proposal at most. While a person waits,
 * days with very many payments are left out.
 */
export async function proposeMatches(
  db: Queryable,
  scope: Scope,
  isWaitedFor = false,
): Promise<Map<string, Pairing>> {
  const proposed = new Map<string, Pairing>()
  const taken = new Set<string>()
  const offer = (pairing: Pairing) => {
    const ids = [...pairing.line_ids, ...pairing.payment_ids]
    if (ids.some((id) => taken.has(id))) return
    for (const id of ids) taken.add(id)
    for (const line_id of pairing.line_ids) proposed.set(line_id, pairing)
  }
  if (!isWaitedFor || !(await isCrowded(db, scope)))
    for (const pairing of await findPairings(db, pairByDay(scope), mostFound)) offer(pairing)
  await readCandidates(db, candidatesByAmount(scope), (ofLine) => {
    const chosen = ofLine.find(({ payment_id }) => !taken.has(payment_id))
    if (chosen) offer(pairingOf(chosen, ofLine.length))
  })
  return proposed
}

/** The score falls with the distance in days and with the number of candidates. */
function pairingOf({ line_id, payment_id, days, is_named }: Candidate, candidates: number): Pairing {
  const apart = days === 0 ? 'on the same day' : days === 1 ? 'a day apart' : `${days} days apart`
  const others = candidates === 1 ? '' : `; ${candidates - 1} other payments also match`
  return {
    line_ids: [line_id],
    payment_ids: [payment_id],
    reason: is_named ? `the same name and amount ${apart}` : `the same amount ${apart}${others}`,
    score: is_named ? (95 - 5 * days) / 100 : Math.round((90 - 10 * days) / candidates) / 100,
  }
}
