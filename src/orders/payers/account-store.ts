import { randomUUID } from 'node:crypto'
import { currencyExponents } from '../../contract/currencies.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'

/**
 * The account of a payer in a currency: an order without a user, a price or instalments. It holds money that no order has
 * yet, so that this money has versions, receipts, refunds and voids as any other.
 */
export function accountIdOf(payer_id: string, currency: string): string {
  return `${payer_id}-${currency}`
}

/** The ids of the accounts that a payer has or may get. */
export function accountIdsOf(payer_id: string): string[] {
  return Object.keys(currencyExponents).map((currency) => accountIdOf(payer_id, currency))
}

/** Ids of other orders have no suffix. */
export function isAccountId(order_id: string): boolean {
  return Object.keys(currencyExponents).some((currency) => order_id.endsWith(`-${currency}`))
}

/** The caller records the first version and updates the read model. */
export async function insertAccount(
  tx: Queryable,
  corp_id: string,
  account: { order_id: string; currency: string; executor_id: string; at: LedgerInstant },
): Promise<void> {
  const { order_id, currency, executor_id, at } = account
  await tx.query(sql`
    insert into orders (corp_id, order_id, type, source, status, currency, listed_price, discounted_price, total_price,
                        executor_id, is_deleted, user_copy_salt, ctime, mtime)
    values (${corp_id}, ${order_id}, 'account', 'system', 'tbd', ${currency}, 0, 0, 0, ${executor_id}, true,
            ${randomUUID()}, ${at}::timestamptz, ${at}::timestamptz)
    returning 1`)
}

/** The payer that is this user; the oldest of several. */
export async function findPayerOfUser(
  on: Queryable,
  corp_id: string,
  user_id: string,
): Promise<string | undefined> {
  const [payer] = await on.query<{ payer_id: string }>(sql`
    select payer_id from payers where corp_id = ${corp_id} and user_id = ${user_id} order by ctime, payer_id limit 1`)
  return payer?.payer_id
}

/** The name of a user, for a payer that is this user. The user stays locked, so that an erasure waits. */
export async function findNameOfUser(
  tx: Queryable,
  corp_id: string,
  user_id: string,
): Promise<string | undefined> {
  const [user] = await tx.query<{ name: string }>(sql`
    select coalesce(nullif(name, ''), nullif(trim(concat_ws(' ', first_name, last_name)), ''), user_id) as name from users
     where corp_id = ${corp_id} and user_id = ${user_id} for key share`)
  return user?.name
}

/** The allocations of a payment when it was recorded over this number of orders, each at its own instant. */
export async function findFirstAllocations(
  on: Queryable,
  corp_id: string,
  payment_id: string,
  orders: number,
): Promise<{ order_id: string; sub_order_id: string; price: number }[]> {
  return on.query(sql`
    select a.order_id, a.sub_order_id, sum(a.price)::bigint as price
      from payment_allocations a
      join payments p on p.corp_id = ${corp_id} and p.payment_id = a.payment_id
     where a.corp_id = ${corp_id} and a.payment_id = ${payment_id}
       and a.at <= p.ctime + ${orders}::integer * interval '1 microsecond'
     group by a.order_id, a.sub_order_id order by a.order_id, min(a.line), a.sub_order_id`)
}

/** Whether a payment was recorded for the account of a payer. */
export async function isOnAccount(on: Queryable, corp_id: string, payment_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select p.payment_id from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id and o.type = 'account'
     where p.corp_id = ${corp_id} and p.payment_id = ${payment_id}`)
  return rows.length === 1
}

/** The accounts of payers, and those that their payments were recorded for. */
export async function findAccountsOf(on: Queryable, corp_id: string, payerIds: string[]): Promise<string[]> {
  if (payerIds.length === 0) return []
  const rows = await on.query<{ order_id: string }>(sql`
    select distinct p.order_id from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id and o.type = 'account'
     where p.corp_id = ${corp_id} and p.payer_id = any(${payerIds}::text[]) order by p.order_id`)
  return rows.map(({ order_id }) => order_id)
}
