import type { Queryable } from '../../../database/database.ts'
import { sql, timestamp } from '../../../database/sql.ts'

/** A statement of a bank account. */
export interface BankStatement {
  statement_id: string
  account_id: string
  name: string
  opening_price: number
  closing_price: number
  /** All lines were received. */
  is_complete?: boolean
}

const isComplete = (corp_id: string) => sql`
  exists (select from completed_statements c
           where c.corp_id = ${corp_id} and c.statement_id = s.statement_id) as is_complete`

/** Inserts a statement, unless the account has one of this name. */
export async function insertStatement(
  tx: Queryable,
  corp_id: string,
  statement: BankStatement,
  { executor_id, now }: { executor_id: string; now: Date },
): Promise<boolean> {
  const { statement_id, account_id, name, opening_price, closing_price } = statement
  const rows = await tx.query(sql`
    insert into bank_statements (corp_id, statement_id, account_id, name, opening_price, closing_price, executor_id, ctime)
    values (${corp_id}, ${statement_id}, ${account_id}, ${name}, ${opening_price}, ${closing_price}, ${executor_id}, ${now})
    on conflict (corp_id, account_id, name) do nothing
    returning statement_id`)
  if (rows.length === 1)
    tx.note({ record_type: 'bank_statements', record_id: statement_id, after: { ...statement } })
  return rows.length === 1
}

export async function findStatementByName(
  on: Queryable,
  corp_id: string,
  { account_id, name }: { account_id: string; name: string },
): Promise<BankStatement | undefined> {
  const [statement] = await on.query<BankStatement>(sql`
    select s.statement_id, s.account_id, s.name, s.opening_price, s.closing_price, ${isComplete(corp_id)}
      from bank_statements s
     where s.corp_id = ${corp_id} and s.account_id = ${account_id} and s.name = ${name}`)
  return statement
}

/** A statement with its account. */
export interface StatementOfAccount extends BankStatement {
  currency: string
  provider: string
}

export async function findStatement(
  on: Queryable,
  corp_id: string,
  statement_id: string,
): Promise<StatementOfAccount | undefined> {
  const [statement] = await on.query<StatementOfAccount>(sql`
    select s.statement_id, s.account_id, s.name, s.opening_price, s.closing_price, ${isComplete(corp_id)}, a.currency,
           a.provider
      from bank_statements s
      join bank_accounts a on a.corp_id = ${corp_id} and a.account_id = s.account_id
     where s.corp_id = ${corp_id} and s.statement_id = ${statement_id}`)
  return statement
}

/** Marks a statement as complete, if its lines have all numbers and lead from the opening to the closing balance. */
export async function completeStatement(
  tx: Queryable,
  corp_id: string,
  statement_id: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into completed_statements as made (corp_id, statement_id, from_date, until_date, at)
    select s.corp_id, s.statement_id, sums.from_date, sums.until_date, ${now}::timestamptz
      from bank_statements s
      cross join lateral (
        select min(l.value_date) as from_date, max(l.value_date) as until_date, coalesce(sum(l.price), 0) as price,
               count(*) as lines, coalesce(max(l.number), 0) as last
          from statement_lines l where l.corp_id = ${corp_id} and l.statement_id = s.statement_id) sums
     where s.corp_id = ${corp_id} and s.statement_id = ${statement_id} and sums.lines = sums.last
       and s.opening_price + sums.price = s.closing_price
    on conflict (corp_id, statement_id) do nothing
    returning made.statement_id`)
  if (rows.length === 1)
    tx.note({ record_type: 'bank_statements', record_id: statement_id, after: { is_complete: true } })
  return rows.length === 1
}

/** Progress of a statement: lines by state, and the difference between its balances and its lines. */
export interface StatementProgress extends StatementOfAccount {
  lines: number
  open_lines: number
  matched_lines: number
  booked_lines: number
  ignored_lines: number
  open_price: number
  /** The closing balance less the opening balance and all lines. 0 if the statement is complete. */
  missing_price: number
  is_complete: boolean
  from_date: string | null
  until_date: string | null
  ctime: string
}

/** Statements, newest first: all, those of an account, or one. */
export async function findProgress(
  on: Queryable,
  query: { corp_id: string; account_id?: string; statement_id?: string; timeZone: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: StatementProgress[] }> {
  const { corp_id, account_id, statement_id, timeZone } = query
  const chosen = sql`
    s.corp_id = ${corp_id} and (${account_id ?? null}::text is null or s.account_id = ${account_id ?? null})
      and (${statement_id ?? null}::text is null or s.statement_id = ${statement_id ?? null})`
  const { counted, list } = await on.pipeline<{ counted: { total: number }; list: StatementProgress }>({
    counted: sql`select count(*)::integer as total from bank_statements s where ${chosen}`,
    list: sql`
      select s.statement_id, s.account_id, s.name, s.opening_price, s.closing_price, c.statement_id is not null as is_complete,
             c.from_date::text as from_date, c.until_date::text as until_date, a.currency, a.provider,
             sums.lines, sums.open_lines, sums.matched_lines, sums.booked_lines, sums.ignored_lines, sums.open_price,
             (s.closing_price - s.opening_price - sums.price)::bigint as missing_price,
             ${timestamp('s.ctime', timeZone)} as ctime
        from bank_statements s
        join bank_accounts a on a.corp_id = ${corp_id} and a.account_id = s.account_id
        left join completed_statements c on c.corp_id = ${corp_id} and c.statement_id = s.statement_id
        cross join lateral (
          select coalesce(sum(t.lines), 0)::integer as lines, coalesce(sum(t.price), 0)::bigint as price,
                 coalesce(sum(t.lines) filter (where t.state = 'open'), 0)::integer as open_lines,
                 coalesce(sum(t.lines) filter (where t.state = 'matched'), 0)::integer as matched_lines,
                 coalesce(sum(t.lines) filter (where t.state = 'booked'), 0)::integer as booked_lines,
                 coalesce(sum(t.lines) filter (where t.state = 'ignored'), 0)::integer as ignored_lines,
                 coalesce(sum(t.price) filter (where t.state = 'open'), 0)::bigint as open_price
            from statement_sums t
           where t.corp_id = ${corp_id} and t.statement_id = s.statement_id) sums
       where ${chosen}
       order by coalesce(c.until_date, s.ctime::date) desc, s.ctime desc, s.statement_id limit ${limit} offset ${offset}`,
  })
  return { total: counted[0]?.total ?? 0, list }
}
