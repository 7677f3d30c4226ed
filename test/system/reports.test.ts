import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrder } from '../../src/orders/create-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Say, sayIn } from '../harness/words.ts'

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
    const say = sayIn(locale)
    const look = { locale, colorScheme, viewport: { width, height: 900 } }
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'finance', corp_id: school.corp_id, path: '/reports?by=channel' },
      look,
    )
    await page.getByRole('img', { name: /Chart|图表/ }).waitFor()
    await rowOf(page, /^fair/).waitFor()
    // Whole months, which are named.
    await page.getByText(/^(Dates: 1 |日期： ?\d+年\d+月1日)/).waitFor()
    const headline = page.getByRole('region', { name: say('reports.leads'), exact: true })
    await headline.getByRole('link', { name: '2', exact: true }).waitFor()
    // One of the two has an order, which is paid.
    const share = say('reports.shareOf', { share: '100%', step: say('reports.ordered') })
    await page
      .getByRole('region', { name: say('reports.paid'), exact: true })
      .getByText(share)
      .waitFor()
    await savesChartAndRows(page, say, 'fair')
    await page
      .getByRole('radiogroup', { name: say('reports.charted') })
      .getByText(say('reports.paid'), { exact: true })
      .click()
    const funnel = `${say('reports.funnel')}: ${say('reports.paid')}`
    await page.getByRole('img', { name: say('reports.chart', { name: funnel }), exact: true }).waitFor()
    await takePicture(page, `reports-funnel-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    // One of the two leads led to the order, and is the only row of that figure.
    const paid = rowOf(page, /^web/).getByRole('link').nth(1)
    await paid.click()
    await page.waitForURL(/figure=funnel/)
    await page.getByText(/(Total of all rows|全部合计): 1$/).waitFor()
    await expect.poll(() => rowOf(page).count()).toBe(1)
    // The path identifies the figure.
    const path = page.getByRole('navigation', { name: say('reports.path') })
    await expect.poll(() => path.innerText()).toMatch(new RegExp(`web[\\s\\S]*${say('reports.ordered')}`))
    await page.waitForURL(/as_of=/)
    const address = page.url()

    await page.goto(`${server.url}/numbers?tab=receipts`)
    await page.getByRole('img', { name: /Chart|图表/ }).waitFor()
    await page
      .getByRole('region', { name: new RegExp(`^${say('finance.received')} `) })
      .getByText(/125\.50/)
      .waitFor()
    await page.getByRole('button', { name: say('reports.thisMonth') }).click()
    await page.waitForURL(/start_date=\d{4}-\d\d-01/)
    await page
      .getByRole('region', { name: new RegExp(`^${say('finance.received')} `) })
      .getByText(/125\.50/)
      .waitFor()
    await takePicture(page, `reports-receipts-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    await rowOf(page, /^(Total|合计) CNY/)
      .getByRole('link')
      .first()
      .click()
    await page.getByText(/(Total of all rows|全部合计): .*125\.50/).waitFor()
    await expect.poll(() => rowOf(page).count()).toBe(2)
    await takePicture(page, `reports-rows-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])

    await page.goto(`${server.url}/reports?tab=ageing`)
    await rowOf(page, /^(Total|合计) CNY/)
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

/** The rows of a table, or the cards of a phone, that begin with a text. */
function rowOf(page: Page, hasText?: RegExp): Locator {
  return page.locator('main :is(tbody, tfoot) tr, main ul[role=list] > li').filter({ hasText })
}

/** Saves the chart and the rows of a report, and checks the files. */
async function savesChartAndRows(page: Page, say: Say, cell: string): Promise<void> {
  const save = async (what: string) => {
    await page.getByRole('button', { name: say('reports.export'), exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: say(what) }).click(),
    ])
    return readFile(await file.path(), 'utf8')
  }
  expect(await save('reports.exportRows')).toContain(`\r\n${cell},1,`)
  const chart = await save('reports.exportChart')
  expect(chart).toMatch(/^<svg [\s\S]*fill="rgb/)
  expect(chart).not.toContain('var(--')
}

test.each(['en-GB', 'zh-CN'] as const)(
  'in %s, a viewer sees counts, and a notice names the roles that see money',
  async (locale) => {
    const say = sayIn(locale)
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'viewer', corp_id: school.corp_id, path: '/reports?by=course' },
      { locale },
    )
    await page.getByText(say('reports.noMoney')).waitFor()
    await page
      .getByRole('region', { name: say('reports.leads'), exact: true })
      .getByText('2', { exact: true })
      .waitFor()
    expect(await page.getByRole('tab', { name: say('reports.receipts') }).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  },
)

test.each([
  { locale: 'en-GB', colorScheme: 'dark', width: 1280 },
  { locale: 'zh-CN', colorScheme: 'light', width: 390 },
] as const)(
  'in $locale, receipts stand beside those of last year, each currency by itself',
  async ({ locale, colorScheme, width }) => {
    const say = sayIn(locale)
    const own = await openCounter(server, 'Asia/Shanghai')
    for (const [currency, price, completed_time] of [
      ['CNY', 5_000, '2023-02-10'],
      ['CNY', 6_000, '2024-02-10'],
      ['CNY', 4_000, '2024-03-05'],
      ['USD', 20_000, '2024-02-20'],
    ] as const) {
      const order = { user_id: own.user_id, currency, listed_price: price }
      const { order_id } = (await own.call(createOrder, order)).data
      await own.call(createPayment, { order_id, price, currency, completed_time })
    }
    const path = '/reports?tab=receipts&start_date=2024-01-01&end_date=2024-03-31'
    const { page, complaints, close } = await openHired(
      browser,
      server,
      { role: 'finance', corp_id: own.corp_id, path },
      { locale, colorScheme, viewport: { width, height: 900 } },
    )
    const received = (currency: string) =>
      page.getByRole('region', { name: `${say('finance.received')} ${currency}`, exact: true })
    await received('CNY').getByText('+100%').waitFor()
    await received('CNY')
      .getByText(/100\.00/)
      .waitFor()
    const totals = rowOf(page, /^(Total|合计) [A-Z]{3}/)
    await expect.poll(() => totals.count()).toBe(2)
    await page.getByRole('img', { name: /(Chart|图表).*CNY/ }).waitFor()
    await takePicture(page, `reports-last-year-${colorScheme}`)
    await page
      .getByRole('radiogroup', { name: say('fields.currency') })
      .getByText('USD')
      .click()
    await received('USD')
      .getByText(/200\.00/)
      .waitFor()
    await page.getByRole('img', { name: /(Chart|图表).*USD/ }).waitFor()
    await expect.poll(() => totals.count()).toBe(1)
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  },
)
