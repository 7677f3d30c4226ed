import { type InsertedRow, insertingRows } from '../../database/insert-rows.ts'
import { type Statement, sql } from '../../database/sql.ts'
import { isVoided } from './balance-store.ts'
import { reopeningLines } from './reopened-line-store.ts'

/** The columns of fact tables. Facts are never changed. Amounts are in the order's currency unless a column names another. */
const factColumns = {
  payments: {
    payment_id: 'text',
    /** The order that it was reported for. Allocations name the orders that have its money. */
    order_id: 'text',
    sub_order_id: 'text',
    price: 'bigint',
    currency: 'text',
    /** The rate × 10,000, as the interface shows it. `rate` is exact. */
    exchange_rate: 'bigint',
    rate: 'numeric',
    settled_price: 'bigint',
    /** In the order's currency: settled_price, or price × rate, rounded once. */
    order_price: 'bigint',
    status: 'text',
    source: 'text',
    provider: 'text',
    method: 'text',
    charge_id: 'text',
    recording: 'integer',
    receipt_num: 'bigint',
    receipt_use: 'integer',
    comments: 'text',
    unapplied_reason: 'text',
    completed_time: 'timestamptz',
    executor_id: 'text',
    payer_id: 'text',
    ctime: 'timestamptz',
  },
  payment_allocations: {
    payment_id: 'text',
    order_id: 'text',
    sub_order_id: 'text',
    /** The seq of the sub-order at that time. */
    line: 'integer',
    price: 'bigint',
    at: 'timestamptz',
    cause: 'text',
  },
  payment_voids: {
    payment_id: 'text',
    order_id: 'text',
    price: 'bigint',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  payment_moves: {
    payment_id: 'text',
    to_payment_id: 'text',
    order_id: 'text',
    price: 'bigint',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  refunds: {
    refund_id: 'text',
    order_id: 'text',
    sub_order_id: 'text',
    payment_id: 'text',
    kind: 'text',
    price: 'bigint',
    /** The returned amount, in this currency and by this rate. */
    returned_price: 'bigint',
    currency: 'text',
    exchange_rate: 'bigint',
    rate: 'numeric',
    reason: 'text',
    provider: 'text',
    method: 'text',
    charge_id: 'text',
    executor_id: 'text',
    completed_time: 'timestamptz',
    ctime: 'timestamptz',
  },
  refund_allocations: {
    refund_id: 'text',
    payment_id: 'text',
    order_id: 'text',
    /** '' for unapplied money. */
    sub_order_id: 'text',
    line: 'integer',
    price: 'bigint',
    surplus_price: 'bigint',
    credited_price: 'bigint',
    at: 'timestamptz',
  },
  refund_reversals: {
    refund_id: 'text',
    order_id: 'text',
    price: 'bigint',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  order_retentions: {
    order_id: 'text',
    price: 'bigint',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  order_write_offs: {
    order_id: 'text',
    sub_order_id: 'text',
    price: 'bigint',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  order_transfers: {
    transfer_id: 'text',
    from_order_id: 'text',
    to_order_id: 'text',
    price: 'bigint',
    reverses_id: 'text',
    reason: 'text',
    executor_id: 'text',
    at: 'timestamptz',
  },
  order_remarks: {
    remark_id: 'text',
    order_id: 'text',
    content: 'text',
    executor_id: 'text',
    ctime: 'timestamptz',
  },
} as const

type InsertedTable = keyof typeof factColumns
export type FactRow<Table extends InsertedTable> = InsertedRow<(typeof factColumns)[Table]>
export type Facts = { [Table in InsertedTable]?: FactRow<Table>[] }

/** One statement per table with facts. */
export function insertingFacts(corp_id: string, facts: Facts[]): Statement[] {
  const insertions = Object.entries(factColumns).flatMap(([table, columns]) => {
    const rows = facts.flatMap((each) => (each[table as InsertedTable] ?? []) as object[])
    return insertingRows(table, columns, corp_id, rows as never)
  })
  const payment_voids = facts.flatMap((each) => each.payment_voids ?? [])
  const payment_moves = facts.flatMap((each) => each.payment_moves ?? [])
  const refund_reversals = facts.flatMap((each) => each.refund_reversals ?? [])
  return [...insertions, ...reopeningLines(corp_id, { payment_voids, payment_moves, refund_reversals })]
}

/** Charges that were read, and the numbers of their payments. A void, and its reversal, change `valid` only. */
export interface ReadCharges {
  ids: string[]
  payments: number
  valid: number
}

/** Counts the payments of charges with any provider. */
export function countingPayments(corp_id: string, chargeIds: string[]): Statement {
  return sql`
    select count(*)::integer as payments,
           count(*) filter (where not ${isVoided({ corp_id }, 'p')})::integer as valid
      from payments p
     where p.corp_id = ${corp_id} and p.charge_id = any(${chargeIds}::text[])`
}
