import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { startMailServer, type TestMailServer } from '../../../test/harness/mail-server.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire } from '../../../test/harness/staff.ts'
import { deliverMails } from '../../access/mail/deliver-mails.ts'
import { newId } from '../../contract/new-id.ts'
import { disableEndpoint } from '../../events/webhooks/disable-endpoint.ts'
import { queueAlerts } from './queue-alerts.ts'

let server: TestServer
let mails: TestMailServer
beforeAll(async () => {
  server = await startTestServer('sample')
  mails = await startMailServer()
})
afterAll(async () => {
  await mails?.close()
  await server?.close()
})

test('each administrator gets one mail for a webhook that was disabled, and one a day for a quota', async () => {
  const { corp_id } = server.sample
  const { superuser } = server.database
  await superuser.query(`update staff set is_disabled = true where corp_id = $1`, [corp_id])
  const admins = [await hire(server, 'admin', corp_id), await hire(server, 'admin', corp_id)]
  await hire(server, 'viewer', corp_id)
  const endpoint_id = newId()
  await superuser.query(
    `insert into webhook_endpoints (corp_id, endpoint_id, url, types, description, is_enabled, version, ctime, mtime)
     values ($1, $2, 'https://receiver.example/secret-path', '{*}', '', true, 1, now(), now())`,
    [corp_id, endpoint_id],
  )
  await superuser.query(`insert into webhook_cursors (corp_id, endpoint_id, seq) values ($1, $2, 0)`, [
    corp_id,
    endpoint_id,
  ])
  const now = new Date()
  await disableEndpoint(server.db.of(corp_id), corp_id, endpoint_id, 'failing', now)
  await superuser.query(`update organizations set over_quota = '{rows}' where corp_id = $1`, [corp_id])

  const alerting = { db: server.db, keyring: testKeyring, publicOrigin: 'https://school.example' }
  const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const deliver = async (at: Date) => {
    mails.received.length = 0
    await deliverMails(
      {
        ...{ db: server.db, log: pino({ level: 'silent' }), keyring: testKeyring, now: () => at },
        server: { url: mails.url, from: { name: '', address: 'office@school.example' } },
      },
      corp_id,
      new AbortController().signal,
    )
    return mails.received.map(({ to }) => to[0]).toSorted()
  }
  const addresses = admins.map(({ email }) => email).toSorted()
  await queueAlerts(alerting, later(1))
  await queueAlerts(alerting, later(1))
  expect(await deliver(later(1))).toEqual([...addresses, ...addresses].toSorted())
  expect(mails.received.some(({ raw }) => raw.includes('secret-path'))).toBe(false)
  await queueAlerts(alerting, later(2))
  expect(await deliver(later(2))).toEqual([])
  await queueAlerts(alerting, later(27))
  expect(await deliver(later(27))).toEqual(addresses)
})
