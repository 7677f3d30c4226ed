import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { createUser } from '../people/users/create-user.ts'
import { createLog } from './log.ts'

const written: string[] = []
const log = createLog('info', { write: (line) => void written.push(line) })
/** Faults since the last call, without the lines of requests. */
const lines = () =>
  written
    .splice(0)
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level > 30)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('sample', { log })
})
afterAll(() => server?.close())
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a full disk is named once, and further failed calls are counted', async () => {
  const { superuser } = server.database
  // PostgreSQL reports it like this when it cannot extend a file.
  await superuser.query(`
    create function fill_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on users for each statement execute function fill_disk()`)
  try {
    const create = () => server.call(createUser, { corp_id: server.sample.corp_id, email: 'a@example.com' })
    for (let n = 0; n < 5; n++) expect(await create()).toMatchObject({ status: 503, code: 50301 })
    expect(lines()).toMatchObject([
      {
        msg: 'the database is not available',
        cause: 'the disk of the database is full',
        err: { code: '53100' },
      },
    ])
    vi.advanceTimersByTime(10_000)
    expect(lines()).toMatchObject([
      { msg: 'the database is not available', cause: 'the disk of the database is full', repeats: 4 },
    ])
    vi.advanceTimersByTime(20_000)
    expect(lines()).toEqual([])
  } finally {
    await superuser.query('drop trigger full_disk on users; drop function fill_disk')
  }
})

test('a new cause is logged at once, and other errors are never combined', () => {
  const fail = (code: string) => log.warn({ err: Object.assign(new Error(), { code }) }, 'failed')
  fail('53300')
  fail('ECONNREFUSED')
  fail('ECONNREFUSED')
  fail('23505')
  fail('23505')
  expect(lines().map(({ cause, err }) => [cause, err.code])).toEqual([
    ['the database has no connection left', '53300'],
    ['the database cannot be reached', 'ECONNREFUSED'],
    [undefined, '23505'],
    [undefined, '23505'],
  ])
  vi.advanceTimersByTime(10_000)
  expect(lines()).toMatchObject([{ cause: 'the database cannot be reached', repeats: 1 }])
})
