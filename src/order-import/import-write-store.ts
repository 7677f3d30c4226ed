import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { KnownUser } from './import-lookup-store.ts'

/** Always in the same order, so that two who lock the same orders never wait for each other. */
export async function lockOrders(tx: Queryable, corp_id: string, external_ids: string[]): Promise<void> {
  await tx.query(sql`
    select order_id from orders
     where corp_id = ${corp_id} and external_id = any(${external_ids}) order by order_id for update`)
}

/** How many were made; fewer than asked for where another call made one of them meanwhile. */
export async function makeUsers(
  tx: Queryable,
  corp_id: string,
  users: KnownUser[],
  { pool, now }: { pool: string; now: Date },
): Promise<number> {
  const rows = await tx.query(sql`
    insert into users (corp_id, user_id, area_code, mobile, email, name, pool, ctime, mtime)
    select ${corp_id}, u.user_id, u.area_code, u.mobile, u.email, u.name, ${pool}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(users)}::jsonb)
           as u (user_id text, area_code text, mobile text, email text, name text)
    on conflict do nothing
    returning user_id`)
  return rows.length
}

/** What rows tell of their users fills blanks, and overwrites nothing. */
export async function fillUsers(
  tx: Queryable,
  corp_id: string,
  users: KnownUser[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update users u
       set area_code = coalesce(u.area_code, new.area_code), mobile = coalesce(u.mobile, new.mobile),
           email = coalesce(u.email, new.email), name = coalesce(u.name, new.name),
           mtime = ${now}, version = u.version + 1
      from jsonb_to_recordset(${JSON.stringify(users)}::jsonb)
           as new (user_id text, area_code text, mobile text, email text, name text)
     where u.corp_id = ${corp_id} and u.user_id = new.user_id`)
}

export interface ImportedRow {
  external_id: string
  order_id: string
  row_hash: string
  members: object
}

/** What the rows said, in the transaction of what they did. */
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
