import type { Queryable } from '../database/database.ts'
import { insertRows, type NewRow } from '../database/insert-rows.ts'

const columns = {
  entity_id: 'text',
  name: 'text',
  variable_name: 'text',
  description: 'text',
  attribute: 'text',
  category: 'text',
  type: 'text',
  is_active: 'boolean',
  is_auto: 'boolean',
  is_locked: 'boolean',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type TagGroupImport = NewRow<typeof columns>

export async function insertTagGroups(on: Queryable, corp_id: string, rows: TagGroupImport[]): Promise<void> {
  await insertRows(on, 'tag_groups', columns, corp_id, rows)
}
