import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { ownSql as sql } from '../../test/harness/own-sql.ts'
import { tapStatements } from '../../test/harness/statement-tap.ts'
import { newId } from '../contract/new-id.ts'
import { type Database, openDatabase } from './database.ts'
import { beginTexts, type QueryMode } from './query-mode.ts'
import type { Statement } from './sql.ts'

let database: TestDatabase
const organizations = [`it's \\ "one"`, newId()]

beforeAll(async () => {
  database = await createTestDatabase()
  for (const corp_id of organizations) {
    await database.superuser.query(
      `insert into organizations (corp_id, name, ctime, mtime) values ($1, 'x', now(), now())`,
      [corp_id],
    )
    await database.superuser.query(
      `insert into courses (corp_id, course_id, course_code, name, currency, listed_price, ctime, mtime)
       values ($1, 'c', 'c', $1, 'CNY', 1, now(), now())`,
      [corp_id],
    )
  }
})
afterAll(() => database.drop())

/** Every way in which statements can be sent, on the same plain PostgreSQL. */
describe.each<[string, QueryMode, string]>([
  ['prepared', { prepared: true, sharded: false }, 'matricula_app'],
  ['unnamed', { prepared: false, sharded: false }, 'matricula_app'],
  [
    'unnamed, with the app role set each time',
    { prepared: false, sharded: false, role: 'matricula_app' },
    'postgres',
  ],
  ['sharded', { prepared: true, sharded: true }, 'matricula_app'],
  ['sharded and unnamed', { prepared: false, sharded: true, role: 'matricula_app' }, 'postgres'],
])('statements that are %s', (_, queryMode, user) => {
  let db: Database
  beforeAll(() => {
    const { host, port } = inject('postgres')
    db = openDatabase({
      ...{ host, port, user, database: database.name, max: 1, queryMode },
      ...{ statement_timeout: 1234, lock_timeout: 567, idle_in_transaction_session_timeout: 1234 },
    })
  })
  afterAll(() => db.close())
  const names = sql`
    select name, current_user as role, current_setting('statement_timeout') as timeout, current_setting('jit') as jit from courses`

  test('see one organization only, as the role of the server and with its limits', async () => {
    for (const corp_id of [...organizations, ...organizations]) {
      const seen = [{ name: corp_id, role: 'matricula_app', timeout: '1234ms', jit: 'off' }]
      expect(await db.of(corp_id).query(names)).toEqual(seen)
      expect(await db.of(corp_id).transaction((tx) => tx.query(names))).toEqual(seen)
      expect(await db.of(corp_id).snapshot((tx) => tx.query(names))).toEqual(seen)
    }
    expect(await db.shared.query(names)).toEqual([])
  })

  test('write nothing to a schema that needs a newer version, and read it', async () => {
    const [corp_id = ''] = organizations
    const knows = async (knownSchema: number) => {
      const { host, port } = inject('postgres')
      return openDatabase({ host, port, user, database: database.name, max: 1, queryMode, knownSchema })
    }
    const write = sql`update courses set listed_price = listed_price + 1 where corp_id = ${corp_id} returning listed_price`
    const [older, newer] = [await knows(1), await knows(2)]
    expect(await older.of(corp_id).query(write)).toHaveLength(1)
    await database.superuser.query('update schema_migrations set oldest_writer = 2 where id = 1')
    const refusal = {
      code: 50301,
      message: expect.stringContaining('this server is too old to change records'),
    }
    await expect(older.of(corp_id).query(write)).rejects.toMatchObject(refusal)
    await expect(older.of(corp_id).pipeline([names, write])).rejects.toMatchObject(refusal)
    await expect(older.of(corp_id).transaction((tx) => tx.query(write))).rejects.toMatchObject(refusal)
    expect(await older.of(corp_id).query(names)).toHaveLength(1)
    expect(await older.of(corp_id).snapshot((tx) => tx.query(names))).toHaveLength(1)
    expect(await newer.of(corp_id).query(write)).toHaveLength(1)
    await database.superuser.query('update schema_migrations set oldest_writer = null where id = 1')
    expect(await older.of(corp_id).transaction((tx) => tx.query(write))).toHaveLength(1)
    await Promise.all([older.close(), newer.close()])
  })

  test('take parameters, return what they change, and leave nothing set behind', async () => {
    const [corp_id] = organizations as [string]
    const update = sql`update courses set listed_price = listed_price + ${5} where corp_id = ${corp_id} returning course_id`
    expect(await db.of(corp_id).query(update)).toEqual([{ course_id: 'c' }])
    const { rows } = await db.pool.query(
      `select coalesce(current_setting('app.corp_id', true), '') as corp_id`,
    )
    expect(rows).toEqual([{ corp_id: '' }])
  })

  test('fail alone: the connection stays usable', async () => {
    const [, corp_id] = organizations as [string, string]
    const on = db.of(corp_id)
    const broken = sql`insert into courses (corp_id, course_id, course_code, name, currency, listed_price, ctime, mtime)
      values (${corp_id}, 'd', 'd', 'd', 'CNY', ${-1}, now(), now())`
    await expect(on.query(broken)).rejects.toThrow(/check constraint/)
    await expect(on.query(sql`select nothing from nowhere`)).rejects.toThrow(/does not exist/)
    await expect(on.query(sql`select 1 / ${0}::integer as x`)).rejects.toThrow(/division by zero/)
    expect(await on.query(names)).toHaveLength(1)
    await expect(on.transaction((tx) => tx.query(broken))).rejects.toThrow(/check constraint/)
    expect(await on.query(sql`select course_id from courses where corp_id = ${corp_id}`)).toHaveLength(1)
  })

  const insertCourse = (corp_id: string, id: string, listed_price = 1) => sql`
    insert into courses (corp_id, course_id, course_code, name, currency, listed_price, ctime, mtime)
    values (${corp_id}, ${id}, ${id}, ${id}, 'CNY', ${listed_price}, now(), now()) returning course_id`
  const coursesOf = (corp_id: string) =>
    sql`select course_id from courses where corp_id = ${corp_id} order by course_id`

  test.each(['alone', 'inside a transaction'])(
    'sent together, %s, are one transaction: each has its rows and sees those before, a failure leaves nothing',
    async (where) => {
      const corp_id = organizations[1]!
      const together = <Rows extends object[]>(statements: Statement[]) =>
        where === 'alone'
          ? db.of(corp_id).pipeline<Rows>(statements)
          : db.of(corp_id).transaction((tx) => tx.pipeline<Rows>(statements))
      const id = newId()
      // The same text twice, so that it is prepared, and one that returns nothing.
      const twice = [insertCourse(corp_id, `${id}1`), insertCourse(corp_id, `${id}2`)]
      const set = sql`update courses set listed_price = ${2} where corp_id = ${corp_id} and course_id = ${id}`
      expect(await together([...twice, set, coursesOf(corp_id)])).toEqual([
        [{ course_id: `${id}1` }],
        [{ course_id: `${id}2` }],
        [],
        expect.arrayContaining([{ course_id: 'c' }, { course_id: `${id}1` }, { course_id: `${id}2` }]),
      ])
      const before = await db.of(corp_id).query(coursesOf(corp_id))
      const failing = [insertCourse(corp_id, newId()), insertCourse(corp_id, newId(), -1), sql`select ${1}`]
      await expect(together(failing)).rejects.toThrow(/check constraint/)
      const unsendable: Record<string, unknown> = {}
      unsendable.itself = unsendable
      await expect(
        together([insertCourse(corp_id, newId()), sql`select ${unsendable}::jsonb`]),
      ).rejects.toThrow(/circular/)
      expect(await db.of(corp_id).query(coursesOf(corp_id))).toEqual(before)
      expect(await db.of(organizations[0]!).pipeline([names, coursesOf(corp_id)])).toMatchObject([
        [{ name: organizations[0] }],
        [],
      ])
      await together([sql`delete from courses where corp_id = ${corp_id} and course_id <> 'c'`])
    },
  )

  test('belong to their transaction, even if its first statement could not be sent', async () => {
    const corp_id = organizations[1]!
    const before = await db.of(corp_id).query(coursesOf(corp_id))
    const unsendable: Record<string, unknown> = {}
    unsendable.itself = unsendable
    const cut = db.of(corp_id).transaction(async (tx) => {
      await expect(tx.query(sql`select ${unsendable}::jsonb`)).rejects.toThrow(/circular/)
      await tx.query(insertCourse(corp_id, newId()))
      expect(await tx.query(coursesOf(corp_id))).toHaveLength(before.length + 1)
      throw new Error('cancelled')
    })
    await expect(cut).rejects.toThrow('cancelled')
    expect(await db.of(corp_id).query(coursesOf(corp_id))).toEqual(before)
    expect(await db.of(corp_id).transaction(async () => 'nothing to do')).toBe('nothing to do')
  })

  test(`${queryMode.prepared ? 'have' : 'have no'} names`, async () => {
    const statement = sql`select ${newId()}::text as x, 'named?' as y`
    await db.of('x').query(statement)
    await db.of('x').transaction((tx) => tx.query(statement))
    const { rows } = await db.pool.query(
      `select name from pg_prepared_statements where statement like '%named?%'`,
    )
    expect(rows).toHaveLength(queryMode.prepared ? 1 : 0)
  })
})

test('on a sharded engine the organization is set by commands that reach every node', () => {
  const session = {
    settings: { 'citus.propagate_set_commands': 'local' },
    queryMode: { prepared: true, sharded: true },
  }
  expect(beginTexts(`o'hara`, 'read only', session)).toEqual([
    'begin read only',
    `set local citus.propagate_set_commands = 'local'`,
    `set local app.corp_id = 'o''hara'`,
  ])
})

test('on a sharded engine each command of a transaction is a separate message, because nodes are sent whole texts', async () => {
  const { host, port } = inject('postgres')
  const queryMode = { prepared: true, sharded: true }
  const db = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1, queryMode })
  const texts: string[] = []
  const tap = tapStatements((text) => {
    texts.push(text)
    return text
  })
  await db.of('x').transaction((tx) => tx.query(sql`select 'inside' as x`))
  tap.remove()
  await db.close()
  expect(texts).toEqual([
    'begin',
    `set local jit = 'off'`,
    `set local citus.propagate_set_commands = 'local'`,
    `set local app.corp_id = 'x'`,
    `select 'inside' as x`,
    'commit',
  ])
})

test('on a sharded engine a statement is one pipeline: begin, set local, statement, commit', async () => {
  const { host, port } = inject('postgres')
  const queryMode = { prepared: true, sharded: true }
  const db = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1, queryMode })
  const texts: string[] = []
  const tap = tapStatements((text) => {
    texts.push(text)
    return text
  })
  await db.of('x').query(sql`select 'pipeline' as x`)
  tap.remove()
  await db.close()
  expect(texts).toEqual([
    'begin',
    `set local jit = 'off'`,
    `set local citus.propagate_set_commands = 'local'`,
    `set local app.corp_id = 'x'`,
    `select 'pipeline' as x`,
    'commit',
  ])
})
