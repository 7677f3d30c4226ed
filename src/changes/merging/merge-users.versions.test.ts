import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../../../test/harness/expect-success.ts'
import { importerOf } from '../../../test/harness/importer.ts'
import { atOnce } from '../../../test/harness/ledger.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createOrder } from '../../orders/create-order.ts'
import { listHistory } from '../../orders/ledger/list-history.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { fetchLead } from '../../people/leads/fetch-lead.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { importOrders } from '../order-import/import-orders.ts'
import { undoBatch } from '../undo/undo-batch.ts'
import { mergeUsers, unmergeUsers } from './merge-users.ts'

let server: TestServer
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  server = await startTestServer('matricula')
  folder = await openFolder()
})
afterAll(async () => {
  await folder?.remove()
  await server?.close()
})

const rows = async (text: string, ...values: unknown[]) =>
  (await server.database.superuser.query(text, values)).rows

const plan = { currency: 'CNY', listed_price: 1000, installment_count: 2, type: 'course' }

async function openPair() {
  const org = await openOrganization(server)
  const made = ['13800000001', '13800000002'].map((mobile) =>
    ok(org.call(createUser, { area_code: '86', mobile })),
  )
  const [user_id, merged_user_id] = (await Promise.all(made)).map((user) => user.user_id as string)
  return { org, user_id: user_id!, merged_user_id: merged_user_id! }
}

/** A deleted order, whose import was undone. */
async function importAndUndo({ corp_id }: TestOrganization, mobile: string): Promise<void> {
  const context = await importerOf(server, corp_id)
  const lines = `external_id,mobile,area_code,currency,listed_price\nA,${mobile},86,CNY,900`
  const { batch_id } = await importOrders(context, await folder.file('orders.csv', lines), {})
  await undoBatch(context, batch_id!)
}

interface Counted {
  id: string
  version: number
  mtime: Date
}

async function countedOf({ corp_id }: TestOrganization): Promise<Map<string, Counted>> {
  const found = await rows(
    `select 'orders ' || order_id as id, version, mtime from orders where corp_id = $1
     union all select 'sub_orders ' || sub_order_id, version, mtime from sub_orders where corp_id = $1
     union all select 'leads ' || lead_id, version, mtime from leads where corp_id = $1
     union all select 'user_tags ' || entity_id, version, mtime from user_tags where corp_id = $1
     union all select 'users ' || user_id, version, mtime from users where corp_id = $1`,
    corp_id,
  )
  return new Map(found.map((record) => [record.id, record]))
}

test('a merge and its undo give each moved record a new version, a time and an audit entry', async () => {
  const { org, user_id, merged_user_id } = await openPair()
  const { corp_id } = org
  await importAndUndo(org, '13800000002')
  const { order_id } = await ok(org.call(createOrder, { ...plan, user_id: merged_user_id }))
  const { order_id: other } = await ok(org.call(createOrder, { ...plan, user_id }))
  const { lead_id } = await ok(org.call(importLead, { user_id: merged_user_id, name: 'Mei' }))
  const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
  const { tags_group_id } = await ok(org.call(createTagGroup, group))
  await ok(org.call(assignUserTag, { user_id: merged_user_id, tags_group_id, value: 'a' }))
  const { follow_up_id } = await ok(org.call(createFollowUp, { user_id: merged_user_id, content: 'x' }))
  const before = await countedOf(org)
  const steps = [before]
  const { merge_id } = await ok(org.call(mergeUsers, { user_id, merged_user_id }))
  steps.push(await countedOf(org))
  await ok(org.call(unmergeUsers, { merge_id }))
  steps.push(await countedOf(org))

  const unmoved = await rows(
    `select 'orders ' || order_id as id from orders where order_id = $1
     union all select 'sub_orders ' || sub_order_id from sub_orders where order_id = $1`,
    other,
  )
  const stays = new Set(unmoved.map(({ id }) => id))
  const gone = `users ${merged_user_id}`
  for (const [key, first] of before) {
    const [, second, third] = steps.map((step) => step.get(key))
    if (stays.has(key)) expect([second, third], key).toEqual([first, first])
    else if (key === gone) expect([second, third!.version]).toEqual([undefined, first.version + 2])
    else {
      if (key !== `users ${user_id}`) expect(second!.version, key).toBe(first.version + 1)
      expect(third!.version, key).toBe(second!.version + 1)
      for (const [earlier, later] of [
        [first, second!],
        [second!, third!],
      ] as const)
        expect(later.mtime.getTime(), key).toBeGreaterThanOrEqual(earlier.mtime.getTime())
    }
  }
  for (const operation of ['mergeUsers', 'unmergeUsers']) {
    const entries = await rows(
      `select record_type || ' ' || record_id as key from audit_entries
        where corp_id = $1 and operation = $2 and record_type not in ('change_batches', 'merged_users', 'sub_orders')`,
      corp_id,
      operation,
    )
    const wanted = [...before.keys()].filter((key) => !stays.has(key) && !key.startsWith('sub_orders'))
    expect(entries.map(({ key }) => key).sort()).toEqual(
      [...wanted, `user_follow_ups ${follow_up_id}`].sort(),
    )
  }
  const { list } = await ok(org.call(listHistory, { order_id }))
  expect(list.map(({ change }: { change: string }) => change)).toEqual(['created', 'merged', 'unmerged'])
  expect(await ok(org.call(fetchLead, { lead_id }))).toMatchObject({ user_id: merged_user_id, version: 3 })
  expect(await checkLedger(server.database.owner, corp_id)).toMatchObject({ total: 0 })
})

test('a payment concurrent with a merge of its order is recorded, and both are versions of the order', async () => {
  for (let race = 0; race < 6; race++) {
    const { org, user_id, merged_user_id } = await openPair()
    const { order_id } = await ok(org.call(createOrder, { ...plan, user_id: merged_user_id }))
    const pay = () => ok(org.call(createPayment, { order_id, price: 100 }))
    const [{ merge_id }] = await Promise.all([
      ok(org.call(mergeUsers, { user_id, merged_user_id })),
      atOnce(3, pay),
    ])
    await Promise.all([ok(org.call(unmergeUsers, { merge_id })), atOnce(3, pay)])
    const { list } = await ok(org.call(listHistory, { order_id }))
    const changes = list.map(({ change }: { change: string }) => change)
    expect(changes.toSorted()).toEqual(['created', 'merged', ...Array(6).fill('payment'), 'unmerged'])
    expect(changes.indexOf('merged')).toBeLessThan(changes.indexOf('unmerged'))
    expect(await rows('select user_id, version from orders where order_id = $1', order_id)).toEqual([
      { user_id: merged_user_id, version: 9 },
    ])
    expect(await checkLedger(server.database.owner, org.corp_id)).toMatchObject({ total: 0 })
  }
})
