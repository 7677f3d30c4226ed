import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { listClosings } from '../../src/backoffice/finance/list-closings.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { takePicture } from '../harness/hired-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { seatAccountant } from '../support/month/accountant.ts'
import { closeMonth } from '../support/month/closing-steps.ts'
import { names } from '../support/month/plan.ts'
import { openMonthSchool, startNextMonth } from '../support/month/school.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
}, 600_000)
afterEach(() => server.setNow(undefined))
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.each(['en-GB', 'zh-CN'] as const)(
  'a closing shows accounts and currencies, and a second person approves its reversal, which stays (%s)',
  { timeout: 300_000 },
  async (locale) => {
    const school = await openMonthSchool(server, names[locale])
    const order_id = school.orderOf(school.names.staff[0]!)
    for (const payment of [
      { price: 30_000, method: 'cash' },
      { price: 50_000, method: 'transfer' },
      { price: 10_000, currency: 'USD', exchange_rate: 71_000, provider: 'stripe', charge_id: 'ch_1' },
    ])
      expect((await school.call(createPayment, { order_id, ...payment })).code).toBe(0)
    const refund = { order_id, price: 4_000, method: 'cash', reason: school.names.ill }
    expect((await school.call(createRefund, refund)).code).toBe(0)

    const { lastDay } = await startNextMonth(server, school)
    const clerk = await seatAccountant(browser, server.url, locale, school.clerk.email)
    const { page, say, amount } = clerk
    await closeMonth(clerk, lastDay)
    const accounts = page.getByRole('table', { name: say('finance.byAccount') })
    const shown = async () =>
      (await accounts.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t'))
    const nothing = '–'
    await expect.poll(shown).toEqual([
      [
        ...[say('paymentMethods.cash'), 'CNY', nothing, amount(30_000), nothing, amount(4_000)],
        ...[amount(26_000), amount(26_000)],
      ],
      [
        ...['stripe', 'USD', nothing, amount(10_000, 'USD'), nothing, nothing],
        ...[amount(10_000, 'USD'), amount(71_000)],
      ],
      [
        ...[say('paymentMethods.transfer'), 'CNY', nothing, amount(50_000), nothing, nothing],
        ...[amount(50_000), amount(50_000)],
      ],
    ])
    expect(await barriersOn(page)).toEqual([])
    await takePicture(page, `closings-closed-${locale}`)

    await clerk.press(say('finance.reverseClosing'))
    const asked = clerk.dialog().getByRole('button', { name: say('approvals.requestApproval') })
    await expect.poll(() => asked.isDisabled()).toBe(true)
    await clerk.fill(say('fields.reason'), school.names.left)
    await clerk.confirm(say('approvals.requestApproval'))
    await clerk.said(say('finance.reversalRequested', { day: lastDay }))
    await clerk.said(say('finance.reversalWaits'))
    await clerk.openTab('approvals')
    await clerk.row(school.names.left).getByText(say('approvals.ownRequest')).waitFor()
    expect(clerk.complaints).toEqual([])
    await clerk.leave()

    const second = await seatAccountant(browser, server.url, locale, school.approver.email)
    await second.openTab('approvals')
    await second.press(say('approvals.approve'), second.row(school.names.left))
    const kind = say('approvals.kinds.closing_reversal')
    await second.confirm(
      say('approvals.approveAmount', { kind, amount: say('approvals.closing', { day: lastDay }) }),
    )
    await second.said(say('approvals.none'))
    await second.openTab('closing')
    await second.page.getByText(school.names.left).waitFor()
    await second.page.getByText(say('finance.isReversed'), { exact: true }).first().waitFor()
    const counted = second.page.getByRole('table', { name: say('finance.byAccount') })
    await expect.poll(() => counted.count()).toBe(1)
    const reversing = second.page.getByRole('button', { name: say('finance.reverseClosing') })
    await expect.poll(() => reversing.count()).toBe(0)
    await takePicture(second.page, `closings-reversed-${locale}`)
    // The period is open again, and the next closing has its own number.
    await closeMonth(second, lastDay)
    expect(second.complaints).toEqual([])
    await second.leave()

    server.setNow(undefined)
    const { list } = (await school.call(listClosings)).data
    expect(list).toMatchObject([
      { number: 3, until: lastDay },
      { number: 1, until: lastDay, reversal: { reason: school.names.left } },
    ])
    expect((await checkLedger(server.database.app, school.corp_id)).discrepancies).toEqual([])
  },
)
