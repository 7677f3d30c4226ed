import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import {
  type Answer,
  type Credentials,
  startTestServer,
  type TestServer,
} from '../../../test/harness/server.ts'
import { hire, openTab, password, type Tab } from '../../../test/harness/staff.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { inviteColleague, resetColleague, updateRole } from '../../access/staff/colleagues.ts'
import { confirmColleague } from '../../access/staff/confirm-colleague.ts'
import { choosePassword } from '../../access/staff/enter-by-link.ts'
import type { Role } from '../../access/staff/roles.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { rotateApiAccount } from '../settings/api-account-secrets.ts'
import {
  createApiAccount,
  disableApiAccount,
  enableApiAccount,
  updateApiAccount,
} from '../settings/api-accounts.ts'
import { approveRequest, declineRequest } from './decide-request.ts'

let server: TestServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

type Caller = (endpoint: Endpoint, input?: Record<string, unknown>) => Promise<Answer>
interface Person {
  staff_id: string
  call: Caller
}
/** An administrator created by the operator, and another one. */
let admin: Person
let other: Person
beforeEach(async () => {
  school = await openCounter(server)
  await changeLimits(server.db.of(school.corp_id), school.corp_id, 'refund', { CNY: 5000 }, new Date())
  admin = await operatorHires('admin')
  other = await operatorHires('admin')
})

const as = ({ tab, staff_id }: { tab: Tab; staff_id: string }): Person => ({
  staff_id,
  call: (endpoint, input = {}) => tab.call(endpoint, { corp_id: school.corp_id, ...input }),
})
const operatorHires = async (role: Role) => as(await hire(server, role, school.corp_id))
async function enter({ data }: Answer): Promise<Person> {
  const tab = openTab(server)
  expect((await tab.call(choosePassword, { link: data.link, password })).code).toBe(0)
  return as({ tab, staff_id: data.staff_id })
}
const invites = async (by: Person, role: Role, email = `${newId()}@example.com`) =>
  enter(await by.call(inviteColleague, { email, name: 'Somebody', role }))
const program = async (account: Credentials): Promise<Caller> => {
  const { corp_id } = school
  const token = await server.tokenOf(account)
  return (endpoint, input = {}) => server.call(endpoint, { corp_id, ...input }, { token })
}
const makesProgram = async (by: Person) =>
  program((await by.call(createApiAccount, { name: 'Till', strict_time_stamps: false })).data)
const operatorMakesProgram = (permissions?: string[]) =>
  createAccount(
    server.database.owner,
    testKeyring,
    { name: 'Portal', corp_ids: [school.corp_id], permissions },
    new Date(),
  )

/** A requested refund beyond the limit. */
async function asks(by: Caller): Promise<{ request_id: string; order_id: string }> {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 1 })
  await school.call(createPayment, { order_id, price: 30_000 })
  const { data } = await by(createRefund, { order_id, price: 30_000, reason: 'Agreed' })
  expect(data.state).toBe('waiting')
  return { order_id, request_id: data.request_id }
}
/** Whether each can decide requests of the other, and whether money was refunded. */
async function areTwo(first: Caller, second: Caller): Promise<boolean> {
  const codes: number[] = []
  for (const [asking, deciding] of [
    [first, second],
    [second, first],
  ] as const) {
    const { request_id, order_id } = await asks(asking)
    const { code } = await deciding(approveRequest, { request_id })
    codes.push(code)
    if (code !== 0) expect((await deciding(declineRequest, { request_id })).code).toBe(code)
    const { paid_price, post_refund_price } = (await school.call(fetchOrder, { order_id })).data
    expect(paid_price - post_refund_price).toBe(code === 0 ? 30_000 : 0)
  }
  expect(new Set(codes).size).toBe(1)
  expect([0, 40309]).toContain(codes[0])
  return codes[0] === 0
}

describe('are two people', () => {
  test('two accounts of the operator', async () => {
    expect(await areTwo(admin.call, other.call)).toBe(true)
    expect(await areTwo(admin.call, await program(await operatorMakesProgram()))).toBe(true)
  })

  test('two colleagues whom one administrator invited, once another one has confirmed one of them', async () => {
    const [one, two] = [await invites(admin, 'finance'), await invites(admin, 'finance')]
    expect(await areTwo(one.call, two.call)).toBe(false)
    expect((await other.call(confirmColleague, { staff_id: two.staff_id })).code).toBe(0)
    expect(await areTwo(one.call, two.call)).toBe(true)
    expect(await areTwo(admin.call, two.call)).toBe(true)
  })

  test('an unrelated program and colleague', async () => {
    expect(await areTwo(await makesProgram(admin), other.call)).toBe(true)
    expect(await areTwo(await makesProgram(admin), await makesProgram(other))).toBe(true)
  })
})

describe('are one person', () => {
  test('an administrator and the account that they created', async () => {
    const till = await makesProgram(admin)
    expect(await areTwo(admin.call, till)).toBe(false)
    const { request_id } = await asks(admin.call)
    const refused = await till(approveRequest, { request_id })
    expect(refused.data.reason).toBe('same_person')
    expect(refused.msg).toMatch(/counts as your own.*Another colleague must decide/)
  })

  test('two accounts of one administrator, and such an account and a colleague whom they invited', async () => {
    expect(await areTwo(await makesProgram(admin), await makesProgram(admin))).toBe(false)
    const invited = await invites(admin, 'finance')
    expect(await areTwo(await makesProgram(admin), invited.call)).toBe(false)
  })

  test('an administrator and an account that they enabled, rotated or gave more rights', async () => {
    const enabled = await operatorMakesProgram()
    await other.call(disableApiAccount, { app_id: enabled.app_id })
    await admin.call(enableApiAccount, { app_id: enabled.app_id })
    expect(await areTwo(admin.call, await program(enabled))).toBe(false)

    const { app_id } = await operatorMakesProgram()
    const rotated = (await admin.call(rotateApiAccount, { app_id })).data
    expect(await areTwo(admin.call, await program(rotated))).toBe(false)

    const granted = await operatorMakesProgram(['read', 'write'])
    const more = { app_id: granted.app_id, permissions: ['read', 'write', 'finance'] }
    expect((await admin.call(updateApiAccount, more)).code).toBe(0)
    expect(await areTwo(admin.call, await program(granted))).toBe(false)
    expect(await areTwo(other.call, await program(granted))).toBe(true)
  })

  test('an administrator and a colleague whom they invited, directly or indirectly', async () => {
    const puppet = await invites(admin, 'admin')
    const second = await invites(puppet, 'finance')
    expect(await areTwo(admin.call, puppet.call)).toBe(false)
    expect(await areTwo(admin.call, second.call)).toBe(false)
    expect(await areTwo(admin.call, await makesProgram(puppet))).toBe(false)
    expect(await areTwo(other.call, second.call)).toBe(true)
  })

  test('an administrator and a colleague whose password they reset', async () => {
    const colleague = await operatorHires('finance')
    expect(await areTwo(admin.call, colleague.call)).toBe(true)
    const taken = await enter(await admin.call(resetColleague, { staff_id: colleague.staff_id }))
    expect(await areTwo(admin.call, taken.call)).toBe(false)
  })

  test('an administrator and a colleague whom they gave the rights, or removed and invited again', async () => {
    const colleague = await operatorHires('counsellor')
    const { staff_id } = colleague
    await admin.call(updateRole, { staff_id, role: 'finance' })
    expect(await areTwo(admin.call, colleague.call)).toBe(false)

    const email = `${newId()}@example.com`
    const invited = await invites(other, 'finance', email)
    await admin.call(updateRole, { staff_id: invited.staff_id, role: 'none' })
    await admin.call(inviteColleague, { email, name: 'Again', role: 'finance' })
    const reset = await admin.call(resetColleague, { staff_id: invited.staff_id })
    expect(await areTwo(admin.call, (await enter(reset)).call)).toBe(false)
  })

  test('a person and the same person, also after a change of role', async () => {
    const { request_id } = await asks(admin.call)
    const { staff_id } = admin
    await other.call(updateRole, { staff_id, role: 'viewer' })
    await other.call(updateRole, { staff_id, role: 'admin' })
    const refused = await admin.call(approveRequest, { request_id })
    expect([refused.code, refused.data.reason]).toEqual([40309, 'own_request'])
  })
})
