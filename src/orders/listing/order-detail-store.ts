import type { JsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import { readingBytes, sql } from '../../database/sql.ts'

/** The details of orders from the read model, as JSON bytes. */
export const findOrderDetail = batchedRead('order_id', (on, { corp_id }, orderIds) =>
  on.query<{ order_id: string; detail: JsonBytes }>(
    readingBytes(sql`
      select order_id, detail from order_read_model where corp_id = ${corp_id} and order_id = any(${orderIds})`),
  ),
)
