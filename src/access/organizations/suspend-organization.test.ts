import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { openOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, linkFor, openTab, password } from '../../../test/harness/staff.ts'
import { maintainOnce } from '../../maintenance.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createSession, fetchSession } from '../staff/create-session.ts'
import { choosePassword } from '../staff/enter-by-link.ts'
import { issueToken, verifyToken } from '../tokens/issue-token.ts'
import { signatureOf } from '../tokens/signature.ts'
import { describeOrganization } from './describe-organization.ts'
import { createAccount } from './manage-accounts.ts'
import { resumeOrganization, suspendOrganization } from './suspend-organization.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

const suspended = 40310
const suspend = async (corp_id: string) => {
  await suspendOrganization(server.database.owner, corp_id, 'Not paid', new Date())
  server.forgetAccounts()
}
const resume = async (corp_id: string) => {
  await resumeOrganization(server.database.owner, corp_id, 'Paid', new Date())
  server.forgetAccounts()
}

test('a suspended school refuses sign-in, sessions and tokens, and answers as before once it is resumed', async () => {
  const school = await openOrganization(server)
  const other = await openOrganization(server)
  const { corp_id } = school
  const person = await hire(server, 'admin', corp_id)
  const link = await linkFor(server, person)
  const { data: user } = await school.call(createUser, { email: 'wren@birds.example' })
  const signIn = async () =>
    (await openTab(server).call(createSession, { email: person.email, password })).code
  const time_stamp = '1731628800'
  const sign = {
    time_stamp,
    signature: signatureOf(school.account.app_id, time_stamp, school.account.user_api_secret),
  }
  const token = async () =>
    (await server.call(issueToken, { app_id: school.account.app_id, ...sign }, { token: null })).code
  expect([await signIn(), await token()]).toEqual([0, 0])

  await suspend(corp_id)
  expect((await school.call(describeOrganization)).code).toBe(suspended)
  expect((await school.call(createUser, { email: 'rook@birds.example' })).code).toBe(suspended)
  expect((await server.call(verifyToken, {}, { token: school.token })).code).toBe(suspended)
  expect((await person.tab.call(fetchSession)).code).toBe(suspended)
  expect((await person.tab.call(describeOrganization, { corp_id })).code).toBe(suspended)
  expect([await signIn(), await token()]).toEqual([suspended, suspended])
  const chosen = await openTab(server).call(choosePassword, { link, password: 'another long one' })
  expect(chosen.code).toBe(suspended)
  expect((await other.call(describeOrganization)).code).toBe(0)

  await resume(corp_id)
  expect((await school.call(createUser, { email: 'wren@birds.example' })).data.user_id).toBe(user.user_id)
  expect((await person.tab.call(fetchSession)).code).toBe(0)
  // The refused link was not used up.
  expect((await openTab(server).call(choosePassword, { link, password: 'another long one' })).code).toBe(0)
})

test('an account of two schools keeps access to the active one', async () => {
  const [first, second] = [await openOrganization(server), await openOrganization(server)]
  const corp_ids = [first.corp_id, second.corp_id]
  const account = await createAccount(
    server.database.owner,
    testKeyring,
    { name: 'Both', corp_ids },
    new Date(),
  )
  const token = await server.tokenOf(account)
  const describe = async ({ corp_id }: { corp_id: string }) =>
    (await server.call(describeOrganization, { corp_id }, { token })).code
  await suspend(first.corp_id)
  expect([await describe(first), await describe(second)]).toEqual([suspended, 0])
  await suspend(second.corp_id)
  expect((await server.call(verifyToken, {}, { token })).code).toBe(suspended)
})

test('the reason is in the audit, and a second identical call changes nothing', async () => {
  const school = await openOrganization(server)
  const { corp_id } = school
  const { owner } = server.database
  const first = await suspendOrganization(owner, corp_id, 'Not paid', new Date('2026-01-01T00:00:00Z'))
  const second = await suspendOrganization(owner, corp_id, 'Not paid', new Date('2026-01-02T00:00:00Z'))
  expect(second).toEqual(first)
  const renewed = await suspendOrganization(owner, corp_id, 'Closed', new Date('2026-01-03T00:00:00Z'))
  expect(renewed).toEqual({ suspended_at: first.suspended_at, suspension_reason: 'Closed' })
  await resume(corp_id)
  await resume(corp_id)
  const { rows } = await server.database.superuser.query(
    `select before, after from audit_entries
      where corp_id = $1 and record_type = 'organizations' and before is not null order by at, entry_id`,
    [corp_id],
  )
  expect(rows).toMatchObject([
    { after: { is_suspended: true, suspension_reason: 'Not paid' } },
    { before: { suspension_reason: 'Not paid' }, after: { suspension_reason: 'Closed' } },
    { before: { is_suspended: true }, after: { is_suspended: false, resumed_because: 'Paid' } },
  ])
  await expect(suspendOrganization(owner, corp_id, ' ', new Date())).rejects.toThrow('must not be empty')
  await expect(suspendOrganization(owner, 'nowhere', 'Closed', new Date())).rejects.toThrow('There is no')
})

test('the background work of a suspended school pauses', async () => {
  const school = await openLedger(server.database)
  const deadline = { first_payment_deadline: '2030-01-31', installment_count: 1 }
  const { order_id } = await school.order(deadline)
  const log = pino({ level: 'silent' })
  const round = () =>
    maintainOnce(server.db, new Date('2030-02-15T00:00:00Z'), log, new AbortController().signal, testKeyring)
  const status = async () => (await school.run(fetchOrder, { order_id })).status
  await suspend(school.corp_id)
  await round()
  expect(await status()).toBe('created')
  await resume(school.corp_id)
  await round()
  expect(await status()).toBe('expired')
})
