import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { unapplyPayment } from '../../src/orders/payments/unapply-payment.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { openFolder, writeXlsx } from '../support/sheets.ts'

let server: TestServer
let browser: Browser
let school: Counter
let order_id: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  const sub_orders = [{ total_price: 30_000, payment_deadline: '2026-01-15' }]
  order_id = (await school.order({ installment_count: undefined, sub_orders })).order_id
  await school.call(createPayment, {
    order_id,
    price: 10_000,
    charge_id: 'ch-1',
    completed_time: '2026-10-12',
  })
  const { data } = await school.call(createPayment, { order_id, price: 5_000, completed_time: '2026-10-13' })
  await school.call(unapplyPayment, { order_id, payment_id: data.payment_id })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('the finance office allocates, ages, matches, closes and exports', { timeout: 300_000 }, async () => {
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: '/finance?tab=unallocated' },
  })
  await page.getByRole('button', { name: 'Allocate payment' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByRole('table', { name: 'Preview' }).getByText('150.00').first().waitFor()
  await dialog.getByRole('button', { name: 'Allocate payment' }).click()
  await page.getByText('All payments are allocated.').waitFor()
  expect(await barriersOn(page)).toEqual([])

  await page.getByRole('tab', { name: 'Payments', exact: true }).click()
  await expect
    .poll(() => page.getByRole('row').getByText(/2026/).allInnerTexts())
    .toEqual([expect.stringMatching(/13/), expect.stringMatching(/12/)])

  await page.getByRole('tab', { name: 'Ageing' }).click()
  await page
    .getByRole('row', { name: /Total CNY/ })
    .getByText('150.00')
    .first()
    .waitFor()
  await takePicture(page, 'finance-ageing')
  expect(await barriersOn(page)).toEqual([])

  await page.getByRole('tab', { name: 'Bank reconciliation' }).click()
  const put = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })
  // What cannot be read is told, and nothing of it is matched.
  await put('bank.csv', Buffer.from('value_date,price\nsoon,100.00\n'))
  await page.getByText(/^Row 2, value_date: must be a date/).waitFor()
  expect(await page.getByRole('button', { name: 'Match statement', exact: true }).isDisabled()).toBe(true)
  const { folder, remove } = await openFolder()
  const statement = [
    ['日期', '金额', '流水号'],
    ['2026-10-12', '100.00', 'ch-1'],
    ['2026-10-20', '77.00', ''],
    ['2026-10-14', '50.00', ''],
  ]
  await put('bank.xlsx', await readFile(await writeXlsx(join(folder, 'bank.xlsx'), statement)))
  await remove()
  await page.getByText('3 lines read.').waitFor()
  await page.getByRole('button', { name: 'Match statement', exact: true }).click()
  await page.getByText('Matched', { exact: true }).waitFor()
  await page.getByText('Unmatched', { exact: true }).waitFor()
  // Which payment it would be is told before anybody confirms it.
  const proposed = page.getByRole('row', { name: /Proposed/ })
  await proposed.getByText('50.00').nth(1).waitFor()
  await proposed.getByRole('link', { name: order_id.slice(-8) }).waitFor()
  await takePicture(page, 'finance-matching')
  expect(await barriersOn(page)).toEqual([])
  await put('bank.csv', Buffer.from('value_date,price\n2026-10-21,78.00\n'))
  await page.getByText('1 line read.').waitFor()
  expect(await page.getByRole('table', { name: 'Bank reconciliation' }).count()).toBe(0)

  await page.getByRole('tab', { name: 'Month closing' }).click()
  await page.getByRole('button', { name: 'Close period' }).click()
  await page.getByLabel('Last day of the period').fill('2026-10-31')
  await page.getByText(/closed permanently/).waitFor()
  // It goes by posting date: all of this was posted later.
  await page.getByRole('dialog').getByText('Nothing was posted up to that day.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close period' }).click()
  await page.getByText('Period closed up to 2026-10-31.').waitFor()
  await page.getByRole('heading', { name: /Period end/ }).waitFor()

  await page.getByRole('tab', { name: 'Exports' }).click()
  await page.getByRole('button', { name: 'New export' }).click()
  await page.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: 'CSV' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New export' }).click()
  const link = page.getByRole('button', { name: 'Download' })
  await link.waitFor()
  await takePicture(page, 'finance-exports')
  expect(await barriersOn(page)).toEqual([])
  const download = page.waitForEvent('download')
  await link.click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\n')[0]).toContain('payment_id')
  expect(text).toContain('ch-1')
  expect(complaints).toEqual([])
  await close()
})

test('who has no part in finance finds nothing there, on the screen either', {
  timeout: 120_000,
}, async () => {
  const { page, close } = await openHired(browser, server, {
    ...{ role: 'counsellor', corp_id: school.corp_id, path: '/finance' },
  })
  await page.getByText('Your role does not allow this.').waitFor()
  await close()
})
