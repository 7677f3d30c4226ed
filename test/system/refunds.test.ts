import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmationMs } from '../../src/access/staff/sessions.ts'
import { listApprovals } from '../../src/backoffice/approvals/list-approvals.ts'
import { changeLimits } from '../../src/orders/limits/manage-refund-limits.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, settled } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { password } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
let school: Counter
let order_id: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  const { corp_id } = school
  await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 5000 }, new Date())
  order_id = (await school.order({ installment_count: 1 })).order_id
  await school.call(createPayment, { order_id, price: 30_000 })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dialog = (page: Page) => page.getByRole('dialog').last()
const refunded = async () => {
  const { paid_price, post_refund_price } = (await school.call(fetchOrder, { order_id })).data
  return paid_price - post_refund_price
}

async function ask(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog(page).getByLabel('Amount').fill(amount)
  await dialog(page).getByLabel('Reason').fill(`Ill, ${amount}`)
  await dialog(page)
    .getByText(/A second person must approve it/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Request approval' }).click()
  await page
    .getByText(/is waiting for a second approver/)
    .last()
    .waitFor()
}

test('a refund beyond the limit waits on the order, on Today and in Finance, and a second person decides', {
  timeout: 300_000,
}, async () => {
  const { corp_id } = school
  const asking = await openHired(browser, server, { role: 'finance', corp_id, path: `/orders/${order_id}` })
  await ask(asking.page, '100')
  await ask(asking.page, '70')
  expect(await refunded()).toBe(0)
  // The person who asked sees it, and that Someone else must decide.
  const waiting = asking.page.getByRole('row', { name: /Waiting for approval/ })
  await expect.poll(() => waiting.count()).toBe(2)
  await waiting.first().getByText('Someone else must decide').waitFor()
  expect(await waiting.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await takePicture(asking.page, 'refund-asked')
  expect(await barriersOn(asking.page)).toEqual([])
  await asking.page.goto(`${server.url}/today`)
  await settled(asking.page)
  expect(await asking.page.getByRole('heading', { name: 'Approvals' }).count()).toBe(0)

  const second = await openHired(browser, server, { role: 'finance', corp_id, path: '/today' })
  const { page } = second
  await page.getByRole('region', { name: 'Approvals' }).getByText('Ill, 100').click()
  await page.waitForURL('**/finance?tab=approvals')
  const row = (reason: string) => page.getByRole('row', { name: new RegExp(reason) })
  await row('Ill, 100').waitFor()
  await takePicture(page, 'refunds-to-approve')
  expect(await barriersOn(page)).toEqual([])

  await row('Ill, 70').getByRole('button', { name: 'Decline' }).click()
  const decline = dialog(page).getByRole('button', { name: 'Decline' })
  await expect.poll(() => decline.isDisabled()).toBe(true)
  await dialog(page).getByLabel('Reason').fill('Not by contract')
  expect(await barriersOn(page)).toEqual([])
  await decline.click()
  await page.getByText(/ declined\./).waitFor()
  expect(await refunded()).toBe(0)

  // Some time later: the approver must confirm again.
  server.setNow(new Date(Date.now() + confirmationMs + 60_000))
  await row('Ill, 100').getByRole('button', { name: 'Approve' }).click()
  await dialog(page)
    .getByRole('button', { name: /Refund .*100\.00/ })
    .click()
  await page
    .getByRole('dialog', { name: 'Confirm your identity' })
    .getByRole('textbox', { name: 'Password' })
    .fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/100\.00 refunded\./).waitFor()
  server.setNow(undefined)
  expect(await refunded()).toBe(10_000)
  await page.getByText('Nothing is waiting for approval.').waitFor()
  await page.goto(`${server.url}/finance?tab=approvals&decision=declined`)
  await row('Ill, 70').getByText('Not by contract').waitFor()
  expect((await school.call(listApprovals, { state: 'waiting' })).data.total).toBe(0)
  // The browser notes that the confirmation was asked for, with 403.
  expect(second.complaints.filter((text) => !text.includes('403'))).toEqual([])
  expect(asking.complaints).toEqual([])
  await asking.close()
  await second.close()
})

test('waiting requests are shown on a phone, in dark mode, in Chinese', { timeout: 120_000 }, async () => {
  const { corp_id } = school
  const look = { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 850 } } as const
  const asked = { role: 'admin', corp_id, path: '/finance?tab=approvals&decision=approved' } as const
  const { page, complaints, close } = await openHired(browser, server, asked, look)
  await page.getByText('已通过').last().waitFor()
  await takePicture(page, 'refunds-phone')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})
