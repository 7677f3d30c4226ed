import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '../../test/harness/attempts.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { updateEmail } from '../changes/contacts/update-contact.ts'
import { newId } from '../contract/new-id.ts'
import { sql } from '../database/sql.ts'
import { importLead } from '../people/leads/import-leads.ts'
import { listLeads } from '../people/leads/list-leads.ts'
import { createUser } from '../people/users/create-user.ts'
import { listUsers } from '../people/users/list-users.ts'
import { addEvents } from './add-events.ts'
import { listEvents } from './list-events.ts'
import { modifiedBy } from './modified-records.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())
beforeEach(async () => {
  school = await openOrganization(server)
})

async function sequence(): Promise<void> {
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
}

const modify = { time_range_type: 'modify' }

test('times grow strictly in the order of the events, even after late commits', () => {
  const event = (record_id: string, at: string) => ({ record_type: 'user', record_id, at })
  const at = (time: string) => `2026-11-18T10:00:${time}Z`
  const { records, last } = modifiedBy(
    [
      event('a', at('01.000000')),
      event('b', at('00.500000')),
      event('c', at('01.000001')),
      { ...event('d', at('07.000000')), record_type: 'order' },
      event('a', at('02.000000')),
    ],
    at('00.999999'),
  )
  expect(records).toEqual([
    { list: 'users', id: 'a', time: at('02.000000') },
    { list: 'users', id: 'b', time: at('01.000001') },
    { list: 'users', id: 'c', time: at('01.000002') },
  ])
  expect(last).toBe(at('02.000000'))
  const next = modifiedBy([event('a', at('00.000000'))], at('59.999999'))
  expect(next.last).toBe('2026-11-18T10:01:00.000000Z')
})

test('a reader that walks during fast and slow writes misses no change', async () => {
  const random = seededRandom(11)
  const writing = new AbortController()
  const sequencing = (async () => {
    while (!writing.signal.aborted) await sequence()
    await sequence()
  })()
  const seen = new Map<string, number>()
  let page = 0
  const readPage = async () => {
    const { data } = await school.call(listUsers, { ...modify, page, page_size: 5 })
    for (const { user_id, version } of data.list) seen.set(user_id, version)
    if (data.list.length > 0 || page > 0) page++
    return data.list.length
  }
  const reading = (async () => {
    while (!writing.signal.aborted) await readPage()
    await sequencing
    while ((await readPage()) > 0);
  })()
  // A slow transaction that locks its row and commits after later ones.
  const slowly = (user_id: string) =>
    server.db.of(school.corp_id).transaction(async (tx) => {
      const mtime = new Date()
      await pause(random.below(30))
      const [row] = await tx.query<{ version: number }>(sql`
        update users set version = version + 1, mtime = ${mtime}
         where corp_id = ${school.corp_id} and user_id = ${user_id} returning version`)
      tx.note({ record_type: 'users', record_id: user_id, action: 'changed', version: row!.version })
      await pause(random.below(60))
    })
  const write = async () => {
    const { data } = await school.call(createUser, { email: `${newId()}@example.com` })
    for (let n = 0; n < 10; n++)
      if (random.below(2) === 0) await slowly(data.user_id)
      else await school.call(updateEmail, { user_id: data.user_id, email: `${newId()}@example.com` })
  }
  await Promise.all(Array.from({ length: 8 }, write))
  writing.abort()
  await reading

  const { rows } = await server.database.superuser.query<{ user_id: string; version: number }>(
    'select user_id, version from users where corp_id = $1',
    [school.corp_id],
  )
  expect(rows).toHaveLength(8)
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(rows.map(({ user_id, version }) => [user_id, version])),
  )
})

test('a changed person or lead moves to the end, with the version of its last event', async () => {
  const ids: string[] = []
  for (const name of ['Ann', 'Ben', 'Cleo']) {
    const { data } = await school.call(createUser, { email: `${name}@example.com` })
    ids.push(data.user_id)
    await school.call(importLead, { user_id: data.user_id, name })
  }
  await school.call(updateEmail, { user_id: ids[0]!, email: 'later@example.com' })
  await sequence()
  const users = (await school.call(listUsers, modify)).data
  expect(users.total).toBe(3)
  expect(users.list.at(-1)).toMatchObject({ user_id: ids[0], email: 'later@example.com' })
  const leads = (await school.call(listLeads, modify)).data
  expect(leads.list.map(({ user_id }: { user_id: string }) => user_id)).toEqual(ids)
  const versions = new Map<string, number>()
  for (const { record_id, version } of (await school.call(listEvents, { limit: 1000 })).data.list)
    if (version !== null) versions.set(record_id, version)
  for (const { user_id, version } of users.list) expect(version).toBe(versions.get(user_id))
  for (const { lead_id, version } of leads.list) expect(version).toBe(versions.get(lead_id))
  const newest = (await school.call(listUsers, { ...modify, sort: 'newest' })).data.list
  expect(newest[0].user_id).toBe(ids[0])
})

test('the range applies to the day of the change', async () => {
  await school.call(createUser, { email: `${newId()}@example.com` })
  await sequence()
  const today = new Date().toISOString().slice(0, 10)
  const total = async (range: object) => (await school.call(listUsers, { ...modify, ...range })).data.total
  expect(await total({ start_date: '2000-01-01', end_date: '2000-01-31' })).toBe(0)
  expect(await total({ start_date: '2000-01-01', end_date: today })).toBe(1)
})

test('other filters are refused, by name', async () => {
  expect(await school.call(listUsers, { ...modify, pool: 'public', name: 'Ann' })).toMatchObject({
    code: 40002,
    data: { errors: [{ param: 'name' }, { param: 'pool' }] },
  })
  expect(await school.call(listLeads, { ...modify, utm_source: 'x' })).toMatchObject({
    code: 40002,
    data: { errors: [{ param: 'utm_source' }] },
  })
})
