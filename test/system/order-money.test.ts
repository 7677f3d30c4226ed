import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { upsertCoupon } from '../../src/orders/offerings/upsert-coupon.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { reverseTransfer } from '../../src/orders/payments/reverse-transfer.ts'
import { transferMoney } from '../../src/orders/payments/transfer-money.ts'
import { voidPayment } from '../../src/orders/payments/void-payment.ts'
import { writeOffOrder } from '../../src/orders/write-off-order.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  await school.call(upsertCoupon, { coupon_id: 'EARLY', amount: 3_000, currency: 'CNY', is_active: true })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dialog = (page: Page) => page.getByRole('dialog').last()
const act = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** The amounts in the rows of the money table: amount, to pay, held and owed after it; then the totals below. */
async function amountsOf(page: Page): Promise<string[]> {
  const rows = await page.getByRole('table', { name: 'Money' }).getByRole('row').allInnerTexts()
  return rows.slice(1).map((row) => (row.match(/−?CN¥[\d,.]+|(?<=\t)–/g) ?? []).join(' '))
}

test('the entries of an order add up to its held money; payments and refunds are proposed', {
  timeout: 300_000,
}, async () => {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 3 })
  const path = `/orders/${order_id}`
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path },
  })
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect.poll(() => dialog(page).getByLabel('Amount').inputValue()).toBe('100.00')
  await dialog(page).getByText('Instalment 1 is due next').waitFor()
  await act(page, 'Record payment')
  await page.getByText('Payment of CN¥100.00 recorded.').waitFor()
  await page.getByRole('button', { name: 'Record payment' }).click()
  await dialog(page).getByText('Instalment 2 is due next').waitFor()
  await act(page, 'Cancel')
  // Only money moves the status.
  expect(await page.getByRole('button', { name: /Mark as (Part paid|Paid)/ }).count()).toBe(0)

  await school.call(createPayment, { order_id, price: 25_000, charge_id: 'bank-2' })
  const bounced = (await school.call(createPayment, { order_id, price: 5_000, charge_id: 'bounced' })).data
  expect(bounced.applied).toBe(true)
  await page.reload()
  await page
    .getByRole('row', { name: /bounced/ })
    .getByRole('button', { name: 'Void', exact: true })
    .click()
  await dialog(page).getByLabel('Reason').fill('Bounced')
  await act(page, 'Void payment')
  await page.getByText('Payment voided.').waitFor()
  await page.getByRole('row', { name: /Void · Bounced/ }).waitFor()
  await page.getByRole('row', { name: /^Overpaid/ }).waitFor()
  await expect
    .poll(() => amountsOf(page))
    .toEqual([
      '– CN¥300.00 – CN¥300.00',
      'CN¥100.00 – CN¥100.00 CN¥200.00',
      'CN¥250.00 – CN¥350.00 –',
      'CN¥50.00 – CN¥400.00 –',
      '−CN¥50.00 – CN¥350.00 –',
      'CN¥350.00',
      'CN¥0.00',
      'CN¥50.00',
    ])
  const other = await school.order({ listed_price: 30_000, installment_count: 1 })
  const moved = { from_order_id: order_id, to_order_id: other.order_id, price: 1_000, reason: 'Sibling' }
  const { transfer_id } = (await school.call(transferMoney, moved)).data
  await page.reload()
  await page.getByRole('row', { name: /Transfer · Sibling Order .*−CN¥10\.00/ }).waitFor()
  await school.call(reverseTransfer, { transfer_id, reason: 'By mistake' })
  await page.reload()
  await page.getByRole('row', { name: /Reversal · By mistake.*CN¥10\.00/ }).waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect.poll(() => dialog(page).getByLabel('Amount').inputValue()).toBe('50.00')
  await dialog(page).getByText('Up to CN¥350.00').waitFor()
  await takePicture(page, 'order-refund-proposed')
  await dialog(page).getByLabel('Reason').fill('Agreed')
  await act(page, 'Refund')
  await page.getByText('CN¥50.00 refunded.').waitFor()
  await page.getByRole('row', { name: /Refund.*−CN¥50\.00/ }).waitFor()
  await expect.poll(async () => (await amountsOf(page)).at(-2)).toBe('CN¥300.00')
  await takePicture(page, 'order-money')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('voids, refunds, transfers and write-offs are reversed with their buttons', {
  timeout: 300_000,
}, async () => {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 1 })
  const other = await school.order({ listed_price: 30_000, installment_count: 1 })
  const pay = async (price: number, charge_id: string) =>
    (await school.call(createPayment, { order_id, price, charge_id })).data.payment_id as string
  const reason = 'Wrong one'
  await pay(20_000, 'kept')
  await school.call(voidPayment, { payment_id: await pay(1_000, 'voided'), reason })
  await school.call(createRefund, { order_id, price: 2_000, reason })
  await school.call(transferMoney, {
    ...{ from_order_id: order_id, to_order_id: other.order_id, price: 3_000, reason },
  })
  await school.call(writeOffOrder, { order_id, price: 4_000, reason })
  const before = (await school.call(fetchOrder, { order_id })).data
  expect(before).toMatchObject({ paid_price: 17_000, post_refund_price: 15_000, unpaid_price: 9_000 })
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: `/orders/${order_id}` },
  })
  const buttons = page.getByRole('button', { name: 'Reverse', exact: true })
  await expect.poll(() => buttons.count()).toBe(4)
  // The refund and the void of one payment are entries of their own.
  for (const [kind, effect, left] of [
    ['Write-off', /CN¥40\.00/, 3],
    ['Transfer', /CN¥30\.00/, 2],
    ['Refund', /CN¥20\.00/, 1],
    ['Void', /CN¥10\.00/, 0],
  ] as const) {
    await page
      .getByRole('row', { name: new RegExp(`${kind} · Wrong one`) })
      .getByRole('button', { name: 'Reverse', exact: true })
      .click()
    await dialog(page).getByLabel('Reason').fill(`Not the ${kind}`)
    await act(page, 'Reverse entry')
    await page
      .getByRole('row', { name: new RegExp(`Not the ${kind}`) })
      .getByText(effect)
      .first()
      .waitFor()
    // A reversed entry is not reversed again.
    await expect.poll(() => buttons.count()).toBe(left)
  }
  const after = (await school.call(fetchOrder, { order_id })).data
  expect(after).toMatchObject({ paid_price: 21_000, post_refund_price: 21_000, unpaid_price: 9_000 })
  await takePicture(page, 'order-reversed')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('a coupon shows its effect before an order is created or changed', { timeout: 300_000 }, async () => {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 3 })
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: `/orders/${order_id}` },
  })
  const chooseCoupon = async () => {
    await dialog(page).getByLabel('Coupons').first().click()
    await page.getByRole('option', { name: /EARLY/ }).click()
    await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Change price' }).click()
  await chooseCoupon()
  await dialog(page)
    .getByRole('row', { name: /^Total / })
    .getByText('270.00')
    .waitFor()
  expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(30_000)
  await takePicture(page, 'order-coupon')
  await act(page, 'Change price')
  await page.getByText('Price changed.').waitFor()
  await page.getByRole('row', { name: /Coupon EARLY.*−CN¥30\.00/ }).waitFor()
  expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(27_000)

  await page.goto(`${server.url}/orders`)
  await page.getByRole('button', { name: 'New order' }).first().click()
  await dialog(page).getByLabel('Person').fill('13800138000')
  await page.getByRole('option').first().click()
  await dialog(page).getByLabel('List price').fill('300')
  await chooseCoupon()
  await dialog(page).getByText('List price CN¥300.00 − discounts CN¥30.00 = CN¥270.00').waitFor()
  await takePicture(page, 'order-coupon-new')
  expect(await barriersOn(page)).toEqual([])
  await act(page, 'Create order')
  await page.waitForURL('**/orders/*')
  expect(complaints).toEqual([])
  await close()
})

test('the money of an order is complete in Chinese', { timeout: 120_000 }, async () => {
  const { order_id } = await school.order({ listed_price: 30_000, installment_count: 1 })
  await school.call(createPayment, { order_id, price: 10_000, charge_id: 'zh-1' })
  const { page, close } = await openHired(
    browser,
    server,
    { role: 'finance', corp_id: school.corp_id, path: `/orders/${order_id}` },
    { locale: 'zh-CN' },
  )
  await page.getByRole('table', { name: '资金明细' }).getByText('¥100.00').first().waitFor()
  await takePicture(page, 'order-money-zh')
  await close()
})
