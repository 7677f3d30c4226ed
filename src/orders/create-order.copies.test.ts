import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import { type Permission, permissions } from '../contract/caller.ts'
import { endpoints } from '../endpoints.ts'
import { updateOwner } from '../people/users/update-owner.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { listFinancialRows } from './listing/list-financial-rows.ts'
import { listOrders } from './listing/list-orders.ts'
import { upsertBatch } from './offerings/upsert-batch.ts'
import { upsertCourse } from './offerings/upsert-course.ts'
import { createRefund } from './payments/create-refund.ts'
import { updateOrder } from './update-order.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())

describe('the members of an order about its user, course and batch', () => {
  test('are copied at its creation: later edits do not change them, and a later order has them', async () => {
    await describeUser('Lin', 'Example Ltd', { nationality: 'CN', salutation: 'Ms' })
    await school.call(updateOwner, { user_id: school.user_id, owner_id: 'adviser', event_type: 'add' })
    const course_id = await makeCourse('Finance', 1_000)
    const batch = { course_id, name: 'Autumn', start_date: '2027-09-01', end_date: '2028-01-31' }
    const { batch_id } = (await school.call(upsertBatch, batch)).data
    const offering = { course_id, batch_id, currency: undefined, listed_price: undefined }
    const { order_id } = await school.order(offering)
    const before = await shown(order_id)
    expect(before.list).toMatchObject({
      user_name: 'Lin',
      user_company_name: 'Example Ltd',
      user_nationality: 'CN',
      listed_price: 1000,
    })
    expect(before.financial[0]).toMatchObject({
      account_name: 'Lin',
      company_name: 'Example Ltd',
      salutation: 'Ms',
      course_name: 'Finance',
      batch_name: 'Autumn',
      batch_start_date: '2027-09-01',
      owner_relationship_managers: 'adviser',
    })

    await describeUser('Chen', 'Other Ltd', { nationality: 'SG' })
    await school.call(updateOwner, { user_id: school.user_id, owner_id: 'second', event_type: 'add' })
    await makeCourse('Accounting', 2_000)
    await school.call(upsertBatch, { ...batch, batch_id, name: 'Winter' })
    expect(await shown(order_id)).toEqual(before)

    // A change of the order takes no new copy.
    await school.call(updateOrder, { order_id, version: 1, contract_id: 'C-1' })
    const after = await shown(order_id)
    expect(after.list).toMatchObject({
      user_name: 'Lin',
      user_company_name: 'Example Ltd',
      listed_price: 1000,
    })
    expect(after.financial[0]).toMatchObject({ course_name: 'Finance', batch_name: 'Autumn' })
    const later = await school.order(offering)
    expect((await shown(later.order_id)).financial[0]).toMatchObject({
      account_name: 'Chen',
      course_name: 'Accounting',
      batch_name: 'Winter',
      owner_relationship_managers: 'adviser, second',
    })
  })

  test('are "" without a value', async () => {
    const { order_id } = await school.order()
    const { list, financial } = await shown(order_id)
    expect(list.user_birthday).toBe('')
    expect(financial[0]).toMatchObject({ course_name: '', batch_id: '', utm_source: '' })
  })
})

describe('an account with one permission', () => {
  const tokens = new Map<Permission, string>()
  let order: Awaited<ReturnType<Counter['order']>>
  beforeAll(async () => {
    order = await school.order()
    for (const permission of permissions) {
      const wanted = { name: permission, corp_ids: [school.corp_id], permissions: [permission] }
      const account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
      tokens.set(permission, await server.tokenOf(account))
    }
    server.forgetAccounts()
  })

  /** Issue 3: read, write, and finance for refunds and the financial list. */
  const wanted: Record<(typeof permissions)[number], string[]> = {
    read: [
      'fetchOrder',
      'listOrders',
      'listHistory',
      'explainOrder',
      'listCourses',
      'listBatches',
      'listCoupons',
    ],
    write: [
      'createOrder',
      'updateOrder',
      'updateStatus',
      'createPayment',
      'createRemark',
      'upsertCourse',
      'upsertBatch',
      'upsertCoupon',
    ],
    finance: ['createRefund', 'listFinancialRows'],
  }

  test.each(permissions)('%s may call what that is for, and nothing else', async (permission) => {
    for (const [needed, ids] of Object.entries(wanted)) {
      for (const id of ids) {
        const endpoint = endpoints.find((each) => each.id === id)!
        expect(endpoint.permission, id).toBe(needed)
        const { corp_id } = school
        const { code } = await server.call(endpoint, { corp_id }, { token: tokens.get(permission) })
        if (needed === permission) expect(code, id).not.toBe(40303)
        else expect(code, id).toBe(40303)
      }
    }
  })

  test('a refusal precedes any lookup', async () => {
    const input = {
      corp_id: school.corp_id,
      order_id: order.order_id,
      sub_order_id: 'x',
      price: 1,
      reason: 'Agreed',
    }
    expect((await server.call(createRefund, input, { token: tokens.get('write') })).code).toBe(40303)
    expect((await server.call(createRefund, input, { token: tokens.get('finance') })).code).toBe(40405)
  })
})

async function makeCourse(name: string, listed_price: number): Promise<string> {
  const course = { course_code: 'FIN-1', name, currency: 'CNY', listed_price }
  return (await school.call(upsertCourse, course)).data.course_id
}

/** No operation of the interface changes these, so the test writes to the database. */
async function describeUser(name: string, company: string, attributes: object): Promise<void> {
  await server.database.superuser.query(
    'update users set name = $1, company_name = $2, attributes = $3 where user_id = $4',
    [name, company, attributes, school.user_id],
  )
}

async function shown(order_id: string) {
  const detail = (await school.call(fetchOrder, { order_id })).data
  const orders = (await school.call(listOrders, { page_size: 1000 })).data.list
  const financial = (await school.call(listFinancialRows, { page_size: 1000 })).data.list
  return {
    detail,
    list: orders.find(({ entity_id }: { entity_id: string }) => entity_id === order_id),
    financial: financial.filter((row: { order_id: string }) => row.order_id === order_id),
  }
}
