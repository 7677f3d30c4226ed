import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { chainedCorpIds, linkEntries } from '../access/audit/link-entries.ts'
import { newId } from '../contract/new-id.ts'
import { createUser } from '../people/users/create-user.ts'
import { addEvents } from './add-events.ts'
import { feedLagSeconds } from './feed-lag.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

test('the lag is the age of the oldest change outside a feed, waiting for its link or only for its event', async () => {
  const school = await openOrganization(server)
  const { corp_id } = school
  for (const id of await chainedCorpIds(server.db)) await linkEntries(server.db, id)
  await addEvents(server.db, corp_id)
  expect(await feedLagSeconds(server.db)).toBe(0)
  await school.call(createUser, { email: `${newId()}@example.com` })
  const waiting = await feedLagSeconds(server.db)
  expect(waiting).toBeGreaterThan(0)
  await linkEntries(server.db, corp_id)
  expect(await feedLagSeconds(server.db)).toBeGreaterThan(waiting)
  const text = await (await fetch(`${server.url}/metrics`)).text()
  expect(Number(/^matricula_event_feed_lag_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(waiting)
  await addEvents(server.db, corp_id)
  expect(await feedLagSeconds(server.db)).toBe(0)
})
