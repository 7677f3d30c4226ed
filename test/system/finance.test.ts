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
  await page.getByText('No bank accounts yet.', { exact: false }).waitFor()
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('ICBC 4408')
  await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click()
  await page.getByText('Account ICBC 4408 added.').waitFor()
  const put = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })
  await page.getByRole('button', { name: 'Add statement' }).click()
  // A file with a fault is refused with its line.
  await put('bank.csv', Buffer.from('value_date,price\n2026-10-12,soon\n'))
  await page.getByText(/Line 2: soon is not an amount/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Import statement' }).isDisabled()).toBe(true)
  const { folder, remove } = await openFolder()
  const statement = [
    ['日期', '金额', '流水号', '摘要'],
    ['2026-10-12', '100.00', 'ch-1', 'Tuition'],
    ['2026-10-20', '77.00', '', 'Unknown'],
    ['2026-10-14', '50.00', '', 'Second'],
  ]
  await put('bank.xlsx', await readFile(await writeXlsx(join(folder, 'bank.xlsx'), statement)))
  await remove()
  await page.getByRole('table', { name: 'First lines' }).getByText('77.00').waitFor()
  await page.getByRole('button', { name: 'Import statement' }).click()
  await page.getByText('3 lines imported.').waitFor()
  await page.getByRole('button', { name: 'Confirm 1 certain' }).click()
  await page.getByText('1 line matched.').waitFor()
  const lines = page.getByRole('table', { name: 'Statement lines' })
  await lines.getByText('Tuition').waitFor({ state: 'detached' })
  await lines.getByText('Proposed').waitFor()
  await takePicture(page, 'finance-matching')
  expect(await barriersOn(page)).toEqual([])
  // Work continues after a reload, at the same line.
  await lines.getByText('Second').click()
  await page.getByRole('button', { name: 'Confirm match' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Confirm match' }).click()
  await page.getByText('Line matched.').waitFor()
  await lines.getByText('Unknown').click()
  await page.getByRole('button', { name: 'Ignore…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Own account')
  await page.getByRole('dialog').getByRole('button', { name: 'Ignore line' }).click()
  await page.getByText('All lines are reconciled.').waitFor()

  await page.getByRole('tab', { name: 'Month closing' }).click()
  await page.getByRole('button', { name: 'Close period' }).click()
  await page.getByLabel('Last day of the period').fill('2026-10-31')
  await page.getByText(/closed permanently/).waitFor()
  // The filter applies to the posting date: all of this was posted later.
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
  // The file with a fault.
  expect(complaints).toEqual(['400 /api/v5/entity/finance/bank/file/import'])
  await close()
})

test('staff without the permission finance find nothing there, on the screen and in calls', {
  timeout: 120_000,
}, async () => {
  const { page, close } = await openHired(browser, server, {
    ...{ role: 'counsellor', corp_id: school.corp_id, path: '/finance' },
  })
  await page.getByText('Your role does not allow this.').waitFor()
  await close()
})
