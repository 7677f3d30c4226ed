import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import { isVoided } from '../ledger/balance-store.ts'
import type { PaymentBalance } from '../rules/payment-balance.ts'

/** A payment as reported, with its first allocations. */
export interface Payment {
  payment_id: string
  order_id: string
  sub_order_id: string | null
  price: number
  currency: string
  exchange_rate: number
  rate: string
  settled_price: number | null
  order_price: number
  source: string
  provider: string
  method: string | null
  charge_id: string | null
  recording: number
  receipt_num: number | null
  receipt_use: number
  comments: string | null
  unapplied_reason: string | null
  payer_id: string | null
  completed_time: string
  /** Void, or moved to another order. */
  is_void: boolean
  allocations: { sub_order_id: string; price: number }[]
}

export interface Charge {
  provider: string
  charge_id: string
}

/** The charge of a payment or refund that has a charge_id. */
export function chargeOf({ provider = '', charge_id }: Partial<Charge>): Charge | undefined {
  return charge_id === undefined ? undefined : { provider, charge_id }
}

export function chargeKey({ provider, charge_id }: { provider: string; charge_id: string | null }): string {
  return `${provider} ${charge_id}`
}

const reported: Exclude<keyof Payment, 'completed_time' | 'is_void' | 'allocations'>[] = [
  'payment_id',
  'order_id',
  'sub_order_id',
  'price',
  'currency',
  'exchange_rate',
  'rate',
  'settled_price',
  'order_price',
  'source',
  'provider',
  'method',
  'charge_id',
  'recording',
  'receipt_num',
  'receipt_use',
  'comments',
  'unapplied_reason',
  'payer_id',
]
const columnsOf = (alias: string) => raw(reported.map((column) => `${alias}.${column}`).join(', '))

/** The payments of these charges with any provider, the latest recording first. */
export async function findPaymentsByCharge(
  on: Queryable,
  corp_id: string,
  chargeIds: string[],
): Promise<Payment[]> {
  if (chargeIds.length === 0) return []
  return on.query<Payment>(sql`
    select ${reportedColumns(corp_id)}
      from unnest(${chargeIds}::text[]) as charge(charge_id)
     cross join lateral (
       select ${columnsOf('p')}, p.completed_time, p.ctime
         from payments p
        where p.corp_id = ${corp_id} and p.charge_id = charge.charge_id
        order by p.recording desc offset 0) found`)
}

/** A use of a receipt number of the school. */
export type UsedReceipt = Pick<Payment, 'payment_id' | 'receipt_num' | 'receipt_use' | 'is_void'>

/** The payments with these receipt numbers, the latest use first. */
export async function findUsedReceipts(
  on: Queryable,
  corp_id: string,
  numbers: number[],
): Promise<UsedReceipt[]> {
  if (numbers.length === 0) return []
  return on.query<UsedReceipt>(sql`
    select p.payment_id, p.receipt_num, p.receipt_use, ${isVoided({ corp_id }, 'p')} as is_void
      from payments p
     where p.corp_id = ${corp_id} and p.receipt_num = any(${numbers}::bigint[]) and p.receipt_num is not null
     order by p.receipt_use desc`)
}

/** A payment as it was reported. */
export async function findReportedPayment(
  on: Queryable,
  corp_id: string,
  payment_id: string,
): Promise<Payment | undefined> {
  const [payment] = await on.query<Payment>(sql`
    select ${reportedColumns(corp_id)} from payments found
     where found.corp_id = ${corp_id} and found.payment_id = ${payment_id}`)
  return payment
}

function reportedColumns(corp_id: string): Statement {
  return sql`
    ${columnsOf('found')}, ${microseconds('found.completed_time')} as completed_time, ${isVoided({ corp_id }, 'found')} as is_void,
    coalesce((select json_agg(json_build_object('sub_order_id', a.sub_order_id, 'price', a.price) order by a.line)
                from payment_allocations a
               where a.corp_id = ${corp_id} and a.payment_id = found.payment_id and a.at = found.ctime), '[]') as allocations`
}

/** A payment with its balance. */
export interface CurrentPayment extends PaymentBalance {
  order_id: string
  /** Of the order that it was reported for, as is order_price. */
  currency: string
  completed_time: string
  /** The received amount, in the currency of the payment. */
  paid: { price: number; currency: string }
}

export async function findPayments(
  on: Queryable,
  named: { corp_id: string; payment_id?: string }[],
): Promise<Map<string, CurrentPayment>> {
  const [first] = named
  const payment_ids = named.flatMap(({ payment_id }) => payment_id ?? [])
  if (!first || payment_ids.length === 0) return new Map()
  const { corp_id } = first
  const sumOf = (table: string) => sql`
    coalesce((select sum(f.price) from ${raw(table)} f
               where f.corp_id = ${corp_id} and f.payment_id = p.payment_id), 0)::bigint`
  const payments = await on.query<CurrentPayment>(sql`
    select p.payment_id, p.order_id, o.currency, p.order_price,
           json_build_object('price', p.price, 'currency', p.currency) as paid, ${microseconds('p.completed_time')} as completed_time,
           ${sumOf('payment_voids')} as voided, ${sumOf('payment_moves')} as moved, ${sumOf('refund_allocations')} as refunded,
           coalesce((select json_agg(json_build_object('order_id', line.order_id, 'sub_order_id', line.sub_order_id,
                                                       'price', line.price, 'refunded', line.refunded))
                       from (select a.order_id, a.sub_order_id, sum(a.price) as price,
                                    coalesce((select sum(b.price) from refund_allocations b
                                               where b.corp_id = ${corp_id} and b.payment_id = p.payment_id
                                                 and b.sub_order_id = a.sub_order_id), 0) as refunded
                               from payment_allocations a
                              where a.corp_id = ${corp_id} and a.payment_id = p.payment_id
                              group by a.order_id, a.sub_order_id having sum(a.price) <> 0) line), '[]') as lines
      from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
     where p.corp_id = ${corp_id} and p.payment_id = any(${payment_ids})`)
  return new Map(payments.map((payment) => [payment.payment_id, payment]))
}

/** The sum of the voided payments that were reported for an order. */
export async function findVoidedSum(on: Queryable, corp_id: string, order_id: string): Promise<number> {
  const rows = await on.query<{ price: number }>(sql`
    select coalesce(sum(price), 0)::bigint as price from payment_voids
     where corp_id = ${corp_id} and order_id = ${order_id}`)
  return firstRow(rows).price
}
