import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { attemptsOf, noteAttempts } from '../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { newId } from '../contract/new-id.ts'
import { createTagGroup } from '../tag-groups/create-tag-group.ts'
import { createUser } from '../users/create-user.ts'
import { updatePool } from '../users/update-pool.ts'
import { linkEntries } from './link-entries.ts'
import { verifyAudit } from './verify-audit.ts'

const runs = attemptsOf('MATRICULA_TAMPERINGS', 25)
const tables = ['audit_entries', 'audit_links', 'audit_personal', 'audit_heads'] as const

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  await live()
  await linkEntries(database.app, school.corp_id)
  for (const table of tables)
    await database.superuser.query(`create table copy_of_${table} as select * from ${table}`)
})
afterAll(() => database.drop())

beforeEach(async () => {
  for (const table of tables) {
    await database.superuser.query(`delete from ${table}`)
    await database.superuser.query(`insert into ${table} select * from copy_of_${table}`)
  }
})

/** A little of everything, and texts that quoting could confuse. */
async function live(): Promise<void> {
  for (const name of ['A group', `quote ' and backslash \\ and "`, 'né en été 备注']) {
    const { user_id } = await school.run(createUser, { email: `${newId()}@example.com` })
    await school.run(updatePool, { user_id, pool: 'alive' })
    const words = { name, description: name, variable_name: newId(), category: 'x', attribute: 'string' }
    await school.run(createTagGroup, words)
    await school.order()
  }
}

const breaches = async (head?: string) => (await verifyAudit(database.app, school.corp_id, head)).total

test('an audit that nobody has touched is whole, and holds the heads that it had', async () => {
  const { chains, total } = await verifyAudit(database.app, school.corp_id)
  expect(total).toBe(0)
  await school.run(createUser, { email: `${newId()}@example.com` })
  expect(await breaches(chains[0]!.head)).toBe(0)
  expect(await breaches('0'.repeat(64))).toBe(1)
})

test('whatever is changed or removed behind the service’s back is found', async () => {
  const columns = await columnsOf()
  await fc.assert(
    fc
      .asyncProperty(
        fc.constantFrom(...tables),
        fc.boolean(),
        fc.nat(),
        fc.nat(),
        async (table, remove, row, column) => {
          const { rows } = await database.superuser.query(
            `select ctid from ${table} where corp_id = $1 order by ctid`,
            [school.corp_id],
          )
          const place = rows[row % rows.length].ctid
          const { name, type } = columns[table]![column % columns[table]!.length]!
          // What the newest entry is only says where to look for more.
          fc.pre(remove || !(table === 'audit_heads' && name === 'newest'))
          await database.superuser.query(
            remove
              ? `delete from ${table} where ctid = $1`
              : `update ${table} set ${name} = ${another(name, type)} where ctid = $1`,
            [place],
          )
          expect(await breaches(), `${table}.${name} ${remove ? 'removed' : 'changed'}`).toBeGreaterThan(0)
        },
      )
      .beforeEach(restore),
    { numRuns: runs },
  )
  noteAttempts('tampering with the audit', runs, 0)
})

test('two entries that change places are found', async () => {
  for (const [from, to] of [
    [2, 1002],
    [3, 2],
    [1002, 3],
  ])
    await database.superuser.query('update audit_links set seq = $3 where corp_id = $1 and seq = $2', [
      school.corp_id,
      from,
      to,
    ])
  expect(await breaches()).toBeGreaterThan(0)
})

test('a chain that was made anew without some entry no longer holds the head that was noted', async () => {
  const [{ head } = { head: '' }] = (await verifyAudit(database.app, school.corp_id)).chains
  await database.superuser.query(`delete from audit_links where corp_id = $1`, [school.corp_id])
  await database.superuser.query(`delete from audit_heads where corp_id = $1`, [school.corp_id])
  await database.superuser.query(
    `delete from audit_entries where ctid in (select ctid from audit_entries where corp_id = $1 limit 1 offset 3)`,
    [school.corp_id],
  )
  expect(await breaches()).toBe(0)
  expect(await breaches(head)).toBe(1)
})

test('those who link side by side link every entry once', async () => {
  await Promise.all(
    Array.from({ length: 20 }, () => school.run(createUser, { email: `${newId()}@example.com` })),
  )
  await Promise.all(Array.from({ length: 4 }, () => linkEntries(database.app, school.corp_id)))
  const { total, chains } = await verifyAudit(database.app, school.corp_id)
  expect({ total, unlinked: chains[0]!.unlinked }).toEqual({ total: 0, unlinked: 0 })
})

async function restore(): Promise<void> {
  for (const table of tables) {
    await database.superuser.query(`delete from ${table}`)
    await database.superuser.query(`insert into ${table} select * from copy_of_${table}`)
  }
}

interface Column {
  name: string
  type: string
}

async function columnsOf(): Promise<Record<string, Column[]>> {
  const { rows } = await database.superuser.query<Column & { table: string }>(
    `select table_name as table, column_name as name, data_type as type from information_schema.columns
      where table_name = any($1) order by 1, 2`,
    [tables],
  )
  return Object.groupBy(rows, ({ table }) => table) as Record<string, Column[]>
}

function another(name: string, type: string): string {
  if (name === 'actor_kind') return `case actor_kind when 'staff' then 'account' else 'staff' end`
  if (name === 'action') return `case action when 'made' then 'changed' else 'made' end`
  if (type === 'text') return `coalesce(${name} || 'x', 'x')`
  if (type === 'jsonb') return `coalesce(${name}, '{}') || '{"added": 1}'`
  if (type === 'timestamp with time zone') return `${name} + interval '1 microsecond'`
  return `coalesce(${name} + 1000, 1)`
}
