import type { Queryable } from '../database/database.ts'
import { ledgerSubOrdersOf } from '../orders/financial-store.ts'
import { orderDetailsOf, orderRowsOf } from '../orders/order-store.ts'
import { storeFinancialDocuments, storeOrderDocuments, zoneOf } from './derivation-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'

/**
 * Brings what is kept beside these orders up to date. Whoever writes orders calls this last, in the same transaction,
 * while it holds the ledger's clock: so counts are changed by one at a time.
 */
export async function deriveOrders(tx: Queryable, corp_id: string, orderIds: string[]): Promise<void> {
  const time_zone = await zoneOf(tx, corp_id)
  const organization = { corp_id, time_zone }
  const details = await orderDetailsOf(tx, corp_id, orderIds, time_zone)
  const rows = new Map(
    (await orderRowsOf(tx, corp_id, orderIds, time_zone)).map((row) => [row.entity_id, row]),
  )
  const documents = details.map((detail) => ({
    order_id: detail.entity_id,
    detail: renderDetail(detail),
    list_row: renderListRow(rows.get(detail.entity_id)!),
  }))
  await storeOrderDocuments(tx, organization, documents)
  const subOrders = await ledgerSubOrdersOf(tx, corp_id, orderIds, time_zone)
  const financial = subOrders.map((row) => ({ sub_order_id: row.sub_order_id, ...renderFinancialStart(row) }))
  await storeFinancialDocuments(tx, organization, orderIds, financial)
}
