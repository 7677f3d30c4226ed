import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { openDatabase } from '../database/database.ts'
import { createPayment } from '../orders/payments/create-payment.ts'
import { createFollowUp } from '../people/users/follow-ups/follow-ups.ts'
import { addEvents } from './add-events.ts'
import { pruneDueNotices } from './due-notice-store.ts'
import { findEvents, findFeed, type StoredEvent } from './feed-store.ts'
import { noteDue } from './note-due.ts'

const hourMs = 3_600_000
const dueTypes = ['instalment.due', 'instalment.overdue', 'follow_up.due']

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  school = await openLedger(database)
})

async function dueEvents(): Promise<StoredEvent[]> {
  const { corp_id } = school
  await linkEntries(database.app, corp_id)
  await addEvents(database.app, corp_id)
  const { length } = await findFeed(database.app.of(corp_id), corp_id)
  const window = { after: 0, until: length, types: dueTypes, limit: 1000 }
  return findEvents(database.app.of(corp_id), corp_id, window)
}

const typesOf = (events: StoredEvent[]) => events.map(({ type }) => type)

/** An order with three instalments, the first of them paid, and the deadlines of the others. */
async function partlyPaid(): Promise<{ order_id: string; sub_order_ids: string[]; deadlines: Date[] }> {
  const order = await school.order({ installment_count: 3, first_payment_deadline: '2030-01-31' })
  await school.run(createPayment, { order_id: order.order_id, price: 10_000, currency: 'CNY' })
  const { rows } = await database.superuser.query<{ at: Date }>(
    'select payment_deadline as at from sub_orders where corp_id = $1 and order_id = $2 order by seq',
    [school.corp_id, order.order_id],
  )
  return { ...order, deadlines: rows.map(({ at }) => at) }
}

test('an unpaid instalment is due a day before its deadline, and overdue after it, once each', async () => {
  const { order_id, sub_order_ids, deadlines } = await partlyPaid()
  const { corp_id, user_id } = school
  const [, second] = deadlines
  expect(await noteDue(database.app, corp_id, new Date(second!.getTime() - 25 * hourMs))).toBe(0)
  const eve = new Date(second!.getTime() - hourMs)
  expect(await noteDue(database.app, corp_id, eve)).toBe(1)
  expect(await noteDue(database.app, corp_id, eve)).toBe(0)
  const late = new Date(second!.getTime() + hourMs)
  expect(await noteDue(database.app, corp_id, late)).toBe(1)
  expect(await noteDue(database.app, corp_id, late)).toBe(0)
  const events = await dueEvents()
  expect(typesOf(events)).toEqual(['instalment.due', 'instalment.overdue'])
  for (const event of events)
    expect(event).toMatchObject({
      record_type: 'instalment',
      record_id: sub_order_ids[1],
      related: { order_id, user_id },
      changed: [],
      actor_kind: 'system',
    })
})

test('a paid instalment is never due, and a new deadline is due again', async () => {
  const { order_id, sub_order_ids, deadlines } = await partlyPaid()
  const { corp_id } = school
  const late = new Date(deadlines[1]!.getTime() + hourMs)
  await noteDue(database.app, corp_id, late)
  await database.superuser.query(
    'update sub_orders set payment_deadline = $3 where corp_id = $1 and sub_order_id = $2',
    [corp_id, sub_order_ids[1], new Date(late.getTime() + hourMs)],
  )
  await noteDue(database.app, corp_id, late)
  expect(typesOf(await dueEvents())).toEqual(['instalment.overdue', 'instalment.due'])
  await school.run(createPayment, { order_id, price: 20_000, currency: 'CNY' })
  expect(await noteDue(database.app, corp_id, new Date('2040-01-01'))).toBe(0)
})

test('the next contact of a follow-up is due once, unless another follow-up came first', async () => {
  const { corp_id, user_id } = school
  const tomorrow = new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)
  const { follow_up_id } = await school.run(createFollowUp, {
    user_id,
    content: 'Call',
    next_time: `${tomorrow} 10:00:00`,
  })
  expect(await noteDue(database.app, corp_id, new Date())).toBe(0)
  const later = new Date(Date.now() + 72 * hourMs)
  expect(await noteDue(database.app, corp_id, later)).toBe(1)
  expect(await noteDue(database.app, corp_id, later)).toBe(0)
  expect(await dueEvents()).toMatchObject([
    { type: 'follow_up.due', record_id: follow_up_id, related: { user_id } },
  ])
})

test('of two concurrent servers, one notes; after a crash, the next round notes the rest', async () => {
  const { corp_id } = school
  const { deadlines } = await partlyPaid()
  const late = new Date(deadlines[2]!.getTime() + hourMs)
  const other = openDatabase({ ...database.appOptions, max: 4 })
  const crashing = {
    ...database.app,
    of: (...given: Parameters<typeof other.of>) => {
      const on = database.app.of(...given)
      return {
        ...on,
        transaction: (work: (tx: typeof on) => Promise<unknown>) =>
          on.transaction(async (tx) => {
            await work(tx)
            throw new Error('killed')
          }),
      }
    },
  } as typeof other
  await expect(noteDue(crashing, corp_id, late)).rejects.toThrow('killed')
  expect(await dueEvents()).toEqual([])
  const counts = await Promise.all(
    Array.from({ length: 8 }, (_, n) => noteDue(n % 2 === 0 ? database.app : other, corp_id, late)),
  )
  await other.close()
  expect(counts.reduce((sum, count) => sum + count)).toBe(2)
  expect(typesOf(await dueEvents())).toEqual(['instalment.overdue', 'instalment.overdue'])
})

test('old notices are deleted in steps, but not those of debts and contacts that are still open', async () => {
  const { corp_id, user_id } = school
  const on = database.app.of(corp_id)
  const paid = await partlyPaid()
  await partlyPaid()
  const told = async () => {
    const { rows } = await database.superuser.query(
      'select kind from due_notices where corp_id = $1 order by kind, at',
      [corp_id],
    )
    return rows.map(({ kind }) => kind)
  }
  await school.run(createFollowUp, { user_id, content: 'Call', next_time: '2029-01-01 10:00:00' })
  const late = new Date(paid.deadlines[2]!.getTime() + hourMs)
  const afterDays = (days: number) => new Date(late.getTime() + days * 24 * hourMs)
  await noteDue(database.app, corp_id, new Date(paid.deadlines[1]!.getTime() - hourMs))
  await noteDue(database.app, corp_id, late)
  await dueEvents()
  const all = ['follow_up.due', ...Array(2).fill('instalment.due'), ...Array(4).fill('instalment.overdue')]
  expect(await told()).toEqual(all)
  // A deadline with a later notice is never noted again.
  expect(await pruneDueNotices(on, corp_id, afterDays(200), 1)).toBe(1)
  expect(await pruneDueNotices(on, corp_id, afterDays(200), 10)).toBe(1)
  expect(await pruneDueNotices(on, corp_id, afterDays(200), 10)).toBe(0)
  expect(await noteDue(database.app, corp_id, afterDays(200))).toBe(0)
  await school.run(createPayment, { order_id: paid.order_id, price: 20_000, currency: 'CNY' })
  await school.run(createFollowUp, { user_id, content: 'Called' })
  // Recent notices stay.
  expect(await pruneDueNotices(on, corp_id, late, 10)).toBe(1)
  expect(await told()).toEqual(Array(4).fill('instalment.overdue'))
  expect(await pruneDueNotices(on, corp_id, afterDays(91), 10)).toBe(2)
  expect(await told()).toEqual(Array(2).fill('instalment.overdue'))
  expect(await noteDue(database.app, corp_id, afterDays(200))).toBe(0)
})
