import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../../../test/harness/expect-success.ts'
import { importerOf } from '../../../test/harness/importer.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import { listAudit } from '../../access/audit/list-audit.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { listHistory } from '../../orders/ledger/list-history.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { listOrders } from '../../orders/listing/list-orders.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { mergeUsers, unmergeUsers } from '../merging/merge-users.ts'
import { importOrders } from '../order-import/import-orders.ts'
import { undoBatch } from '../undo/undo-batch.ts'
import { undoChanges } from '../undo/undo-changes.ts'
import { eraseUser } from './erase-user.ts'

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

interface School extends Counter {
  /** The same with the right to erase. */
  asAdmin: Counter['call']
}

async function openSchool(): Promise<School> {
  const school = await openCounter(server)
  const wanted = { name: 'Admin', corp_ids: [school.corp_id], permissions: ['read', 'write', 'admin'] }
  const token = await server.tokenOf(
    await createAccount(server.database.owner, testKeyring, wanted, new Date()),
  )
  const asAdmin: Counter['call'] = (endpoint, input = {}) =>
    server.call(endpoint, { corp_id: school.corp_id, ...input }, { token })
  return { ...school, asAdmin }
}

const rows = async (text: string, ...values: unknown[]) =>
  (await server.database.superuser.query(text, values)).rows

async function expectSound({ corp_id }: Counter): Promise<void> {
  expect(await checkLedger(server.database.owner, corp_id)).toMatchObject({ total: 0, discrepancies: [] })
  expect(await verifyAudit(server.database.owner, corp_id)).toMatchObject({ total: 0, breaches: [] })
}

async function importOrder({ corp_id }: Counter) {
  const context = await importerOf(server, corp_id)
  const lines = 'external_id,mobile,area_code,currency,listed_price\nA,13800138000,86,CNY,900'
  const { batch_id } = await importOrders(context, await folder.file('orders.csv', lines), {})
  return { context, batch_id: batch_id! }
}

/** A deleted order, whose import was undone: it is in no list, but still holds data of its user. */
async function importAndUndo(school: Counter): Promise<string> {
  const { context, batch_id } = await importOrder(school)
  await undoBatch(context, batch_id)
  const found = 'select order_id from orders where corp_id = $1 and is_deleted'
  return (await rows(found, school.corp_id))[0].order_id
}

test('an erasure gives every order a new version and ledger time, and moves it to the end of the lists', async () => {
  const school = await openSchool()
  const { user_id, corp_id } = school
  const orders = [await school.order(), await school.order()].map(({ order_id }) => order_id)
  const other = await ok(school.call(createUser, { area_code: '86', mobile: '13800138999' }))
  const last = await school.order({ user_id: other.user_id })
  await ok(school.call(createPayment, { order_id: orders[0], price: 100, comments: 'told by the wren' }))
  await ok(school.call(createRemark, { order_id: orders[1], content: 'told by the wren' }))
  const deleted = await importAndUndo(school)
  const before = await rows('select order_id, version, mtime from orders where corp_id = $1', corp_id)
  await ok(school.asAdmin(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true }))
  const after = await rows(
    `select o.order_id, o.version, o.mtime, v.at, v.change, v.reason, v.executor_id, o.user_copy, o.is_deleted,
            (select bool_and(s.mtime = o.mtime and s.version > 1) from sub_orders s
              where s.corp_id = o.corp_id and s.order_id = o.order_id) as is_sub_order_counted
       from orders o join order_versions v using (corp_id, order_id, version) where corp_id = $1`,
    corp_id,
  )
  const newest = before.map(({ mtime }) => mtime.getTime()).toSorted((a, b) => b - a)[0]
  for (const { order_id, version, mtime } of before) {
    const now = after.find((order) => order.order_id === order_id)
    if (order_id === last.order_id) expect(now).toMatchObject({ version, mtime, change: 'created' })
    else {
      expect(now).toMatchObject({
        ...{ version: version + 1, change: 'erased', reason: 'Asked for it', user_copy: {} },
        is_sub_order_counted: true,
      })
      expect(now.mtime).toEqual(now.at)
      expect(now.mtime.getTime()).toBeGreaterThanOrEqual(newest)
    }
  }
  const modified = { time_range_type: 'modify', page_size: 1000 }
  const { list } = await ok(school.call(listOrders, modified))
  expect(list.map((row: { entity_id: string }) => row.entity_id)).toEqual([last.order_id, ...orders.sort()])
  const { list: financial } = await ok(school.call(listFinancialRows, modified))
  expect(financial[0].order_id).toBe(last.order_id)
  expect(financial.at(-1)).toMatchObject({ user_id, mobile: '' })
  const { list: history } = await ok(school.call(listHistory, { order_id: orders[1] }))
  expect(history.at(-1)).toMatchObject({ change: 'erased', reason: 'Asked for it', from_status: null })
  expect(after.find(({ order_id }) => order_id === deleted)).toMatchObject({ is_deleted: true })
  await expectSound(school)
})

test('each record of an erasure has an audit entry with its version and without personal data', async () => {
  const school = await openSchool()
  const { user_id, corp_id } = school
  const { order_id } = await school.order()
  const { lead_id } = await ok(school.call(importLead, { user_id, name: 'Zilpzalp' }))
  const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
  const { tags_group_id } = await ok(school.call(createTagGroup, group))
  await ok(school.call(assignUserTag, { user_id, tags_group_id, value: 'Zilpzalp' }))
  await ok(school.call(assignUserTag, { user_id, tags_group_id, value: 'Zilpzalp sings' }))
  const { follow_up_id } = await ok(school.call(createFollowUp, { user_id, content: 'Zilpzalp' }))
  const [tag] = await rows('select entity_id from user_tags where corp_id = $1', corp_id)
  const [{ version }] = await rows('select version from users where user_id = $1', user_id)
  await ok(school.asAdmin(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true }))
  await linkEntries(server.database.owner, corp_id)
  const { list } = await ok(school.asAdmin(listAudit, { operation: 'eraseUser', page_size: 100 }))
  const told = list.map(({ record_type, record_id, action, version }: Record<string, unknown>) => ({
    ...{ record_type, record_id, action, version },
  }))
  expect(told).toHaveLength(5)
  expect(told).toEqual(
    expect.arrayContaining([
      { record_type: 'users', record_id: user_id, action: 'erased', version: version + 1 },
      { record_type: 'orders', record_id: order_id, action: 'erased', version: 2 },
      { record_type: 'leads', record_id: lead_id, action: 'removed', version: 2 },
      { record_type: 'user_tags', record_id: tag.entity_id, action: 'removed', version: 3 },
      { record_type: 'user_follow_ups', record_id: follow_up_id, action: 'removed', version: null },
    ]),
  )
  expect(JSON.stringify(list)).not.toMatch(/zilpzalp|13800138000/i)
  await expectSound(school)
})

test('an erasure after an undone merge leaves no data with the other person', async () => {
  const school = await openSchool()
  const { user_id, corp_id } = school
  const contact = { area_code: '86', mobile: '18899911122' }
  const { user_id: merged_user_id } = await ok(school.call(createUser, contact))
  await ok(school.call(updateEmail, { user_id: merged_user_id, email: 'goldcrest@birds.example' }))
  await ok(school.call(importLead, { ...contact, name: 'Goldhaehnchen' }))
  const { merge_id } = await ok(school.call(mergeUsers, { user_id, merged_user_id }))
  const { batch_id } = await ok(school.call(unmergeUsers, { merge_id }))
  await ok(school.asAdmin(eraseUser, { user_id: merged_user_id, reason: 'Asked for it', confirm_debt: true }))
  const tables = ['users', 'user_events', 'change_batch_records', 'audit_entries', 'audit_personal', 'leads']
  for (const table of tables)
    expect(
      await rows(
        `select 1 from ${table} t where corp_id = $1 and t::text ~* '18899911122|goldcrest|goldhaehnchen'`,
        corp_id,
      ),
      table,
    ).toEqual([])
  // The merge cannot be repeated, so no data of the person returns.
  await ok(school.call(undoChanges, { batch_id }))
  expect(await rows(`select 1 from users where corp_id = $1 and mobile = '18899911122'`, corp_id)).toEqual([])
  await expectSound(school)
})

test('an erased user cannot be merged, in either direction', async () => {
  const school = await openSchool()
  await school.order()
  const { user_id } = await ok(school.call(createUser, { area_code: '86', mobile: '13800138999' }))
  await ok(school.asAdmin(eraseUser, { user_id: school.user_id, reason: 'Asked for it', confirm_debt: true }))
  for (const merge of [
    { user_id, merged_user_id: school.user_id },
    { user_id: school.user_id, merged_user_id: user_id },
  ])
    expect(await school.call(mergeUsers, merge)).toMatchObject({ code: 40904 })
  await expectSound(school)
})

test('an import whose order lost its user by an erasure can still be undone', async () => {
  const school = await openSchool()
  const { context, batch_id } = await importOrder(school)
  await ok(school.asAdmin(eraseUser, { user_id: school.user_id, reason: 'Asked for it', confirm_debt: true }))
  await undoBatch(context, batch_id)
  expect(await rows('select is_deleted, version from orders where corp_id = $1', school.corp_id)).toEqual([
    { is_deleted: true, version: 3 },
  ])
  await expectSound(school)
})

test('an order and a lead that arrive during the erasure of their user are erased too', async () => {
  const school = await openSchool()
  const { user_id, corp_id } = school
  await school.order()
  const holder = await server.database.superuser.connect()
  try {
    // Changes of orders wait here, one by one.
    await holder.query('begin')
    await holder.query('select 1 from ledger_clocks where corp_id = $1 for update', [corp_id])
    const order = school.order()
    await waiters(1)
    const lead = school.call(importLead, { user_id, name: 'Late lead' })
    const erasure = school.asAdmin(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true })
    await waiters(2)
    await holder.query('commit')
    await Promise.all([order, ok(erasure), lead])
  } finally {
    holder.release()
  }
  const copies = await rows(
    `select user_copy->>'mobile' as mobile from orders where corp_id = $1 and user_copy::text like '%13800138000%'`,
    corp_id,
  )
  expect(copies).toEqual([])
  await expectSound(school)
})

/** Waits until this many sessions wait for a lock. */
async function waiters(count: number): Promise<void> {
  for (;;) {
    const [{ waiting }] = await rows(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (waiting >= count) return
    await pause(10)
  }
}
