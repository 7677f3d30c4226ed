import type { Queryable } from '../../../database/database.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { sum } from '../../../orders/rules/allocation.ts'
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
  /** Told after each batch of matches. */
  noteBatch?(isGrowing: boolean): Promise<void>
}

/** Matches of one transaction: few enough to hold the ledger's clock for a moment only. */
const batchSize = 1000
/** To look for pairings costs as much for a few as for many, and these still fit into memory. */
const mostFound = 10_000

/**
 * Makes the matches that are certain, the surest first: what one has taken, the next does not see. Returns how many
 * lines were matched.
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

/** Matches those whose lines and payments are open still. */
function matchOpen(matcher: Matcher, corp_id: string, pairings: Pairing[]): Promise<number> {
  return matcher.db.transaction(async (tx) => {
    const matching = await openMatching({ ...matcher, db: tx }, corp_id, pairings)
    return matching.make(pairings.filter((pairing) => matching.obstacleTo(pairing) === undefined))
  })
}

/**
 * Looks at lines and payments that may be matched. Whoever matches holds the ledger's clock from here on, so nothing is
 * matched twice.
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
    /** Why these cannot be a match; undefined where they can. */
    obstacleTo: (pairing: Pick<Pairing, 'line_ids' | 'payment_ids'>) => obstacleTo(pairing, amounts),
    /** Returns how many lines were matched. */
    async make(possible: Omit<Pairing, 'score'>[]): Promise<number> {
      const rows = possible.flatMap((pairing) => {
        const match = { match_id: newId(), reason: pairing.reason, executor_id, at: at! }
        return partsOf(pairing, amounts).map((part) => ({ ...match, ...part }))
      })
      await insertMatches(tx, corp_id, rows)
      return possible.reduce((lines, { line_ids }) => lines + line_ids.length, 0)
    },
  }
}

function obstacleTo(
  { line_ids, payment_ids }: Pick<Pairing, 'line_ids' | 'payment_ids'>,
  { lines, payments }: FoundAmounts,
): string | undefined {
  const named = [...line_ids, ...payment_ids]
  if (new Set(named).size < named.length) return 'names something twice'
  if (line_ids.some((id) => !lines.has(id))) return 'names a line that there is not'
  if (payment_ids.some((id) => !payments.has(id))) return 'names a payment that there is not'
  const ofLines = line_ids.map((id) => lines.get(id)!)
  const ofPayments = payment_ids.map((id) => payments.get(id)!)
  const all = [...ofLines, ...ofPayments]
  if (all.some(({ is_matched }) => is_matched))
    return 'names a line or a payment that is matched already, or a payment that is void'
  if (ofLines.some(({ price }) => price < 0)) return 'names a line by which money went out'
  if (new Set(all.map(({ currency }) => currency)).size > 1) return 'is not of one currency'
  const [told, received] = [sum(ofLines), sum(ofPayments)]
  return told === received
    ? undefined
    : `does not add up: the lines come to ${told}, the payments to ${received}`
}

/** How much of which line is of which payment: both in order, each to its end. */
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

/** Likely matches by their open lines, a line and a payment in one at most: for somebody to confirm. */
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

/** The nearer and the rarer, the likelier. */
function pairingOf({ line_id, payment_id, days }: Candidate, candidates: number): Pairing {
  const apart = days === 0 ? 'on the same day' : days === 1 ? 'a day apart' : `${days} days apart`
  const others = candidates === 1 ? '' : `, and so have ${candidates - 1} more`
  return {
    line_ids: [line_id],
    payment_ids: [payment_id],
    reason: `the same amount ${apart}${others}`,
    score: Math.round((90 - 10 * days) / candidates) / 100,
  }
}
