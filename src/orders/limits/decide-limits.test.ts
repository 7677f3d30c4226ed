import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Counter, codesOf, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import { noteGrant } from '../../access/staff/staff-store.ts'
import { fetchToday } from '../../backoffice/console/fetch-today.ts'
import { newId } from '../../contract/new-id.ts'
import { createPayment } from '../payments/create-payment.ts'
import { createRefund } from '../payments/create-refund.ts'
import { approveRefundLimits, declineRefundLimits } from './decide-limits.ts'
import { changeLimits, fetchRefundLimits, updateRefundLimits } from './manage-refund-limits.ts'

let server: TestServer
let school: Counter
let admin: TestColleague
let second: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())
beforeEach(async () => {
  school = await openCounter(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
  second = await hireStaff(server, school.corp_id, 'admin')
})

const listed = (limits: Record<string, number>) =>
  Object.entries(limits).map(([currency, price]) => ({ currency, price }))
const change = async (limits: Record<string, number>, by = admin) =>
  by.call(updateRefundLimits, { limits: listed(limits) })
const inForce = async () => (await admin.call(fetchRefundLimits)).data.limits
const waiting = async () => (await admin.call(fetchRefundLimits)).data.waiting
/** As the command line of the operator does. */
const setLimits = (limits: Record<string, number>) =>
  changeLimits(server.db.of(school.corp_id), school.corp_id, 'refund', limits, new Date())

async function refund(price: number): Promise<string> {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 1 })
  await school.call(createPayment, { order_id, price: 30_000 })
  return (await school.call(createRefund, { order_id, price, reason: 'Agreed' })).data.state
}

describe('limits take effect at once', () => {
  test('that are the first', async () => {
    expect((await change({ CNY: 100 })).data).toEqual({
      ...{ limits: listed({ CNY: 100 }), state: 'done', request_id: null },
    })
    expect(await refund(101)).toBe('waiting')
  })

  test('that are lower, or without one of several currencies', async () => {
    await setLimits({ CNY: 500, EUR: 300 })
    expect((await change({ CNY: 499, EUR: 300 })).data.state).toBe('done')
    expect((await change({ CNY: 499 })).data).toMatchObject({ state: 'done', limits: listed({ CNY: 499 }) })
    expect((await change({ CNY: 499 })).data.state).toBe('done')
    expect((await change({ CNY: 1, JPY: 0 })).data.state).toBe('done')
  })

  test('that the operator sets', async () => {
    await setLimits({ CNY: 100 })
    await setLimits({})
    expect(await refund(101)).toBe('done')
  })
})

describe('limits that allow larger refunds', () => {
  beforeEach(() => setLimits({ CNY: 100 }))

  test.each([
    ['raised', { CNY: 101 }],
    ['of a further currency, which waited always', { CNY: 100, EUR: 1 }],
    ['lowered in one currency and raised in another', { CNY: 50, EUR: 1 }],
    ['of another currency instead', { EUR: 100 }],
    ['lifted', {}],
  ])('wait for a second administrator: %s', async (_, limits: Record<string, number>) => {
    const { code, data } = await change(limits)
    expect([code, data.state, data.limits]).toEqual([0, 'waiting', listed({ CNY: 100 })])
    expect(await inForce()).toEqual(listed({ CNY: 100 }))
    expect(await waiting()).toMatchObject([
      {
        ...{ request_id: data.request_id, requested_by: admin.staff_id },
        ...{ before: listed({ CNY: 100 }), wanted: listed(limits) },
      },
    ])
    expect(await refund(101)).toBe('waiting')
    const approved = await second.call(approveRefundLimits, { request_id: data.request_id })
    expect(approved.data).toEqual({
      ...{ request_id: data.request_id, state: 'approved', limits: listed(limits) },
    })
    expect(await inForce()).toEqual(listed(limits))
    expect(await waiting()).toEqual([])
  })

  test('stay unchanged if the second approver declines', async () => {
    const { request_id } = (await change({})).data
    expect((await second.call(declineRefundLimits, { request_id })).data).toMatchObject({
      ...{ state: 'declined', limits: listed({ CNY: 100 }) },
    })
    expect((await second.call(approveRefundLimits, { request_id })).code).toBe(40904)
    expect(await inForce()).toEqual(listed({ CNY: 100 }))
  })

  test('are not approved by the requester, by people whom the requester gave access, or without the permission', async () => {
    const { request_id } = (await change({})).data
    const puppet = await hireStaff(server, school.corp_id, 'admin')
    const grant = { account_id: puppet.staff_id, granted_by: admin.staff_id, corp_id: school.corp_id }
    await noteGrant(server.db.of(school.corp_id), grant, new Date())
    const clerk = await hireStaff(server, school.corp_id, 'finance')
    for (const endpoint of [approveRefundLimits, declineRefundLimits]) {
      expect((await admin.call(endpoint, { request_id })).data.reason).toBe('own_request')
      expect((await puppet.call(endpoint, { request_id })).data.reason).toBe('same_person')
      expect((await clerk.call(endpoint, { request_id })).code).toBe(40303)
    }
    expect(await inForce()).toEqual(listed({ CNY: 100 }))
  })

  test('are approved once, with any number of concurrent decisions', async () => {
    const { request_id } = (await change({ CNY: 200 })).data
    const others = [second, await hireStaff(server, school.corp_id, 'admin')]
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((n) =>
        others[n % 2]!.call(n % 3 === 0 ? declineRefundLimits : approveRefundLimits, { request_id }),
      ),
    )
    expect(codesOf(answers)).toEqual({ 0: 1, 40904: 5 })
    const won = answers.find(({ code }) => code === 0)!.data
    expect(await inForce()).toEqual(listed({ CNY: won.state === 'approved' ? 200 : 100 }))
  })

  test('are refused if the limits have changed since', async () => {
    const { request_id } = (await change({ CNY: 200 })).data
    await change({ CNY: 50 }, second)
    const late = await second.call(approveRefundLimits, { request_id })
    expect([late.code, late.data.reason]).toEqual([40904, 'limits_changed'])
    expect(await inForce()).toEqual(listed({ CNY: 50 }))
  })

  test('are never the result of concurrent changes: the limit is at most the last approved one', async () => {
    const wanted = [90, 110, 80, 120, 70, 130, 60, 140]
    await Promise.all(wanted.map((CNY, n) => change({ CNY }, n % 2 ? admin : second)))
    expect((await inForce())[0].price).toBeLessThanOrEqual(100)
  })

  test('are requested once for any number of repeated calls', async () => {
    const [one, two] = [await change({}), await change({})]
    expect(one.data.request_id).toBe(two.data.request_id)
    expect((await change({}, second)).data.request_id).not.toBe(one.data.request_id)
  })

  test('wait on the Today screen of other administrators', async () => {
    const { request_id } = (await change({})).data
    const ofToday = async (by: TestColleague) => (await by.call(fetchToday)).data.limits
    expect(await ofToday(second)).toMatchObject({ total: 1, list: [{ request_id }] })
    expect(await ofToday(admin)).toEqual({ total: 0, list: [] })
    expect(await ofToday(await hireStaff(server, school.corp_id, 'finance'))).toEqual({ total: 0, list: [] })
  })

  test('require a recent confirmation of the second approver, and belong to this organization only', async () => {
    const { request_id } = (await change({})).data
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      expect((await second.call(approveRefundLimits, { request_id })).code).toBe(40304)
    } finally {
      server.setNow(undefined)
    }
    const stranger = await hireStaff(server, (await openCounter(server)).corp_id, 'admin')
    const foreign = await stranger.call(approveRefundLimits, { request_id })
    const missing = await stranger.call(approveRefundLimits, { request_id: newId() })
    expect(foreign.code).toBe(40428)
    expect([foreign.status, foreign.msg]).toEqual([missing.status, missing.msg])
  })
})

test('each currency is named once', async () => {
  const limits = [...listed({ CNY: 1 }), ...listed({ CNY: 2 })]
  expect((await admin.call(updateRefundLimits, { limits })).code).toBe(40002)
})
