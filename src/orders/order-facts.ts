import { type FactTableName, factTableNames } from './ledger/chain/fact-tables.ts'
import type { Facts } from './ledger/fact-store.ts'
import type { LedgerInstant } from './ledger/ledger-clock-store.ts'
import { difference } from './rules/allocation.ts'
import { held, type OrderState } from './rules/order-rules.ts'

interface Cause {
  change: string
  reason: string | null
  executor_id: string | null
  at: LedgerInstant
}

/** The facts that follow from two states of an order: allocations, retentions and write-offs, as far as they differ. */
export function factsOf(before: OrderState, after: OrderState, cause: Cause): Facts {
  const { order_id } = after
  const { change, at, ...why } = cause
  const seqs = new Map([...before.subOrders, ...after.subOrders].map((each) => [each.sub_order_id, each.seq]))
  return {
    payment_allocations: difference(before.allocations, after.allocations).map((line) => ({
      ...line,
      order_id,
      line: seqs.get(line.sub_order_id) ?? 1,
      at,
      cause: change,
    })),
    order_retentions: nonZero([{ order_id, price: retained(after) - retained(before), ...why, at }]),
    order_write_offs: nonZero(writtenOff(before, after).map((line) => ({ ...line, order_id, ...why, at }))),
  }
}

/** A canceled order retains the money that it holds. */
function retained(state: OrderState): number {
  return state.status === 'canceled' ? held(state) : 0
}

function writtenOff(before: OrderState, after: OrderState): { sub_order_id: string; price: number }[] {
  const prices = new Map(after.subOrders.map((each) => [each.sub_order_id, each.writtenOff]))
  for (const { sub_order_id, writtenOff: price } of before.subOrders)
    prices.set(sub_order_id, (prices.get(sub_order_id) ?? 0) - price)
  return [...prices].map(([sub_order_id, price]) => ({ sub_order_id, price }))
}

function nonZero<Row extends { price: number }>(rows: Row[]): Row[] {
  return rows.filter(({ price }) => price !== 0)
}

/** The tables that these facts are stored in. A payment brings its receipt. */
export function tablesOf(facts: Facts[]): FactTableName[] {
  return factTableNames.filter((table) =>
    facts.some((each) => (table === 'receipts' ? each.payments : each[table])?.length),
  )
}
