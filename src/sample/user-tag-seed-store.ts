import type { Queryable } from '../database/database.ts'
import { insertRows, type NewRow } from '../database/insert-rows.ts'

const columns = {
  entity_id: 'text',
  user_id: 'text',
  tags_group_id: 'text',
  attribute: 'text',
  define_value: 'boolean',
  number_value: 'double precision',
  string_value: 'text',
  source: 'text',
  executor_id: 'text',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type UserTagImport = NewRow<typeof columns>

export async function insertUserTags(on: Queryable, corp_id: string, rows: UserTagImport[]): Promise<void> {
  await insertRows(on, 'user_tags', columns, corp_id, rows)
}
