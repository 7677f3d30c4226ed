import type { Queryable } from '../database/database.ts'
import { insertRows, type NewRow } from '../database/insert-rows.ts'

const columns = {
  lead_id: 'text',
  user_id: 'text',
  entry_id: 'text',
  app_id: 'text',
  fields: 'jsonb',
  ctime: 'timestamptz',
} as const

export type LeadImport = NewRow<typeof columns>

export async function insertLeads(on: Queryable, corp_id: string, rows: LeadImport[]): Promise<void> {
  await insertRows(on, 'leads', columns, corp_id, rows)
}
