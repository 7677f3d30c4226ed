import type { Queryable } from '../database/database.ts'
import { type InsertedRow, insertRows } from '../database/insert-rows.ts'

const remarkColumns = {
  remark_id: 'text',
  order_id: 'text',
  content: 'text',
  executor_id: 'text',
  ctime: 'timestamptz',
} as const

export type RemarkRow = InsertedRow<typeof remarkColumns>

export async function insertRemarks(tx: Queryable, corp_id: string, remarks: RemarkRow[]): Promise<void> {
  await insertRows(tx, 'order_remarks', remarkColumns, corp_id, remarks)
}
