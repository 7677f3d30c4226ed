import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import { newId } from '../contract/new-id.ts'
import { createOrder } from '../orders/create-order.ts'
import { listHistory } from '../orders/ledger/list-history.ts'
import { createPayment } from '../orders/payments/create-payment.ts'
import { importLead } from '../people/leads/import-leads.ts'
import { createUser } from '../people/users/create-user.ts'
import { listUserHistory } from '../people/users/fetch-profile.ts'
import { createFollowUp } from '../people/users/follow-ups/follow-ups.ts'
import { updatePool } from '../people/users/update-pool.ts'
import { addEvents } from './add-events.ts'
import type { Event } from './event.ts'
import { fetchEvent } from './fetch-event.ts'
import { listRecordEvents } from './list-record-events.ts'

let server: TestServer
let school: TestOrganization
let user_id: string
let order_id: string
let follow_up_id: string
let lead_id: string

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  const made = async (endpoint: Parameters<TestOrganization['call']>[0], input: Record<string, unknown>) =>
    (await school.call(endpoint, input)).data
  ;({ user_id } = await made(createUser, { email: `${newId()}@example.com` }))
  const other = await made(createUser, { email: `${newId()}@example.com` })
  await made(updatePool, { user_id, pool: 'alive' })
  ;({ lead_id } = await made(importLead, { user_id, name: 'Lin' }))
  await made(importLead, { user_id: other.user_id, name: 'Other' })
  ;({ follow_up_id } = await made(createFollowUp, { user_id, content: 'Called' }))
  ;({ order_id } = await made(createOrder, { user_id, currency: 'CNY', listed_price: 3000 }))
  await made(createOrder, { user_id: other.user_id, currency: 'CNY', listed_price: 3000 })
  await made(createPayment, { order_id, price: 3000, currency: 'CNY' })
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
})
afterAll(() => server.close())

const eventsOf = async (record_id: string, more = {}): Promise<Event[]> =>
  (await school.call(listRecordEvents, { record_id, ...more })).data.list
const typesOf = (events: Event[]) => events.map(({ type }) => type)

test('each version of an order has its event, with those of its money', async () => {
  const events = await eventsOf(order_id)
  expect(typesOf(events)).toEqual(['payment.recorded', 'order.status_changed', 'order.created'])
  const { list } = (await school.call(listHistory, { order_id })).data
  for (const { version } of list)
    expect(events.filter((event) => event.record_id === order_id && event.version === version)).toHaveLength(
      1,
    )
  // An event of the same change.
  const [payment, change] = events as [Event, Event]
  expect((await school.call(fetchEvent, { event_id: payment.event_id })).data).toEqual(payment)
  expect(payment.event_id.split('-')[0]).toBe(change.event_id.split('-')[0])
})

test('a person has the events of their leads, follow-ups and orders, and of no other person', async () => {
  const events = await eventsOf(user_id)
  expect(typesOf(events)).toEqual([
    'payment.recorded',
    'order.status_changed',
    'order.created',
    'follow_up.created',
    'lead.created',
    ...Array(events.length - 6).fill('user.updated'),
    'user.created',
  ])
  expect(new Set(events.map(({ record_id }) => record_id))).toEqual(
    new Set([events[0]!.record_id, order_id, follow_up_id, lead_id, user_id]),
  )
  const { list } = (await school.call(listUserHistory, { user_id })).data
  expect(list).not.toEqual([])
  for (const { version } of list)
    expect(events.filter((event) => event.record_id === user_id && event.version === version)).toHaveLength(1)
})

test('pages go back from the newest', async () => {
  const all = await eventsOf(user_id)
  const [first] = await eventsOf(user_id, { limit: 1 })
  expect(first).toEqual(all[0])
  expect(await eventsOf(user_id, { before: all[2]!.seq })).toEqual(all.slice(3))
})

test('events about money need the permission finance', async () => {
  const wanted = { name: 'Reader', corp_ids: [school.corp_id], permissions: ['read' as const] }
  const account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const input = { corp_id: school.corp_id, record_id: order_id }
  const { data } = await server.call(listRecordEvents, input, { token: await server.tokenOf(account) })
  expect(typesOf(data.list)).toEqual(['order.status_changed', 'order.created'])
})

test('an unknown record has no events', async () => {
  expect(await eventsOf(newId())).toEqual([])
})
