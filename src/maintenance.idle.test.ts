import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/harness/database.ts'
import { testKeyring } from '../test/harness/keyring.ts'
import { openLedger } from '../test/harness/ledger.ts'
import { keepLinking, WaitingOrganizations } from './access/audit/keep-linking.ts'
import { linkEntries } from './access/audit/link-entries.ts'
import { createErasureList } from './changes/erasure/finish-erasures.ts'
import type { Database, Surveyor } from './database/database.ts'
import { keepDerivedData } from './derived/keep-derived-data.ts'
import { addEvents } from './events/add-events.ts'
import { feedLagSeconds } from './events/feed-lag.ts'
import { findChainsWithWork } from './events/feed-store.ts'
import { createDeliveryCounts } from './events/webhooks/delivery-counts.ts'
import { keepDelivering } from './events/webhooks/keep-delivering.ts'
import { createSender } from './events/webhooks/send-delivery.ts'
import { maintainOnce } from './maintenance.ts'

let database: TestDatabase
const log = pino({ level: 'silent' })
const schools = 5

beforeAll(async () => {
  database = await createTestDatabase()
  for (let n = 0; n < schools; n++) {
    const school = await openLedger(database)
    await school.order({ installment_count: 3, first_payment_deadline: '2030-01-31' })
    await linkEntries(database.app, school.corp_id)
    await addEvents(database.app, school.corp_id)
  }
  // The chain of no organization, and the remains of a first round.
  await linkEntries(database.app, '')
  await round(database.app)
  await round(database.app)
})
afterAll(() => database.drop())

function round(db: Database): Promise<void> {
  const list = createErasureList(async () => [])
  return maintainOnce(db, new Date(), log, new AbortController().signal, testKeyring, list)
}

/** The database, with a note of each organization whose records are read, and of each survey. */
function watched(): { db: Database; opened: Set<string>; surveys: () => number } {
  const opened = new Set<string>()
  let surveys = 0
  const counted =
    <Ask extends Surveyor['ask'] | Surveyor['corpIds']>(ask: Ask) =>
    (survey: never) => {
      surveys++
      return ask(survey)
    }
  const { ask, corpIds } = database.app.everyOrganization
  const db: Database = {
    ...database.app,
    of(corp_id, ...others) {
      opened.add(corp_id)
      return database.app.of(corp_id, ...others)
    },
    everyOrganization: { ask: counted(ask), corpIds: counted(corpIds) } as Surveyor,
  }
  return { db, opened, surveys: () => surveys }
}

/** Runs a loop for two surveys. */
async function twice(
  loop: (db: Database, signal: AbortSignal) => Promise<void>,
): Promise<{ opened: Set<string> }> {
  const { db, opened, surveys } = watched()
  const stopping = new AbortController()
  const running = loop(db, stopping.signal)
  while (surveys() < 2) await pause(10)
  stopping.abort()
  await running
  return { opened }
}

test('idle organizations cost nothing: a round of maintenance reads the records of none', async () => {
  const { db, opened, surveys } = watched()
  await round(db)
  expect(opened).toEqual(new Set())
  expect(surveys()).toBe(20)
})

test('linking audit entries takes one survey for all organizations', async () => {
  const { opened } = await twice((db, signal) =>
    keepLinking({
      ...{ db, log, waiting: new WaitingOrganizations(), signal },
      findWork: () => findChainsWithWork(db.everyOrganization),
      onLinked: async () => undefined,
    }),
  )
  expect(opened).toEqual(new Set())
})

test('delivering webhooks takes one survey for all organizations', async () => {
  const sender = createSender({ allowsPrivate: false })
  const { opened } = await twice((db, signal) =>
    keepDelivering(
      { db, log, keyring: testKeyring, sender, counts: createDeliveryCounts() },
      new WaitingOrganizations(),
      signal,
    ),
  )
  sender.close()
  expect(opened).toEqual(new Set())
})

test('rebuilding derived data takes one survey for all organizations', async () => {
  const { opened } = await twice((db, signal) => keepDerivedData(db, log, signal))
  expect(opened).toEqual(new Set())
})

test('the lag of the feeds in the metrics takes one survey for all organizations', async () => {
  const { db, opened, surveys } = watched()
  expect(await feedLagSeconds(db)).toBe(0)
  expect([opened.size, surveys()]).toEqual([0, 1])
})

test('due work is found, and only its organization is read', async () => {
  const school = await openLedger(database)
  await school.order({ installment_count: 1, first_payment_deadline: '2001-01-31' })
  const { db, opened } = watched()
  await round(db)
  expect(opened).toEqual(new Set([school.corp_id]))
})
