import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { newId } from '../../contract/new-id.ts'
import { findChainsWithWork } from '../../events/feed-store.ts'
import { createUser } from '../../people/users/create-user.ts'
import { hasWaitingEntries } from './audit-chain-store.ts'
import { keepLinking, WaitingOrganizations } from './keep-linking.ts'
import { type FollowLinks, linkEntries } from './link-entries.ts'

let database: TestDatabase
let school: TestLedger
let waiting: WaitingOrganizations
let stop: AbortController

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  school = await openLedger(database)
  waiting = new WaitingOrganizations()
  stop = new AbortController()
})
afterEach(() => stop.abort())

const write = () => school.run(createUser, { email: `${newId()}@example.com` })

async function unlinked(): Promise<number> {
  const { rows } = await database.superuser.query(
    `select count(*)::int as total from audit_entries e where e.corp_id = $1
        and not exists (select from audit_links l where l.corp_id = e.corp_id and l.entry_id = e.entry_id)`,
    [school.corp_id],
  )
  return rows[0].total
}

function link(follow?: FollowLinks): { grown: string[]; attempted: string[]; linking: Promise<void> } {
  const grown: string[] = []
  const attempted: string[] = []
  const log = pino({ level: 'silent' })
  const linking = keepLinking({
    ...{ db: database.app, log, waiting, signal: stop.signal },
    findWork: findWaiting,
    ...(follow && { follow }),
    async onLinked(corp_id, linked) {
      attempted.push(corp_id)
      if (linked > 0) grown.push(corp_id)
    },
  })
  return { grown, attempted, linking }
}

test('a transaction with entries reports them after its commit; one without entries or rolled back does not', async () => {
  database.app.onEntries(waiting.note)
  await write()
  expect(waiting.take()).toEqual([school.corp_id])
  const on = database.app.of(school.corp_id)
  await on.transaction(async () => undefined)
  await expect(
    on.transaction(async (tx) => {
      tx.note({ record_type: 'users', record_id: 'x', action: 'changed' })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(waiting.take()).toEqual([])
  database.app.onEntries(() => {})
})

test('entries are linked even if nobody can follow them', async () => {
  const { grown, linking } = link(async () => {
    throw new Error('cannot follow')
  })
  await write()
  await expect.poll(unlinked, { timeout: 60_000 }).toBe(0)
  stop.abort()
  await linking
  expect(grown).toContain(school.corp_id)
})

test('entries are linked whether or not a process reports them', async () => {
  const { grown, linking } = link()
  await write()
  await expect.poll(unlinked, { timeout: 60_000 }).toBe(0)
  database.app.onEntries(waiting.note)
  await write()
  await expect.poll(unlinked, { timeout: 60_000 }).toBe(0)
  database.app.onEntries(() => {})
  stop.abort()
  await linking
  expect(new Set(grown)).toContain(school.corp_id)
})

test('reported entries are linked before the server ends', async () => {
  const { linking } = link()
  await expect.poll(unlinked, { timeout: 60_000 }).toBe(0)
  await write()
  waiting.note(school.corp_id)
  stop.abort()
  await linking
  expect(await unlinked()).toBe(0)
})

test('an organization without work costs nothing: one statement of the sweep covers all, and linking is not attempted', async () => {
  const idle = await openLedger(database)
  await linkEntries(database.app, idle.corp_id)
  const { attempted, linking } = link()
  await write()
  await expect.poll(unlinked, { timeout: 60_000 }).toBe(0)
  stop.abort()
  await linking
  expect(attempted).toContain(school.corp_id)
  expect(attempted).not.toContain(idle.corp_id)
})

/** Events are not derived here, so links without events are no work. */
async function findWaiting(): Promise<string[]> {
  const found: string[] = []
  for (const corp_id of await findChainsWithWork(database.app.everyOrganization))
    if (await hasWaitingEntries(database.app.of(corp_id), corp_id)) found.push(corp_id)
  return found
}
