import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type ImportOrganization, openImport } from '../../../test/support/order-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { expireOrders } from '../../orders/expire-orders.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { updateOrder } from '../../orders/update-order.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
})
afterAll(async () => {
  await folder?.remove()
  await database?.drop()
})

const csv = (...lines: string[]) => folder.file('orders.csv', `${lines.join('\n')}\n`)

describe('a row changes only prices that differ from its last import', () => {
  const header = 'external_id,email,currency,listed_price,discounted_price,coupon_ids,service_charge'
  const row = (cells: string) => csv(header, `A,a@example.com,CNY,${cells}`)

  test('an emptied discount cell removes the discount, once', async () => {
    const org = await openImport(database)
    await org.import(await row('1000,800,,'))
    expect(await pricesOf(org)).toMatchObject({ discounted: 800 })
    expect((await org.import(await row('1000,,,'))).first[0]).toMatchObject({ outcome: 'update' })
    expect(await pricesOf(org)).toMatchObject({ listed: 1000, discounted: 1000 })
    expect((await org.import(await row('1000,,,'))).first[0]).toMatchObject({ outcome: 'unchanged' })
    await isSound(org)
  })

  test('emptied cells of coupons and charges remove these too; a missing column changes nothing', async () => {
    const org = await withCoupon()
    await org.import(await row('1000,,FIFTY,7'))
    await org.import(await csv('external_id,email,contract_id', 'A,a@example.com,C-1'))
    expect(await pricesOf(org)).toEqual({ listed: 1000, discounted: 950, total: 957, coupons: ['FIFTY'] })
    await org.import(await row('1000,,FIFTY,7'))
    await org.import(await row('1000,,,'))
    expect(await pricesOf(org)).toEqual({ listed: 1000, discounted: 1000, total: 1000, coupons: [] })
    await isSound(org)
  })

  test('a change of the listed price alone keeps a discount from elsewhere', async () => {
    const org = await openImport(database)
    await org.import(await row('1000,,,'))
    await change(org, { discounted_price: 80_000 })
    await org.import(await row('1100,,,'))
    expect(await pricesOf(org)).toMatchObject({ listed: 1100, discounted: 900 })
  })

  test('an unchanged discounted price of the row applies with a new listed price, unless it was changed since', async () => {
    const org = await openImport(database)
    await org.import(await row('1000,800,,'))
    await org.import(await row('1100,800,,'))
    expect(await pricesOf(org)).toMatchObject({ listed: 1100, discounted: 800 })
    await change(org, { discounted_price: 70_000 })
    await org.import(await row('1250,800,,'))
    expect(await pricesOf(org)).toMatchObject({ listed: 1250, discounted: 850 })
  })

  test('a coupon that is added comes off the discounted price', async () => {
    const org = await withCoupon()
    await org.import(await row('1000,800,,'))
    await org.import(await row('1000,800,FIFTY,'))
    expect(await pricesOf(org)).toMatchObject({ listed: 1000, discounted: 750, coupons: ['FIFTY'] })
  })

  test('an expired coupon does not block a row that changes other cells', async () => {
    const org = await withCoupon()
    await org.import(await row('1000,,FIFTY,'))
    const ended = { corp_id: org.corp_id, coupon_id: 'FIFTY', is_active: false }
    await upsertCoupon.handle(org.context, { ...ended, amount: 5000, currency: 'CNY', version: 1 })
    expect((await org.import(await row('1100,,FIFTY,'))).first[0]).toMatchObject({ outcome: 'update' })
    expect(await pricesOf(org)).toMatchObject({ listed: 1100, discounted: 1050 })
  })
})

describe('a plan that is under way', () => {
  const header =
    'external_id,email,currency,listed_price,installment_count,first_payment_deadline,paid_price,paid_time'
  const running = () =>
    csv(
      header,
      'A,a@example.com,CNY,300,3,2026-01-31,100,2026-01-05',
      'B,b@example.com,CNY,300,3,2026-01-31,50,2026-01-05',
      'C,c@example.com,CNY,300,3,2026-01-31,,',
      'D,d@example.com,JPY,300,3,2090-01-31,,',
      'E,e@example.com,JPY,300,3,2026-01-31,300,2026-01-05',
    )

  test('is reported as overdue by the dry run and by the import', async () => {
    const org = await openImport(database)
    const dry = await org.import(await running(), { dryRun: true })
    expect(dry.first.map(({ note }) => note)).toEqual([
      '2 of 3 instalments are overdue: 200.00 CNY',
      '3 of 3 instalments are overdue: 250.00 CNY',
      'nothing was paid and the first deadline has passed: the order will expire',
      null,
      null,
    ])
    expect(dry.overdue).toEqual([{ currency: 'CNY', orders: 2, overdue_price: '450.00', expiring: 1 }])
    const report = await org.import(await running())
    expect({ ...report, dry_run: true, batch_id: null, rejects_file: null }).toEqual(dry)
    await isSound(org)
  })

  test('with a payment does not expire by overdue instalments', async () => {
    const org = await openImport(database)
    await org.import(await running())
    await expireOrders(database.owner, org.corp_id, new Date())
    const orders = await org.query('select external_id, status from orders where corp_id = $corp order by 1')
    expect(orders.map(({ external_id, status }) => `${external_id} ${status}`)).toEqual([
      'A pending',
      'B pending',
      'C expired',
      'D created',
      'E success',
    ])
  })
})

async function withCoupon(): Promise<ImportOrganization> {
  const org = await openImport(database)
  const coupon = { corp_id: org.corp_id, coupon_id: 'FIFTY', amount: 5000, currency: 'CNY' }
  await upsertCoupon.handle(org.context, coupon)
  return org
}

async function change(org: ImportOrganization, input: object) {
  const [order] = await org.query('select order_id, version from orders where corp_id = $corp')
  const { order_id, version } = order as { order_id: string; version: number }
  return updateOrder.handle(org.context, { corp_id: org.corp_id, order_id, version, ...input })
}

async function pricesOf(org: ImportOrganization) {
  const [order] = await org.query(
    'select listed_price, discounted_price, total_price, coupon_ids from orders where corp_id = $corp',
  )
  const major = (name: string) => Number(order![name]) / 100
  return {
    listed: major('listed_price'),
    discounted: major('discounted_price'),
    total: major('total_price'),
    coupons: order!.coupon_ids,
  }
}

async function isSound({ corp_id }: ImportOrganization): Promise<void> {
  expect(await checkLedger(database.owner, corp_id)).toMatchObject({ total: 0, discrepancies: [] })
}
