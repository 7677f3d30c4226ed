import type { Queryable } from '../database/database.ts'
import { insertRows, type NewRow } from '../database/insert-rows.ts'
import { sql } from '../database/sql.ts'
import { type Change, type LedgerInstant, versionRecord } from '../orders/order-state-store.ts'
import type { NewOrder, StoredSubOrder } from '../orders/order-write-store.ts'
import type { Payment } from '../orders/payments/payment-store.ts'
import type { OrderState } from '../orders/rules/order-rules.ts'
import { paymentColumns } from '../sample/order-seed-store.ts'

/** The ledger's statements for many orders at a time; what they store was made by the ledger's own rules. */

/** Always in the same order, so that two who lock the same orders never wait for each other. */
export async function lockOrders(tx: Queryable, corp_id: string, external_ids: string[]): Promise<void> {
  await tx.query(sql`
    select order_id from orders
     where corp_id = ${corp_id} and external_id = any(${external_ids}) order by order_id for update`)
}

const orderColumns = {
  order_id: 'text',
  user_id: 'text',
  leads_id: 'text',
  external_id: 'text',
  creation_hash: 'text',
  type: 'text',
  source: 'text',
  status: 'text',
  currency: 'text',
  exchange_rate: 'bigint',
  listed_price: 'bigint',
  discounted_price: 'bigint',
  total_price: 'bigint',
  service_charge: 'bigint',
  foreign_service_charge: 'bigint',
  application_fee_price: 'bigint',
  application_fee_currency: 'text',
  application_fee_status: 'text',
  course_id: 'text',
  course_code: 'text',
  contract_id: 'text',
  business_id: 'text',
  product_id: 'text',
  coupon_ids: 'text[]',
  share_proportion: 'jsonb',
  user_copy: 'jsonb',
  course_copy: 'jsonb',
  course_start_time: 'timestamptz',
  course_end_time: 'timestamptz',
  completed_time: 'timestamptz',
  executor_id: 'text',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
} as const

const subOrderColumns = {
  sub_order_id: 'text',
  order_id: 'text',
  seq: 'integer',
  type: 'text',
  status: 'text',
  currency: 'text',
  total_price: 'bigint',
  payment_deadline: 'timestamptz',
  completed_time: 'timestamptz',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
} as const

export interface MadeOrder {
  order: NewOrder
  subOrders: StoredSubOrder[]
}

/** Instants of the ledger keep their microseconds as text, which reads as a timestamp just as well. */
type Stamped<Row> = {
  [Name in keyof Row]: Row[Name] extends Date | null ? Date | LedgerInstant | null : Row[Name]
}

export async function insertMadeOrders(
  tx: Queryable,
  corp_id: string,
  made: MadeOrder[],
  at: LedgerInstant,
): Promise<void> {
  const stamp = { ctime: at, mtime: at }
  const orders: Stamped<NewRow<typeof orderColumns>>[] = made.map(({ order }) => ({ ...order, ...stamp }))
  const subOrders: Stamped<NewRow<typeof subOrderColumns>>[] = made.flatMap(
    ({ order: { order_id, currency }, subOrders }) =>
      subOrders.map((subOrder, index) => ({ ...subOrder, order_id, currency, seq: index + 1, ...stamp })),
  )
  await insertRows(tx, 'orders', orderColumns, corp_id, orders as NewRow<typeof orderColumns>[])
  await insertRows(tx, 'sub_orders', subOrderColumns, corp_id, subOrders as NewRow<typeof subOrderColumns>[])
}

/** Versions of many orders at one instant; each change names its order. */
export async function recordVersions(
  tx: Queryable,
  corp_id: string,
  changes: (Change & { order_id: string })[],
  at: LedgerInstant,
): Promise<void> {
  await tx.query(sql`
    insert into order_versions (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                subject_id, record)
    select o.corp_id, o.order_id, o.version, ${at}::timestamptz, c.change, c.from_status, o.status, c.executor_id,
           c.reason, c.subject_id, ${versionRecord}
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
           as c (order_id text, change text, from_status text, executor_id text, reason text, subject_id text)
      join orders o on o.corp_id = ${corp_id} and o.order_id = c.order_id`)
}

/** First payments of orders that were made just now, and the states they leave. */
export async function storeFirstPayments(
  tx: Queryable,
  corp_id: string,
  paid: { fact: Payment; state: OrderState }[],
  { executor_id, at }: { executor_id: string; at: LedgerInstant },
): Promise<void> {
  const facts: Stamped<NewRow<typeof paymentColumns>>[] = paid.map(({ fact }) => ({
    ...fact,
    status: 'success',
    executor_id,
    ctime: at,
  }))
  await insertRows(tx, 'payments', paymentColumns, corp_id, facts as NewRow<typeof paymentColumns>[])
  const subOrders = paid.flatMap(({ state: { order_id, subOrders } }) =>
    subOrders.map((subOrder) => ({ ...subOrder, order_id })),
  )
  await tx.query(sql`
    update sub_orders s
       set status = new.status, completed_time = new.completed_time, mtime = ${at}::timestamptz, version = s.version + 1
      from jsonb_to_recordset(${JSON.stringify(subOrders)}::jsonb)
           as new (order_id text, sub_order_id text, status text, completed_time timestamptz, touched boolean)
     where s.corp_id = ${corp_id} and s.sub_order_id = new.sub_order_id
       and (new.touched or (s.status, s.completed_time) is distinct from (new.status, new.completed_time))`)
  const orders = paid.map(({ state: { order_id, status, completed_time } }) => ({
    order_id,
    status,
    completed_time,
  }))
  await tx.query(sql`
    update orders o
       set status = new.status, completed_time = new.completed_time, mtime = ${at}::timestamptz, version = o.version + 1
      from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
           as new (order_id text, status text, completed_time timestamptz)
     where o.corp_id = ${corp_id} and o.order_id = new.order_id`)
}

export interface ImportedRow {
  external_id: string
  order_id: string
  row_hash: string
  members: object
}

/** What the rows said, in the transaction of what they did. */
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
