import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueDocument } from '../../src/backoffice/documents/issue-document.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { createPayer } from '../../src/orders/payers/create-payer.ts'
import { recordReceipt } from '../../src/orders/payments/record-receipt.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, settled } from '../harness/console-page.ts'
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
  await expect.poll(() => page.getByRole('button', { name: 'Cash up', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Reason' }).fill('A fee of the bank')
  await takePicture(page, 'cash-up')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Cash up', exact: true }).click()
  await page.getByRole('table', { name: 'Cash-ups' }).getByText('A fee of the bank').waitFor()
  await page.getByLabel('Why the stored cash-up is wrong').waitFor()
  expect(complaints).toEqual([])
  await close()
})

test('money of a payer is found, reassigned and refunded, debts are aged by payer, and the payer is erased', {
  timeout: 300_000,
}, async () => {
  const { corp_id } = school
  const contacts = { area_code: '86', mobile: '13800138099', email: 'aunt.mei@example.com' }
  const { payer_id } = (await school.call(createPayer, { name: 'Aunt Mei', kind: 'parent', ...contacts }))
    .data
  await school.call(createPayer, { name: 'Uncle Bo', kind: 'parent' })
  const other = await school.order()
  const allocations = [{ order_id: other.order_id, price: 10_000 }]
  const receipt = { payer_id, price: 32_000, charge_id: 'mei-1', method: 'transfer', allocations }
  const { payment_id } = (await school.call(recordReceipt, receipt)).data
  await school.call(recordReceipt, { payer_id, price: 700, charge_id: 'mei-2', method: 'cash' })
  await school.call(issueDocument, { kind: 'receipt', subject_id: payment_id })

  const opening = { role: 'finance' as const, corp_id, path: '/finance?tab=unallocated' }
  const { page, complaints, close } = await openHired(browser, server, opening)
  // A partly allocated payment shows its rest.
  const list = page
  await list.getByRole('row', { name: /Aunt Mei.*320\.00.*220\.00/ }).waitFor()
  await takePicture(page, 'unallocated')
  expect(await barriersOn(page)).toEqual([])
  await list.getByRole('row', { name: /mei-2/ }).getByRole('button', { name: 'Change payer' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Payer').fill('Uncle')
  await page.getByRole('option', { name: 'Uncle Bo' }).click()
  await dialog.getByRole('button', { name: 'Change payer' }).click()
  await list.getByRole('row', { name: /Uncle Bo.*mei-2/ }).waitFor()

  await page.getByRole('tab', { name: 'Ageing' }).click()
  await page.getByText('By payer').click()
  await page.getByRole('row', { name: /Aunt Mei.*200\.00/ }).waitFor()
  await takePicture(page, 'payer-ageing')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('link', { name: 'Aunt Mei' }).click()

  await page.getByText('138••••8099').waitFor()
  await page.getByRole('button', { name: 'Reveal' }).first().click()
  await page.getByText('+86 13800138099').waitFor()
  await page.getByRole('table', { name: 'Unallocated' }).getByRole('button', { name: 'Refund' }).click()
  await expect.poll(() => dialog.getByLabel('Amount').inputValue()).toBe('220.00')
  await dialog.getByLabel('Reason').fill('Paid too much')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  const statement = page.getByRole('table', { name: 'Statement of account' })
  await statement.getByRole('row', { name: /Refund.*220\.00/ }).waitFor()
  // The table is refreshed by a call of its own.
  await page.getByRole('table', { name: 'Unallocated' }).waitFor({ state: 'detached' })

  const documents = page.getByRole('table', { name: 'Documents' })
  await documents.getByText('320.00').waitFor()
  await documents.getByRole('button', { name: /Language of the PDF/ }).click()
  const asked = page.context().waitForEvent('request', (request) => request.url().includes('/documents/'))
  await page.getByRole('menuitem', { name: 'Chinese', exact: true }).click()
  expect((await asked).url()).toContain('language=zh')
  await takePicture(page, 'payer-page')
  expect(await barriersOn(page)).toEqual([])
  expect(await page.getByRole('button', { name: 'Erase payer' }).count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await takePicture(page, 'payer-page-phone')
  expect(complaints).toEqual([])
  await close()

  const path = `/finance?tab=payers&payer=${payer_id}`
  const admin = await openHired(browser, server, { role: 'admin', corp_id, path })
  await admin.page.getByRole('button', { name: 'Erase payer' }).click()
  const erasing = admin.page.getByRole('dialog').last()
  await erasing.getByLabel('Reason').fill('Asked for it')
  await erasing.getByRole('button', { name: 'Erase payer' }).click()
  await erasing.getByText(/owes 200\.00 CNY/).waitFor()
  await takePicture(admin.page, 'payer-erasing')
  expect(await barriersOn(admin.page)).toEqual([])
  await erasing.getByLabel('Erase the payer although money is open').check()
  await erasing.getByRole('button', { name: 'Erase payer' }).click()
  await admin.page.getByRole('heading', { name: 'Erased payer' }).waitFor()
  await admin.close()
})
