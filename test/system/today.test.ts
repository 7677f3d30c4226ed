import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, cookiesOf, goTo, openConsole, openScreen } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const { MATRICULA_PICTURES: pictures } = process.env
const takePicture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

test.each([
  { locale: 'en-GB', month: 'This month', orders: 'New orders', received: 'Received', of: /of (\d+)/ },
  { locale: 'zh-CN', month: '本月数据', orders: '新订单', received: '收款', of: /共 (\d+)|(\d+) 条/ },
] as const)('figures of the month open their rows ($locale)', async ({ locale, month, orders, received }) => {
  const { page, complaints } = await openScreen(browser, server.url, '/today', 'admin', { locale })
  const figures = page.getByRole('navigation', { name: month })
  await figures.getByText(received, { exact: true }).first().waitFor()
  await takePicture(page, `today-${locale}`)
  expect(await barriersOn(page)).toEqual([])
  const figure = figures.getByRole('link').filter({ hasText: orders })
  const value = Number(await figure.locator('strong').textContent())
  await figure.click()
  await page.waitForURL(/\/orders\?start_date=\d{4}-\d{2}-01&end_date=/)
  if (value > 0) await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(value, 50))
  else await page.locator('tbody tr').first().waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a person is claimed and a follow-up is logged on Today; completed items stay, faded', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/today', 'counsellor', {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  const pool = page.getByRole('region', { name: 'New in the public pool' })
  const row = pool.getByRole('listitem').first()
  const name = (await row.getByRole('link').locator('span').first().textContent())!
  await row.getByRole('button', { name: 'Claim' }).click()
  await pool.getByRole('listitem').filter({ hasText: name }).getByText('Done').waitFor()

  const waiting = page.getByRole('region', { name: 'Not contacted yet' })
  const claimed = waiting.getByRole('listitem').filter({ hasText: name }).first()
  await claimed.getByRole('button', { name: 'Log' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Not this')
  await page.keyboard.press('Escape')
  await dialog.getByRole('alert').getByText('Discard your input?').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await dialog.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Not this')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.getByRole('button', { name: 'Discard input' }).click()
  await dialog.waitFor({ state: 'detached' })
  await claimed.getByRole('button', { name: 'Log' }).click()
  expect(await dialog.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('')
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Sends the transcript tonight')
  await dialog.getByRole('button', { name: 'Add follow-up' }).click()
  await waiting.getByRole('listitem').filter({ hasText: name }).getByText('Done').waitFor()
  await takePicture(page, 'today-phone-dark')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a locked order is unlocked from Today before its instalment is requested in place', async () => {
  const { page } = await openScreen(browser, server.url, '/today', 'finance')
  const overdue = page.getByRole('region', { name: 'Overdue instalments' })
  // A locked order takes no money, so nothing asks for it.
  const locked = overdue.getByRole('listitem').filter({ hasText: 'Locked' }).last()
  await locked.waitFor()
  expect(await locked.getByRole('button').count()).toBe(0)
  await locked.getByRole('link', { name: 'Open', exact: true }).click()
  await page.getByText('This order is locked.').waitFor()
  await page.getByRole('button', { name: 'Unlock order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as Created' }).click()
  await page.getByText('This order is locked.').waitFor({ state: 'detached' })
  await goTo(page, '/today')
  await overdue.getByRole('button', { name: 'Remind' }).first().click()
  await page.getByRole('dialog').getByLabel('Amount').waitFor()
  await page.context().close()
})

test('while Today loads, its outline is in its place', async () => {
  const cookies = await cookiesOf(server.url, inject('sample').staff.find(({ role }) => role === 'admin')!)
  const { page } = await openConsole(browser, 'about:blank', { cookies })
  await page.route('**/api/v5/console/today?*', () => undefined)
  await page.goto(`${server.url}/today`)
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  await page.context().close()
})

test('a viewer sees no receipts and no actions', async () => {
  const viewer = await openScreen(browser, server.url, '/today', 'viewer')
  await viewer.page.getByRole('navigation', { name: 'This month' }).getByText('New leads').waitFor()
  const main = viewer.page.getByRole('main')
  expect(await main.getByText('Received', { exact: true }).count()).toBe(0)
  expect(await main.getByRole('button').count()).toBe(0)
  await viewer.page.context().close()
})
