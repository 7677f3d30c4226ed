import type { Queryable } from '../../database/database.ts'
import { ledgerSubOrdersOf } from '../financial-store.ts'
import { orderDetailsOf, orderRowsOf } from '../order-store.ts'
import { CountChanges } from './count-rows.ts'
import { readModelFingerprint } from './fingerprint.ts'
import {
  deleteSubOrderRows,
  findModel,
  type OrderModelRow,
  type SubOrderModelRow,
  storeCountChanges,
  storeFingerprint,
  storeOrderRows,
  storeSubOrderRows,
  type Zoned,
} from './read-model-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'

/**
 * Brings the read model of these orders up to date. Whoever writes orders calls this last, in the same transaction, while
 * it holds the ledger's clock: so counts are changed by one at a time.
 */
export async function projectOrders(tx: Queryable, corp_id: string, orderIds: string[]): Promise<void> {
  if (orderIds.length === 0) return
  const { time_zone, fingerprint, orders, subOrders } = await findModel(tx, corp_id, orderIds)
  const rendered = await renderOrders(tx, { corp_id, time_zone }, orderIds)
  await storeOrderRows(tx, corp_id, rendered.orders)
  await storeSubOrderRows(tx, corp_id, rendered.subOrders)
  const staying = new Set(rendered.subOrders.map(({ sub_order_id }) => sub_order_id))
  const gone = subOrders.filter(({ sub_order_id }) => !staying.has(sub_order_id))
  await deleteSubOrderRows(
    tx,
    corp_id,
    gone.map(({ sub_order_id }) => sub_order_id),
  )
  const counts = new CountChanges()
  counts.add('orders', orders, -1)
  counts.add('orders', rendered.orders)
  counts.add('sub_orders', subOrders, -1)
  counts.add('sub_orders', rendered.subOrders)
  await storeCountChanges(tx, corp_id, counts.all())
  if (fingerprint !== readModelFingerprint)
    await storeFingerprint(tx, corp_id, fingerprint === null ? readModelFingerprint : mixed)
}

/** Of a model with rows of two versions of the service, which run side by side: whichever starts next rebuilds it. */
const mixed = 'mixed'

/** The rows of orders and of their sub-orders, as the data are now. */
export async function renderOrders(
  tx: Queryable,
  { corp_id, time_zone }: Zoned,
  orderIds: string[],
): Promise<{ orders: OrderModelRow[]; subOrders: SubOrderModelRow[] }> {
  const details = await orderDetailsOf(tx, corp_id, orderIds, time_zone)
  const listRows = await orderRowsOf(tx, corp_id, orderIds, time_zone)
  const rows = new Map(listRows.map((row) => [row.entity_id, row]))
  const subOrders = await ledgerSubOrdersOf(tx, corp_id, orderIds, time_zone)
  return {
    orders: details.map((detail) => ({
      order_id: detail.entity_id,
      status: detail.status,
      is_deleted: detail.is_deleted,
      ...daysOf(detail),
      detail: renderDetail(detail),
      list_row: renderListRow(rows.get(detail.entity_id)!),
    })),
    subOrders: subOrders.map((row) => ({
      sub_order_id: row.sub_order_id,
      order_id: row.order_id,
      status: row.status,
      ...daysOf(row),
      ...renderFinancialStart(row),
    })),
  }
}

/** Times are shown in the organization's zone, and begin with their day. */
function daysOf({ ctime, mtime }: { ctime: string; mtime: string }) {
  return { ctime_day: ctime.slice(0, 10), mtime_day: mtime.slice(0, 10) }
}
