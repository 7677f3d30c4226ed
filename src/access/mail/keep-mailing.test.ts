import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { startMailServer, type TestMailServer } from '../../../test/harness/mail-server.ts'
import { waitFor } from '../../../test/harness/process.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire } from '../../../test/harness/staff.ts'
import { suspendOrganization } from '../organizations/suspend-organization.ts'
import { inviteColleague } from '../staff/colleagues.ts'
import { keepMailing } from './keep-mailing.ts'

let server: TestServer
let mails: TestMailServer
beforeAll(async () => {
  server = await startTestServer('sample', { publicUrl: new URL('http://localhost:8080'), sendsMail: true })
  mails = await startMailServer()
})
afterAll(async () => {
  await mails?.close()
  await server?.close()
})

test('mails and alerts are sent until the server stops, and a suspended school sends none', async () => {
  const { corp_id } = server.sample
  const { tab } = await hire(server, 'admin', corp_id)
  const over = new AbortController()
  let asked = 0
  const from = { name: '', address: 'office@school.example' }
  const running = keepMailing(
    {
      ...{ db: server.db, log: pino({ level: 'silent' }), keyring: testKeyring, intervalMs: 10 },
      server: { url: mails.url, from },
      queueAlerts: async () => void asked++,
    },
    over.signal,
  )
  const invite = (email: string) => tab.call(inviteColleague, { corp_id, email, name: 'A', role: 'viewer' })
  await invite('one@person.example')
  await waitFor(async () => mails.received.length === 1)
  expect(asked).toBe(1)
  over.abort()
  await running

  await invite('two@person.example')
  await suspendOrganization(server.database.owner, corp_id, 'test', new Date())
  const again = new AbortController()
  let rounds = 0
  const resting = keepMailing(
    {
      ...{ db: server.db, log: pino({ level: 'silent' }), keyring: testKeyring, intervalMs: 1 },
      server: { url: mails.url, from },
      queueAlerts: async () => void rounds++,
    },
    again.signal,
  )
  await waitFor(async () => rounds === 1)
  again.abort()
  await resting
  expect(mails.received).toHaveLength(1)
})
