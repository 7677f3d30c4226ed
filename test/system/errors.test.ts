import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let school: Counter
let order_id: string
let inDollars: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  order_id = (await school.order({ installment_count: 1 })).order_id
  await school.call(createPayment, { order_id, price: 27_900 })
  inDollars = (await school.order({ currency: 'USD', installment_count: 1 })).order_id
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dialog = (page: Page) => page.getByRole('dialog').last()

test.each([
  {
    locale: 'en-GB',
    words: {
      refund: 'Refund',
      transfer: 'Transfer money',
      amount: 'Amount',
      reason: 'Reason',
      order: 'Target order',
    },
    tooMuch: 'At most CN¥279.00 can be refunded: received less refunded.',
    otherCurrency: 'Target order must be an order in CNY, not in USD.',
    details: ['Details', /Code 40904 · Request \w+/],
    cancel: 'Cancel',
  },
  {
    locale: 'zh-CN',
    words: { refund: '退费', transfer: '转款', amount: '金额', reason: '原因', order: '目标订单' },
    tooMuch: '最多可退 ¥279.00（已收减已退）。',
    otherCurrency: '目标订单须为 CNY 的订单，而不是 USD。',
    details: ['详情', /错误代码 40904 · 请求编号 \w+/],
    cancel: '取消',
  },
] as const)(
  'a refusal says in $locale which field is wrong and how much is possible',
  {
    timeout: 300_000,
  },
  async ({ locale, words, tooMuch, otherCurrency, details: [summary, code], cancel }) => {
    const { corp_id } = school
    const opened = { role: 'finance', corp_id, path: `/orders/${order_id}` } as const
    const { page, close } = await openHired(browser, server, opened, { locale })
    await page.getByRole('button', { name: words.refund, exact: true }).click()
    await dialog(page).getByLabel(words.amount).fill('5000')
    await dialog(page).getByLabel(words.reason).fill('X')
    const notice = dialog(page).getByRole('alert')
    await notice.getByText(tooMuch).waitFor()
    // The code and the request id are for a report.
    expect(await notice.getByText(code).isVisible()).toBe(false)
    await notice.getByText(summary, { exact: true }).click()
    await notice.getByText(code).waitFor()
    await takePicture(page, `error-${locale}`)
    expect(await barriersOn(page)).toEqual([])
    await dialog(page).getByRole('button', { name: cancel, exact: true }).click()

    await page.getByRole('button', { name: words.transfer, exact: true }).click()
    await dialog(page).getByLabel(words.reason).fill('X')
    await dialog(page).getByRole('combobox', { name: words.order }).fill(inDollars)
    await page.getByRole('option').first().click()
    await dialog(page).getByRole('alert').getByText(otherCurrency).waitFor()
    await close()
  },
)
