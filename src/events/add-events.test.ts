import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger } from '../../test/harness/ledger.ts'
import { type FollowLinks, linkEntries } from '../access/audit/link-entries.ts'
import { updateEmail } from '../changes/contacts/update-contact.ts'
import { newId } from '../contract/new-id.ts'
import { openDatabase } from '../database/database.ts'
import { updateOrder } from '../orders/update-order.ts'
import { createUser } from '../people/users/create-user.ts'
import { addEvents, followLinks } from './add-events.ts'
import { eventTypeNames } from './event-types.ts'
import { findChainsWithWork, findEvents, findFeed, pruneEvents } from './feed-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function eventsOfSchool(corp_id: string) {
  const on = database.app.of(corp_id)
  const { length } = await findFeed(on, corp_id)
  return findEvents(on, corp_id, { after: 0, until: length, types: eventTypeNames, limit: 1_000_000 })
}

test('writers, rollbacks and two sequencers at once: no event is missing, doubled or out of order', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  const other = openDatabase({ ...database.appOptions, max: 4 })
  const random = seededRandom(7)
  const isWriting = new AbortController()
  let followed = 0
  /** Follows links in their transaction, or afterwards. */
  const sequence = async (db: typeof other, follow?: FollowLinks) => {
    while (!isWriting.signal.aborted) {
      await linkEntries(db, corp_id, 1, follow)
      await addEvents(db, corp_id)
    }
  }
  const follow: FollowLinks = async (...links) => {
    followed += await followLinks(...links)
  }
  const write = async (writer: number) => {
    const { user_id } = await school.run(createUser, { email: `${newId()}@example.com` })
    for (let change = 0; change < 12; change++) {
      await school.run(updateEmail, { user_id, email: `${writer}-${change}-${newId()}@example.com` })
      if (random.below(10) < 3)
        await database.app
          .of(corp_id)
          .transaction(async (tx) => {
            tx.note({ record_type: 'users', record_id: user_id, action: 'changed' })
            await pause(random.below(5))
            throw new Error('rolled back')
          })
          .catch(() => undefined)
    }
    return user_id
  }
  const sequencing = [sequence(database.app, follow), sequence(other)]
  const userIds = await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)))
  isWriting.abort()
  await Promise.all(sequencing)
  await linkEntries(other, corp_id)
  await addEvents(other, corp_id)
  await other.close()

  expect(followed).toBeGreaterThan(0)
  const events = await eventsOfSchool(corp_id)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  for (const user_id of userIds) {
    const own = events.filter(({ record_id }) => record_id === user_id)
    expect(own.map(({ type }) => type)).toEqual(['user.created', ...Array(12).fill('user.updated')])
    expect(own.map(({ version }) => version)).toEqual(own.map((_, index) => index + 1))
  }
})

test('links that are followed in their transaction give the events that they give afterwards', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  const write = async () => {
    const { order_id } = await school.order()
    await school.run(updateOrder, { order_id, version: 1, contract_id: newId() })
    await school.run(updateEmail, { user_id: school.user_id, email: `${newId()}@example.com` })
  }
  await linkEntries(database.app, corp_id)
  await write()
  const { superuser } = database
  const follow: FollowLinks = async (...links) => {
    await followLinks(...links)
  }
  // The feed is behind: the new links are left to the next run.
  await linkEntries(database.app, corp_id, 1, follow)
  expect(await eventsOfSchool(corp_id)).toEqual([])
  await addEvents(database.app, corp_id)
  await write()
  await linkEntries(database.app, corp_id, 1, follow)
  expect(await addEvents(database.app, corp_id)).toBe(0)
  const events = await eventsOfSchool(corp_id)
  const modified = async () =>
    (await superuser.query('select * from modified_records where corp_id = $1 order by list, id', [corp_id]))
      .rows
  const records = await modified()
  for (const table of ['events', 'event_feeds', 'modified_records'])
    await superuser.query(`delete from ${table} where corp_id = $1`, [corp_id])
  await addEvents(database.app, corp_id)
  expect(await eventsOfSchool(corp_id)).toEqual(events)
  expect(await modified()).toEqual(records)
})

test('an event names the changed members, and holds no value of them', async () => {
  const school = await openLedger(database)
  const email = `canary-${newId()}@example.com`
  await school.run(updateEmail, { user_id: school.user_id, email })
  await linkEntries(database.app, school.corp_id)
  await addEvents(database.app, school.corp_id)
  const events = await eventsOfSchool(school.corp_id)
  expect(events.at(-1)).toMatchObject({ type: 'user.updated', record_id: school.user_id, changed: ['email'] })
  expect(JSON.stringify(events)).not.toContain(email)
})

test('an interrupted feed continues from its last event', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  for (let n = 0; n < 5; n++) await school.run(createUser, { email: `${newId()}@example.com` })
  await linkEntries(database.app, corp_id)
  await addEvents(database.app, corp_id)
  const before = await eventsOfSchool(corp_id)
  const hasWork = async () => (await findChainsWithWork(database.app.everyOrganization)).includes(corp_id)
  expect(await hasWork()).toBe(false)
  await school.run(createUser, { email: `${newId()}@example.com` })
  expect(await hasWork()).toBe(true)
  // Linked by a process that ended before it added the event.
  await linkEntries(database.app, corp_id)
  expect(await eventsOfSchool(corp_id)).toEqual(before)
  expect(await hasWork()).toBe(true)
  expect(await addEvents(database.app, corp_id)).toBe(1)
  expect(await hasWork()).toBe(false)
  expect(await addEvents(database.app, corp_id)).toBe(0)
  expect((await eventsOfSchool(corp_id)).slice(0, before.length)).toEqual(before)
})

test('old events are deleted in steps, and the feed records the last deleted one', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  for (let n = 0; n < 5; n++) await school.run(createUser, { email: `${newId()}@example.com` })
  await linkEntries(database.app, corp_id)
  await addEvents(database.app, corp_id)
  const { length } = await findFeed(database.app.of(corp_id), corp_id)
  const on = database.app.of(corp_id)
  const afterDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  expect(await pruneEvents(on, corp_id, afterDays(89), 3)).toBe(0)
  expect(await pruneEvents(on, corp_id, afterDays(91), 3)).toBe(3)
  expect(await findFeed(on, corp_id)).toMatchObject({ length, pruned: 3 })
  expect((await eventsOfSchool(corp_id))[0]!.seq).toBe(4)
  while ((await pruneEvents(on, corp_id, afterDays(91), 3)) > 0);
  expect(await findFeed(on, corp_id)).toMatchObject({ length, pruned: length })
  await school.run(createUser, { email: `${newId()}@example.com` })
  await linkEntries(database.app, corp_id)
  await addEvents(database.app, corp_id)
  expect((await eventsOfSchool(corp_id)).map(({ seq }) => seq)).toEqual([length + 1])
})

test('the event of an order names the members that differ from the version before, or that a new order has', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  const { order_id } = await school.order()
  await school.run(updateOrder, { order_id, version: 1, contract_id: newId() })
  await linkEntries(database.app, corp_id)
  await addEvents(database.app, corp_id)
  const events = (await eventsOfSchool(corp_id)).filter(({ record_id }) => record_id === order_id)
  const [created, updated] = events.map(({ changed }) => changed)
  expect(created).toContain('listed_price')
  expect(created).not.toContain('contract_id')
  expect(created).not.toContain('version')
  expect(updated).toEqual(['contract_id'])
})
