import { newId } from '../../src/contract/new-id.ts'
import type { OrderStatus } from '../../src/contract/order-statuses.ts'
import type { Queryable } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { holdClock } from '../../src/orders/ledger/ledger-clock-store.ts'
import { projectOrders } from '../../src/orders/listing/project-orders.ts'

/** Instants are text, since a Date loses their microseconds. */
export interface PlainOrder {
  order_id: string
  ctime: string
  mtime: string
  status: OrderStatus
}

export function plainOrder(order: Partial<PlainOrder> = {}): PlainOrder {
  const ctime = order.ctime ?? new Date().toISOString()
  return { order_id: newId(), ctime, mtime: ctime, status: 'created', ...order }
}

/** A user of an organization, for orders. */
export async function insertPlainUser(on: Queryable, corp_id: string): Promise<string> {
  const user_id = newId()
  await on.query(sql`
    insert into users (corp_id, user_id, name, pool, ctime, mtime)
    values (${corp_id}, ${user_id}, 'Somebody', 'public', now(), now())`)
  return user_id
}

/** Orders of one user, each with one sub-order that has the same times, status and id. */
export async function insertPlainOrders(
  on: Queryable,
  corp_id: string,
  user_id: string,
  orders: PlainOrder[],
): Promise<void> {
  const rows = sql`
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
      as r (order_id text, ctime timestamptz, mtime timestamptz, status text)`
  await on.transaction(async (tx) => {
    await tx.query(sql`
      insert into orders (corp_id, order_id, user_id, type, source, status, currency, listed_price, discounted_price,
                          total_price, ctime, mtime)
      select ${corp_id}, order_id, ${user_id}, 'course', 'open_api', status, 'CNY', 1000, 1000, 1000, ctime, mtime ${rows} returning 1`)
    await tx.query(sql`
      insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, ctime, mtime)
      select ${corp_id}, order_id, order_id, 1, 'full', status, 'CNY', 1000, ctime, mtime ${rows} returning 1`)
    await projectPlainOrders(
      tx,
      corp_id,
      orders.map(({ order_id }) => order_id),
    )
  })
}

/** Updates the read model, which a test that bypasses the ledger must do itself. */
export async function projectPlainOrders(tx: Queryable, corp_id: string, orderIds: string[]): Promise<void> {
  await holdClock(tx, corp_id)
  await projectOrders(tx, corp_id, orderIds)
}
