import type { Queryable } from '../../../database/database.ts'
import { findDueInstalments } from './instalment-store.ts'
import type { ProposalRule } from './match-rules.ts'
import type { Scope } from './pairing-store.ts'
import {
  type Candidate,
  candidatesByAmount,
  findPaymentsOfDays,
  isCrowded,
  readCandidates,
} from './proposal-store.ts'

/** A likely match: payments of the line, or an order whose next instalment it pays. */
export interface Proposal {
  line_id: string
  payment_ids: string[]
  /** The order to book the line on, if no payment is recorded. */
  order_id: string | null
  sub_order_id: string | null
  user_name: string | null
  /** Certainty, below 1. */
  score: number
  rule: ProposalRule
  /** Days between the line and the payment. */
  days: number | null
  /** Other payments or instalments that also fit. */
  others: number
  /** The day of the rule payments_of_day. */
  provider: string | null
  day: string | null
}

const unnamed = { order_id: null, sub_order_id: null, user_name: null, provider: null, day: null }

/**
 * Proposals for open lines, to be confirmed by a person. A line or a payment is in one proposal at most. Days with very
 * many payments are left out, because a person waits.
 */
export async function proposeMatches(db: Queryable, scope: Scope): Promise<Proposal[]> {
  const proposed = new Map<string, Proposal>()
  const taken = new Set<string>()
  const offer = (proposal: Proposal) => {
    const { line_id, payment_ids } = proposal
    if (proposed.has(line_id) || payment_ids.some((id) => taken.has(id))) return
    for (const id of payment_ids) taken.add(id)
    proposed.set(line_id, proposal)
  }
  if (!(await isCrowded(db, scope)))
    for (const found of await findPaymentsOfDays(db, scope))
      offer({ ...unnamed, ...found, rule: 'payments_of_day', score: 0.7, days: null, others: 0 })
  await readCandidates(db, candidatesByAmount(scope), (ofLine) => {
    const chosen = ofLine.find(({ payment_id }) => !taken.has(payment_id))
    if (chosen) offer(proposalOf(chosen, ofLine.length))
  })
  for (const proposal of await proposeInstalments(db, scope)) offer(proposal)
  return [...proposed.values()]
}

/** The score falls with the distance in days and with the number of candidates. */
function proposalOf({ line_id, payment_id, days, is_named }: Candidate, candidates: number): Proposal {
  return {
    ...{ ...unnamed, line_id, payment_ids: [payment_id], days },
    ...(is_named
      ? { rule: 'name_and_amount', score: (95 - 5 * days) / 100, others: 0 }
      : { rule: 'amount', score: Math.round((90 - 10 * days) / candidates) / 100, others: candidates - 1 }),
  }
}

/** A named person or payer owes the amount of the line as the next instalment. */
async function proposeInstalments(db: Queryable, scope: Scope): Promise<Proposal[]> {
  const byLine = Map.groupBy(await findDueInstalments(db, scope), ({ line_id }) => line_id)
  return [...byLine.values()].map((found) => ({
    ...{ ...unnamed, ...found[0]!, payment_ids: [], rule: 'instalment', days: null },
    ...{ score: Math.round(90 / found.length) / 100, others: found.length - 1 },
  }))
}
