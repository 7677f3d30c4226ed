import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { openDatabase } from '../database/database.ts'
import { expireOrders } from './expire-orders.ts'
import { listHistory } from './ledger/list-history.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { createPayment } from './payments/create-payment.ts'
import { voidPayment } from './payments/void-payment.ts'
import { updateStatus } from './update-status.ts'
import { writeOffOrder } from './write-off-order.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('monthly deadlines from the last of January, in New York', () => {
  test('are the last second of each local day, across months and days of different length', async () => {
    const school = await openLedger(database, 'America/New_York')
    const { order_id } = await school.order({ installment_count: 12, first_payment_deadline: '2027-01-31' })
    expect(await deadlinesOf(school, order_id)).toEqual([
      '2027-01-31 23:59:59',
      '2027-02-28 23:59:59',
      '2027-03-31 23:59:59',
      '2027-04-30 23:59:59',
      '2027-05-31 23:59:59',
      '2027-06-30 23:59:59',
      '2027-07-31 23:59:59',
      '2027-08-31 23:59:59',
      '2027-09-30 23:59:59',
      '2027-10-31 23:59:59',
      '2027-11-30 23:59:59',
      '2027-12-31 23:59:59',
    ])
    const instants = await instantsOf(order_id)
    // Five hours behind UTC in winter, four from 14 March to 7 November.
    expect(instants.slice(0, 3)).toEqual([
      '2027-02-01T04:59:59.000Z',
      '2027-03-01T04:59:59.000Z',
      '2027-04-01T03:59:59.000Z',
    ])
    expect(instants.slice(9, 11)).toEqual(['2027-11-01T03:59:59.000Z', '2027-12-01T04:59:59.000Z'])
  })

  test('a leap year has its 29th of February', async () => {
    const school = await openLedger(database, 'America/New_York')
    const { order_id } = await school.order({ installment_count: 3, first_payment_deadline: '2027-12-31' })
    expect((await deadlinesOf(school, order_id))[2]).toBe('2028-02-29 23:59:59')
  })

  test('a day of 23 hours and one of 25 hours end at local midnight', async () => {
    const school = await openLedger(database, 'America/New_York')
    const sub_orders = ['2027-03-14', '2027-11-07', '2027-03-14 02:30:00', '2027-11-07 01:30:00'].map(
      (payment_deadline) => ({ payment_deadline, total_price: 5 }),
    )
    const plan = { listed_price: 20, installment_count: undefined, sub_orders }
    const { order_id } = await school.order(plan)
    expect(await instantsOf(order_id)).toEqual([
      '2027-03-15T03:59:59.000Z',
      '2027-11-08T04:59:59.000Z',
      // A skipped time is an hour later; of a repeated time, the first one counts.
      '2027-03-14T07:30:00.000Z',
      '2027-11-07T05:30:00.000Z',
    ])
  })

  test('where midnight is skipped, the day still ends a second before the next begins', async () => {
    const school = await openLedger(database, 'America/Santiago')
    const { order_id } = await school.order({ installment_count: 1, first_payment_deadline: '2027-09-04' })
    expect(await deadlinesOf(school, order_id)).toEqual(['2027-09-04 23:59:59'])
  })
})

describe('a deadline', () => {
  test('that is exactly now has not passed; a millisecond later it has', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ first_payment_deadline: '2030-05-31 12:00:00' })
    const deadline = Date.parse('2030-05-31T12:00:00Z')
    expect(await expireAt(school, deadline)).toBe(0)
    expect(await expireAt(school, deadline + 1)).toBe(1)
    expect(await expireAt(school, deadline + 2)).toBe(0)
    expect(await school.run(fetchOrder, { order_id })).toMatchObject({ status: 'expired', unpaid_price: 0 })
    const { list } = await school.run(listHistory, { order_id })
    expect(list.at(-1)).toMatchObject({
      change: 'expired',
      from_status: 'created',
      to_status: 'expired',
      executor_id: null,
      reason: 'The deadline of instalment 1 passed unpaid',
    })
  })

  test('expires only orders without payments: with payments, a late instalment is overdue', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ first_payment_deadline: '2030-01-31' })
    const { payment_id } = await school.run(createPayment, { order_id, price: 1 })
    expect(await expireAt(school, Date.parse('2031-01-01T00:00:00Z'))).toBe(0)
    expect(await school.run(fetchOrder, { order_id })).toMatchObject({
      status: 'pending',
      paid_price: 1,
      unpaid_price: 29_999,
    })
    await school.run(voidPayment, { payment_id, reason: 'It bounced' })
    expect(await expireAt(school, Date.parse('2031-01-01T00:00:00Z'))).toBe(1)
    expect(await school.run(fetchOrder, { order_id })).toMatchObject({ status: 'expired', unpaid_price: 0 })
  })

  test.each(['locked', 'success', 'canceled'])('does not touch an order that is %s', async (status) => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ first_payment_deadline: '2030-01-31' })
    if (status === 'success') await school.run(writeOffOrder, { order_id, reason: 'A gift' })
    else await school.run(updateStatus, { order_id, status })
    expect(await expireAt(school, Date.parse('2031-01-01T00:00:00Z'))).toBe(0)
  })

  test('of any number of unpaid sub-orders of orders with money never prevents others from expiring', async () => {
    const school = await openLedger(database)
    for (let n = 0; n < 101; n++) {
      const { order_id, sub_order_ids } = await school.order({
        installment_count: 2,
        first_payment_deadline: '2030-01-31',
      })
      await school.run(createPayment, { order_id, sub_order_id: sub_order_ids[1], price: 15_000 })
    }
    const late = await school.order({ first_payment_deadline: '2030-01-31' })
    expect(await expireAt(school, Date.parse('2031-01-01T00:00:00Z'))).toBe(1)
    expect((await school.run(fetchOrder, { order_id: late.order_id })).status).toBe('expired')
  })
})

describe('an expired order that is reopened', () => {
  const now = new Date('2030-03-15T00:00:00Z')

  test('moves all unpaid deadlines by the same whole days until none has passed; paid ones stay', async () => {
    const school = await openLedger(database)
    const { order_id } = await expired(school)
    await school.run(updateStatus, { order_id, status: 'created' }, now)
    expect(await deadlinesOf(school, order_id)).toEqual([
      '2030-01-31 23:59:59',
      '2030-03-15 23:59:59',
      '2030-04-15 23:59:59',
    ])
    expect(await expireAt(school, now.getTime() + 1000)).toBe(0)
  })

  test('accepts a new deadline for the first unpaid part; the others keep their distance', async () => {
    const school = await openLedger(database, 'Asia/Shanghai')
    const { order_id } = await expired(school)
    await school.run(updateStatus, { order_id, status: 'created', payment_deadline: '2030-06-30' }, now)
    expect(await deadlinesOf(school, order_id)).toEqual([
      '2030-01-31 23:59:59',
      '2030-06-30 23:59:59',
      '2030-07-31 23:59:59',
    ])
    expect(await instantsOf(order_id)).toContain('2030-06-30T15:59:59.000Z')
  })

  test('keeps the time of day across a DST change', async () => {
    const school = await openLedger(database, 'Europe/Berlin')
    const { order_id } = await expired(school)
    await school.run(updateStatus, { order_id, status: 'created' }, now)
    expect((await deadlinesOf(school, order_id))[2]).toBe('2030-04-15 23:59:59')
  })

  test('accepts deadlines of single parts, which do not move with the others', async () => {
    const school = await openLedger(database)
    const { order_id, sub_order_ids } = await expired(school)
    const reopen = (sub_order_id: string | undefined, payment_deadline: string) =>
      school.run(
        updateStatus,
        { order_id, status: 'created', payment_deadlines: [{ sub_order_id, payment_deadline }] },
        now,
      )
    await expect(reopen(sub_order_ids[0], '2030-12-31')).rejects.toThrow('not paid')
    await expect(reopen('nowhere', '2030-12-31')).rejects.toThrow('no such sub-order')
    await expect(reopen(sub_order_ids[1], '2030-03-14')).rejects.toThrow('future')
    await reopen(sub_order_ids[2], '2030-12-31')
    expect(await deadlinesOf(school, order_id)).toEqual([
      '2030-01-31 23:59:59',
      '2030-03-15 23:59:59',
      '2030-12-31 23:59:59',
    ])
  })

  test('can be paid like any other', async () => {
    const school = await openLedger(database)
    const { order_id } = await expired(school)
    await school.run(updateStatus, { order_id, status: 'created' }, now)
    const first = await school.run(createPayment, { order_id, price: 10_000 })
    const last = await school.run(createPayment, { order_id, price: 20_000 })
    expect([first.order_status, last.order_status]).toEqual(['pending', 'success'])
  })

  test('keeps the completion times of its parts', async () => {
    const school = await openLedger(database)
    const { order_id } = await expired(school)
    const completed = async () => (await school.run(fetchOrder, { order_id })).sub_orders[0].completed_time
    const before = await completed()
    expect(before).not.toBe('')
    await school.run(updateStatus, { order_id, status: 'created' }, now)
    expect(await completed()).toBe(before)
    expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
  })

  /** Its first instalment costs nothing, and the others were not paid. */
  async function expired(school: TestLedger) {
    const deadlines = ['2030-01-31', '2030-02-28', '2030-03-31']
    const sub_orders = deadlines.map((payment_deadline, index) => ({
      total_price: index === 0 ? 0 : 10_000,
      payment_deadline,
    }))
    const plan = { listed_price: 20_000, installment_count: undefined, sub_orders }
    const order = await school.order(plan)
    expect(await expireAt(school, now.getTime())).toBe(1)
    return order
  }
})

test('two servers that expire at the same time expire each order once', async () => {
  const second = openDatabase({ ...database.appOptions, max: 4 })
  const school = await openLedger(database)
  const made = []
  for (let n = 0; n < 130; n++)
    made.push(await school.order({ first_payment_deadline: '2030-01-31', installment_count: 1 }))
  const now = new Date('2030-02-01T00:00:00Z')
  const counts = await Promise.all(
    [database.app, second, database.app, second].map((db) => expireOrders(db, school.corp_id, now)),
  )
  // A server that found an empty batch may have stopped: the next round takes the rest.
  const rest = await expireOrders(second, school.corp_id, now)
  await second.close()
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(130)
  const { rows } = await database.superuser.query(
    `select count(*)::int as versions, count(distinct order_id)::int as orders
       from order_versions where corp_id = $1 and change = 'expired'`,
    [school.corp_id],
  )
  expect(rows).toEqual([{ versions: 130, orders: 130 }])
})

function expireAt({ corp_id }: TestLedger, time: number): Promise<number> {
  return expireOrders(database.app, corp_id, new Date(time))
}

async function deadlinesOf(school: TestLedger, order_id: string): Promise<string[]> {
  const { sub_orders } = await school.run(fetchOrder, { order_id })
  return sub_orders.map(({ payment_deadline }: { payment_deadline: string }) => payment_deadline)
}

async function instantsOf(order_id: string): Promise<string[]> {
  const { rows } = await database.superuser.query(
    'select payment_deadline from sub_orders where order_id = $1 order by seq',
    [order_id],
  )
  return rows.map(({ payment_deadline }) => payment_deadline.toISOString())
}
