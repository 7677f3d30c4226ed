import type { Queryable } from '../../database/database.ts'
import { type Statement, sql } from '../../database/sql.ts'

/**
 * Removes copies of a payer that are part of other records. Documents keep number, lines and sums, as those of an erased
 * user do. A receipt that names a student besides the payer keeps the student.
 */
export function forgettingPayer(corp_id: string, payer_id: string): Statement[] {
  return [
    sql`
      update payments set comments = ''
       where corp_id = ${corp_id} and payer_id = ${payer_id} and comments is not null`,
    // The version of an order that a payment made has the comments as its reason.
    sql`
      update order_versions v set reason = ''
        from payments p
       where p.corp_id = ${corp_id} and p.payer_id = ${payer_id}
         and v.corp_id = ${corp_id} and v.order_id = p.order_id and v.subject_id = p.payment_id
         and v.change = 'payment' and v.reason is not null`,
    sql`
      update documents set personal = personal - '{payer,payer_address,payer_tax_number}'::text[]
       where corp_id = ${corp_id} and payer_id = ${payer_id}`,
  ]
}

/** The orders that show comments of payments of a payer. */
export async function findCommentedOrders(
  on: Queryable,
  corp_id: string,
  payer_id: string,
): Promise<string[]> {
  const rows = await on.query<{ order_id: string }>(sql`
    select p.order_id from payments p
     where p.corp_id = ${corp_id} and p.payer_id = ${payer_id} and p.comments <> ''
    union
    select a.order_id from payments p
      join payment_allocations a on a.corp_id = ${corp_id} and a.payment_id = p.payment_id
     where p.corp_id = ${corp_id} and p.payer_id = ${payer_id} and p.comments <> ''
     order by 1`)
  return rows.map(({ order_id }) => order_id)
}

/** The contacts of a payer that a user has too. It may be another person, such as a child with the number of a parent. */
export async function findSharedContacts(
  on: Queryable,
  corp_id: string,
  { area_code, mobile, email }: { area_code: string | null; mobile: string | null; email: string | null },
): Promise<{ isNumberShared: boolean; isEmailShared: boolean }> {
  const [found] = await on.query<{ isNumberShared: boolean; isEmailShared: boolean }>(sql`
    select coalesce(bool_or(u.area_code = ${area_code}::text and u.mobile = ${mobile}::text), false) as "isNumberShared",
           coalesce(bool_or(u.email_key = lower(${email}::text)), false) as "isEmailShared"
      from users u
     where u.corp_id = ${corp_id}
       and (u.area_code = ${area_code} and u.mobile = ${mobile} or u.email_key = lower(${email}::text))`)
  return found!
}
