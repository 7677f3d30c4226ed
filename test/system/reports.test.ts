import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrder } from '../../src/orders/create-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
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
  for (const [user_id, utm_source] of [
    [school.user_id, 'fair'],
    [school.user_id, 'web'],
  ])
    await school.call(importLead, { user_id, utm_source })
  const order = { user_id: school.user_id, currency: 'CNY', listed_price: 30_000 }
  const { order_id } = (await school.call(createOrder, order)).data
  for (const price of [10_000, 2_550]) await school.call(createPayment, { order_id, price })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.each([
  { locale: 'en-GB', colorScheme: 'light', width: 1280 },
  { locale: 'zh-CN', colorScheme: 'dark', width: 390 },
] as const)(
  'in $locale, $colorScheme, every figure opens its rows, and its address can be sent',
  {
    timeout: 300_000,
  },
  async ({ locale, colorScheme, width }) => {
    const look = { locale, colorScheme, viewport: { width, height: 900 } }
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'finance', corp_id: school.corp_id, path: '/reports?by=channel' },
      look,
    )
    await page.getByRole('img', { name: /Chart|图表/ }).waitFor()
    await page.getByRole('row', { name: /^fair/ }).waitFor()
    // Whole months, and it says which.
    await page.getByText(/^(Dates: 1 |日期： ?\d+年\d+月1日)/).waitFor()
    await takePicture(page, `reports-funnel-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    // One of the two leads has led to the order, and is the one row of that figure.
    const paid = page.getByRole('row', { name: /^web/ }).getByRole('link').nth(1)
    await paid.click()
    await page.waitForURL(/figure=funnel/)
    await page.getByText(/(Total of all rows|全部合计): 1$/).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    const address = page.url()
    expect(address).toMatch(/as_of=/)

    await page.goto(`${server.url}/numbers?tab=receipts`)
    await page.getByRole('img', { name: /Chart|图表/ }).waitFor()
    await takePicture(page, `reports-receipts-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    await page
      .getByRole('row', { name: /Total CNY|合计 CNY/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText(/(Total of all rows|全部合计): .*125\.50/).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
    await takePicture(page, `reports-rows-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])

    await page.goto(`${server.url}/reports?tab=ageing`)
    await page
      .getByRole('row', { name: /Total CNY|合计 CNY/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText(/(Total of all rows|全部合计): .*174\.50/).waitFor()

    // A colleague who opens the address sees the same.
    await page.goto(address)
    await page.getByText(/(Total of all rows|全部合计): 1$/).waitFor()
    expect(complaints).toEqual([])
    await close()
  },
)
