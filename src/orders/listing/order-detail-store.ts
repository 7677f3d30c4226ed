import { type JsonBytes, jsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import { readingBytes, sql } from '../../database/sql.ts'
import { rowRenderer } from './fingerprint.ts'
import { renderOrders } from './project-orders.ts'

/** The details of orders from the read model, as JSON bytes. Renders details that are missing, or that other code rendered. */
export const findOrderDetail = batchedRead('order_id', async (on, organization, orderIds) => {
  const { corp_id } = organization
  const stored = await on.query<{ order_id: string; detail: JsonBytes }>(
    readingBytes(sql`
      select order_id, detail from order_read_model
       where corp_id = ${corp_id} and order_id = any(${orderIds}) and renderer = ${rowRenderer}`),
  )
  // The usual case: all are stored, and no id was requested twice.
  if (stored.length === orderIds.length) return stored
  const found = new Set(stored.map(({ order_id }) => order_id))
  const others = orderIds.filter((id) => !found.has(id))
  if (others.length === 0) return stored
  const { orders } = await renderOrders(on, organization, others)
  return [...stored, ...orders.map(({ order_id, detail }) => ({ order_id, detail: jsonBytes(detail) }))]
})
