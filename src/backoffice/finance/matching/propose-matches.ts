import type { Queryable } from '../../../database/database.ts'
import { findPairings, type Pairing, type Scope } from './pairing-store.ts'
import { type Candidate, candidatesByAmount, isCrowded, pairByDay, readCandidates } from './proposal-store.ts'

/** Payouts per search. */
const mostFound = 10_000

/**
 * Proposals for open lines, to be confirmed by a person. A line or a payment is in one proposal at most. Days with
 * very many payments are left out, because a person waits.
 */
export async function proposeMatches(
  db: Queryable,
  scope: Scope,
): Promise<Map<string, Pairing>> {
  const proposed = new Map<string, Pairing>()
  const taken = new Set<string>()
  const offer = (pairing: Pairing) => {
    const ids = [...pairing.line_ids, ...pairing.payment_ids]
    if (ids.some((id) => taken.has(id))) return
    for (const id of ids) taken.add(id)
    for (const line_id of pairing.line_ids) proposed.set(line_id, pairing)
  }
  if (!(await isCrowded(db, scope)))
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
