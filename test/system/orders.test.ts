import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, settled } from '../harness/console-page.ts'
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
  const course = { course_code: 'EMBA', name: 'Executive MBA', currency: 'CNY', listed_price: 30_000 }
  await school.call(upsertCourse, course)
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dialog = (page: Page) => page.getByRole('dialog').last()
const act = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

test('an order is created, paid twice, one payment voided, money refunded, and the order canceled: each with a preview', {
  timeout: 300_000,
}, async () => {
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: '/orders' },
  })
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.getByRole('button', { name: 'New order' }).first().click()
  await dialog(page).getByLabel('Person').fill('13800138000')
  await page.getByRole('option').first().click()
  await dialog(page).getByLabel('Course').click()
  await page.getByRole('option', { name: 'Executive MBA' }).click()
  await dialog(page).getByLabel('Number of instalments').fill('3')
  await dialog(page).getByLabel('First due date').fill('2027-01-31')
  // The plan is shown, and nothing is created yet.
  await dialog(page).getByText('Instalment 3').waitFor()
  await takePicture(page, 'orders-make')
  expect((await school.call(searchOrders)).data.total).toBe(0)
  await act(page, 'Create order')
  await page.waitForURL('**/orders/*')
  const order_id = new URL(page.url()).pathname.split('/').at(-1)!
  const order = async () => (await school.call(fetchOrder, { order_id })).data
  expect(await order()).toMatchObject({ total_price: 30_000, installment_count: 3 })

  for (const [amount, paid] of [
    ['100', 10_000],
    ['50', 15_000],
  ] as const) {
    await page.getByRole('button', { name: 'Record payment' }).click()
    await dialog(page).getByLabel('Amount').fill(amount)
    await dialog(page)
      .getByRole('row', { name: /^Paid / })
      .getByText(`${paid / 100}.00`)
      .waitFor()
    await act(page, 'Record payment')
    await page.getByRole('dialog', { name: 'Record payment' }).waitFor({ state: 'hidden' })
    expect(await order()).toMatchObject({ status: 'pending', paid_price: paid })
  }
  await page.getByRole('img', { name: /current: Part paid/ }).waitFor()

  const voids = page.getByRole('button', { name: 'Void', exact: true })
  await expect.poll(() => voids.count()).toBe(2)
  await voids.last().click()
  await dialog(page).getByLabel('Reason').fill('Bounced')
  await dialog(page).getByRole('table', { name: 'Preview' }).waitFor()
  await act(page, 'Void payment')
  await page.getByText('Payment voided.').waitFor()
  expect(await order()).toMatchObject({ paid_price: 10_000 })

  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog(page).getByLabel('Reason').fill('Agreed')
  await dialog(page).getByRole('textbox', { name: 'Amount' }).fill('1000')
  // More than is held: refused in the preview.
  await dialog(page).getByRole('alert').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Amount' }).fill('40')
  await dialog(page).getByRole('table', { name: 'Preview' }).getByText('40.00').first().waitFor()
  await act(page, 'Refund')
  await page.getByText(/refunded\./).waitFor()
  expect(await order()).toMatchObject({ post_refund_price: 6_000 })

  await page.getByRole('button', { name: 'Cancel order', exact: true }).click()
  await dialog(page)
    .getByText(/The order holds/)
    .waitFor()
  const cancel = dialog(page).getByRole('button', { name: 'Cancel order', exact: true })
  await expect.poll(() => cancel.isDisabled()).toBe(true)
  await dialog(page).getByLabel('Retain the deposit').check()
  await dialog(page).getByLabel('Reason').fill('Left')
  await dialog(page).getByRole('table', { name: 'Preview' }).waitFor()
  expect(await barriersOn(page)).toEqual([])
  await act(page, 'Cancel order')
  await page.getByText('Order cancelled.').waitFor()
  expect(await order()).toMatchObject({ status: 'canceled' })
  await takePicture(page, 'orders-drawer')
  // Found by its displayed number. Refunded money is no longer held.
  await page.goto(`${server.url}/orders?q=${order_id.slice(-8)}`)
  await page.getByRole('row', { name: /Cancelled.*60\.00/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(complaints).toEqual([])
  await close()
})

test('a new order costs the amount in its field, keys stay in the dialog, and a remark is read where it was written', {
  timeout: 300_000,
}, async () => {
  await school.call(upsertCourse, {
    course_code: 'MBA',
    name: 'Evening',
    currency: 'CNY',
    listed_price: 20_000,
  })
  await school.order({ external_id: 'keys-1' })
  await school.order({ external_id: 'keys-2' })
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: '/orders?q=keys-' },
  })
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).first().click()
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  }
  const choose = async (name: string) => {
    await dialog(page).getByLabel('Course').click()
    await page.getByRole('option', { name }).click()
  }
  await press('New order')
  await dialog(page).getByLabel('Person').fill('13800138000')
  await page.getByRole('option').first().click()
  await choose('Executive MBA')
  const listed = dialog(page).getByLabel('List price')
  await listed.fill('1')
  await choose('Evening')
  await expect.poll(() => listed.inputValue()).toBe('200.00')
  await dialog(page)
    .getByRole('row', { name: /^Total / })
    .getByText('200.00')
    .waitFor()
  const make = dialog(page).getByRole('button', { name: 'Create order' })
  await expect.poll(() => make.isEnabled()).toBe(true)
  for (const wrong of ['10%', '100,5', '-1']) {
    await dialog(page).getByLabel('Discount').fill(wrong)
    await dialog(page).getByText('Enter a valid amount in CNY.').waitFor()
    await expect.poll(() => make.isDisabled()).toBe(true)
  }
  await dialog(page).getByLabel('Discount').fill('')
  await listed.fill('1,000.5')
  await dialog(page)
    .getByRole('row', { name: /^Total / })
    .getByText('1,000.50')
    .waitFor()
  // The list behind the dialog does not get the keys.
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Discard input' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  const found = page.locator('tbody tr[aria-rowindex]')
  await page.goto(`${server.url}/orders?q=keys-`)
  await found.first().dblclick()
  await page.waitForURL(/\/orders\/\w+$/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { pathname } = new URL(page.url())
  await page
    .getByRole('button', { name: 'Next' })
    .or(page.getByRole('button', { name: 'Previous' }))
    .first()
    .waitFor()
  for (const [name, field] of [
    ['Record payment', 'Amount'],
    ['Cancel order', 'Reason'],
    ['Add remark', 'Remark'],
  ] as const) {
    await press(name)
    const first = dialog(page).getByLabel(field)
    await first.and(page.locator(':focus')).waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).focus()
    for (const key of ['j', 'k', 'x', 'g', 'p']) await page.keyboard.press(key)
    expect(await dialog(page).getByLabel(field).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog(page).getByLabel(field).waitFor({ state: 'hidden' })
    // The dialog closes, and the record stays open.
    expect(new URL(page.url()).pathname).toBe(pathname)
  }
  await press('Add remark')
  await dialog(page).getByLabel('Remark').fill('Her mother pays')
  await act(page, 'Add remark')
  await page.getByRole('listitem').filter({ hasText: 'Remark' }).getByText('Her mother pays').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Remark' })
    .getByText(/A finance/)
    .waitFor()
  await page.getByRole('link', { name: 'Orders', exact: true }).last().click()
  await page.waitForURL('**/orders?q=keys-')
  expect(complaints).toEqual([])
  await close()
})

test('the list is filtered by its address, reads well in both languages, light and dark, on a desk and a phone', {
  timeout: 300_000,
}, async () => {
  await school.order({ external_id: 'checkout-77', listed_price: 12_345 })
  for (const [locale, colorScheme, width, title] of [
    ['en-GB', 'light', 1280, 'Orders'],
    ['zh-CN', 'dark', 390, '订单'],
  ] as const) {
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'viewer', corp_id: school.corp_id, path: '/orders?q=checkout-77' },
      { locale, colorScheme, viewport: { width, height: 900 } },
    )
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('123.45').first().waitFor()
    await settled(page)
    if (width > 600) expect(await page.getByRole('row').count()).toBe(2)
    else expect(await page.getByRole('region', { name: title }).getByRole('listitem').count()).toBe(1)
    await takePicture(page, `orders-list-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    await page.getByText('123.45').first().click()
    await page.waitForURL(/open=\w+/)
    await page.getByRole('img', { name: /current|当前/ }).waitFor()
    await settled(page)
    // A viewer sees everything without actions.
    expect(await page.getByRole('button', { name: /Record payment|登记收款/ }).count()).toBe(0)
    await takePicture(page, `orders-record-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  }
})

test('money is transferred to an order that is found by its person; the list is filtered by adviser and by changes', {
  timeout: 300_000,
}, async () => {
  const from = (await school.order({ external_id: 'from-1', listed_price: 10_000, installment_count: 1 }))
    .order_id
  await school.call(createPayment, { order_id: from, price: 10_000 })
  const to = (await school.order({ external_id: 'to-1', listed_price: 20_000, installment_count: 1 }))
    .order_id
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: `/orders/${from}` },
  })
  await page.getByRole('button', { name: 'Transfer money', exact: true }).click()
  const field = dialog(page).getByLabel('Target order')
  // By a number of the person. The source order is not offered.
  await field.fill('13800138000')
  const options = page.getByRole('option')
  await options.first().waitFor()
  expect(await options.filter({ hasText: from.slice(-8) }).count()).toBe(0)
  await field.fill('nobody at all')
  await page.getByText('No orders found.').waitFor()
  await field.fill('to-1')
  await page.getByRole('option', { name: new RegExp(to.slice(-8)) }).click()
  await dialog(page).getByLabel('Reason').fill('Moved')
  await dialog(page).getByRole('table', { name: 'Preview' }).first().waitFor()
  await takePicture(page, 'orders-transfer')
  expect(await barriersOn(page)).toEqual([])
  await act(page, 'Transfer money')
  await page.getByText(/transferred\./).waitFor()
  expect((await school.call(fetchOrder, { order_id: to })).data).toMatchObject({ paid_price: 10_000 })

  await page.goto(`${server.url}/orders`)
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('combobox', { name: 'Adviser' }).click()
  await page.getByRole('option', { name: 'A finance' }).first().click()
  await page.waitForURL(/owner_id=\w+/)
  await page.getByText('No orders match.').waitFor()
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await page.goto(`${server.url}/orders?time_range_type=modify&start_date=${tomorrow}`)
  await page.getByText('No orders match.').waitFor()
  await page.getByRole('button', { name: /^More: / }).click()
  const filtered = page.getByRole('combobox', { name: 'Filter dates by' })
  await expect.poll(() => filtered.inputValue()).toBe('Updated')
  expect(complaints).toEqual([])
  await close()
})
