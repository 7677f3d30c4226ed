import { raw, type Statement, sql } from '../../database/sql.ts'

interface Ended {
  id: string | null
  executor_id: string | null
  at: string | Date | null
}

type Matched = 'payment_id' | 'refund_id'

/** A fact that ends payments or refunds if its price is positive. The reversal of a void has a negative one. */
type EndingFact = Omit<Ended, 'id'> & { price: number | null } & Partial<Record<Matched, string | null>>

/** Opens the statement lines of voided payments and of reversed refunds again. */
export function reopeningLines(
  corp_id: string,
  facts: { payment_voids: EndingFact[]; refund_reversals: EndingFact[] },
): Statement[] {
  const ended = (all: EndingFact[], key: Matched): Ended[] =>
    all.filter(({ price }) => (price ?? 0) > 0).map((fact) => ({ ...fact, id: fact[key] ?? null }))
  return [
    ...reopening(corp_id, 'payment_id', ended(facts.payment_voids, 'payment_id')),
    ...reopening(corp_id, 'refund_id', ended(facts.refund_reversals, 'refund_id')),
  ]
}

/**
 * A match is undone as a whole, because its sums no longer agree. A line that has another match by now keeps its state.
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
  const opening = sql`
    update statement_line_states s set state = 'open'
     where s.corp_id = ${corp_id} and s.state <> 'open'
       and s.line_id in (select other.line_id
                           from statement_matches m
                           join statement_matches other on other.corp_id = ${corp_id} and other.match_id = m.match_id
                          where m.corp_id = ${corp_id} and ${matched} = any(${ids}::text[]))
       and not exists (select from statement_matches c
                        where c.corp_id = ${corp_id} and c.line_id = s.line_id
                          and not exists (select from statement_match_undos u
                                           where u.corp_id = ${corp_id} and u.match_id = c.match_id))`
  return [...undos, opening]
}
