import type pg from 'pg'
import { ApiError, taken } from '../../src/contract/errors.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { FactRow } from '../../src/orders/fact-store.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import type { Payment } from '../../src/orders/payments/payment-store.ts'
import { isRepetition, receivePayment } from '../../src/orders/payments/receive-payment.ts'
import type { OrderState } from '../../src/orders/rules/order-rules.ts'
import { inTransaction, plainRoute } from './route.ts'

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A payment the straightforward way: the same rules and the same rows, one statement after the other. */
export const recordPayment = plainRoute(createPayment, ({ pool, account, organization }, input) =>
  inTransaction(pool, async (client) => {
    const { corp_id, order_id } = input
    const state = await lockOrder(client, corp_id, order_id)
    const clock = await client.query({
      name: 'tick',
      text: `insert into ledger_clocks as clock (corp_id, instant_us)
             values ($1, extract(epoch from clock_timestamp()) * 1000000)
             on conflict (corp_id) do update
                set instant_us = greatest(excluded.instant_us, clock.instant_us + 1)
             returning ${utc(`(to_timestamp(0) + instant_us * interval '1 microsecond')`)} as instant`,
      values: [corp_id],
    })
    const at: string = clock.rows[0].instant
    if (input.charge_id !== undefined) {
      const existing = await findCharge(client, corp_id, input.provider ?? '', input.charge_id)
      if (existing) {
        if (!isRepetition(existing, input, state.currency, organization.time_zone))
          throw taken('charge_id', 'belongs to a payment of other content')
        return answerOf(existing, state.status, state.version)
      }
    }
    const received = receivePayment({ newId, organization, account }, input, state, at)
    const { payment, fact, state: paid } = received
    await insertPayment(client, corp_id, fact)
    await insertAllocations(client, corp_id, payment, at)
    await storeState(client, corp_id, paid, at)
    const from = state.status === paid.status ? null : state.status
    const made = await client.query({
      name: 'record_version',
      text: `insert into order_versions (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                         subject_id, record)
             select o.corp_id, o.order_id, o.version, $3, 'payment', $4, o.status, $5, $6, $7,
                    jsonb_build_object('order', to_jsonb(o), 'sub_orders', coalesce((
                      select jsonb_agg(to_jsonb(s) order by s.seq)
                        from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id), '[]'))
               from orders o where o.corp_id = $1 and o.order_id = $2
             returning version, to_status`,
      values: [corp_id, order_id, at, from, account.app_id, payment.comments, payment.payment_id],
    })
    return answerOf(payment, made.rows[0].to_status, made.rows[0].version)
  }),
)

async function lockOrder(client: pg.PoolClient, corp_id: string, order_id: string): Promise<OrderState> {
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
                  (select coalesce(sum(b.surplus_price), 0)::bigint from refund_allocations b
                    where b.corp_id = s.corp_id and b.sub_order_id = s.sub_order_id) as "surplusRefunded",
                  (select coalesce(sum(w.price), 0)::bigint from order_write_offs w
                    where w.corp_id = s.corp_id and w.sub_order_id = s.sub_order_id) as "writtenOff"
             from sub_orders s where s.corp_id = $1 and s.order_id = $2 order by s.seq`,
    values: [corp_id, order_id],
  })
  const allocations = await client.query({
    name: 'allocations_of_order',
    text: `select payment_id, sub_order_id, sum(price)::bigint as price from payment_allocations
            where corp_id = $1 and order_id = $2 group by payment_id, sub_order_id having sum(price) <> 0`,
    values: [corp_id, order_id],
  })
  return { ...orders.rows[0], subOrders: parts.rows, allocations: allocations.rows }
}

async function findCharge(
  client: pg.PoolClient,
  corp_id: string,
  provider: string,
  charge_id: string,
): Promise<Payment | undefined> {
  const { rows } = await client.query({
    name: 'find_charge',
    text: `select payment_id, order_id, sub_order_id, price, currency, exchange_rate, rate, settled_price, order_price, source,
                  provider, method, charge_id, receipt_num, comments, unapplied_reason,
                  ${utc('completed_time')} as completed_time, '[]'::json as allocations
             from payments where corp_id = $1 and provider = $2 and charge_id = $3`,
    values: [corp_id, provider, charge_id],
  })
  return rows[0]
}

async function insertPayment(
  client: pg.PoolClient,
  corp_id: string,
  payment: FactRow<'payments'>,
): Promise<void> {
  await client.query({
    name: 'insert_payment',
    text: `insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, exchange_rate, rate,
                                 settled_price, order_price, status, source, provider, method, charge_id, receipt_num,
                                 comments, unapplied_reason, completed_time, executor_id, ctime)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    values: [
      corp_id,
      payment.payment_id,
      payment.order_id,
      payment.sub_order_id,
      payment.price,
      payment.currency,
      payment.exchange_rate,
      payment.rate,
      payment.settled_price,
      payment.order_price,
      payment.status,
      payment.source,
      payment.provider,
      payment.method,
      payment.charge_id,
      payment.receipt_num,
      payment.comments,
      payment.unapplied_reason,
      payment.completed_time,
      payment.executor_id,
      payment.ctime,
    ],
  })
}

async function insertAllocations(
  client: pg.PoolClient,
  corp_id: string,
  { payment_id, order_id, allocations }: Payment,
  at: string,
): Promise<void> {
  await client.query({
    name: 'insert_allocations',
    text: `insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
           select $1, $2, $3, sub_order_id, price, $4, 'payment'
             from jsonb_to_recordset($5::jsonb) as a(sub_order_id text, price bigint)`,
    values: [corp_id, payment_id, order_id, at, JSON.stringify(allocations)],
  })
}

async function storeState(
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

function answerOf(payment: Payment, order_status: string, order_version: number) {
  const { payment_id, order_id, order_price, unapplied_reason: because, allocations } = payment
  const sub_order_id = payment.sub_order_id ?? allocations[0]?.sub_order_id ?? null
  const applied = because === null
  return {
    ...{ payment_id, order_id, sub_order_id, order_price, applied, because, allocations },
    ...{ order_status, order_version },
  }
}
