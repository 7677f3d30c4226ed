import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { newId } from '../../contract/new-id.ts'
import { maintenanceOrigin } from '../../contract/origin.ts'
import { insertingEntries } from '../../database/audit-notes.ts'
import { openDatabase } from '../../database/database.ts'
import { type Statement, sql } from '../../database/sql.ts'
import { createUser } from '../../people/users/create-user.ts'
import { linkEntries } from './link-entries.ts'
import { verifyAudit } from './verify-audit.ts'

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  school = await openLedger(database)
  await linkEntries(database.app, school.corp_id)
})

const write = () => school.run(createUser, { email: `${newId()}@example.com` })

/** The ids of the linked entries, in the order of their numbers. A missing or repeated number fails. */
async function linkedIds(): Promise<string[]> {
  const { rows } = await database.superuser.query<{ seq: string; entry_id: string }>(
    'select seq, entry_id from audit_links where corp_id = $1 order by seq',
    [school.corp_id],
  )
  expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1))
  return rows.map(({ entry_id }) => entry_id)
}

async function count(table: 'audit_entries' | 'audit_waiting'): Promise<number> {
  const { rows } = await database.superuser.query(
    `select count(*)::int as total from ${table} where corp_id = $1`,
    [school.corp_id],
  )
  return rows[0].total
}

async function expectWhole(): Promise<void> {
  expect(await count('audit_waiting')).toBe(0)
  expect(await linkedIds()).toHaveLength(await count('audit_entries'))
  expect(await verifyAudit(database.app, school.corp_id)).toMatchObject({ total: 0, breaches: [] })
}

/** A session of the server's role whose transaction the test begins and commits itself. */
async function openSession(): Promise<pg.Client> {
  const { max: _, ...address } = database.appOptions
  const client = new pg.Client(address as pg.ClientConfig)
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('app.corp_id', $1, true)`, [school.corp_id])
  return client
}

/** The statements that write an entry with an id from an earlier time. */
function entryMade(msAgo: number): { entry_id: string; statements: Statement[] } {
  const note = { record_type: 'users', record_id: school.user_id, action: 'changed' as const }
  const statements = insertingEntries(school.corp_id, maintenanceOrigin, [note])
  const id = JSON.stringify(statements[0]!.values).match(/entry_id\\":\\"([0-9a-f]{32})/)![1]!
  const entry_id = (Date.now() - msAgo).toString(16).padStart(12, '0') + id.slice(12)
  const dated = statements.map(({ text, values }) => ({
    text,
    values: values.map((value) => (typeof value === 'string' ? value.replaceAll(id, entry_id) : value)),
  }))
  return { entry_id, statements: dated as Statement[] }
}

test('an entry that waits for a lock in its COMMIT is linked without another write', async () => {
  const holder = await openSession()
  const mine = sql`update users set version = version where corp_id = ${school.corp_id} and user_id = ${school.user_id}`
  await holder.query(mine.text, mine.values)
  const late = database.app.of(school.corp_id).transaction(async (tx) => {
    tx.note({ record_type: 'users', record_id: school.user_id, action: 'changed' })
    await tx.runLast([mine])
  })
  await expect.poll(database.lockWaits, { timeout: 30_000 }).toBe(1)
  await write()
  expect(await linkEntries(database.app, school.corp_id)).toBe(1)
  await holder.query('rollback')
  await holder.end()
  await late
  expect(await linkEntries(database.app, school.corp_id)).toBe(1)
  await expectWhole()
})

test.each([7, 60, 3600])(
  'an entry that commits %i s after it was made is linked without another write',
  async (seconds) => {
    const { entry_id, statements } = entryMade(seconds * 1000)
    const session = await openSession()
    for (const { text, values } of statements) await session.query(text, values)
    await write()
    expect(await linkEntries(database.app, school.corp_id)).toBe(1)
    expect(await linkEntries(database.app, school.corp_id)).toBe(0)
    await session.query('commit')
    await session.end()
    expect(await linkEntries(database.app, school.corp_id)).toBe(1)
    expect((await linkedIds()).at(-1)).toBe(entry_id)
    await expectWhole()
  },
)

test('changes of one record are linked in their order, even if the clocks of their servers differ by minutes', async () => {
  const made = [-60_000, 60_000, 0, -1000].map(entryMade)
  for (const { statements } of made) {
    const session = await openSession()
    for (const { text, values } of statements) await session.query(text, values)
    await session.query('commit')
    await session.end()
  }
  await linkEntries(database.app, school.corp_id)
  expect((await linkedIds()).slice(-4)).toEqual(made.map(({ entry_id }) => entry_id))
  await expectWhole()
})

test('the entries of one transaction are linked in the order in which it noted them', async () => {
  const names = Array.from({ length: 300 }, (_, n) => `record ${n}`)
  await database.app
    .of(school.corp_id)
    .transaction(async (tx) =>
      tx.note(...names.map((record_id) => ({ record_type: 'users', record_id, action: 'changed' as const }))),
    )
  await linkEntries(database.app, school.corp_id)
  const { rows } = await database.superuser.query(
    `select e.record_id from audit_links l join audit_entries e using (corp_id, entry_id)
      where l.corp_id = $1 and e.record_id like 'record %' order by l.seq`,
    [school.corp_id],
  )
  expect(rows.map(({ record_id }) => record_id)).toEqual(names)
})

test('a transaction that is rolled back leaves neither an entry nor a waiting row', async () => {
  const before = await count('audit_entries')
  const failing = database.app.of(school.corp_id).transaction(async (tx) => {
    tx.note({ record_type: 'users', record_id: school.user_id, action: 'changed' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  const refused = database.app.of(school.corp_id).transaction(async (tx) => {
    tx.note({ record_type: 'users', record_id: school.user_id, action: 'changed' })
    await tx.runLast([sql`select 1 / 0 as nothing`])
  })
  await expect(refused).rejects.toThrow('division by zero')
  expect(await count('audit_entries')).toBe(before)
  expect(await linkEntries(database.app, school.corp_id)).toBe(0)
  await expectWhole()
})

test('twelve writers and two linkers: every committed entry is linked once, those of a record in their order', async () => {
  const random = seededRandom()
  const linkers = [1, 2].map(() => openDatabase({ ...database.appOptions, max: 1 }))
  const writers = openDatabase({ ...database.appOptions, max: 12 })
  const records = Array.from({ length: 4 }, () => newId())
  for (const user_id of records)
    await database.superuser.query(
      `insert into users (corp_id, user_id, name, pool, version, ctime, mtime) values ($1, $2, 'X', 'public', 0, now(), now())`,
      [school.corp_id, user_id],
    )
  let committed = 0
  let isOver = false
  const change = async (user_id: string, fails: boolean) => {
    await writers.of(school.corp_id).transaction(async (tx) => {
      const [row] = await tx.query<{ version: number }>(sql`
        update users set version = version + 1 where corp_id = ${school.corp_id} and user_id = ${user_id}
        returning version`)
      tx.note({ record_type: 'users', record_id: user_id, version: row!.version, action: 'changed' })
      if (fails) throw new Error('rolled back')
    })
    committed++
  }
  const linking = linkers.map(async (db) => {
    while (!isOver) await linkEntries(db, school.corp_id)
  })
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let n = 0; n < 25; n++)
        await change(random.pick(records), random.below(4) === 0).catch(() => undefined)
    }),
  )
  isOver = true
  await Promise.all(linking)
  await linkEntries(database.app, school.corp_id)
  await Promise.all([...linkers, writers].map((db) => db.close()))
  await expectWhole()
  const { rows } = await database.superuser.query<{ record_id: string; versions: number[] }>(
    `select e.record_id, array_agg(e.version order by l.seq) as versions
       from audit_links l join audit_entries e using (corp_id, entry_id)
      where l.corp_id = $1 and e.record_id = any($2) group by e.record_id`,
    [school.corp_id, records],
  )
  for (const { versions } of rows) expect(versions).toEqual(versions.map((_, index) => index + 1))
  expect(rows.reduce((sum, { versions }) => sum + versions.length, 0)).toBe(committed)
})

test('a linker that is killed between batches neither repeats nor omits an entry', async () => {
  const notes = Array.from({ length: 2500 }, (_, n) => ({
    ...{ record_type: 'users', record_id: `record ${n}`, action: 'changed' as const },
  }))
  await database.app.of(school.corp_id).transaction(async (tx) => tx.note(...notes))
  const before = (await linkedIds()).length
  // The link of another transaction, in the middle of the second batch, makes the linker wait there.
  const holder = await database.superuser.connect()
  await holder.query('begin')
  await holder.query(
    `insert into audit_links (corp_id, seq, entry_id, content_hash, hash) values ($1, $2, 'x', 'x', 'x')`,
    [school.corp_id, before + 1500],
  )
  const killed = openDatabase({ ...database.appOptions, max: 1, application_name: 'killed linker' })
  const linking = linkEntries(killed, school.corp_id).catch((error: Error) => error)
  await expect.poll(database.lockWaits, { timeout: 30_000 }).toBe(1)
  await holder.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed linker'`,
  )
  expect(await linking).toBeInstanceOf(Error)
  await holder.query('rollback')
  holder.release()
  await killed.close()
  expect((await linkedIds()).length).toBe(before + 1000)
  expect(await linkEntries(database.app, school.corp_id)).toBe(1500)
  await expectWhole()
})
