import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type ImportOrganization, openImport } from '../../../test/support/order-import.ts'
import { openFolder, writeXlsx } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { upsertBatch } from '../../orders/offerings/upsert-batch.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { importOrders } from './import-orders.ts'

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
const header = 'external_id,email,currency,listed_price,contract_id,paid_price,charge_id'

async function isSound({ corp_id }: ImportOrganization): Promise<void> {
  expect(await checkLedger(database.owner, corp_id)).toMatchObject({ total: 0, discrepancies: [] })
}

test('a row creates an order, its user and its payment, by the same rules as the operations', async () => {
  const org = await openImport(database, 'Asia/Shanghai')
  const file = await csv(
    '订单号,区号,手机号,姓名,币种,原价,优惠价,分期数,付款截止日,备注,实付金额,付款时间,业绩分成',
    'A-1,+86,138 0013 8000,王小明,cny,"￥12,800.00",12000,3,2027/1/31,加急,"4,000.00",2026年3月4日 10:00,anna:0.6;li:0.4',
  )
  const report = await org.import(file)
  expect(report).toMatchObject({
    rows: { total: 1, create: 1, reject: 0 },
    encoding: 'utf-8',
    rejects_file: null,
  })
  expect(report.totals).toEqual([
    { currency: 'CNY', orders: 1, total_price: '12000.00', payments: 1, paid_price: '4000.00' },
  ])
  const [order] = await org.query('select * from orders where corp_id = $corp')
  expect(order).toMatchObject({
    external_id: 'A-1',
    source: 'import',
    status: 'pending',
    listed_price: '1280000',
    total_price: '1200000',
    share_proportion: { anna: 6000, li: 4000 },
    executor_id: 'command-line',
    version: 3,
  })
  expect(order!.user_copy).toMatchObject({ account_name: '王小明', mobile: '13800138000' })
  const subOrders = await org.query(
    `select seq, status, total_price, payment_deadline from sub_orders where corp_id = $corp order by seq`,
  )
  expect(subOrders.map(({ status }) => status)).toEqual(['success', 'created', 'created'])
  expect(subOrders.map(({ payment_deadline }) => (payment_deadline as Date).toISOString())).toEqual([
    '2027-01-31T15:59:59.000Z',
    '2027-02-28T15:59:59.000Z',
    '2027-03-31T15:59:59.000Z',
  ])
  const [payment] = await org.query('select completed_time, price from payments where corp_id = $corp')
  expect(payment).toEqual({ completed_time: new Date('2026-03-04T02:00:00Z'), price: '400000' })
  const versions = await org.query('select change from order_versions where corp_id = $corp order by version')
  expect(versions.map(({ change }) => change)).toEqual(['created', 'payment', 'remark'])
  await isSound(org)
})

test('a dry run reports the outcomes and changes nothing; a repeated import changes nothing either', async () => {
  const org = await openImport(database)
  const file = await csv(
    header,
    'A,a@example.com,CNY,100,C-1,,',
    'B,b@example.com,JPY,"12,000",,5000,ch-1',
    'C,a@example.com,CNY,x,,,',
  )
  const before = await org.checksum()
  const outcomes = join(folder.folder, 'outcomes.ndjson')
  const dry = await org.import(file, { dryRun: true, outcomes })
  expect(await org.checksum()).toBe(before)
  expect(dry.rows).toEqual({ total: 3, create: 2, update: 0, unchanged: 0, reject: 1, erased: 0 })
  const lines = (await readFile(outcomes, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['create', 'create', 'reject'])
  expect(dry.first_rejects[0]!.reason).toMatch(/^row 4, column listed_price: must be an amount/)
  const first = await org.import(file)
  expect({ ...first, dry_run: true, batch_id: null, rejects_file: null }).toEqual(dry)
  const after = await org.checksum()
  const second = await org.import(file)
  expect(second.rows).toEqual({ total: 3, create: 0, update: 0, unchanged: 2, reject: 1, erased: 0 })
  expect(await org.checksum()).toBe(after)
  await isSound(org)
})

test('rejected rows can be corrected and imported again', async () => {
  const org = await openImport(database)
  const file = await csv(
    header,
    'A,a@example.com,CNY,100.001,"C,1",,',
    'B,b@example.com,CNY,200,,,',
    ',c@example.com,CNY,1,,,',
  )
  const { rejects_file, first_rejects } = await org.import(file)
  expect(first_rejects.map(({ reason }) => reason)).toEqual([
    'row 2, column listed_price: must have at most 2 decimals in CNY',
    'row 4, column external_id: is required',
  ])
  const text = await readFile(rejects_file!, 'utf8')
  expect(text.split('\n')[0]).toBe(`\ufeff${header},reject_reason`)
  await writeFile(rejects_file!, text.replace('100.001', '100.01').replace('\n,c@', '\nC,c@'))
  expect((await org.import(rejects_file!)).rows).toEqual({
    total: 2,
    create: 2,
    update: 0,
    unchanged: 0,
    reject: 0,
    erased: 0,
  })
  const orders = await org.query(
    'select external_id, total_price, contract_id from orders where corp_id = $corp order by 1',
  )
  expect(orders).toEqual([
    { external_id: 'A', total_price: '10001', contract_id: 'C,1' },
    { external_id: 'B', total_price: '20000', contract_id: null },
    { external_id: 'C', total_price: '100', contract_id: null },
  ])
})

test('a changed row updates its order; an unchanged one reverts nothing', async () => {
  const org = await openImport(database)
  const row = (price: string, contract: string, paid = '') =>
    csv(header, `A,a@example.com,CNY,${price},${contract},${paid}`)
  await org.import(await row('100', 'C-1', ','))
  const [order] = await org.query('select order_id from orders where corp_id = $corp')
  const order_id = order!.order_id as string
  await updateOrder.handle(org.context, { corp_id: org.corp_id, order_id, version: 1, listed_price: 9000 })
  const outcome = async (file: string) => (await org.import(file)).first[0]!
  expect(await outcome(await row('100.00', 'C-1', ','))).toMatchObject({ outcome: 'unchanged' })
  expect(await outcome(await row('100', 'C-2', ','))).toMatchObject({ outcome: 'update' })
  const stored = async () =>
    (await org.query('select total_price, contract_id, status from orders where corp_id = $corp'))[0]
  expect(await stored()).toEqual({ total_price: '9000', contract_id: 'C-2', status: 'created' })
  expect(await outcome(await row('90', 'C-2', ','))).toMatchObject({ outcome: 'unchanged' })
  expect(await outcome(await row('80', 'C-2', '30,'))).toMatchObject({ outcome: 'update' })
  expect(await stored()).toEqual({ total_price: '8000', contract_id: 'C-2', status: 'pending' })
  expect((await outcome(await row('80', 'C-2', '40,'))).reason).toMatch(
    /column paid_price: cannot change a recorded payment/,
  )
  expect(await outcome(await row('80', 'C-2', '50,ch-2'))).toMatchObject({ outcome: 'update' })
  expect(await stored()).toMatchObject({ status: 'success' })
  expect((await outcome(await row('70', 'C-2', '50,ch-2'))).reason).toMatch(
    /do not change while the order is success/,
  )
  await isSound(org)
})

test('a row cannot change permanent members of an order', async () => {
  const org = await openImport(database)
  await org.import(await csv(header, 'A,a@example.com,CNY,100,,,', 'B,b@example.com,CNY,100,,,'))
  const before = await org.checksum()
  const reasons = []
  for (const line of [
    'A,b@example.com,CNY,100,,,',
    'A,new@example.com,CNY,100,,,',
    'A,a@example.com,JPY,100,,,',
  ]) {
    reasons.push((await org.import(await csv(header, line))).first_rejects[0]?.reason)
  }
  expect(reasons).toEqual([
    'row 2, column email: is not the user of the order',
    'row 2, column email: is not the user of the order',
    'row 2, column currency: cannot change: the order has CNY',
  ])
  expect(await org.checksum()).toBe(before)
})

test('text that the database cannot hold is a fault of its cell', async () => {
  const org = await openImport(database)
  const report = await org.import(
    await csv(header, 'A\0B,a@example.com,CNY,1,,,', 'B,a@example.com,CNY,1,,,'),
  )
  expect(report.rows).toMatchObject({ create: 1, reject: 1 })
  expect(report.first_rejects[0]!.reason).toMatch(/^row 2, column external_id: must be one line of text/)
})

test('repeated rows are named, and the first one counts', async () => {
  const org = await openImport(database)
  const report = await org.import(
    await csv(
      header,
      'A,a@example.com,CNY,1,,1,ch',
      'A,a@example.com,CNY,2,,,',
      'B,a@example.com,CNY,2,,1,ch',
    ),
  )
  expect(report.first_rejects.map(({ reason }) => reason)).toEqual([
    'row 3, column external_id: is in row 2 already',
    'row 4, column charge_id: is in row 2 already',
  ])
})

test('courses, batches by name, coupons and foreign payments follow the rules of the ledger', async () => {
  const org = await openImport(database)
  const { context, corp_id } = org
  const course = { corp_id, course_code: 'EMBA', name: 'EMBA', currency: 'CNY', listed_price: 1_000_000 }
  const { course_id } = (await upsertCourse.handle(context, course as never)) as { course_id: string }
  await upsertBatch.handle(context, {
    corp_id,
    course_id,
    name: 'Spring',
    start_date: '2027-03-01',
  } as never)
  await upsertCoupon.handle(context, { corp_id, coupon_id: 'TEN', basis_points: 1000 } as never)
  const columns = 'external_id,email,course_code,batch,coupon_ids,paid_price,paid_currency,exchange_rate'
  const report = await org.import(
    await csv(
      columns,
      'A,a@x.com,EMBA,Spring,TEN,100,USD,7.1234',
      'B,a@x.com,EMBA,Autumn,,,,',
      'C,a@x.com,MBA,,,,,',
      'D,a@x.com,EMBA,,NONE,,,',
      'E,a@x.com,EMBA,,,100,USD,',
    ),
  )
  expect(report.first_rejects.map(({ reason }) => reason)).toEqual([
    'row 3, column batch: names no batch of the course',
    'row 4, column course_code: names no course of the organization',
    'row 5, column coupon_ids: names a coupon that does not exist',
    'row 6, column exchange_rate: is required (or settled_price): the order is in CNY',
  ])
  const [order] = await org.query('select total_price, course_copy from orders where corp_id = $corp')
  expect(order).toMatchObject({
    total_price: '900000',
    course_copy: { batch_name: 'Spring', course_name: 'EMBA' },
  })
  expect(await org.query('select order_price from payments where corp_id = $corp')).toEqual([
    { order_price: '71234' },
  ])
  await isSound(org)
})

test('an order from the interface is compared with the row', async () => {
  const org = await openImport(database)
  await org.import(await csv(header, 'A,a@example.com,CNY,100,C-1,,'))
  await org.query('delete from order_import_rows where corp_id = $corp')
  const [{ order_id }] = (await org.query('select order_id from orders where corp_id = $corp')) as [
    { order_id: string },
  ]
  await createPayment.handle(org.context, {
    corp_id: org.corp_id,
    order_id,
    price: 1000,
    currency: 'CNY',
    source: 'import',
    charge_id: 'ch',
  })
  expect((await org.import(await csv(header, 'A,a@example.com,CNY,100,C-1,10,ch'))).rows).toMatchObject({
    unchanged: 1,
  })
  expect((await org.import(await csv(header, 'A,a@example.com,CNY,100,C-9,10,ch'))).rows).toMatchObject({
    update: 1,
  })
  await isSound(org)
})

test('users are found by any contact, created once, and only their blanks are filled', async () => {
  const org = await openImport(database)
  const columns = 'external_id,user_id,area_code,mobile,email,name,currency,listed_price'
  await org.import(
    await csv(
      columns,
      'A,,86,13800138000,,,CNY,1',
      'B,,86,13800138000,a@x.com,Mei,CNY,1',
      'C,,,,A@X.com,Other,CNY,1',
    ),
  )
  const users = await org.query('select user_id, mobile, email, name from users where corp_id = $corp')
  expect(users).toEqual([
    { user_id: users[0]!.user_id, mobile: '13800138000', email: 'a@x.com', name: 'Mei' },
  ])
  const report = await org.import(
    await csv(
      columns,
      'D,nobody,,,,,CNY,1',
      `E,${users[0]!.user_id},,,b@x.com,,CNY,1`,
      'F,,86,13900139000,a@x.com,,CNY,1',
    ),
  )
  expect(report.first_rejects.map(({ reason }) => reason)).toEqual([
    'row 2, column user_id: names no user of the organization',
  ])
  expect(await org.query('select mobile, email from users where corp_id = $corp')).toEqual([
    { mobile: '13800138000', email: 'a@x.com' },
  ])
})

test('a workbook is imported like a text file', async () => {
  const org = await openImport(database)
  const file = await writeXlsx(join(folder.folder, 'orders.xlsx'), [
    ['external_id', 'email', 'currency', 'listed_price', 'paid_price', 'paid_time'],
    [1001, 'a@x.com', 'CNY', 1280.5, 280.5, { date: 45_351 }],
    [1002, 'a@x.com', 'CNY', '1,280.50', null, null],
  ])
  expect((await org.import(file)).totals).toEqual([
    { currency: 'CNY', orders: 2, total_price: '2561.00', payments: 1, paid_price: '280.50' },
  ])
  expect(await org.query('select completed_time from payments where corp_id = $corp')).toEqual([
    { completed_time: new Date('2024-02-29T00:00:00Z') },
  ])
})

test('an ambiguous amount is refused, and so is a formula without a stored value', async () => {
  const org = await openImport(database)
  const { first_rejects } = await org.import(
    await csv(header, 'A,a@x.com,TND,"1,250",,,', 'B,a@x.com,TND,1250,,,'),
  )
  expect(first_rejects.map(({ reason }) => reason)).toEqual([
    'row 2, column listed_price: may be 1250 or 1.250 in TND: write it without a comma',
  ])
  const uncalculated = { xml: (r: string) => `<c r="${r}"><f>1+1</f><v/></c>` }
  const file = await writeXlsx(join(folder.folder, 'uncalculated.xlsx'), [
    ['external_id', 'email', 'currency', 'listed_price', 'paid_price'],
    ['C', 'a@x.com', 'CNY', 1, uncalculated],
  ])
  expect((await org.import(file)).first_rejects[0]!.reason).toMatch(
    /^row 2, column paid_price: holds a formula without a stored value/,
  )
})

test('for any rows, an import does what its dry run reports', { timeout: 600_000 }, async () => {
  const org = await openImport(database)
  const row = fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    user: fc.integer({ min: 1, max: 4 }),
    currency: fc.constantFrom('CNY', 'JPY', 'KWD', ''),
    price: fc.constantFrom('100', '1,000.50', '0', '2.505', '-1', '12'),
    count: fc.constantFrom('', '1', '3', '0'),
    status: fc.constantFrom('', 'created', 'tbd', 'gone'),
    paid: fc.constantFrom('', '', '10', '100', '0'),
    charge: fc.constantFrom('', 'one', 'two'),
    rate: fc.constantFrom('', '1', '7.1'),
    contract: fc.constantFrom('', 'C1', 'C2'),
  })
  let files = 0
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 12 }),
      async (rows) => {
        files++
        const lines = rows.map(({ id, user, charge, paid, ...r }) =>
          [
            `X${id}`,
            `u${user}@x.com`,
            r.currency,
            `"${r.price}"`,
            r.count,
            r.status,
            paid,
            charge && paid ? `${charge}-${id}` : '',
            r.rate,
            r.contract,
          ].join(','),
        )
        const file = await csv(
          'external_id,email,currency,listed_price,installment_count,status,paid_price,charge_id,exchange_rate,contract_id',
          ...lines,
        )
        const before = await org.checksum()
        const {
          dry_run: _,
          batch_id: _b,
          rejects_file: __,
          ...plan
        } = await org.import(file, { dryRun: true })
        expect(await org.checksum()).toBe(before)
        const { dry_run: ___, batch_id: ___b, rejects_file: ____, ...effect } = await org.import(file)
        expect(effect).toEqual(plan)
        const after = await org.checksum()
        const again = await org.import(file)
        expect(again.rows).toMatchObject({ create: 0, update: 0, reject: plan.rows.reject })
        expect(await org.checksum()).toBe(after)
      },
    ),
    { numRuns: attemptsOf('MATRICULA_DRY_RUNS', 10) },
  )
  expect(files).toBeGreaterThan(0)
  await isSound(org)
})

test('rows of a counsellor follow the rules of counsellors: no discount, no order without a course, no payment', async () => {
  const org = await openImport(database)
  await upsertCourse.handle(org.context, {
    corp_id: org.corp_id,
    course_code: 'EMBA',
    name: 'EMBA',
    listed_price: 10_000,
  })
  const context = { ...org.context, role: 'counsellor' as const }
  const head = 'external_id,email,course_code,currency,listed_price,discounted_price,paid_price'
  const first = await csv(
    head,
    'A,a@example.com,EMBA,CNY,100,100,',
    'B,b@example.com,EMBA,CNY,100,99.99,',
    'C,c@example.com,,CNY,0.01,,',
    'D,d@example.com,EMBA,CNY,0,,',
    'E,e@example.com,EMBA,CNY,100,,100',
  )
  for (const dryRun of [true, false]) {
    const report = await importOrders(context, first, { dryRun })
    expect(report.rows).toMatchObject({ create: 1, reject: 4 })
    expect(report.first_rejects.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/discounted_price: must be at least 10000 for a counsellor/),
      expect.stringMatching(/A counsellor sells courses/),
      expect.stringMatching(/listed_price: must be at least 10000/),
      expect.stringMatching(/column paid_price: Counsellors of this organization do not record payments/),
    ])
  }
  const second = await csv(head, 'A,a@example.com,EMBA,CNY,100,50,', 'B,b@example.com,EMBA,CNY,100,,')
  expect((await importOrders(context, second, {})).rows).toMatchObject({ update: 0, create: 1, reject: 1 })
  const third = await csv(head, 'A,a@example.com,EMBA,CNY,100,100,1')
  expect((await importOrders(context, third, {})).rows).toMatchObject({ reject: 1 })
  await isSound(org)
})

test('a receipt number of the school belongs to one payment, also in one file', async () => {
  const org = await openImport(database)
  const columns = 'external_id,email,currency,listed_price,paid_price,receipt_num'
  const file = await csv(columns, 'A,a@example.com,CNY,100,10,99', 'B,b@example.com,CNY,100,10,99')
  const counts = { create: 1, reject: 1 }
  expect((await org.import(file, { dryRun: true })).rows).toMatchObject(counts)
  expect((await org.import(file)).rows).toMatchObject(counts)
  expect((await org.import(file)).rows).toMatchObject({ create: 0, unchanged: 1, reject: 1 })
  const later = await csv(columns, 'C,c@example.com,CNY,100,10,99')
  expect((await org.import(later)).rows).toMatchObject({ create: 0, reject: 1 })
  expect(await org.query('select receipt_num from payments where corp_id = $corp')).toEqual([
    { receipt_num: '99' },
  ])
  await isSound(org)
})
