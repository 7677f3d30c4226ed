import type pg from 'pg'
import { ApiError } from '../../src/contract/errors.ts'
import type { Queryable } from '../../src/database/database.ts'
import type { Statement } from '../../src/database/sql.ts'
import type { VersionCause } from '../../src/orders/ledger/history-store.ts'
import type { OrderState } from '../../src/orders/rules/order-rules.ts'

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Runs statements one after the other. */
export function oneByOne(client: pg.PoolClient): Queryable {
  const query = async ({ name, text, values }: Statement) =>
    (await client.query({ name, text, values: values as never })).rows
  return { query } as unknown as Queryable
}

/** The next instant of the ledger, held until the commit. */
export async function tick(client: pg.PoolClient, corp_id: string): Promise<string> {
  const { rows } = await client.query({
    name: 'tick',
    text: `insert into ledger_clocks as clock (corp_id, instant_us)
           values ($1, extract(epoch from clock_timestamp()) * 1000000)
           on conflict (corp_id) do update
              set instant_us = greatest(excluded.instant_us, clock.instant_us + 1)
           returning ${utc(`(to_timestamp(0) + instant_us * interval '1 microsecond')`)} as instant`,
    values: [corp_id],
  })
  return rows[0].instant
}

/** Stores the current order as its newest version. */
export async function recordVersion(
  client: pg.PoolClient,
  corp_id: string,
  { order_id, at, change, from_status, executor_id, reason, subject_id }: VersionCause,
): Promise<{ version: number; to_status: string }> {
  const { rows } = await client.query({
    name: 'record_version',
    text: `insert into order_versions (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                       subject_id, record)
           select o.corp_id, o.order_id, o.version, $3, $4, $5, o.status, $6, $7, $8,
                  jsonb_build_object('order', to_jsonb(o), 'sub_orders', coalesce((
                    select jsonb_agg(to_jsonb(s) order by s.seq)
                      from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id), '[]'))
             from orders o where o.corp_id = $1 and o.order_id = $2
           returning version, to_status`,
    values: [corp_id, order_id, at, change, from_status, executor_id, reason, subject_id],
  })
  return rows[0]
}

export async function lockOrder(
  client: pg.PoolClient,
  corp_id: string,
  order_id: string,
): Promise<OrderState> {
  const orders = await client.query({
    name: 'lock_order',
    text: `select order_id, status, currency, total_price, version, ${utc('completed_time')} as completed_time,
                  ${utc('expired_time')} as expired_time
             from orders where corp_id = $1 and order_id = $2 and not is_deleted for update`,
    values: [corp_id, order_id],
  })
  if (orders.rows.length === 0) throw new ApiError('orderNotFound')
  const parts = await client.query({
    name: 'parts_of_order',
    text: `select s.sub_order_id, s.seq, s.type, s.status, s.total_price,
                  ${utc('s.payment_deadline')} as payment_deadline, ${utc('s.completed_time')} as completed_time,
                  (select coalesce(sum(a.price), 0)::bigint from payment_allocations a
                    where a.corp_id = s.corp_id and a.sub_order_id = s.sub_order_id) as paid,
                  (select count(distinct a.payment_id)::integer from payment_allocations a
                    where a.corp_id = s.corp_id and a.sub_order_id = s.sub_order_id) as payments,
                  (select coalesce(sum(b.price), 0)::bigint from refund_allocations b
                    where b.corp_id = s.corp_id and b.sub_order_id = s.sub_order_id) as refunded,
                  (select coalesce(sum(b.credited_price), 0)::bigint from refund_allocations b
                    where b.corp_id = s.corp_id and b.sub_order_id = s.sub_order_id) as credited,
                  (select coalesce(sum(w.price), 0)::bigint from order_write_offs w
                    where w.corp_id = s.corp_id and w.sub_order_id = s.sub_order_id) as "writtenOff"
             from sub_orders s where s.corp_id = $1 and s.order_id = $2 order by s.seq`,
    values: [corp_id, order_id],
  })
  const allocations = await client.query({
    name: 'allocations_of_order',
    text: `select a.payment_id, a.sub_order_id, sum(a.price)::bigint as price,
                  (select coalesce(sum(b.price), 0)::bigint from refund_allocations b
                    where b.corp_id = $1 and b.sub_order_id = a.sub_order_id and b.payment_id = a.payment_id) as refunded
             from payment_allocations a
            where a.corp_id = $1 and a.order_id = $2 group by a.payment_id, a.sub_order_id having sum(a.price) <> 0`,
    values: [corp_id, order_id],
  })
  return { ...orders.rows[0], subOrders: parts.rows, allocations: allocations.rows }
}

export async function storeState(
  client: pg.PoolClient,
  corp_id: string,
  state: OrderState,
  at: string,
): Promise<void> {
  await client.query({
    name: 'store_parts',
    text: `update sub_orders s
              set status = new.status, completed_time = new.completed_time, mtime = $3, version = s.version + 1
             from jsonb_to_recordset($4::jsonb)
                  as new(sub_order_id text, status text, completed_time timestamptz, touched boolean)
            where s.corp_id = $1 and s.order_id = $2 and s.sub_order_id = new.sub_order_id
              and (new.touched or (s.status, s.completed_time) is distinct from (new.status, new.completed_time))`,
    values: [corp_id, state.order_id, at, JSON.stringify(state.subOrders)],
  })
  await client.query({
    name: 'store_order',
    text: `update orders
              set status = $3, is_locked = $4, completed_time = $5, expired_time = $6, mtime = $7, version = version + 1
            where corp_id = $1 and order_id = $2`,
    values: [
      corp_id,
      state.order_id,
      state.status,
      state.status === 'locked',
      state.completed_time,
      state.expired_time,
      at,
    ],
  })
}
