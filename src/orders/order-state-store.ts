import type { Queryable } from '../database/database.ts'
import { raw, sql } from '../database/sql.ts'
import type { OrderState, SubOrder } from './rules/order-rules.ts'
import { expirableStatuses, type OrderStatus } from './rules/status.ts'

/** An instant of the ledger's clock, to the microsecond, as PostgreSQL reads it. */
export type LedgerInstant = string

/**
 * The next instant of the organization's ledger. It is held until the commit: whoever comes later waits and gets a
 * later one. So it is taken last, after every order that the transaction needs has been locked.
 */
export async function nextInstant(tx: Queryable, corp_id: string, now: Date): Promise<LedgerInstant> {
  const [row] = await tx.query<{ instant: LedgerInstant }>(sql`
    insert into ledger_clocks as clock (corp_id, instant) values (${corp_id}, ${now})
    on conflict (corp_id) do update
       set instant = greatest(excluded.instant, clock.instant + interval '1 microsecond')
    returning ${utc('instant')} as instant`)
  return row!.instant
}

/** Locks an order against every other change; false where there is none. */
export async function lockOrder(tx: Queryable, corp_id: string, order_id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted for update`)
  return rows.length === 1
}

/** The same where nobody holds it: false, too, where it would have to be waited for. */
export async function lockOrderIfFree(tx: Queryable, corp_id: string, order_id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted
       for update skip locked`)
  return rows.length === 1
}

/** An order with the sums of its facts. Read it after lockOrder: a statement that waits for a lock sees old sums. */
export async function readState(tx: Queryable, corp_id: string, order_id: string): Promise<OrderState> {
  const [order] = await tx.query<Omit<OrderState, 'parts'>>(sql`
    select order_id, status, currency, total_price, version,
           ${utc('completed_time')} as completed_time, ${utc('expired_time')} as expired_time
      from orders where corp_id = ${corp_id} and order_id = ${order_id}`)
  const subOrders = await tx.query<SubOrder>(sql`
    select s.sub_order_id, s.seq, s.type, s.status, s.total_price, ${utc('s.payment_deadline')} as payment_deadline,
           ${utc('s.completed_time')} as completed_time,
           coalesce(paid.price, 0)::bigint as paid, coalesce(paid.payments, 0)::integer as payments,
           coalesce(back.price, 0)::bigint as refunded
      from sub_orders s
      left join (select sub_order_id, sum(order_price) as price, count(*) as payments
                   from payments where corp_id = ${corp_id} and order_id = ${order_id} group by sub_order_id) paid
        on paid.sub_order_id = s.sub_order_id
      left join (select sub_order_id, sum(price) as price
                   from refunds where corp_id = ${corp_id} and order_id = ${order_id} group by sub_order_id) back
        on back.sub_order_id = s.sub_order_id
     where s.corp_id = ${corp_id} and s.order_id = ${order_id}
     order by s.seq`)
  return { ...order!, subOrders }
}

/** Stores what the ledger's rules made of an order; every part that changed counts one version up, the order always. */
export async function storeState(
  tx: Queryable,
  corp_id: string,
  state: OrderState,
  at: LedgerInstant,
): Promise<void> {
  await tx.query(sql`
    with subOrders as (
      update sub_orders s
         set status = new.status, completed_time = new.completed_time, payment_deadline = new.payment_deadline,
             mtime = ${at}::timestamptz, version = s.version + 1
        from jsonb_to_recordset(${JSON.stringify(state.subOrders)}::jsonb)
             as new(sub_order_id text, status text, completed_time timestamptz, payment_deadline timestamptz, touched boolean)
       where s.corp_id = ${corp_id} and s.order_id = ${state.order_id} and s.sub_order_id = new.sub_order_id
         and (new.touched or (s.status, s.completed_time, s.payment_deadline)
              is distinct from (new.status, new.completed_time, new.payment_deadline)))
    update orders
       set status = ${state.status}, is_locked = ${state.status === 'locked'},
           completed_time = ${state.completed_time}::timestamptz, expired_time = ${state.expired_time}::timestamptz,
           mtime = ${at}::timestamptz, version = version + 1
     where corp_id = ${corp_id} and order_id = ${state.order_id}`)
}

export interface Change {
  change: 'created' | 'updated' | 'status' | 'payment' | 'refund' | 'remark' | 'expired'
  from_status: OrderStatus | null
  executor_id: string | null
  reason: string | null
  /** The payment, refund or remark that made the version. */
  subject_id: string | null
}

/** Keeps the order and its sub-orders as they are now, whole, as the version they have reached. */
export async function recordVersion(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  { change, from_status, executor_id, reason, subject_id }: Change,
  at: LedgerInstant,
): Promise<{ version: number; to_status: OrderStatus }> {
  const [row] = await tx.query<{ version: number; to_status: OrderStatus }>(sql`
    insert into order_versions (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                subject_id, record)
    select o.corp_id, o.order_id, o.version, ${at}::timestamptz, ${change}, ${from_status}, o.status, ${executor_id},
           ${reason}, ${subject_id}, ${versionRecord}
      from orders o where o.corp_id = ${corp_id} and o.order_id = ${order_id}
    returning version, to_status`)
  return row!
}

/** What a version keeps: the rows themselves. */
export const versionRecord = raw(`
  jsonb_build_object('order', to_jsonb(o), 'sub_orders', coalesce((
    select jsonb_agg(to_jsonb(s) order by s.seq)
      from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id), '[]'))`)

/** The version that a payment, refund or remark made: who asks again is answered alike. */
export async function findVersionOf(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  subject_id: string,
): Promise<{ version: number; to_status: OrderStatus } | undefined> {
  const [row] = await tx.query<{ version: number; to_status: OrderStatus }>(sql`
    select version, to_status from order_versions
     where corp_id = ${corp_id} and order_id = ${order_id} and subject_id = ${subject_id}`)
  return row
}

/** A timestamp with its microseconds, which a Date would lose. */
function utc(column: string) {
  return raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
}

export async function isOrder(on: Queryable, corp_id: string, order_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted`)
  return rows.length === 1
}

/**
 * Orders with a sub-order whose deadline has passed unpaid, by id, behind the one that is named. Those that cannot
 * expire any more are left out here, though a completed order may have an unpaid part.
 */
export async function findOverdue(
  on: Queryable,
  corp_id: string,
  now: Date,
  { behind, limit }: { behind: string; limit: number },
): Promise<string[]> {
  const rows = await on.query<{ order_id: string }>(sql`
    select distinct s.order_id
      from sub_orders s join orders o on o.corp_id = s.corp_id and o.order_id = s.order_id
     where s.corp_id = ${corp_id} and s.status in ('unconfirmed', 'created', 'pending') and s.payment_deadline < ${now}
       and o.status = any(${expirableStatuses}) and not o.is_deleted and s.order_id > ${behind}
     order by s.order_id
     limit ${limit}`)
  return rows.map(({ order_id }) => order_id)
}
