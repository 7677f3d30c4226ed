import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockIssuer, storeIssuer } from '../../src/access/organizations/issuer-store.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { updateUser } from '../../src/people/users/update-user.ts'
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
  const { corp_id, user_id } = school
  await school.call(upsertCourse, {
    course_code: 'EMBA',
    name: 'EMBA 硕士',
    currency: 'CNY',
    listed_price: 30_000,
  })
  await school.call(updateUser, { user_id, name: '李小明' })
  await server.database.app.of(corp_id).transaction(async (tx) => {
    const before = await lockIssuer(tx, corp_id, new Date())
    const bank = { bank_name: 'ICBC', bank_account_name: '北门教育', bank_account_number: '6222 0000 1111' }
    await storeIssuer(tx, corp_id, { ...before, ...bank }, before)
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const localeOf = { en: 'en-GB', zh: 'zh-CN' }

const words = {
  en: {
    ...{ ask: 'Request payment', create: 'Create link', text: 'Text to send', close: 'Close' },
    ...{
      requests: 'Payment requests',
      opened: /Open /,
      paid: /Paid/,
      receipt: 'Receipt',
      invoice: 'Invoice',
    },
    ...{ page: 'Amount due now', settled: 'Paid. Thank you.', amount: 'CNY 100.00', other: '中文' },
  },
  zh: {
    ...{ ask: '发起付款通知', create: '生成链接', text: '发送内容', close: '关闭' },
    ...{ requests: '付款通知', opened: /待付款/, paid: /已付款/, receipt: '收据', invoice: '账单' },
    ...{ page: '本次应付', settled: '已付清，谢谢。', amount: '¥100.00', other: 'English' },
  },
}

test.each(['en', 'zh'] as const)(
  'a payment is requested by a link, opened by the payer, paid and receipted (%s)',
  {
    timeout: 300_000,
  },
  async (language) => {
    const word = words[language]
    const { order_id } = await school.order({
      course_code: 'EMBA',
      listed_price: 30_000,
      installment_count: 3,
    })
    const opening = { role: 'finance' as const, corp_id: school.corp_id, path: `/orders/${order_id}` }
    const look = { locale: localeOf[language] }
    const { page, complaints, close } = await openHired(browser, server, opening, look)
    await page.getByRole('button', { name: word.ask, exact: true }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: word.create, exact: true }).click()
    await expect.poll(() => page.getByLabel(word.text).inputValue()).toContain(word.amount)
    const text = await page.getByLabel(word.text).inputValue()
    expect(await barriersOn(page)).toEqual([])
    await takePicture(page, `payment-request-dialog-${language}`)
    const link = /https?:\S+\/pay\/\S+/.exec(text)![0]
    await page.getByRole('dialog').last().getByRole('button', { name: word.close, exact: true }).click()

    for (const width of [1200, 375]) {
      const payer = await browser.newContext({
        locale: localeOf[language],
        viewport: { width, height: 900 },
      })
      const opened = await payer.newPage()
      const hosts = new Set<string>()
      opened.on('request', (request) => hosts.add(new URL(request.url()).host))
      const reported = opened.waitForResponse((response) => response.url().endsWith('/opened'))
      await opened.goto(link)
      await opened.getByText(word.page).waitFor()
      await opened.getByText('6222 0000 1111').waitFor()
      expect(await opened.getByText('李').count()).toBe(0)
      expect(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await payer.cookies()).toEqual([])
      await takePicture(opened, `payment-page-${language}-${width}`)
      expect((await reported).status()).toBe(204)
      await opened.getByRole('link', { name: word.other }).click()
      await opened.getByText(words[language === 'en' ? 'zh' : 'en'].page).waitFor()
      expect(hosts).toEqual(new Set([new URL(link).host]))
      await payer.close()
    }

    await page.reload()
    const requests = page.getByRole('table', { name: word.requests })
    await requests.getByRole('row', { name: word.opened }).waitFor()
    await school.call(createPayment, { order_id, price: 10_000, method: 'transfer' })
    await page.reload()
    await requests.getByRole('row', { name: word.paid }).waitFor()
    expect(await (await fetch(link, { headers: { 'accept-language': language } })).text()).toContain(
      word.settled,
    )

    for (const [button, kind] of [
      [page.getByRole('row').getByRole('button', { name: word.receipt, exact: true }), 'receipt'],
      [page.getByRole('button', { name: word.invoice, exact: true }), 'invoice'],
    ] as const) {
      const asked = page.context().waitForEvent('request', (request) => request.url().includes('/documents/'))
      await button.first().click()
      const answer = await fetch((await asked).url())
      expect(answer.headers.get('content-disposition')).toContain(kind)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
    }
    await takePicture(page, `payment-requests-${language}`)
    expect(complaints).toEqual([])
    await close()
  },
)
