import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../../src/access/audit/link-entries.ts'
import { newId } from '../../../src/contract/new-id.ts'
import { addEvents } from '../../../src/events/add-events.ts'
import { startEpoch } from '../../../src/events/feed-store.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { type ClientSchool, openClientSchool } from '../test/client-of.ts'
import { type FaultProxy, startFaultProxy } from '../test/fault-proxy.ts'
import type { FollowOptions } from './follow.ts'
import type { Event } from './generated/types.ts'
import type { Matricula } from './matricula.ts'

let server: TestServer
let proxy: FaultProxy
let school: ClientSchool
let m: Matricula

beforeAll(async () => {
  server = await startTestServer('matricula')
  proxy = await startFaultProxy(server.url, 0)
  school = await openClientSchool(server)
  m = school.client({ baseUrl: proxy.url })
})
afterAll(async () => {
  await proxy?.close()
  await server?.close()
})

/** Makes a person, and adds the event to the feed as a server does. */
async function happen(): Promise<string> {
  const { user_id } = await m.users.create({ email: `${newId()}@example.com` })
  await linkEntries(server.db, school.corp_id)
  if ((await addEvents(server.db, school.corp_id)) > 0) server.wakeReaders([school.corp_id])
  return user_id
}

/** Follows until the handler has had this many events. */
async function followFor(count: number, options: Partial<FollowOptions>, from?: string) {
  const stop = new AbortController()
  const steps: string[] = []
  const ids: string[] = []
  let cursor = from
  await m.events.follow(
    {
      cursor,
      save: (next) => {
        cursor = next
        steps.push('saved')
        if (ids.length >= count) stop.abort()
      },
      waitSeconds: 5,
      signal: stop.signal,
      ...options,
    },
    (events: Event[]) => {
      steps.push('handled')
      ids.push(...events.map(({ record_id }) => record_id))
    },
  )
  return { steps, ids, cursor }
}

test('the handler gets every event, and the cursor is saved after it', async () => {
  const first = await happen()
  const before = await followFor(1, {})
  expect(before).toMatchObject({ steps: ['handled', 'saved'], ids: [first] })
  const faults = ['503', 'reset after', 'truncated after'] as const
  let n = 0
  proxy.choose = (path) => (path.endsWith('event/list') ? faults[n++] : undefined)
  const [second, after] = await Promise.all([happen(), followFor(1, {}, before.cursor)])
  expect(after.ids).toEqual([second])
})

test('a handler that fails ends following, and its events come again', async () => {
  const { cursor } = await followFor(1, {})
  const made = await happen()
  let saved = cursor
  const save = (next: string) => {
    saved = next
  }
  const failing = m.events.follow({ cursor, save, waitSeconds: 1 }, () => {
    throw new Error('disk full')
  })
  await expect(failing).rejects.toThrow('disk full')
  expect(saved).toBe(cursor)
  expect((await followFor(1, {}, saved)).ids).toContain(made)
})

test('without a cursor, and when it leads nowhere, all is read again first', async () => {
  let rereads = 0
  let made = ''
  // An event while the lists are read is one of the feed.
  const reread = async () => {
    rereads++
    made = await happen()
  }
  const first = await followFor(1, { reread })
  expect({ rereads, ...first }).toMatchObject({
    rereads: 1,
    steps: ['saved', 'handled', 'saved'],
    ids: [made],
  })
  await startEpoch(server.db.of(school.corp_id), school.corp_id, newId())
  await expect(followFor(1, {}, first.cursor)).rejects.toMatchObject({ code: 41001, retryable: false })
  const second = await followFor(1, { reread }, first.cursor)
  expect({ rereads, ...second }).toMatchObject({ rereads: 2, ids: [made] })
})
