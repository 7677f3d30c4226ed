import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attemptsOf, noteAttempts } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import {
  appendHeads,
  destinationsOf,
  headFileOf,
  readPublishedHeads,
} from '../../backup/published-heads/destinations.ts'
import { findAllHeads } from '../../backup/published-heads/head-store.ts'
import { keepPublishing } from '../../backup/published-heads/keep-publishing.ts'
import { newId } from '../../contract/new-id.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { createUser } from '../../people/users/create-user.ts'
import { updatePool } from '../../people/users/update-pool.ts'
import { createLog } from '../../server/log.ts'
import { linkEntries } from './link-entries.ts'
import { verifyAudit } from './verify-audit.ts'

const runs = attemptsOf('MATRICULA_TAMPERINGS', 25)
const tables = ['audit_entries', 'audit_links', 'audit_personal', 'audit_heads'] as const
const copied = [...tables, 'audit_waiting'] as const

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  await live()
  await linkEntries(database.app, school.corp_id)
  for (const table of copied)
    await database.superuser.query(`create table copy_of_${table} as select * from ${table}`)
})
afterAll(() => database.drop())

beforeEach(restore)

/** Entries of each kind, and texts that quoting could confuse. */
async function live(): Promise<void> {
  for (const name of ['A group', `quote ' and backslash \\ and "`, 'né en été 备注']) {
    const { user_id } = await school.run(createUser, { email: `${newId()}@example.com` })
    await school.run(updatePool, { user_id, pool: 'alive' })
    const words = { name, description: name, variable_name: newId(), category: 'x', attribute: 'string' }
    await school.run(createTagGroup, words)
    await school.order()
  }
}

const breaches = async (head?: string) => (await verifyAudit(database.app, school.corp_id, { head })).total

test('an unchanged audit has no breach, and holds its earlier heads', async () => {
  const { chains, total } = await verifyAudit(database.app, school.corp_id)
  expect(total).toBe(0)
  await school.run(createUser, { email: `${newId()}@example.com` })
  expect(await breaches(chains[0]!.head)).toBe(0)
  expect(await breaches('0'.repeat(64))).toBe(1)
})

test('any change or removal outside the service is found', async () => {
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

test('two swapped entries are found', async () => {
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

test('a chain that was rewritten without an entry no longer holds the noted head', async () => {
  const [{ head } = { head: '' }] = (await verifyAudit(database.app, school.corp_id)).chains
  await superuser('delete from audit_links where corp_id = $1')
  await superuser('delete from audit_heads where corp_id = $1')
  await superuser(
    'delete from audit_entries where ctid in (select ctid from audit_entries where corp_id = $1 limit 1 offset 3)',
  )
  await superuser(
    'insert into audit_waiting (corp_id, at, entry_id) select corp_id, at, entry_id from audit_entries where corp_id = $1',
  )
  expect(await breaches()).toBe(0)
  expect(await breaches(head)).toBe(1)
})

test('an entry that is neither linked nor waiting, and a waiting row that has no entry or is linked, are found', async () => {
  const faults: [string, string][] = [
    ['delete from audit_waiting where corp_id = $1', 'neither linked nor waiting'],
    [`insert into audit_waiting (corp_id, entry_id) values ($1, 'of nobody')`, 'waiting without an entry'],
    [
      'insert into audit_waiting (corp_id, entry_id) select corp_id, entry_id from audit_links where corp_id = $1 and seq = 2',
      'linked and waiting',
    ],
  ]
  for (const [tampering, found] of faults) {
    await restore()
    await school.run(createUser, { email: `${newId()}@example.com` })
    await superuser(tampering)
    // Other entries are still linked.
    await school.run(createUser, { email: `${newId()}@example.com` })
    expect(await linkEntries(database.app, school.corp_id)).toBeGreaterThan(0)
    const report = await verifyAudit(database.app, school.corp_id)
    expect(report).toMatchObject({ total: 1, breaches: [{ what: 'the place of the entry', found }] })
  }
})

/** As an attacker who may write the whole database: no trace of the entries is left there. */
async function removeLastTen(): Promise<{ length: number }> {
  const last = 'select entry_id from audit_links where corp_id = $1 order by seq desc limit 10'
  await superuser(`delete from audit_personal where corp_id = $1 and entry_id in (${last})`)
  await superuser(`delete from audit_entries where corp_id = $1 and entry_id in (${last})`)
  await superuser(`delete from audit_waiting where corp_id = $1`)
  await superuser(`delete from audit_links where corp_id = $1 and entry_id in (${last})`)
  const { rows } = await superuser(
    `update audit_heads h set head = l.hash, length = l.seq
       from (select corp_id, hash, seq from audit_links where corp_id = $1 order by seq desc limit 1) l
      where h.corp_id = l.corp_id returning h.length::int`,
  )
  return rows[0]
}

describe('if the last ten entries are removed and the head is rewritten, a published head is reported as missing', () => {
  let folder: string
  let heads: Record<'folder' | 'log' | 'backup', string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'matricula-heads-'))
    heads = {
      folder: join(folder, 'published'),
      log: join(folder, 'server.log'),
      backup: join(folder, 'backup'),
    }
  })
  afterAll(() => rm(folder, { recursive: true }))
  beforeEach(async () => {
    await mkdir(heads.backup, { recursive: true })
    const log = createLog('info', pino.destination({ dest: heads.log, sync: true }))
    log.info('another line of the log')
    await keepPublishing({
      ...{ db: database.app, log, grown: new Set(), intervalMs: 1, signal: AbortSignal.abort() },
      destinations: destinationsOf({ log, embeddedIn: undefined, target: { folder: heads.folder } }),
    })
    await appendHeads(headFileOf(heads.backup), await findAllHeads(database.app))
  })

  const verify = async (...places: string[]) =>
    verifyAudit(database.app, school.corp_id, { published: await readPublishedHeads(places) })

  test.each(['folder', 'log', 'backup'] as const)('in the %s', async (where) => {
    expect(await verify(heads[where])).toMatchObject({ total: 0 })
    const { length } = await removeLastTen()
    expect(await verify()).toMatchObject({ total: 0 })
    expect(await verify(heads[where])).toMatchObject({
      total: 1,
      breaches: [
        {
          what: expect.stringMatching(
            /^links were removed after 2\d{3}-\d\d-\d\dT[\d:.]+Z: the length of the chain$/,
          ),
          expected: `at least ${length + 10}`,
          found: String(length),
        },
      ],
    })
    // Other writers continue.
    for (let n = 0; n < 11; n++) await school.run(createUser, { email: `${newId()}@example.com` })
    expect(await verify()).toMatchObject({ total: 0 })
    expect(await verify(heads[where])).toMatchObject({
      total: 1,
      breaches: [
        {
          what: expect.stringMatching(/^the chain was rewritten after 2.*: link \d+$/),
          expected: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    })
  })

  test('a removed organization is reported too', async () => {
    const published = await readPublishedHeads([heads.folder])
    published.add('elsewhere', {
      corp_id: 'gone',
      at: '2026-11-17T10:00:00.000000Z',
      length: 5,
      head: 'ab'.repeat(32),
    })
    expect(await verifyAudit(database.app, undefined, { published })).toMatchObject({
      total: 1,
      breaches: [{ corp_id: 'gone', expected: 'at least 5', found: '0' }],
    })
  })
})

test('concurrent linkers link every entry once', async () => {
  await Promise.all(
    Array.from({ length: 20 }, () => school.run(createUser, { email: `${newId()}@example.com` })),
  )
  await Promise.all(Array.from({ length: 4 }, () => linkEntries(database.app, school.corp_id)))
  const { total, chains } = await verifyAudit(database.app, school.corp_id)
  expect({ total, unlinked: chains[0]!.unlinked }).toEqual({ total: 0, unlinked: 0 })
})

function superuser(text: string) {
  return database.superuser.query(text, [school.corp_id])
}

async function restore(): Promise<void> {
  for (const table of copied) {
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
