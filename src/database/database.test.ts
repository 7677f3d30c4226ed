import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { ownSql as sql } from '../../test/harness/own-sql.ts'
import { waitFor } from '../../test/harness/process.ts'
import { isUnavailable } from './availability.ts'
import { type Database, openDatabase, type Queryable } from './database.ts'
import { PipelineQuery } from './driver/pipeline-query.ts'
import { isRefused } from './failures.ts'
import { raw, readingBytes } from './sql.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.app
  await database.superuser.query(`
    create table counters (name text primary key, value bigint not null);
    grant select, insert, update, delete on counters to matricula_app`)
})
afterAll(() => database.drop())
beforeEach(() =>
  database.superuser.query(`delete from counters; insert into counters values ('a', 0), ('b', 0)`),
)

test('a transaction that returns is committed, and its result is returned', async () => {
  const result = await db.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    await add(tx, 'b', 2)
    return 'done'
  })
  expect(result).toBe('done')
  expect(await values()).toEqual({ a: 1, b: 2 })
})

test('a transaction that throws leaves nothing, and its error is rethrown unchanged', async () => {
  const failure = new Error('no')
  const outcome = db.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    throw failure
  })
  await expect(outcome).rejects.toBe(failure)
  expect(await values()).toEqual({ a: 0, b: 0 })
})

test('a failed statement rolls back the whole transaction, even if its error is swallowed', async () => {
  const outcome = db.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    await tx.query(sql`select 1 / 0`).catch(() => {})
    return 'done'
  })
  await expect(outcome).rejects.toThrow('it was rolled back')
  expect(await values()).toEqual({ a: 0, b: 0 })
})

test('the last statements commit with the rest or roll back all of it; inside a transaction the next statement sees their effects', async () => {
  const adding = (name: string) => sql`update counters set value = value + 1 where name = ${name}`
  const seen = await db.shared.transaction(async (tx) => {
    await tx.transaction((inner) => inner.runLast([adding('a')]))
    await tx.runLast([adding('b')])
    return tx.query(sql`select name, value from counters order by name`)
  })
  expect(seen).toEqual([
    { name: 'a', value: 1 },
    { name: 'b', value: 0 },
  ])
  expect(await values()).toEqual({ a: 1, b: 1 })
  const outcome = db.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    await tx.runLast([adding('b'), sql`select 1 / 0`])
  })
  await expect(outcome).rejects.toThrow('division by zero')
  expect(await values()).toEqual({ a: 1, b: 1 })
})

test('a use case that abandons its transaction leaks no connection', async () => {
  const { host, port } = inject('postgres')
  const single = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const backend = async () => single.shared.query(sql`select pg_backend_pid() as pid`)
  const before = await backend()
  const giveUp = single.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    throw new Error('changed my mind')
  })
  await expect(giveUp).rejects.toThrow('changed my mind')
  expect(await backend()).toEqual(before)
  await single.close()
  expect(await values()).toEqual({ a: 0, b: 0 })
})

test('a transaction within a transaction takes part in it', async () => {
  await db.shared.transaction(async (tx) => {
    await tx.transaction((inner) => add(inner, 'a', 1))
    await add(tx, 'b', 1)
  })
  expect(await values()).toEqual({ a: 1, b: 1 })

  const failing = db.shared.transaction(async (tx) => {
    await tx.transaction((inner) => add(inner, 'a', 5))
    throw new Error('afterwards')
  })
  await expect(failing).rejects.toThrow('afterwards')
  expect(await values()).toEqual({ a: 1, b: 1 })
})

test('nobody sees a transaction before it ends', async () => {
  await db.shared.transaction(async (tx) => {
    await add(tx, 'a', 1)
    expect(await values()).toEqual({ a: 0, b: 0 })
  })
  expect(await values()).toEqual({ a: 1, b: 0 })
})

test('both transactions of a deadlock succeed, each with one effect', async () => {
  let attempts = 0
  let holders = 0
  const bothHold = Promise.withResolvers<void>()
  const both = (first: string, second: string) =>
    db.shared.transaction(async (tx) => {
      attempts++
      await add(tx, first, 1)
      if (++holders === 2) bothHold.resolve()
      await bothHold.promise
      await add(tx, second, 1)
    })
  await Promise.all([both('a', 'b'), both('b', 'a')])
  expect(attempts).toBeGreaterThan(2)
  expect(await values()).toEqual({ a: 2, b: 2 })
})

test('two statements in a deadlock both succeed, each with one effect', async () => {
  const both = (first: string, second: string) =>
    db.shared.query(sql`
      with one as (update counters set value = value + 1 where name = ${first} returning 1),
           wait as materialized (select pg_advisory_xact_lock_shared(1) from one)
      update counters set value = value + 1 where name = ${second} and (select count(*) from wait) = 1`)
  // Each holds its first row and waits here, before either asks for its second.
  const barrier = await database.superuser.connect()
  await barrier.query('select pg_advisory_lock(1)')
  const done = Promise.all([both('a', 'b'), both('b', 'a')])
  await waitFor(async () => (await database.lockWaits()) === 2)
  await barrier.query('select pg_advisory_unlock(1)')
  barrier.release()
  await done
  expect(await values()).toEqual({ a: 2, b: 2 })
})

test('a transaction that cannot be serialized is run again, with one effect', async () => {
  const { host, port } = inject('postgres')
  const serializable = openDatabase({
    host,
    port,
    user: 'matricula_app',
    database: database.name,
    options: '-c default_transaction_isolation=serializable',
  })
  let attempts = 0
  let reads = 0
  const bothHaveRead = Promise.withResolvers<void>()
  const readThenWrite = () =>
    serializable.shared.transaction(async (tx) => {
      attempts++
      const [row] = await tx.query<{ value: number }>(sql`select value from counters where name = 'a'`)
      if (++reads === 2) bothHaveRead.resolve()
      await bothHaveRead.promise
      await tx.query(sql`update counters set value = ${row!.value + 1} where name = 'a'`)
    })
  await Promise.all([readThenWrite(), readThenWrite()])
  await serializable.close()
  expect(attempts).toBeGreaterThan(2)
  expect(await values()).toEqual({ a: 2, b: 0 })
})

test('retries are limited, and the last failure is thrown', async () => {
  let attempts = 0
  const hopeless = db.shared.transaction(async (tx) => {
    attempts++
    await tx.query(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
  })
  await expect(hopeless).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(4)
})

test('other failures are not retried', async () => {
  let attempts = 0
  const failing = db.shared.transaction(async (tx) => {
    attempts++
    await tx.query(sql`select 1 / 0`)
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(attempts).toBe(1)
})

test('failures give their connections back', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 2 })
  const failing = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? narrow.shared.query(sql`select 1 / 0`)
      : narrow.shared.transaction((tx) => tx.query(sql`select 1 / 0`)),
  )
  const outcomes = await Promise.allSettled(failing)
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await narrow.shared.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(narrow.pool.totalCount).toBeLessThanOrEqual(2)
  expect(narrow.pool.waitingCount).toBe(0)
  await narrow.close()
})

test('closing lets statements in progress end, and refuses waiting and new ones with 50301', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const underWay = narrow.shared.transaction(async (tx) => {
    started.resolve()
    await finish.promise
    return tx.query(sql`select 1 as one`)
  })
  await started.promise
  const waiting = [narrow.of('school').query(sql`select 1`), narrow.shared.transaction(async () => 1)]
  const refused = waiting.map((each) => expect(each).rejects.toMatchObject({ code: 50301 }))
  const closed = narrow.close()
  await Promise.all(refused)
  await expect(narrow.shared.query(sql`select 1`)).rejects.toMatchObject({ code: 50301 })
  finish.resolve()
  expect(await underWay).toEqual([{ one: 1 }])
  await closed
})

test('a connection that died under a statement or a transaction is replaced', async () => {
  const die = sql`select pg_terminate_backend(pg_backend_pid())`
  await expect(db.shared.query(die)).rejects.toThrow()
  await expect(db.shared.transaction((tx) => tx.query(die))).rejects.toThrow()
  for (let n = 0; n < 20; n++) expect(await db.shared.query(sql`select ${n}::int as n`)).toEqual([{ n }])
})

/** Far longer than a response takes on a busy machine. */
const limitMs = 2000

test('a query without an answer ends at its time limit, and the next one gets another connection', async () => {
  const { host, port } = inject('postgres')
  const limits = { max: 1, query_timeout: limitMs }
  const holder = await database.superuser.connect()
  await holder.query('begin')
  await holder.query(`select value from counters where name = 'a' for update`)
  const blocked = sql`update counters set value = 9 where name = 'a'`
  const ways: ((on: Database) => Promise<unknown>)[] = [
    (on) => on.shared.query(blocked),
    (on) => on.shared.transaction((tx) => tx.query(blocked)),
    (on) => on.shared.transaction((tx) => tx.runLast([blocked])),
  ]
  const fail = async (way: (on: Database) => Promise<unknown>) => {
    const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, ...limits })
    const failure = (await way(narrow).catch((error: Error) => error)) as Error
    expect(isUnavailable(failure)).toBe(true)
    expect(isRefused(failure), 'it may have been kept').toBe(false)
    expect(await narrow.shared.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await narrow.close()
  }
  await Promise.all(ways.map(fail))
  await holder.query('rollback')
  holder.release()
})

test('the time limit of an answered query does not end the next one on its connection', async () => {
  const { host, port } = inject('postgres')
  const limits = { max: 1, query_timeout: limitMs }
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, ...limits })
  const seconds = limitMs / 2500
  for (let n = 0; n < 3; n++) {
    const answer = narrow.shared.query(sql`select ${n}::int as n from pg_sleep(${seconds})`)
    expect(await answer).toEqual([{ n }])
  }
  await narrow.close()
})

test('a statement read as bytes returns one character per byte; other statements and errors are decoded', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const text = 'Zoë 梅林 🎓'
  const bytes = Buffer.from(text).toString('latin1')
  const plain = sql`select ${text}::text as text`
  const undecoded = readingBytes(plain)
  for (let round = 0; round < 2; round++) {
    expect(await narrow.shared.pipeline([plain, undecoded, plain, undecoded])).toEqual(
      [text, bytes, text, bytes].map((each) => [{ text: each }]),
    )
    const refused = readingBytes(
      sql`select 1 / (length(${text}::text) - length(${text}::text)) as ${raw(`"${text}"`)}`,
    )
    await expect(narrow.shared.query(refused)).rejects.toThrow('division by zero')
    expect((await narrow.pool.query('select $1::text as text', [text])).rows).toEqual([{ text }])
    const unknown = readingBytes(sql`select ${raw(`"${text}"`)} from counters`)
    await expect(narrow.shared.query(unknown)).rejects.toThrow(text)
    expect(await narrow.shared.query(plain)).toEqual([{ text }])
  }
  await narrow.close()
})

test('a pipeline on a connection that has ended fails alone', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const client = await narrow.pool.connect()
  await client.end()
  const failure = await new Promise((done) => {
    client.query(new PipelineQuery([{ text: 'select 1', values: [] }], client, done))
  })
  expect(failure).toBeInstanceOf(Error)
  client.release(true)
  await narrow.close()
})

test('a statement that fails is sent again on the same connection, with the rows that it has then', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const inverse = (n: number | null) => sql`select ${n}::int as n, 12 / ${n}::int as inverse`
  for (const on of [narrow.shared, narrow.of('anybody')]) {
    for (const n of [0, 3, 0, null, 4]) {
      const row = { n, inverse: n && 12 / n }
      if (n === 0) await expect(on.query(inverse(n))).rejects.toMatchObject({ code: '22012' })
      else expect(await on.pipeline([inverse(n), inverse(n)])).toEqual([[row], [row]])
    }
  }
  await narrow.close()
})

test('rows fetched from a cursor have its current columns', async () => {
  const { host, port } = inject('postgres')
  const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
  const rowsOf = (query: string) =>
    narrow.shared.transaction(async (tx) => {
      await tx.query(sql`declare found no scroll cursor for ${raw(query)}`)
      return [
        await tx.query(sql`fetch forward 1 from found`),
        await tx.query(sql`fetch forward 1 from found`),
      ]
    })
  for (let n = 0; n < 2; n++) {
    expect(await rowsOf(`select n::bigint from generate_series(1, 2) n`)).toEqual([[{ n: 1 }], [{ n: 2 }]])
    expect(await rowsOf(`values ('x', true), ('y', false)`)).toEqual([
      [{ column1: 'x', column2: true }],
      [{ column1: 'y', column2: false }],
    ])
  }
  await narrow.close()
})

test('a commit that a cluster node has not carried out is reported as an unavailable database, and is not retried', async () => {
  await database.superuser.query(`
    create function warn_of_node() returns trigger language plpgsql as
      $$ begin raise warning 'failed to commit transaction on 127.0.0.1:5432'; return null; end $$;
    create constraint trigger warn_of_node after update on counters deferrable initially deferred
      for each row execute function warn_of_node()`)
  const adding = sql`update counters set value = value + 1 where name = 'a'`
  const ways = [
    (on: Queryable) => on.query(adding),
    (on: Queryable) => on.transaction((tx) => tx.query(adding)),
    (on: Queryable) => on.transaction((tx) => tx.runLast([adding])),
  ]
  try {
    for (const [done, way] of ways.entries()) {
      const failure = await way(db.shared).catch((error: Error) => error)
      expect(isUnavailable(failure as Error)).toBe(true)
      expect(isRefused(failure), 'it may have been kept').toBe(false)
      expect(await values()).toMatchObject({ a: done + 1 })
    }
  } finally {
    await database.superuser.query('drop trigger warn_of_node on counters')
  }
  await db.shared.query(adding)
})

test('bigint is read as a number; one that exceeds a number is an error', async () => {
  const largest = Number.MAX_SAFE_INTEGER
  expect(await db.shared.query(sql`select ${largest}::bigint as n`)).toEqual([{ n: largest }])
  const tooLarge = db.shared.query(sql`select 9007199254740993::bigint as n`)
  await expect(tooLarge).rejects.toMatchObject({ code: 40904 })
  expect(await db.shared.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('a statement returns all its rows, many or none, inside and outside a transaction', async () => {
  const many = sql`select n from generate_series(1, 3) n order by n`
  const none = sql`select n from generate_series(1, 3) n where n > 9`
  const change = sql`update counters set value = 1 where name = 'a'`
  const run = async (on: Queryable) => [await on.query(many), await on.query(none), await on.query(change)]
  const expected = [[{ n: 1 }, { n: 2 }, { n: 3 }], [], []]
  for (let n = 0; n < 3; n++) {
    expect(await run(db.of('anybody'))).toEqual(expected)
    expect(await db.of('anybody').transaction(run)).toEqual(expected)
  }
})

test('an organization id is always a parameter, never SQL', async () => {
  const hostile = `x'; update counters set value = 9; --\\`
  const current = sql`select current_setting('app.corp_id') as corp_id`
  expect(await db.of(hostile).query(current)).toEqual([{ corp_id: hostile }])
  expect(await db.of(hostile).transaction((tx) => tx.query(current))).toEqual([{ corp_id: hostile }])
  expect(await values()).toEqual({ a: 0, b: 0 })
})

test('losing the database is an error like any other', async () => {
  const { host } = inject('postgres')
  const nowhere = openDatabase({ host: `${host}-nowhere`, user: 'matricula_app', database: 'none' })
  await expect(nowhere.shared.query(sql`select 1`)).rejects.toThrow()
  await expect(nowhere.shared.transaction((tx) => tx.query(sql`select 1`))).rejects.toThrow()
  await nowhere.close()
})

async function add(on: Queryable, name: 'a' | 'b' | string, amount: number): Promise<void> {
  await on.query(sql`update counters set value = value + ${amount} where name = ${name}`)
}

async function values(): Promise<Record<string, number>> {
  const rows = await db.shared.query<{ name: string; value: number }>(
    sql`select name, value from counters ${raw('order by name')}`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
