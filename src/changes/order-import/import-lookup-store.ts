import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** An existing order, and the content of its row in the last import. */
export interface KnownOrder {
  external_id: string
  order_id: string
  user_id: string
  type: string
  status: OrderStatus
  currency: string
  listed_price: number
  discounted_price: number
  service_charge: number
  foreign_service_charge: number
  total_price: number
  coupon_ids: string[]
  share_proportion: Record<string, number>
  course_code: string | null
  batch_id: string | null
  batch_name: string | null
  contract_id: string | null
  version: number
  is_deleted: boolean
  sub_order_count: number
  first_deadline: Date | null
  remarks: string[]
  payments: number
  row_hash: string | null
  members: Record<string, unknown> | null
}

export async function findKnownOrders(
  on: Queryable,
  corp_id: string,
  external_ids: string[],
): Promise<KnownOrder[]> {
  return on.query<KnownOrder>(sql`
    select o.external_id, o.order_id, o.user_id, o.type, o.status, o.currency, o.listed_price, o.discounted_price,
           o.service_charge, o.foreign_service_charge, o.total_price, o.coupon_ids, o.share_proportion, o.course_code,
           o.course_copy->>'batch_id' as batch_id, o.course_copy->>'batch_name' as batch_name, o.contract_id, o.version,
           o.is_deleted,
           (select count(*)::integer from sub_orders s where s.corp_id = ${corp_id} and s.order_id = o.order_id) as sub_order_count,
           (select s.payment_deadline from sub_orders s
             where s.corp_id = ${corp_id} and s.order_id = o.order_id and s.seq = 1) as first_deadline,
           array(select r.content from order_remarks r where r.corp_id = ${corp_id} and r.order_id = o.order_id) as remarks,
           (select count(*)::integer from payments p where p.corp_id = ${corp_id} and p.order_id = o.order_id) as payments,
           i.row_hash, i.members
      from orders o
      left join order_import_rows i on i.corp_id = ${corp_id} and i.external_id = o.external_id
     where o.corp_id = ${corp_id} and o.external_id = any(${external_ids})`)
}

/** The hashes of the last imports of these rows. Most rows of a repeated file need nothing else. */
export async function findRowHashes(
  on: Queryable,
  corp_id: string,
  external_ids: string[],
): Promise<{ external_id: string; order_id: string; row_hash: string }[]> {
  return on.query(sql`
    select external_id, order_id, row_hash from order_import_rows
     where corp_id = ${corp_id} and external_id = any(${external_ids})`)
}

/** Always in the same order, so that concurrent imports cannot deadlock. */
export async function lockOrders(tx: Queryable, corp_id: string, external_ids: string[]): Promise<void> {
  await tx.query(sql`
    select order_id from orders
     where corp_id = ${corp_id} and external_id = any(${external_ids}) order by order_id for update`)
}

export const importedRowColumns = {
  external_id: 'text',
  order_id: 'text',
  row_hash: 'text',
  members: 'jsonb',
  imported_at: 'timestamptz',
} as const

export interface ImportedRow {
  external_id: string
  order_id: string
  row_hash: string
  members: object
}

/** Stores the content of the rows in the transaction of their changes. */
export async function storeImportedRows(
  tx: Queryable,
  corp_id: string,
  rows: ImportedRow[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into order_import_rows (corp_id, external_id, order_id, row_hash, members, imported_at)
    select ${corp_id}, r.external_id, r.order_id, r.row_hash, r.members, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as r (external_id text, order_id text, row_hash text, members jsonb)
    on conflict (corp_id, external_id) do update
       set order_id = excluded.order_id, row_hash = excluded.row_hash, members = excluded.members,
           imported_at = excluded.imported_at`)
}
