import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let school: Counter
let order_id: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  order_id = (await school.order()).order_id
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('a payer is added, pays an order and more, and the takings are cashed up', {
  timeout: 300_000,
}, async () => {
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'finance', corp_id: school.corp_id, path: '/finance?tab=payers' },
  })
  await page.getByText('No payers yet.').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Add payer' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour Logistics')
  await page.getByRole('dialog').getByLabel('Payer number').fill('D-1')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Payer Harbour Logistics saved.').waitFor()
  await page.getByRole('row', { name: /Harbour Logistics/ }).click()
  await page.getByText('No payments of this payer.').waitFor()

  await page.getByRole('button', { name: 'Record receipt' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Add order').fill(order_id)
  await page.getByRole('option', { name: new RegExp(order_id.slice(-8)) }).click()
  await expect.poll(() => dialog.getByLabel('Part of this order').inputValue()).toBe('300.00')
  await dialog.getByLabel('Received amount').fill('320')
  await dialog.getByText(/20\.00 stays unallocated/).waitFor()
  await takePicture(page, 'payer-receipt')
  expect(await barriersOn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Record receipt' }).click()
  await page.getByRole('table', { name: 'Statement of account' }).getByText('320.00').first().waitFor()
  expect((await school.call(fetchOrder, { order_id })).data.paid_price).toBe(30_000)
  await page.getByRole('columnheader', { name: 'Received', exact: true }).waitFor()
  await page.getByRole('table', { name: 'Unallocated' }).getByText('20.00').waitFor()
  await takePicture(page, 'payer-statement')
  expect(await barriersOn(page)).toEqual([])

  await page.getByRole('tab', { name: 'Cash-up' }).click()
  await page.getByLabel('Counted: Bank transfer').fill('310')
  expect(await page.getByRole('button', { name: 'Cash up', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Reason' }).fill('A fee of the bank')
  await takePicture(page, 'cash-up')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Cash up', exact: true }).click()
  await page.getByRole('table', { name: 'Cash-ups' }).getByText('A fee of the bank').waitFor()
  await page.getByLabel('Why the stored cash-up is wrong').waitFor()
  expect(complaints).toEqual([])
  await close()
})
