import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { ownSql as sql } from '../../../test/harness/own-sql.ts'
import { imageTables } from './record-images.ts'

test('the image of a table has all its columns, and those that are never null are required', async () => {
  const database = await createTestDatabase()
  try {
    const rows = await database.owner.shared.query<{
      table: string
      column: string
      isRequired: boolean
    }>(sql`
      select table_name as table, column_name as column, is_nullable = 'NO' as "isRequired"
        from information_schema.columns
       where table_schema = 'public' and table_name = any(${Object.keys(imageTables)})
         and column_name <> 'corp_id' and is_generated = 'NEVER'`)
    for (const [name, { columns, required }] of Object.entries(imageTables)) {
      const own = rows.filter(({ table }) => table === name)
      expect(own.map(({ column }) => column).sort()).toEqual(Object.keys(columns).sort())
      const never = own.filter(({ isRequired }) => isRequired).map(({ column }) => column)
      expect(never.sort()).toEqual([...required].sort())
    }
  } finally {
    await database.drop()
  }
})
