import { type Statement, sql } from '../../database/sql.ts'

interface VoidFact {
  payment_id: string | null
  price: number | null
  executor_id: string | null
  at: string | Date | null
}

/**
 * Opens the statement lines of voided payments again. The reversal of a void has a negative price and opens nothing. A match is undone as a whole, because its sums no longer agree. A
 * line that has another match by now keeps its state.
 */
export function reopeningLines(corp_id: string, facts: VoidFact[]): Statement[] {
  const voids = facts.filter(({ price }) => (price ?? 0) > 0)
  if (voids.length === 0) return []
  const undos = voids.map(
    ({ payment_id, executor_id, at }) => sql`
      insert into statement_match_undos (corp_id, match_id, executor_id, at)
      select distinct m.corp_id, m.match_id, ${executor_id}::text, ${at}::timestamptz
        from statement_matches m
       where m.corp_id = ${corp_id} and m.payment_id = ${payment_id}
      on conflict (corp_id, match_id) do nothing`,
  )
  const paymentIds = voids.map(({ payment_id }) => payment_id)
  const reopening = sql`
    update statement_line_states s set state = 'open'
     where s.corp_id = ${corp_id} and s.state <> 'open'
       and s.line_id in (select other.line_id
                           from statement_matches m
                           join statement_matches other on other.corp_id = ${corp_id} and other.match_id = m.match_id
                          where m.corp_id = ${corp_id} and m.payment_id = any(${paymentIds}::text[]))
       and not exists (select from statement_matches c
                        where c.corp_id = ${corp_id} and c.line_id = s.line_id
                          and not exists (select from statement_match_undos u
                                           where u.corp_id = ${corp_id} and u.match_id = c.match_id))`
  return [...undos, reopening]
}
