import type { Queryable } from '../../database/database.ts'
import { ledgerSubOrdersOf } from '../financial-store.ts'
import { orderDetailsOf, orderRowsOf } from '../order-store.ts'
import {
  type RenderedOrder,
  type RenderedSubOrder,
  storeRenderedOrders,
  storeRenderedSubOrders,
  type Zoned,
  zoneOf,
} from './read-model-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'

/**
 * Brings what is kept beside these orders up to date. Whoever writes orders calls this last, in the same transaction,
 * while it holds the ledger's clock: so counts are changed by one at a time.
 */
export async function projectOrders(tx: Queryable, corp_id: string, orderIds: string[]): Promise<void> {
  const organization = { corp_id, time_zone: await zoneOf(tx, corp_id) }
  const { documents, financial } = await renderOrders(tx, organization, orderIds)
  await storeRenderedOrders(tx, organization, documents)
  await storeRenderedSubOrders(tx, organization, orderIds, financial)
}

/** The texts of orders and of their sub-orders, as the data are now. */
export async function renderOrders(
  tx: Queryable,
  { corp_id, time_zone }: Zoned,
  orderIds: string[],
): Promise<{ documents: RenderedOrder[]; financial: RenderedSubOrder[] }> {
  const details = await orderDetailsOf(tx, corp_id, orderIds, time_zone)
  const listRows = await orderRowsOf(tx, corp_id, orderIds, time_zone)
  const rows = new Map(listRows.map((row) => [row.entity_id, row]))
  const subOrders = await ledgerSubOrdersOf(tx, corp_id, orderIds, time_zone)
  return {
    documents: details.map((detail) => ({
      order_id: detail.entity_id,
      detail: renderDetail(detail),
      list_row: renderListRow(rows.get(detail.entity_id)!),
    })),
    financial: subOrders.map((row) => ({ sub_order_id: row.sub_order_id, ...renderFinancialStart(row) })),
  }
}
