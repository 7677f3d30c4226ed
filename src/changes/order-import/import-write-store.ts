import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Always in the same order, so that concurrent imports cannot deadlock. */
export async function lockOrders(tx: Queryable, corp_id: string, external_ids: string[]): Promise<void> {
  await tx.query(sql`
    select order_id from orders
     where corp_id = ${corp_id} and external_id = any(${external_ids}) order by order_id for update`)
}

export const importedRowColumns = {
  external_id: 'text',
  order_id: 'text',
  row_hash: 'text',
  members: 'jsonb',
  imported_at: 'timestamptz',
} as const

export interface ImportedRow {
  external_id: string
  order_id: string
  row_hash: string
  members: object
}

/** Stores the content of the rows in the transaction of their changes. */
export async function storeImportedRows(
  tx: Queryable,
  corp_id: string,
  rows: ImportedRow[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into order_import_rows (corp_id, external_id, order_id, row_hash, members, imported_at)
    select ${corp_id}, r.external_id, r.order_id, r.row_hash, r.members, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as r (external_id text, order_id text, row_hash text, members jsonb)
    on conflict (corp_id, external_id) do update
       set order_id = excluded.order_id, row_hash = excluded.row_hash, members = excluded.members,
           imported_at = excluded.imported_at`)
}
