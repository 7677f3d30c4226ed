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
  type MatchRow,
  type Pairing,
  pairByCharge,
  pairByDay,
  pairByReference,
  pairByReferenceAndAmount,
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

/**
 * Makes the certain matches, in descending order of certainty. A matched line or payment is not available to the next
 * rule. Returns the number of matched lines.
 */
export async function matchCertain(matcher: Matcher, scope: Scope): Promise<number> {
  let matched = 0
  for (const pairBy of [pairByCharge, pairByReference, pairByReferenceAndAmount]) {
    for (;;) {
      const pairings = await findPairings(matcher.db, pairBy(scope), mostFound)
      const lines = await matchBatches(matcher, scope.corp_id, pairings)
      matched += lines
      if (pairings.length < mostFound || lines === 0) break
    }
  }
  return matched
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
  pairings: Pick<Pairing, 'line_ids' | 'payment_ids'>[],
) {
  const [at] = await takeInstants(tx, corp_id, 1)
  const amounts = await findAmounts(
    tx,
    corp_id,
    pairings.flatMap(({ line_ids }) => line_ids),
    pairings.flatMap(({ payment_ids }) => payment_ids),
  )
  return {
    /** The reason why these cannot be a match; undefined if they can. */
    obstacleTo: (pairing: Pick<Pairing, 'line_ids' | 'payment_ids'>) => obstacleTo(pairing, amounts),
    /** Returns the number of matched lines. */
    async make(possible: Omit<Pairing, 'score'>[], state: LineState = 'matched'): Promise<number> {
      const rows = possible.flatMap((pairing) => {
        const match = { match_id: newId(), reason: pairing.reason, executor_id, at: at! }
        const parts = partsOf(pairing, amounts)
        return parts.map((part, seq) => ({ ...match, ...part, seq, kind: 'payment', refund_id: null }))
      })
      const lineIds = possible.flatMap(({ line_ids }) => line_ids)
      await insertMatches(tx, corp_id, rows)
      await setLineStates(tx, corp_id, lineIds, state)
      return lineIds.length
    },
  }
}

function obstacleTo(
  { line_ids, payment_ids }: Pick<Pairing, 'line_ids' | 'payment_ids'>,
  { lines, payments }: FoundAmounts,
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
  if (ofLines.some(({ price }) => price < 0)) return 'names an outgoing line'
  if (new Set(all.map(({ currency }) => currency)).size > 1) return 'has more than one currency'
  const [reported, received] = [sum(ofLines), sum(ofPayments)]
  return reported === received
    ? undefined
    : `does not add up: the lines sum to ${reported}, the payments to ${received}`
}

/** Allocates lines to payments, both in order, each completely before the next. */
function partsOf(
  { line_ids, payment_ids }: Pick<Pairing, 'line_ids' | 'payment_ids'>,
  { lines, payments }: FoundAmounts,
): Pick<MatchRow, 'line_id' | 'payment_id' | 'price'>[] {
  const parts: Pick<MatchRow, 'line_id' | 'payment_id' | 'price'>[] = []
  const left = payment_ids.map((id) => ({ payment_id: id, price: payments.get(id)!.price }))
  for (const line_id of line_ids) {
    for (let rest = lines.get(line_id)!.price; rest > 0; ) {
      const payment = left.find(({ price }) => price > 0)!
      const price = Math.min(rest, payment.price)
      parts.push({ line_id, payment_id: payment.payment_id, price })
      payment.price -= price
      rest -= price
    }
  }
  return parts
}

/** Proposals for open lines, to be confirmed by a person. A line or a payment is in one proposal at most. */
export async function proposeMatches(db: Queryable, scope: Scope): Promise<Map<string, Pairing>> {
  const proposed = new Map<string, Pairing>()
  const taken = new Set<string>()
  const offer = (pairing: Pairing) => {
    const ids = [...pairing.line_ids, ...pairing.payment_ids]
    if (ids.some((id) => taken.has(id))) return
    for (const id of ids) taken.add(id)
    for (const line_id of pairing.line_ids) proposed.set(line_id, pairing)
  }
  for (const pairing of await findPairings(db, pairByDay(scope), mostFound)) offer(pairing)
  await readCandidates(db, candidatesByAmount(scope), (ofLine) => {
    const chosen = ofLine.find(({ payment_id }) => !taken.has(payment_id))
    if (chosen) offer(pairingOf(chosen, ofLine.length))
  })
  return proposed
}

/** The score falls with the distance in days and with the number of candidates. */
function pairingOf({ line_id, payment_id, days }: Candidate, candidates: number): Pairing {
  const apart = days === 0 ? 'on the same day' : days === 1 ? 'a day apart' : `${days} days apart`
  const others = candidates === 1 ? '' : `; ${candidates - 1} other payments also match`
  return {
    line_ids: [line_id],
    payment_ids: [payment_id],
    reason: `the same amount ${apart}${others}`,
    score: Math.round((90 - 10 * days) / candidates) / 100,
  }
}
