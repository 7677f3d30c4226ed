import { expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { distribute, planDistribution } from './distribute.ts'
import { referenceTables, tenantTables } from './tables.ts'

test('tenant tables are distributed by corp_id and colocated', () => {
  const texts = planDistribution(new Set()).flatMap(({ kind, text }) =>
    kind === 'distributed' ? [text] : [],
  )
  expect(texts[0]).toBe(`select create_distributed_table('users', 'corp_id', colocate_with => 'none')`)
  expect(texts).toHaveLength(tenantTables.length)
  for (const text of texts.slice(1)) expect(text).toMatch(/, 'corp_id', colocate_with => 'users'\)$/)
})

test('every table of the schema is a tenant table or a reference table', async () => {
  const database = await createTestDatabase()
  const { rows } = await database.superuser.query(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  await database.drop()
  expect(rows.map(({ name }) => name).sort()).toEqual([...referenceTables, ...tenantTables].sort())
})

test('distributed tables stay as they are', () => {
  const done = new Set<string>([...referenceTables, ...tenantTables])
  done.delete('leads')
  const steps = planDistribution(done).filter(({ text }) => text !== undefined)
  expect(steps.map(({ table }) => table)).toEqual(['leads'])
})

test('a PostgreSQL without Citus is refused with one sentence', async () => {
  const { host, port } = inject('postgres')
  const address = { host, port, user: 'matricula_owner', database: 'matricula' }
  await expect(distribute(address)).rejects.toThrow(/^This database has no Citus: .+\.$/)
})
