import { fingerprint } from '../../contract/fingerprint.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { isVoided } from './balance-store.ts'

/** Whether a payment `p` has a match that is not undone. */
const isMatched = (corp_id: string): Statement => sql`
  exists (select from statement_matches m
           where m.corp_id = ${corp_id} and m.payment_id = p.payment_id
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id))`

/** The value of `is_open` of a payment `p`: no statement line confirms it, and it is not void. */
export const isOpenPayment = (corp_id: string): Statement => sql`
  (not ${isMatched(corp_id)} and not ${isVoided({ corp_id }, 'p')})`

/** Derives `is_open` of the chosen payments `p` again. Only rows with another value are written. */
export function openingPayments(corp_id: string, chosen: Statement): Statement[] {
  return [
    closingPayments(corp_id, chosen),
    sql`
      update payments p set is_open = true
       where p.corp_id = ${corp_id} and ${chosen} and not p.is_open and ${isOpenPayment(corp_id)}`,
  ]
}

/** The same for payments that were matched or voided, which opens none. */
export function closingPayments(corp_id: string, chosen: Statement): Statement {
  return sql`
    update payments p set is_open = false
     where p.corp_id = ${corp_id} and ${chosen} and p.is_open and not ${isOpenPayment(corp_id)}`
}

/** The payments `p` of these matches. */
export const ofMatches = (corp_id: string, matchIds: string[]): Statement => sql`
  p.payment_id in (select m.payment_id from statement_matches m
                    where m.corp_id = ${corp_id} and m.match_id = any(${matchIds}::text[]))`

/** Identifies the condition of `is_open`. */
export const openPaymentsFingerprint = fingerprint(isOpenPayment('').text)

/** Derives `is_open` of all payments again, and returns their number. */
export async function rebuildOpenPayments(tx: Queryable, corp_id: string): Promise<number> {
  await tx.pipeline(openingPayments(corp_id, raw('true')))
  const [row] = await tx.query<{ payments: number }>(sql`
    select count(*)::integer as payments from payments p where p.corp_id = ${corp_id}`)
  return row!.payments
}

/** The same for the next payments after an id. Returns their ids. */
export async function rebuildOpenPaymentsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ payment_id: string }>(sql`
    select p.payment_id from payments p
     where p.corp_id = ${corp_id} and p.payment_id > ${after} order by p.payment_id limit ${limit}`)
  const ids = rows.map(({ payment_id }) => payment_id)
  await tx.pipeline(openingPayments(corp_id, sql`p.payment_id = any(${ids}::text[])`))
  return ids
}

/** One text for the open payments. */
export async function openPaymentsDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string | null }>(sql`
    select md5(string_agg(p.payment_id, ',' order by p.payment_id)) as digest
      from payments p where p.corp_id = ${corp_id} and p.is_open`)
  return row?.digest ?? ''
}
