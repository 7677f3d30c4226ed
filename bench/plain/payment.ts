import type pg from 'pg'
import { taken } from '../../src/contract/errors.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { FactRow } from '../../src/orders/ledger/fact-store.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import type { Payment } from '../../src/orders/payments/payment-store.ts'
import { isRepetition, receivePayment } from '../../src/orders/payments/receive-payment.ts'
import { lockOrder, recordVersion, storeState, tick } from './ledger.ts'
import { inTransaction, plainRoute } from './route.ts'

/** Records a payment in the plain way: the same rules and rows, by sequential statements. */
export const recordPayment = plainRoute(createPayment, ({ pool, account, organization }, input) =>
  inTransaction(pool, async (client) => {
    const { corp_id, order_id } = input
    const state = await lockOrder(client, corp_id, order_id)
    const at = await tick(client, corp_id)
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
    const from_status = state.status === paid.status ? null : state.status
    const { payment_id: subject_id, comments: reason } = payment
    const cause = { order_id, at, change: 'payment', from_status, executor_id: account.app_id } as const
    const made = await recordVersion(client, corp_id, { ...cause, reason, subject_id })
    return answerOf(payment, made.to_status, made.version)
  }),
)

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
                  to_char(completed_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as completed_time, '[]'::json as allocations
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

function answerOf(payment: Payment, order_status: string, order_version: number) {
  const { payment_id, order_id, order_price, unapplied_reason: because, allocations } = payment
  const sub_order_id = payment.sub_order_id ?? allocations[0]?.sub_order_id ?? null
  const applied = because === null
  return {
    payment_id,
    order_id,
    sub_order_id,
    order_price,
    applied,
    because,
    allocations,
    order_status,
    order_version,
  }
}
