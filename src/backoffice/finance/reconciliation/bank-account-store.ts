import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

/** An account of the organization at a bank or a gateway. */
export interface BankAccount {
  account_id: string
  name: string
  provider: string
  /** The number that the bank writes in statements. */
  number: string | null
  currency: string
  /** The balance before the first statement. */
  opening_price: number
}

/** Inserts an account. Returns false if another account has the name. */
export async function insertBankAccount(
  tx: Queryable,
  corp_id: string,
  account: BankAccount,
  { executor_id, now }: { executor_id: string; now: Date },
): Promise<boolean> {
  const { account_id, name, provider, number, currency, opening_price } = account
  const rows = await tx.query(sql`
    insert into bank_accounts (corp_id, account_id, name, provider, number, currency, opening_price, executor_id, ctime)
    values (${corp_id}, ${account_id}, ${name}, ${provider}, ${number}, ${currency}, ${opening_price}, ${executor_id}, ${now})
    on conflict (corp_id, name) do nothing
    returning account_id`)
  if (rows.length === 1)
    tx.note({ record_type: 'bank_accounts', record_id: account_id, after: { ...account } })
  return rows.length === 1
}

export async function findBankAccount(
  on: Queryable,
  corp_id: string,
  account_id: string,
): Promise<BankAccount | undefined> {
  const [account] = await on.query<BankAccount>(sql`
    select account_id, name, provider, number, currency, opening_price from bank_accounts
     where corp_id = ${corp_id} and account_id = ${account_id}`)
  return account
}

/** The balance of an account: its opening balance and all lines. */
export async function findBalance(on: Queryable, corp_id: string, account_id: string): Promise<number> {
  const [row] = await on.query<{ price: number }>(sql`
    select (a.opening_price
            + coalesce((select sum(s.price) from statement_sums s
                         where s.corp_id = ${corp_id} and s.account_id = ${account_id}), 0))::bigint as price
      from bank_accounts a where a.corp_id = ${corp_id} and a.account_id = ${account_id}`)
  return row?.price ?? 0
}

/** An account with the sums of its lines. */
export interface AccountBalance extends BankAccount {
  /** The opening balance and all lines. */
  closing_price: number
  /** The closing balance that the latest complete statement states. */
  stated_price: number | null
  statements: number
  lines: number
  open_lines: number
  /** Of open lines that came in, and of those that went out. */
  open_incoming_price: number
  open_outgoing_price: number
}

/** All accounts, by name. */
export async function findBalances(on: Queryable, corp_id: string): Promise<AccountBalance[]> {
  return on.query<AccountBalance>(sql`
    select a.account_id, a.name, a.provider, a.number, a.currency, a.opening_price,
           (a.opening_price + coalesce(sums.price, 0))::bigint as closing_price,
           (select count(*)::integer from bank_statements s
             where s.corp_id = ${corp_id} and s.account_id = a.account_id) as statements,
           (select s.closing_price
              from bank_statements s
              join completed_statements c on c.corp_id = ${corp_id} and c.statement_id = s.statement_id
             where s.corp_id = ${corp_id} and s.account_id = a.account_id and c.until_date is not null
             order by c.until_date desc, c.from_date desc, s.ctime desc limit 1) as stated_price,
           coalesce(sums.lines, 0)::integer as lines, coalesce(sums.open_lines, 0)::integer as open_lines,
           coalesce(sums.open_incoming_price, 0)::bigint as open_incoming_price,
           coalesce(sums.open_outgoing_price, 0)::bigint as open_outgoing_price
      from bank_accounts a
      left join (
        select s.account_id, sum(s.lines) as lines, sum(s.price) as price,
               sum(s.lines) filter (where s.state = 'open') as open_lines,
               sum(s.price) filter (where s.state = 'open' and s.is_incoming) as open_incoming_price,
               sum(s.price) filter (where s.state = 'open' and not s.is_incoming) as open_outgoing_price
          from statement_sums s
         where s.corp_id = ${corp_id}
         group by s.account_id) sums on sums.account_id = a.account_id
     where a.corp_id = ${corp_id}
     order by a.name, a.account_id`)
}
