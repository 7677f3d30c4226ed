import type { JsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import { readingBytes, sql } from '../../database/sql.ts'

/** The details of orders, as the read model has them: JSON, ready to be sent. */
export const findOrderDetail = batchedRead(async (on, { corp_id }, orderIds) => {
  const rows = await on.query<{ order_id: string; detail: JsonBytes }>(
    readingBytes(sql`
      select order_id, detail from order_read_model where corp_id = ${corp_id} and order_id = any(${orderIds})`),
  )
  return new Map(rows.map(({ order_id, detail }) => [order_id, detail]))
})
