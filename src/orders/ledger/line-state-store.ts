import { fingerprint } from '../../contract/fingerprint.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'

export type LineState = 'open' | 'matched' | 'booked' | 'ignored'

const adding = raw(`
  on conflict (corp_id, statement_id, state, is_incoming)
  do update set lines = sums.lines + excluded.lines, price = sums.price + excluded.price`)

/** Adds new open lines of a statement to its sums. */
export function countingLines(
  corp_id: string,
  { statement_id, account_id }: { statement_id: string; account_id: string },
  lines: { price: number }[],
): Statement[] {
  if (lines.length === 0) return []
  return [
    sql`
      insert into statement_sums as sums (corp_id, statement_id, account_id, state, is_incoming, lines, price)
      select ${corp_id}, ${statement_id}, ${account_id}, 'open', l.price > 0, count(*), sum(l.price)
        from unnest(${lines.map(({ price }) => price)}::bigint[]) as l (price)
       group by l.price > 0
       order by l.price > 0
      ${adding}`,
  ]
}

/**
 * Sets the state of the chosen lines `s`, and moves them in the sums of their statements. The caller holds the ledger's
 * clock, so that both statements find the same lines.
 */
export function settingLineStates(corp_id: string, chosen: Statement, state: LineState): Statement[] {
  return [
    sql`
      insert into statement_sums as sums (corp_id, statement_id, account_id, state, is_incoming, lines, price)
      select s.corp_id, s.statement_id, s.account_id, moved.state, s.price > 0, sum(moved.sign), sum(moved.sign * s.price)
        from statement_line_states s
        cross join lateral (values (s.state, -1), (${state}::text, 1)) as moved (state, sign)
       where s.corp_id = ${corp_id} and s.state <> ${state} and ${chosen}
       group by s.corp_id, s.statement_id, s.account_id, moved.state, s.price > 0
       order by s.statement_id, moved.state, s.price > 0
      ${adding}`,
    sql`
      update statement_line_states s set state = ${state}
       where s.corp_id = ${corp_id} and s.state <> ${state} and ${chosen}`,
  ]
}

/** The sums of statements as their lines have them. */
export const sumsOfLines = (corp_id: string, chosen: Statement = raw('true')): Statement => sql`
  select s.corp_id, s.statement_id, s.account_id, s.state, s.price > 0 as is_incoming, count(*) as lines, sum(s.price) as price
    from statement_line_states s
   where s.corp_id = ${corp_id} and ${chosen}
   group by s.corp_id, s.statement_id, s.account_id, s.state, s.price > 0`

/** Identifies the statement that derives the sums. */
export const statementSumsFingerprint = fingerprint(sumsOfLines('').text)

/** Derives the sums of all statements again, and returns their number. */
export async function rebuildStatementSums(tx: Queryable, corp_id: string): Promise<number> {
  await tx.query(sql`delete from statement_sums where corp_id = ${corp_id}`)
  const rows = await tx.query(sql`
    insert into statement_sums (corp_id, statement_id, account_id, state, is_incoming, lines, price)
    ${sumsOfLines(corp_id)}
    returning 1`)
  return rows.length
}

/** The same for the next statements after an id. Returns their ids. */
export async function rebuildStatementSumsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ statement_id: string }>(sql`
    select b.statement_id from bank_statements b
     where b.corp_id = ${corp_id} and b.statement_id > ${after} order by b.statement_id limit ${limit}`)
  const ids = rows.map(({ statement_id }) => statement_id)
  await tx.query(
    sql`delete from statement_sums where corp_id = ${corp_id} and statement_id = any(${ids}::text[])`,
  )
  await tx.query(sql`
    insert into statement_sums (corp_id, statement_id, account_id, state, is_incoming, lines, price)
    ${sumsOfLines(corp_id, sql`s.statement_id = any(${ids}::text[])`)}`)
  return ids
}

/** One text for the sums. Sums of no lines are left out. */
export async function statementSumsDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string | null }>(sql`
    select md5(string_agg(concat_ws('|', statement_id, account_id, state, is_incoming, lines, price), ','
                          order by statement_id, state, is_incoming)) as digest
      from statement_sums where corp_id = ${corp_id} and lines <> 0`)
  return row?.digest ?? ''
}
