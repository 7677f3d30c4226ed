import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { startReceiver } from '../../../test/harness/receiver.ts'
import { keepLinking, WaitingOrganizations } from '../../access/audit/keep-linking.ts'
import { newId } from '../../contract/new-id.ts'
import { openDatabase } from '../../database/database.ts'
import { createUser } from '../../people/users/create-user.ts'
import { addEvents } from '../add-events.ts'
import { findChainsWithWork } from '../feed-store.ts'
import { createWebhookEndpoint } from './create-endpoint.ts'
import { createDeliveryCounts } from './delivery-counts.ts'
import { keepDelivering } from './keep-delivering.ts'
import { createSender } from './send-delivery.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a change is delivered soon after its commit, even without a report that the feed grew', async () => {
  const school = await openLedger(database)
  const arrivals = new Map<string, number>()
  const receiver = await startReceiver(({ body }, response) => {
    arrivals.set(JSON.parse(body).data.record_id, performance.now())
    response.end()
  })
  const allowing: typeof createWebhookEndpoint.handle = (context, input) =>
    createWebhookEndpoint.handle({ ...context, allowsPrivateWebhooks: true }, input)
  await school.run(
    { ...createWebhookEndpoint, handle: allowing },
    { url: receiver.url, types: ['user.created'] },
  )
  const log = pino({ level: 'silent' })
  const over = new AbortController()
  const [waiting, grown] = [new WaitingOrganizations(), new WaitingOrganizations()]
  let reports = true
  const own = openDatabase({ ...database.appOptions, max: 2 })
  const sender = createSender({ allowsPrivate: true })
  const counts = createDeliveryCounts()
  const delivering = keepDelivering(
    { db: own, log, keyring: testKeyring, sender, counts },
    grown,
    over.signal,
  )
  database.app.onEntries(waiting.note)
  const linking = keepLinking({
    db: database.app,
    log,
    waiting,
    findWork: () => findChainsWithWork(database.app.everyOrganization),
    onLinked: async (corp_id) => {
      if (corp_id !== '' && (await addEvents(database.app, corp_id)) > 0 && reports) grown.note(corp_id)
    },
    signal: over.signal,
  })
  const commits = new Map<string, number>()
  const change = async () => {
    const { user_id } = await school.run(createUser, { email: `${newId()}@example.com` })
    commits.set(user_id, performance.now())
  }
  for (let n = 0; n < 60; n++) {
    await change()
    await pause(5)
  }
  while (arrivals.size < commits.size) await pause(5)
  const delays = [...commits].map(([id, at]) => arrivals.get(id)! - at).sort((a, b) => a - b)
  expect(delays[Math.floor(delays.length * 0.95)]).toBeLessThan(2000)
  // As on another server, which polls for events.
  reports = false
  for (let n = 0; n < 3; n++) await change()
  while (arrivals.size < commits.size) await pause(5)
  over.abort()
  await Promise.all([delivering, linking])
  expect(receiver.received).toHaveLength(63)
  expect(counts.outcomes()).toEqual([{ outcome: 'delivered', count: 63 }])
  sender.close()
  await own.close()
  await receiver.close()
})
