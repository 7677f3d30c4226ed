import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { listOrders } from '../listing/list-orders.ts'
import { searchOrders } from '../listing/search-orders.ts'
import { createPayer } from '../payers/create-payer.ts'
import { listPayers } from '../payers/list-payers.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { applyPayment } from './apply-payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listPayments } from './list-payments.ts'
import { listUnallocated } from './list-unallocated.ts'
import { movePayment } from './move-payment.ts'
import { recordReceipt } from './record-receipt.ts'
import { reverseRefund } from './reverse-refund.ts'
import { reverseVoid } from './reverse-void.ts'
import { unapplyPayment } from './unapply-payment.ts'
import { voidPayment } from './void-payment.ts'

let database: TestDatabase
let school: TestLedger
let payer_id: string
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  payer_id = (await school.run(createPayer, { name: 'Harbour', kind: 'employer' })).payer_id
})
afterAll(async () => {
  expect((await checkLedger(database.app, school.corp_id)).discrepancies).toEqual([])
  await database.drop()
})

const paidOf = async (order_id: string) => (await school.run(fetchOrder, { order_id })).paid_price
const orders = (count: number) => Promise.all(Array.from({ length: count }, () => school.order()))
const idsOf = async (count: number) => (await orders(count)).map(({ order_id }) => order_id)

async function unallocatedOf(payment_id: string): Promise<number> {
  const { list } = await school.run(listUnallocated, { page_size: 1000 })
  const found = list.find((row: { payment_id: string }) => row.payment_id === payment_id)
  return found?.unallocated_price ?? 0
}

describe('one receipt', () => {
  test('pays several orders in one step, and the rest stays unallocated on the account of the payer', async () => {
    const [first, second] = await idsOf(2)
    const allocations = [
      { order_id: first, price: 30_000 },
      { order_id: second, price: 15_000 },
    ]
    const receipt = { payer_id, price: 50_000, charge_id: 'one transfer', method: 'transfer', allocations }
    const preview = await school.run(recordReceipt, { ...receipt, dry_run: true })
    expect(preview.orders.map((each: { after: object }) => each.after)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ status: 'success', paid_price: 30_000 })]),
    )
    expect(await paidOf(first!)).toBe(0)
    const made = await school.run(recordReceipt, receipt)
    expect(made).toMatchObject({
      ...{ payer_id, order_price: 50_000, allocated_price: 45_000, unallocated_price: 5_000 },
      allocations: [
        { order_id: first, price: 30_000, because: null, order_status: 'success' },
        { order_id: second, price: 15_000, because: null, order_status: 'pending' },
      ],
    })
    expect([await paidOf(first!), await paidOf(second!)]).toEqual([30_000, 15_000])
    const { list } = await school.run(listPayments, { payer_id })
    expect(list).toMatchObject([
      {
        payment_id: made.payment_id,
        payer_name: 'Harbour',
        price: 50_000,
        unapplied_price: 5_000,
        user_id: '',
      },
    ])
    expect(await unallocatedOf(made.payment_id)).toBe(5_000)

    const { orders: _, ...again } = await school.run(recordReceipt, receipt)
    expect(again.payment_id).toBe(made.payment_id)
    expect(again).toMatchObject({ allocated_price: 45_000, unallocated_price: 5_000 })
    await expect(school.run(recordReceipt, { ...receipt, price: 50_001 })).rejects.toMatchObject({
      code: 40901,
    })
    const others = [
      { order_id: first, price: 30_000 },
      { order_id: second, price: 14_999 },
    ]
    await expect(school.run(recordReceipt, { ...receipt, allocations: others })).rejects.toMatchObject({
      code: 40901,
    })
    await expect(
      school.run(createPayment, { order_id: first, price: 50_000, charge_id: 'one transfer' }),
    ).rejects.toMatchObject({ code: 40901 })
  })

  test('is recorded completely or not at all', async () => {
    const [order_id] = await idsOf(1)
    const { order_id: dollars } = await school.order({ currency: 'USD' })
    const before = (await school.run(listPayments, {})).total
    const attempts: [object, number][] = [
      [
        {
          allocations: [
            { order_id, price: 1 },
            { order_id: 'nobody', price: 1 },
          ],
        },
        40402,
      ],
      [
        {
          allocations: [
            { order_id, price: 1 },
            { order_id: dollars, price: 1 },
          ],
        },
        40002,
      ],
      [{ allocations: [{ order_id, price: 101 }] }, 40002],
      [{ allocations: [{ order_id, price: 1, sub_order_id: 'none' }] }, 40405],
      [{ payer_id: 'nobody', allocations: [{ order_id, price: 1 }] }, 40442],
      [{ payer_id: undefined, payer_user_id: 'nobody' }, 40401],
    ]
    for (const [attempt, code] of attempts)
      await expect(school.run(recordReceipt, { payer_id, price: 100, ...attempt })).rejects.toMatchObject({
        code,
      })
    expect((await school.run(listPayments, {})).total).toBe(before)
    expect(await paidOf(order_id!)).toBe(0)
  })

  test('keeps the part that an order cannot take as unallocated', async () => {
    const [open, canceled] = await idsOf(2)
    await school.run(updateStatus, { order_id: canceled, status: 'canceled' })
    const allocations = [open, canceled].map((order_id) => ({ order_id, price: 100 }))
    const made = await school.run(recordReceipt, { payer_id, price: 200, allocations })
    expect(made).toMatchObject({ allocated_price: 100, unallocated_price: 100 })
    expect(made.allocations[1]).toMatchObject({ price: 0, because: 'the order is canceled' })
    expect(await unallocatedOf(made.payment_id)).toBe(100)
  })

  test('of a person makes them a payer once; without a person, a payer of an unknown kind', async () => {
    const { user_id } = school
    const first = await school.run(recordReceipt, { payer_user_id: user_id, price: 10 })
    const second = await school.run(recordReceipt, { payer_user_id: user_id, price: 20 })
    expect(second.payer_id).toBe(first.payer_id)
    expect((await school.run(listPayers, { user_id })).list).toMatchObject([
      { name: 'Somebody', kind: 'person' },
    ])
    const unknown = { payer_name: 'LI MING TRANSFER', price: 30, charge_id: 'unknown' }
    const nobody = await school.run(recordReceipt, unknown)
    await school.run(recordReceipt, unknown)
    const { list, totals } = await school.run(listUnallocated, { page_size: 1000 })
    expect(list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ payment_id: nobody.payment_id, payer_name: 'LI MING TRANSFER' }),
        expect.objectContaining({ payment_id: second.payment_id, user_id }),
      ]),
    )
    const all = list.reduce(
      (sum: number, row: { unallocated_price: number }) => sum + row.unallocated_price,
      0,
    )
    expect(totals).toEqual([{ currency: 'CNY', payments: list.length, unallocated_price: all }])
    expect((await school.run(listPayers, { kind: 'unknown' })).total).toBe(1)
  })
})

describe('unallocated money', () => {
  const receive = (price: number, more: object = {}) =>
    school.run(recordReceipt, { payer_id, price, ...more })

  test('is allocated to an order, unallocated, refunded, and its refund reversed', async () => {
    const [order_id] = await idsOf(1)
    const { payment_id, order_id: account } = await receive(1_000)
    await school.run(applyPayment, { payment_id, order_id, price: 600 })
    expect([await paidOf(order_id!), await unallocatedOf(payment_id)]).toEqual([600, 400])
    await school.run(unapplyPayment, { payment_id, order_id })
    const refund = { order_id: account, payment_id, price: 1_000, reason: 'Paid twice' }
    const { refund_id } = await school.run(createRefund, refund)
    expect(await unallocatedOf(payment_id)).toBe(0)
    await school.run(reverseRefund, { refund_id, reason: 'Returned by the bank' })
    expect(await unallocatedOf(payment_id)).toBe(1_000)
    await expect(school.run(applyPayment, { payment_id, order_id, price: 1_001 })).rejects.toMatchObject({
      code: 40904,
    })
  })

  test('is voided on the account and on its orders, and the void is reversed', async () => {
    const [order_id] = await idsOf(1)
    const { payment_id } = await receive(1_000, { allocations: [{ order_id, price: 300 }] })
    expect(await school.run(voidPayment, { payment_id, reason: 'Bounced' })).toMatchObject({ price: 1_000 })
    expect([await paidOf(order_id!), await unallocatedOf(payment_id)]).toEqual([0, 0])
    await school.run(reverseVoid, { payment_id, reason: 'It did not' })
    expect(await unallocatedOf(payment_id)).toBe(1_000)
  })

  test('moves to an order in another currency, with its payer', async () => {
    const { order_id: dollars } = await school.order({ currency: 'USD' })
    const { payment_id } = await receive(7_000)
    const moved = { payment_id, to_order_id: dollars, settled_price: 1_000, reason: 'For the other course' }
    const made = await school.run(movePayment, moved)
    expect(await paidOf(dollars)).toBe(1_000)
    const { list } = await school.run(listPayments, { payer_id, order_id: dollars })
    expect(list).toMatchObject([{ payment_id: made.payment_id, payer_name: 'Harbour' }])
  })

  test('is on an account that order lists, searches and changes do not find', async () => {
    const { order_id } = await receive(1)
    const rows = await school.run(listOrders, { page_size: 1000 })
    const found = await school.run(searchOrders, { page_size: 100 })
    for (const { list } of [rows, found])
      expect(list.map((row: { entity_id: string }) => row.entity_id)).not.toContain(order_id)
    for (const [operation, input] of [
      [createPayment, { price: 1 }],
      [updateStatus, { status: 'created' }],
      [updateOrder, { version: 1, contract_id: 'x' }],
    ] as const)
      await expect(school.run(operation, { order_id, ...input })).rejects.toMatchObject({ code: 40402 })
  })

  test('a voided charge is recorded again if the call requests it', async () => {
    const receipt = { charge_id: 'bounces', allocations: [] }
    const { payment_id } = await receive(10, receipt)
    await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    await expect(receive(10, receipt)).rejects.toMatchObject({ code: 40901 })
    const again = await receive(10, { ...receipt, reinstate: true })
    expect(again.payment_id).not.toBe(payment_id)
  })
})

test('concurrent receipts of one charge make one payment, and those of different charges pay each order once', async () => {
  const ids = await idsOf(3)
  const receipt = { payer_id, price: 3_000, charge_id: 'raced' }
  const allocations = ids.map((order_id) => ({ order_id, price: 1_000 }))
  const backwards = { ...receipt, charge_id: 'raced too', allocations: allocations.toReversed() }
  const results = await Promise.all([
    ...Array.from({ length: 4 }, () => school.run(recordReceipt, { ...receipt, allocations })),
    ...Array.from({ length: 4 }, () => school.run(recordReceipt, backwards)),
  ])
  expect(new Set(results.map(({ payment_id }) => payment_id)).size).toBe(2)
  for (const order_id of ids) expect(await paidOf(order_id)).toBe(2_000)
})

test('two concurrent calls do not allocate one payment twice', async () => {
  const [one, two] = await idsOf(2)
  const { payment_id } = await school.run(recordReceipt, { payer_id, price: 1_000 })
  const outcomes = await Promise.allSettled(
    [one, two].map((order_id) => school.run(applyPayment, { payment_id, order_id, price: 700 })),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await paidOf(one!)) + (await paidOf(two!))).toBe(700)
})

test('a void that waits while its money leaves an order adds no version to that order', async () => {
  const [order_id] = await idsOf(1)
  const allocations = [{ order_id, price: 300 }]
  const { payment_id } = await school.run(recordReceipt, { payer_id, price: 300, allocations })
  const client = await database.superuser.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from orders where corp_id = $1 and order_id = $2 for update', [
      ...[school.corp_id, order_id],
    ])
    const taken = school.run(unapplyPayment, { payment_id, order_id })
    await waitingStatements(1)
    const voided = school.run(voidPayment, { payment_id, reason: 'Bounced' })
    await waitingStatements(2)
    await client.query('commit')
    await Promise.all([taken, voided])
  } finally {
    client.release()
  }
  const { version, paid_price } = await school.run(fetchOrder, { order_id })
  expect({ version, paid_price }).toEqual({ version: 3, paid_price: 0 })
})

/** Waits until this number of statements of the test database wait for a lock. */
async function waitingStatements(count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await database.superuser.query(
      `select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].count
  }
  while ((await waiting()) < count) await new Promise((resolve) => setTimeout(resolve, 5))
}
