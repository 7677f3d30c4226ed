import { raw, type Statement, sql } from '../../database/sql.ts'
import { settingLineStates } from './line-state-store.ts'
import { openingPayments } from './open-payment-store.ts'

interface Ended {
  id: string | null
  executor_id: string | null
  at: string | Date | null
}

type Matched = 'payment_id' | 'refund_id'

/** A fact that ends payments or refunds if its price is positive. The reversal of a void has a negative one. */
type EndingFact = Omit<Ended, 'id'> & { price: number | null } & Partial<Record<Matched, string | null>>

interface EndingFacts {
  payment_voids: EndingFact[]
  payment_moves: EndingFact[]
  refund_reversals: EndingFact[]
}

/** Opens the statement lines of voided or moved payments and of reversed refunds again, and the payments of those lines. */
export function reopeningLines(
  corp_id: string,
  { payment_voids, payment_moves, refund_reversals }: EndingFacts,
): Statement[] {
  const ended = (all: EndingFact[], key: Matched): Ended[] =>
    all.filter(({ price }) => (price ?? 0) > 0).map((fact) => ({ ...fact, id: fact[key] ?? null }))
  const endings = [...payment_voids, ...payment_moves]
  return [
    ...reopening(corp_id, 'payment_id', ended(endings, 'payment_id')),
    ...reopening(corp_id, 'refund_id', ended(refund_reversals, 'refund_id')),
    ...renewing(corp_id, 'payment_id', endings),
    ...renewing(corp_id, 'refund_id', refund_reversals),
  ]
}

/** Derives the open payments again: those of the facts, and those that were matched together with them. */
function renewing(corp_id: string, key: Matched, facts: EndingFact[]): Statement[] {
  if (facts.length === 0) return []
  const ids = facts.map((fact) => fact[key] ?? null)
  const together = sql`
    p.payment_id in (select other.payment_id
                       from statement_matches m
                       join statement_matches other on other.corp_id = ${corp_id} and other.match_id = m.match_id
                      where m.corp_id = ${corp_id} and m.${raw(key)} = any(${ids}::text[]))`
  const own = key === 'payment_id' ? sql`p.payment_id = any(${ids}::text[]) or` : raw('')
  return openingPayments(corp_id, sql`(${own} ${together})`)
}

/**
 * A match is undone as a whole, because its sums no longer agree. A line that has a new match keeps its state.
 */
function reopening(corp_id: string, key: Matched, ended: Ended[]): Statement[] {
  if (ended.length === 0) return []
  const matched = raw(`m.${key}`)
  const undos = ended.map(
    ({ id, executor_id, at }) => sql`
      insert into statement_match_undos (corp_id, match_id, executor_id, at)
      select distinct m.corp_id, m.match_id, ${executor_id}::text, ${at}::timestamptz
        from statement_matches m
       where m.corp_id = ${corp_id} and ${matched} = ${id}
      on conflict (corp_id, match_id) do nothing`,
  )
  const ids = ended.map(({ id }) => id)
  const unmatched = sql`
    s.line_id in (select other.line_id
                           from statement_matches m
                           join statement_matches other on other.corp_id = ${corp_id} and other.match_id = m.match_id
                          where m.corp_id = ${corp_id} and ${matched} = any(${ids}::text[]))
       and not exists (select from statement_matches c
                        where c.corp_id = ${corp_id} and c.line_id = s.line_id
                          and not exists (select from statement_match_undos u
                                           where u.corp_id = ${corp_id} and u.match_id = c.match_id))`
  return [...undos, ...settingLineStates(corp_id, unmatched, 'open')]
}
