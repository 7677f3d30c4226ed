import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startMailServer, type TestMailServer } from '../../../test/harness/mail-server.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { deliverMails } from '../../access/mail/deliver-mails.ts'
import { eraseUser } from '../../changes/erasure/erase-user.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createPayer } from '../payers/create-payer.ts'
import { mailPaymentRequest } from './mail-payment-request.ts'
import { requestPayment, revokePaymentRequest } from './payment-requests.ts'

const publicUrl = new URL('http://localhost:8080')

let server: TestServer
let mails: TestMailServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula', { publicUrl, sendsMail: true })
  mails = await startMailServer()
  school = await openCounter(server)
})
afterAll(async () => {
  await mails?.close()
  await server?.close()
})
beforeEach(() => {
  mails.manners = {}
  mails.received.length = 0
})

async function request(email: string | null = `${newId()}@person.example`) {
  const mobile = email === null ? { area_code: '86', mobile: `139${String(Date.now()).slice(-8)}` } : {}
  const { user_id } = (await school.call(createUser, { ...(email && { email }), ...mobile, name: 'Ann' }))
    .data
  const { order_id } = await school.order({ user_id })
  const { data } = await school.call(requestPayment, { order_id, note: 'Autumn' })
  expect(data.url).toBe(`http://localhost:8080${data.path}`)
  const { payment_request_id, path } = data
  return { user_id, email, path, input: { payment_request_id, token: path.split('/').at(-1) } }
}

const deliver = () =>
  deliverMails(
    {
      ...{ db: server.db, log: pino({ level: 'silent' }), keyring: testKeyring },
      server: { url: mails.url, from: { name: '', address: 'office@school.example' } },
      now: () => new Date(Date.now() + 1000),
    },
    school.corp_id,
    new AbortController().signal,
  )

test('a preview shows the mail and sends nothing; the call sends it once', async () => {
  const { email, path, input } = await request()
  const preview = await school.call(mailPaymentRequest, { ...input, language: 'en', dry_run: true })
  expect(preview.data).toMatchObject({ to: email, mail: 'none', subject: expect.stringContaining('Payment') })
  expect(preview.data.text).toContain(`http://localhost:8080${path}`)
  expect(await deliver()).toBe(0)
  expect((await school.call(mailPaymentRequest, input)).data.mail).toBe('waiting')
  expect((await school.call(mailPaymentRequest, input)).data.mail).toBe('waiting')
  expect(await deliver()).toBe(1)
  expect((await school.call(mailPaymentRequest, input)).data.mail).toBe('sent')
  expect(await deliver()).toBe(0)
  expect(mails.received.map(({ to }) => to)).toEqual([[email]])
})

test('staff see the address masked', async () => {
  const { email, input } = await request()
  const counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  const { data } = await counsellor.call(mailPaymentRequest, { ...input, dry_run: true })
  expect(data.to).not.toBe(email)
  expect(data.to).toContain('•')
})

test('a payer of the school may get it instead, if the caller may see payers', async () => {
  const { input } = await request()
  const wanted = { kind: 'parent', name: 'Bo', email: `${newId()}@payer.example` }
  const { payer_id } = (await school.call(createPayer, wanted)).data
  const counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  expect((await counsellor.call(mailPaymentRequest, { ...input, payer_id })).code).toBe(40303)
  expect((await school.call(mailPaymentRequest, { ...input, payer_id: newId() })).code).toBe(40442)
  expect((await school.call(mailPaymentRequest, { ...input, payer_id })).data.to).toBe(wanted.email)
  await deliver()
  expect(mails.received.map(({ to }) => to)).toEqual([[wanted.email]])
})

test('a person without an address, a wrong token and a revoked request get no mail', async () => {
  const silent = await request(null)
  expect((await school.call(mailPaymentRequest, silent.input)).data.reason).toBe('no_email')
  const { input } = await request()
  const other = await request()
  const wrong = { ...input, token: other.input.token }
  expect((await school.call(mailPaymentRequest, wrong)).code).toBe(40451)
  await school.call(mailPaymentRequest, input)
  await school.call(revokePaymentRequest, { payment_request_id: input.payment_request_id })
  expect((await school.call(mailPaymentRequest, input)).code).toBe(40451)
  expect(await deliver()).toBe(0)
})

test('a mail that failed can be sent again', async () => {
  const { input } = await request()
  await school.call(mailPaymentRequest, input)
  mails.manners = { refusesRecipient: { code: 550, text: 'no' } }
  await deliver()
  mails.manners = {}
  expect((await school.call(mailPaymentRequest, input)).data.mail).toBe('waiting')
  await deliver()
  expect(mails.received).toHaveLength(1)
})

test('erasing the person removes the mail', async () => {
  const { user_id, input } = await request()
  await school.call(mailPaymentRequest, input)
  const admin = await hireStaff(server, school.corp_id, 'admin')
  const erased = await admin.call(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true })
  expect(erased.code).toBe(0)
  expect(await deliver()).toBe(0)
  const { rowCount } = await server.database.superuser.query('select 1 from mails where person_id = $1', [
    user_id,
  ])
  expect(rowCount).toBe(0)
})

test('without a mail server, the call says so', async () => {
  const quiet = await startTestServer('matricula', { publicUrl })
  try {
    const other = await openCounter(quiet)
    const { order_id } = await other.order()
    const { payment_request_id, path } = (await other.call(requestPayment, { order_id })).data
    const token = path.split('/').at(-1)
    const { code, data } = await other.call(mailPaymentRequest, { payment_request_id, token })
    expect([code, data.reason]).toEqual([40904, 'no_mail'])
  } finally {
    await quiet.close()
  }
})
