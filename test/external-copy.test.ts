import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { listAudit } from '../src/access/audit/list-audit.ts'
import { verifyAudit } from '../src/access/audit/verify-audit.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { checkLedger } from '../src/backoffice/finance/check-ledger.ts'
import { eraseUser } from '../src/changes/erasure/erase-user.ts'
import { importLeadFile } from '../src/changes/lead-import/import-lead-file.ts'
import { mergeUsers, unmergeUsers } from '../src/changes/merging/merge-users.ts'
import { importOrders } from '../src/changes/order-import/import-orders.ts'
import { undoBatch } from '../src/changes/undo/undo-batch.ts'
import { undoChanges } from '../src/changes/undo/undo-changes.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { createRemark } from '../src/orders/create-remark.ts'
import { listFinancialRows } from '../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { importLead } from '../src/people/leads/import-leads.ts'
import { listLeads } from '../src/people/leads/list-leads.ts'
import { createTagGroup } from '../src/people/tag-groups/change-tag-groups.ts'
import { assignUserTag, listUserTags } from '../src/people/user-tags/assign-user-tag.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { listUsers } from '../src/people/users/list-users.ts'
import { importerOf } from './harness/importer.ts'
import { testKeyring } from './harness/keyring.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { openFolder } from './support/sheets.ts'

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

type Row = Record<string, unknown>
type Kind = 'orders' | 'sub_orders' | 'leads' | 'users' | 'user_tags'

const canary = {
  mobile: '18866655544',
  email: 'wren@birds.example',
  name: 'Zaunkoenig',
  company: 'Nestbau',
  tag: 'sings early',
  comment: 'paid by the aviary',
  remark: 'moulting',
}

/**
 * A copy that a program keeps: it takes the rows of lists that have a new version or time,
 * and of the audit which records are gone.
 */
class ExternalCopy {
  readonly records: Record<Kind, Map<string, Row>> = {
    orders: new Map(),
    sub_orders: new Map(),
    leads: new Map(),
    users: new Map(),
    user_tags: new Map(),
  }
  private readonly call: TestOrganization['call']
  private seq = 0
  private lastTime = ''

  constructor(call: TestOrganization['call']) {
    this.call = call
  }

  async poll(): Promise<void> {
    const gone = (await this.listed(listAudit)).filter((entry) => (entry.seq as number) > this.seq)
    this.seq = gone.at(-1)?.seq as number
    for (const { action, record_type, record_id } of gone)
      if (action === 'removed' || (action === 'erased' && record_type === 'users'))
        this.records[record_type as Kind]?.delete(record_id as string)
    const modified = { time_range_type: 'modify' }
    this.takeVersions('orders', 'entity_id', await this.listed(listOrders, modified))
    this.takeVersions('leads', 'lead_id', (await this.listed(listLeads)).map(ofLead))
    const users = await this.listed(listUsers)
    this.takeVersions('users', 'user_id', users.map(ofUser))
    for (const { user_id } of users) {
      const { data } = await this.call(listUserTags, { user_id })
      this.takeVersions('user_tags', 'entity_id', data.rows)
    }
    const rows = await this.listed(listFinancialRows, modified)
    for (const row of rows)
      if (String(row.mtime) > this.lastTime) this.records.sub_orders.set(String(row.sub_order_id), row)
    this.lastTime = String(rows.at(-1)?.mtime ?? '')
  }

  private takeVersions(kind: Kind, key: string, rows: Row[]): void {
    for (const row of rows) {
      const known = this.records[kind].get(row[key] as string)
      expect(Number(row.version), `version of ${kind}`).toBeGreaterThan(0)
      if (!known || Number(row.version) > Number(known.version))
        this.records[kind].set(row[key] as string, row)
    }
  }

  private async listed(endpoint: Endpoint, input: object = {}): Promise<Row[]> {
    const { code, data } = await this.call(endpoint, { page_size: 1000, ...input })
    expect(code).toBe(0)
    return data.list
  }
}

/** The user's own members, without those that are derived from leads and orders. */
function ofUser({ first_touch, last_touch, order_statuses, holder_id, last_follow_up, ...own }: Row): Row {
  return own
}

function ofLead({ user, ...own }: Row): Row {
  return own
}

test('a copy of changes holds no data of an erased person, and follows merges and undos', {
  timeout: 300_000,
}, async () => {
  const org = await openOrganization(server)
  const { corp_id } = org
  const wanted = { name: 'Copy', corp_ids: [corp_id], permissions: ['read', 'write', 'finance', 'admin'] }
  const token = await server.tokenOf(
    await createAccount(server.database.owner, testKeyring, wanted, new Date()),
  )
  const call: TestOrganization['call'] = (endpoint, input = {}) =>
    server.call(endpoint, { corp_id, ...input }, { token })
  const ok = async (endpoint: Endpoint, input: object) => {
    await pushClock(corp_id)
    const { code, msg, data } = await call(endpoint, input as Row)
    expect({ code, msg }).toEqual({ code: 0, msg: 'success' })
    return data
  }
  const copy = new ExternalCopy(call)
  const follow = async (step: string) => {
    await linkEntries(server.database.owner, corp_id)
    await copy.poll()
    const fresh = new ExternalCopy(call)
    await fresh.poll()
    for (const kind of Object.keys(copy.records) as Kind[])
      expect(copy.records[kind], `${kind} after ${step}`).toEqual(fresh.records[kind])
    expect(await checkLedger(server.database.owner, corp_id), step).toMatchObject({ discrepancies: [] })
    expect(await verifyAudit(server.database.owner, corp_id), step).toMatchObject({ breaches: [] })
  }

  const { user_id } = await ok(createUser, { area_code: '86', mobile: canary.mobile })
  const { user_id: other } = await ok(createUser, { area_code: '86', mobile: '18866655500' })
  await ok(importLead, { user_id, name: canary.name, company_name: canary.company, course_code: 'EMBA' })
  const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
  const { tags_group_id } = await ok(createTagGroup, group)
  await ok(assignUserTag, { user_id, tags_group_id, value: canary.tag })
  const plan = { user_id, currency: 'CNY', listed_price: 3000, installment_count: 2, type: 'course' }
  const { order_id } = await ok(createOrder, plan)
  await ok(createPayment, { order_id, price: 100, comments: canary.comment })
  await ok(createRemark, { order_id, content: canary.remark })
  await follow('the first days')
  expect(JSON.stringify([...copy.records.sub_orders.values()])).toContain(canary.mobile)

  const merge = { user_id: other, merged_user_id: user_id }
  const { merge_id } = await ok(mergeUsers, merge)
  await follow('a merge')
  const { batch_id } = await ok(unmergeUsers, { merge_id })
  await follow('its end')
  await ok(undoChanges, { batch_id })
  await follow('the merge once more')
  await ok(unmergeUsers, { merge_id })
  await follow('its end once more')

  const context = await importerOf(server, corp_id)
  const imports = [() => importLeadFile(context, leads, {}), () => importOrders(context, orders, {})]
  const leads = await folder.file(
    'leads.csv',
    `mobile,name,city\n${canary.mobile},${canary.name},${canary.company}\n18866655511,New,Wuxi\n`,
  )
  const orders = await folder.file(
    'orders.csv',
    `external_id,mobile,area_code,currency,listed_price\nA-1,${canary.mobile},86,CNY,900\n`,
  )
  for (const run of imports) {
    await pushClock(corp_id)
    const imported = (await run()).batch_id!
    await follow('an import')
    for (let undone = imported, round = 0; round < 3; round++) {
      await pushClock(corp_id)
      undone = (await undoBatch(context, undone)).batch_id
      await follow(`undo ${round} of an import`)
    }
  }

  await ok(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true })
  await follow('the erasure')
  const told = JSON.stringify(Object.values(copy.records).map((each) => [...each.values()]))
  for (const text of Object.values(canary)) expect(told).not.toContain(text)
})

/** Each change then has its own second, which lists show. */
async function pushClock(corp_id: string): Promise<void> {
  await server.database.superuser.query(
    `insert into ledger_clocks as clock (corp_id, instant_us)
     values ($1, (extract(epoch from clock_timestamp()) * 1000000)::bigint + 2000000)
     on conflict (corp_id) do update set instant_us = greatest(clock.instant_us, excluded.instant_us) + 2000000`,
    [corp_id],
  )
}
