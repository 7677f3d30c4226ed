import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { sql } from './sql.ts'

test('each part of a pipeline has its rows under its name, even if the parts differ in length', async () => {
  const database = await createTestDatabase()
  const number = (value: number) => sql`select ${value}::integer as value`
  const parts = { none: [], two: [number(1), number(2)], one: number(3) }
  const expected = { none: [], two: [{ value: 1 }, { value: 2 }], one: [{ value: 3 }] }
  try {
    const on = database.app.of('school')
    expect(await on.pipeline(parts)).toEqual(expected)
    expect(await on.transaction((tx) => tx.pipeline(parts))).toEqual(expected)
  } finally {
    await database.drop()
  }
})
