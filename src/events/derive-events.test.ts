import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStage } from '../../test/conformance/stage.ts'
import { validInput } from '../../test/conformance/valid-inputs.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { referenceTables, tenantTables, unauditedTables } from '../database/tables.ts'
import { endpoints } from '../endpoints.ts'
import { addEvents } from './add-events.ts'
import { silentTables, tablesWithEvents } from './derive-events.ts'
import { eventTypeNames } from './event-types.ts'
import { findEvents, findFeed, type StoredEvent } from './feed-store.ts'

type Stage = Awaited<ReturnType<typeof setStage>>
let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage?.server.close())

/** Tables without an audit whose notes still tell of something that an integrator waits for. */
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
  updateUser: ['user.updated'],
  claimUser: ['user.updated'],
  importLead: ['user.created', 'lead.created'],
  importLeads: ['user.created', 'lead.created'],
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

test('the valid call of each operation causes the events of its records', async () => {
  const { server, school } = stage
  const { corp_id } = school
  const follow = async (): Promise<StoredEvent[]> => {
    await linkEntries(server.db, corp_id)
    const before = await findFeed(server.db.of(corp_id), corp_id)
    await addEvents(server.db, corp_id)
    const { length } = await findFeed(server.db.of(corp_id), corp_id)
    const window = { after: before.length, until: length, types: eventTypeNames, limit: 10_000 }
    return findEvents(server.db.of(corp_id), corp_id, window)
  }
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
