import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setStage } from '../../test/conformance/stage.ts'
import { validInput } from '../../test/conformance/valid-inputs.ts'
import { importerOf } from '../../test/harness/importer.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { dereferenced } from '../../test/harness/openapi.ts'
import { openFolder } from '../../test/support/sheets.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { approveRequest } from '../backoffice/approvals/decide-request.ts'
import { closeBooks } from '../backoffice/finance/close-period.ts'
import { createExport } from '../backoffice/finance/exports/create-export.ts'
import { resumeExports } from '../backoffice/finance/exports/work-on-export.ts'
import { reverseClosing } from '../backoffice/finance/reverse-closing.ts'
import { forgetPayer } from '../changes/erasure/erase-payer.ts'
import { erasePerson } from '../changes/erasure/erase-person.ts'
import { importLeadFile } from '../changes/lead-import/import-lead-file.ts'
import { mergeUsers, unmergeUsers } from '../changes/merging/merge-users.ts'
import { importOrders } from '../changes/order-import/import-orders.ts'
import { undoBatch } from '../changes/undo/undo-batch.ts'
import { newId } from '../contract/new-id.ts'
import { referenceTables, tenantTables, unauditedTables } from '../database/tables.ts'
import { endpoints } from '../endpoints.ts'
import { openApiDocuments } from '../openapi-documents.ts'
import { createOrder } from '../orders/create-order.ts'
import { changeLimits } from '../orders/limits/manage-refund-limits.ts'
import { createPayer } from '../orders/payers/create-payer.ts'
import { createPayment } from '../orders/payments/create-payment.ts'
import { createRefund } from '../orders/payments/create-refund.ts'
import { importLead } from '../people/leads/import-leads.ts'
import { createTagGroup } from '../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../people/user-tags/assign-user-tag.ts'
import { createUser } from '../people/users/create-user.ts'
import { createFollowUp } from '../people/users/follow-ups/follow-ups.ts'
import { addEvents } from './add-events.ts'
import { silentTables, tablesWithEvents } from './derive-events.ts'
import { eventOf } from './event.ts'
import { type EventTypeName, eventTypeNames, eventTypes } from './event-types.ts'
import { findEvents, findFeed, type StoredEvent } from './feed-store.ts'
import { noteDue } from './note-due.ts'
import { bodyOf } from './webhooks/payload.ts'

type Stage = Awaited<ReturnType<typeof setStage>>
let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage?.server.close())

/** Tables outside the audit whose notes still cause events for integrators. */
const notedOnly = ['lead_imports', 'finance_exports', 'test_events']

test('every audited table has events or a reason for having none', () => {
  const audited = [...tenantTables, ...referenceTables].filter((table) => !unauditedTables.includes(table))
  const covered = [...tablesWithEvents, ...Object.keys(silentTables)].filter(
    (table) => !notedOnly.includes(table),
  )
  expect(covered.toSorted()).toEqual(audited.toSorted())
})

/** Operations whose valid call changes records that readers of the feed follow, with the events that it causes. */
const expected: Record<string, string[]> = {
  createTagGroup: ['tag_group.created'],
  updateTagGroup: ['tag_group.updated'],
  activateTagGroup: ['tag_group.activated'],
  deactivateTagGroup: ['tag_group.deactivated'],
  assignUserTag: ['user_tag.assigned'],
  createUser: ['user.created'],
  updateOwner: ['user.updated'],
  updateEmail: ['user.updated'],
  updateMobile: ['user.updated'],
  updateUser: ['user.updated'],
  claimUser: ['user.updated'],
  importLead: ['user.created', 'lead.created'],
  importLeads: ['user.created', 'lead.created'],
  takeLead: ['user.created', 'lead.created', 'follow_up.created'],
  mergeUsers: ['user.merged'],
  createFollowUp: ['follow_up.created'],
  createOrder: ['order.created'],
  updateOrder: ['order.updated'],
  updateStatus: ['order.status_changed'],
  createPayment: ['payment.recorded'],
  createRefund: ['refund.recorded'],
  voidPayment: ['payment.voided'],
  applyPayment: ['payment.applied'],
  unapplyPayment: ['payment.unapplied'],
  transferMoney: ['transfer.recorded'],
  reverseRefund: ['refund.reversed'],
  reverseVoid: ['payment.reinstated'],
  writeOffOrder: ['write_off.recorded'],
  createPayer: ['payer.created'],
  updatePayer: ['payer.updated'],
  assignPayer: ['payment.updated'],
  requestPayment: ['payment_request.created'],
  issueDocument: ['document.issued'],
  upsertCourse: ['course.upserted'],
  upsertBatch: ['batch.upserted'],
  upsertCoupon: ['coupon.upserted'],
  closePeriod: ['period.closed'],
  approveRequest: ['refund.decided', 'refund.recorded'],
  declineRequest: ['refund.decided'],
}

/** All types that the tests of this file caused, with the names of the related ids of their events. */
const seen = new Map<string, Set<string>>()

/** The schemas of the API description, by type. */
const reader = new Ajv({ strict: false })
const { webhooks } = dereferenced(openApiDocuments['openapi.json']())

function expectDescribed(event: StoredEvent): void {
  const { schema } = webhooks[event.type].post.requestBody.content['application/json']
  reader.validate(schema, JSON.parse(bodyOf(eventOf(event))))
  expect(reader.errors ?? [], event.type).toEqual([])
}

/** The events since the last call. Each matches its schema. */
async function eventsSince(corp_id: string): Promise<StoredEvent[]> {
  const { db } = stage.server
  await linkEntries(db, corp_id)
  const before = await findFeed(db.of(corp_id), corp_id)
  await addEvents(db, corp_id)
  const { length } = await findFeed(db.of(corp_id), corp_id)
  const window = { after: before.length, until: length, types: eventTypeNames, limit: 10_000 }
  const events = await findEvents(db.of(corp_id), corp_id, window)
  for (const event of events) expectDescribed(event)
  for (const { type, related } of events)
    seen.set(type, (seen.get(type) ?? new Set()).union(new Set(Object.keys(related))))
  return events
}

test('the valid call of each operation causes the events of its records', async () => {
  const { server, school } = stage
  const { corp_id } = school
  const follow = () => eventsSince(corp_id)
  // The day of the example is closed already.
  await server.database.superuser.query('delete from closings where corp_id = $1', [corp_id])
  await follow()
  for (const endpoint of endpoints) {
    if (endpoint.method === 'GET' || endpoint.scope !== 'organization') continue
    const answer = await server.call(endpoint, validInput(endpoint, school))
    expect(answer.code, endpoint.id).toBe(0)
    const events = await follow()
    const types = events.map(({ type }) => type)
    for (const type of expected[endpoint.id] ?? []) expect(types, endpoint.id).toContain(type)
    for (const event of events) {
      expect(event.record_id, `${endpoint.id} ${event.type}`).not.toBe('')
      if (event.record_type === 'order') expect(event.related, endpoint.id).toHaveProperty('order_id')
    }
  }
})

describe('events that no valid call causes', () => {
  let school: TestLedger
  let folder: Awaited<ReturnType<typeof openFolder>>
  beforeAll(async () => {
    school = await openLedger(stage.server.database)
    folder = await openFolder()
  })
  afterAll(() => folder?.remove())

  const person = async () => (await school.run(createUser, { email: `${newId()}@example.com` })).user_id
  const typesSince = async () => (await eventsSince(school.corp_id)).map(({ type }) => type)
  const caused = async (...types: string[]) => {
    const found = await typesSince()
    for (const type of types) expect(found).toContain(type)
  }

  test('imports of files by command, and their undo', async () => {
    const context = await importerOf(stage.server, school.corp_id)
    const leads = await folder.file('leads.csv', 'mobile,name\n18866655544,Wren\n')
    const { batch_id } = await importLeadFile(context, leads, {})
    await caused('user.created', 'lead.created')
    await undoBatch(context, batch_id!)
    await caused('user.deleted', 'lead.deleted')
    const orders = await folder.file(
      'orders.csv',
      'external_id,mobile,area_code,currency,listed_price\nA-1,18866655511,86,CNY,900\n',
    )
    const imported = await importOrders(context, orders, {})
    await caused('order.created')
    await undoBatch(context, imported.batch_id!)
    await caused('order.deleted')
  })

  test('a merge and its end', async () => {
    const [user_id, merged_user_id] = [await person(), await person()]
    await school.run(importLead, { user_id: merged_user_id, name: 'Twin' })
    await school.run(createFollowUp, { user_id: merged_user_id, content: 'Called' })
    await typesSince()
    const { merge_id } = await school.run(mergeUsers, { user_id, merged_user_id })
    await caused('user.merged', 'user.updated', 'lead.moved', 'follow_up.updated')
    await school.run(unmergeUsers, { merge_id })
    await caused('user.unmerged', 'lead.moved')
  })

  test('an erasure', async () => {
    const user_id = await person()
    await school.run(importLead, { user_id, name: 'Gone' })
    await school.run(createFollowUp, { user_id, content: 'Called' })
    const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
    const { tags_group_id } = await school.run(createTagGroup, group)
    await school.run(assignUserTag, { user_id, tags_group_id, value: 'x' })
    await school.run(createOrder, { user_id, currency: 'CNY', listed_price: 3000 })
    await typesSince()
    const context = await importerOf(stage.server, school.corp_id)
    await erasePerson(context, user_id, 'Asked for it', { mayOwe: true })
    await caused('user.erased', 'order.redacted', 'user_tag.removed', 'follow_up.deleted')
  })

  test('the erasure of a payer', async () => {
    const { payer_id } = await school.run(createPayer, { kind: 'employer', name: 'Harbour Logistics' })
    const context = await importerOf(stage.server, school.corp_id)
    await forgetPayer(context, payer_id, 'Asked for it')
    await caused('payer.created', 'payer.erased')
  })

  test('requests to a second approver, and their decisions', async () => {
    const { order_id } = await school.order()
    await school.run(createPayment, { order_id, price: 10_000, currency: 'CNY' })
    await changeLimits(stage.server.db.of(school.corp_id), school.corp_id, 'refund', { CNY: 1 }, new Date())
    await school.run(createRefund, { order_id, price: 10_000, reason: 'Left' })
    await caused('refund.requested')
    const until = '2024-01-31'
    const context = await importerOf(stage.server, school.corp_id)
    await closeBooks({ ...context, executor_id: 'importer' }, until)
    const { request_id } = await school.run(reverseClosing, { until, reason: 'Too early' })
    await school.runAs('second', approveRequest, { request_id })
    await caused('period.closed', 'approval.requested', 'approval.decided', 'period.reopened')
  })

  test('an export that a worker writes', async () => {
    await school.run(createExport, { what: 'payments', format: 'csv' })
    await resumeExports(await importerOf(stage.server, school.corp_id))
    await caused('export.ready')
  })

  test('times that come', async () => {
    const { order_id } = await school.order({ first_payment_deadline: '2030-01-31' })
    await school.run(createPayment, { order_id, price: 10_000, currency: 'CNY' })
    const user_id = await person()
    await school.run(createFollowUp, { user_id, content: 'Call', next_time: '2030-01-01 10:00:00' })
    const { rows } = await stage.server.database.superuser.query<{ at: Date }>(
      'select payment_deadline as at from sub_orders where corp_id = $1 and order_id = $2 and seq = 2',
      [school.corp_id, order_id],
    )
    const deadlineMs = rows[0]!.at.getTime()
    for (const ms of [-3_600_000, 3_600_000])
      await noteDue(stage.server.db, school.corp_id, new Date(deadlineMs + ms))
    await caused('instalment.due', 'instalment.overdue', 'follow_up.due')
  })
})

/** Declared types that nothing in this file causes. */
const others: Record<string, string> = {
  'lead.updated': 'No operation changes the members of a lead. Leads are moved and deleted.',
  'webhook.disabled': 'Caused by deliveries to a webhook.',
  ping: 'Caused by the test of a webhook.',
}

test('every declared type has a cause', () => {
  expect(eventTypeNames.filter((type) => !seen.has(type)).toSorted()).toEqual(Object.keys(others).toSorted())
})

/** Related ids that only events outside this file name. */
const rare: Record<string, string[]> = {
  'approval.requested': ['order_id'],
  'approval.decided': ['order_id'],
  'payer.created': ['user_id'],
  'payer.updated': ['user_id'],
  'payer.erased': ['user_id'],
  'user_tag.removed': ['tags_group_id'],
}

test('events name the related ids that their types declare', () => {
  for (const [type, names] of seen)
    expect([...names, ...(rare[type] ?? [])].toSorted(), type).toEqual(
      eventTypes[type as EventTypeName].related.toSorted(),
    )
})
