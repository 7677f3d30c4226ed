import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { masterKeyText, testKeyring } from '../../../test/harness/keyring.ts'
import { startMailServer, type TestMailServer } from '../../../test/harness/mail-server.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, type Tab } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { createKeyring } from '../organizations/keyring.ts'
import { countSecretsByKey } from '../organizations/sealing-keys.ts'
import { inviteColleague, resetColleague, updateRole } from '../staff/colleagues.ts'
import { choosePassword } from '../staff/enter-by-link.ts'
import { deliverMails, type MailWork, retryDelaysMs } from './deliver-mails.ts'
import { listMails } from './list-mails.ts'
import { resealMails } from './reseal-mails.ts'

const publicUrl = new URL('http://localhost:8080')
const from = { name: 'Office', address: 'office@school.example' }
const { signal } = new AbortController()

let server: TestServer
let mails: TestMailServer
let admin: { tab: Tab; corp_id: string }
let lines: string[]
let clock: Date
beforeAll(async () => {
  server = await startTestServer('sample', { publicUrl, sendsMail: true })
  mails = await startMailServer()
  admin = await hire(server, 'admin', server.sample.corp_id)
})
afterAll(async () => {
  await mails?.close()
  await server?.close()
})
beforeEach(async () => {
  mails.manners = {}
  mails.received.length = 0
  lines = []
  clock = new Date()
  await server.database.superuser.query('delete from mails')
})

function work(): MailWork {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  return {
    ...{ db: server.db, log, keyring: testKeyring, server: { url: mails.url, from } },
    ...{ timeouts: { stepMs: 500, totalMs: 1000 }, now: () => clock },
  }
}

const deliver = () => deliverMails(work(), admin.corp_id, signal)
const pass = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}

async function invite(email = `${newId()}@person.example`, role = 'viewer') {
  const { corp_id } = admin
  const input = { corp_id, email, name: 'Ann Canary', role, language: 'en' }
  const { code, data } = await admin.tab.call(inviteColleague, input)
  expect(code).toBe(0)
  clock = new Date(Math.max(clock.getTime(), Date.now()))
  return { ...data, email }
}

async function listed(record_id: string) {
  const { data } = await admin.tab.call(listMails, { corp_id: admin.corp_id, record_id })
  return data.list
}

describe('an invitation', () => {
  test('is mailed once with a working link; its stored address and link are then removed', async () => {
    const { staff_id, email, url, is_mailed } = await invite()
    expect(is_mailed).toBe(true)
    expect(url).toMatch(/^http:\/\/localhost:8080\/welcome#/)
    const { rows: before } = await server.database.superuser.query('select * from mails')
    expect(JSON.stringify(before)).not.toContain(email)
    expect(await deliver()).toBe(1)
    expect(await deliver()).toBe(0)
    expect(mails.received).toHaveLength(1)
    expect(mails.received[0]!.to).toEqual([email])
    const link = /welcome#(\S+)/.exec(mails.received[0]!.raw.replaceAll('=\r\n', ''))![1]!
    expect(url.endsWith(link)).toBe(true)
    expect(await listed(staff_id)).toMatchObject([
      { kind: 'invitation', state: 'sent', problem: '', status: 250 },
    ])
    const { rows } = await server.database.superuser.query('select secret_box, secret_key_id from mails')
    expect(rows).toEqual([{ secret_box: null, secret_key_id: null }])
    expect(lines.join()).not.toMatch(/person\.example|Canary/)
  })

  test('that is repeated has one mail, with the current link', async () => {
    const { email, staff_id } = await invite()
    const { link } = await invite(email)
    await deliver()
    expect(mails.received).toHaveLength(1)
    expect(mails.received[0]!.raw.replaceAll('=\r\n', '')).toContain(link)
    expect(await listed(staff_id)).toHaveLength(1)
  })

  test('of a person who was removed is not sent', async () => {
    const { staff_id } = await invite()
    await admin.tab.call(updateRole, { corp_id: admin.corp_id, staff_id, role: 'none' })
    expect(await deliver()).toBe(0)
  })

  test('is repeated with the same Idempotency-Key without a second mail', async () => {
    const input = { corp_id: admin.corp_id, email: `${newId()}@person.example`, name: 'A', role: 'viewer' }
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': newId() }
    await admin.tab.call(inviteColleague, input, headers)
    const again = (await admin.tab.call(inviteColleague, input, headers)).data
    expect([again.link, again.url]).toEqual(['', ''])
    clock = new Date()
    expect(await deliver()).toBe(1)
  })
})

test('a reset is mailed, and its link chooses a password', async () => {
  const { staff_id } = await hire(server, 'viewer', admin.corp_id)
  const { code } = await admin.tab.call(resetColleague, { corp_id: admin.corp_id, staff_id, language: 'zh' })
  expect(code).toBe(0)
  clock = new Date()
  await deliver()
  const raw = mails.received[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const link = /welcome#([A-Za-z0-9_.-]+)/.exec(raw)![1]!
  const answer = await server.call(
    choosePassword,
    { link, password: 'correct horse battery' },
    {
      token: null,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    },
  )
  expect(answer.code).toBe(0)
})

describe('a mail that fails', () => {
  test('temporarily is retried later, a limited number of times', async () => {
    const { staff_id } = await invite()
    mails.manners = { refusesRecipient: { code: 451, text: 'later, ann@person.example' } }
    let attempts = 0
    for (const delayMs of [...retryDelaysMs, 0]) {
      attempts += await deliver()
      expect(await deliver()).toBe(0)
      pass(delayMs)
    }
    expect(attempts).toBe(retryDelaysMs.length + 1)
    expect(await listed(staff_id)).toMatchObject([{ state: 'failed', problem: 'deferred', status: 451 }])
    pass(100 * 24 * 60 * 60 * 1000)
    expect(await deliver()).toBe(0)
    expect(lines.join()).not.toContain('person.example')
  })

  test('succeeds on a later attempt', async () => {
    await invite()
    mails.manners = { drops: 'connection' }
    await deliver()
    mails.manners = {}
    pass(retryDelaysMs[0]!)
    await deliver()
    expect(mails.received).toHaveLength(1)
  })

  test('permanently is not retried, and staff see the reason', async () => {
    const { staff_id } = await invite()
    mails.manners = { refusesRecipient: { code: 550, text: 'unknown' } }
    await deliver()
    expect(await listed(staff_id)).toMatchObject([{ state: 'failed', problem: 'refused', status: 550 }])
    const { rows } = await server.database.superuser.query('select secret_box from mails')
    expect(rows).toEqual([{ secret_box: null }])
  })

  test('after the handover is not sent a second time', async () => {
    const { staff_id } = await invite()
    mails.manners = { drops: 'message' }
    await deliver()
    mails.manners = {}
    pass(24 * 60 * 60 * 1000)
    await deliver()
    expect(mails.received).toHaveLength(1)
    expect(await listed(staff_id)).toMatchObject([{ state: 'failed', problem: 'unknown' }])
  })
})

describe('a process that dies', () => {
  test('before the handover to the mail server leaves the mail to another process', async () => {
    await invite()
    // The state that a process leaves if it dies after the claim.
    await server.database.superuser.query(`update mails set attempts = 1, next_at = $1`, [
      new Date(clock.getTime() + 120_000),
    ])
    expect(await deliver()).toBe(0)
    pass(121_000)
    expect(await deliver()).toBe(1)
    expect(mails.received).toHaveLength(1)
  })

  test('during the handover does not cause a second mail', async () => {
    const { staff_id } = await invite()
    await server.database.superuser.query(`update mails set attempts = 1, handed_at = now(), next_at = now()`)
    pass(1000)
    expect(await deliver()).toBe(1)
    expect(mails.received).toEqual([])
    expect(await listed(staff_id)).toMatchObject([{ state: 'failed', problem: 'unknown' }])
  })
})

test('two servers at the same time send each mail once', async () => {
  for (let n = 0; n < 6; n++) await invite()
  await Promise.all([deliver(), deliver(), deliver()])
  await deliver()
  expect(mails.received.map(({ to }) => to[0]).toSorted()).toEqual(
    [...new Set(mails.received.map(({ to }) => to[0]))].toSorted(),
  )
  expect(mails.received).toHaveLength(6)
})

test('a rotated master key opens waiting mails, and a lost one fails them', async () => {
  await invite()
  const fresh = Buffer.alloc(32, 9)
  const other = createKeyring([fresh])
  const both = createKeyring([fresh, Buffer.from(masterKeyText, 'hex')])
  expect(await resealMails(server.database.owner, both)).toBe(1)
  expect((await countSecretsByKey(server.database.owner)).get(other.newestKeyId)).toBe(1)
  await deliverMails({ ...work(), keyring: other }, admin.corp_id, signal)
  expect(mails.received).toHaveLength(1)

  const { staff_id } = await invite()
  await deliverMails({ ...work(), keyring: other }, admin.corp_id, signal)
  expect(await listed(staff_id)).toMatchObject([{ state: 'failed', problem: 'unreadable' }])
})
