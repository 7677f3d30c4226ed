import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { listClosings } from '../../src/backoffice/finance/list-closings.ts'
import { listStatements } from '../../src/backoffice/finance/reconciliation/bank-statements.ts'
import { listPayments } from '../../src/orders/payments/list-payments.ts'
import { attemptsOf } from '../harness/attempts.ts'
import { openBrowser } from '../harness/browser.ts'
import { takePicture } from '../harness/hired-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import type { Locale } from '../harness/words.ts'
import { type Accountant, foreignWordsOn, seatAccountant } from '../support/month/accountant.ts'
import { reconcileBank, reconcileGateway } from '../support/month/bank-steps.ts'
import { cashUp, closeMonth, exportFigures } from '../support/month/closing-steps.ts'
import {
  addPayers,
  askForRefund,
  putRight,
  recordPayments,
  recordReceipts,
} from '../support/month/payment-steps.ts'
import { names } from '../support/month/plan.ts'
import { type MonthSchool, openMonthSchool, reportCharges, startNextMonth } from '../support/month/school.ts'

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

/** A month takes minutes: the gate does it in Chinese, `npm run test:long` in both languages. */
const languages = (['zh-CN', 'en-GB'] as const).slice(0, attemptsOf('MATRICULA_MONTHS', 1))

test.each(languages)(
  'an accountant does the work of a month at the screens, and the closing re-adds from the exports (%s)',
  { timeout: 300_000 },
  async (locale) => {
    const school = await openMonthSchool(server, names[locale])
    const clerk = await seatAccountant(browser, server.url, locale, school.clerk.email)
    await addPayers(clerk, school)
    await reportCharges(school)
    await recordReceipts(clerk, school)
    await recordPayments(clerk, school)
    await putRight(clerk, school)
    await refundTwice(clerk, school, locale)
    await reconcileGateway(clerk, school)
    await reconcileBank(clerk, school)
    await cashUp(clerk, school)
    const { data } = await school.call(listPayments, { page_size: 100 })
    const payers = new Set(data.list.map(({ payer_name }: { payer_name: string }) => payer_name))
    const { employer, parent, sponsor } = school.names
    expect([data.total, payers]).toEqual([40, new Set([employer, parent, sponsor])])
    const { list: statements } = (await school.call(listStatements)).data
    expect(statements).toMatchObject([
      { open_lines: 0, open_price: 0 },
      { open_lines: 0, open_price: 0 },
    ])
    await lookAround(clerk, school, locale)
    expect(clerk.complaints).toEqual([])
    await clerk.leave()

    const { lastDay } = await startNextMonth(server, school)
    const closer = await seatAccountant(browser, server.url, locale, school.clerk.email)
    const shown = await closeMonth(closer, lastDay)
    const figures = await exportFigures(closer)
    expect(closer.complaints).toEqual([])
    await closer.leave()
    server.setNow(undefined)
    const closing = (await school.call(listClosings)).data.list[0]
    expect(closing.until).toBe(lastDay)
    expect(closing.currencies).toMatchObject(figures.currencies)
    expect(closing.accounts).toMatchObject(figures.accounts)
    expect(figures.accounts.length).toBeGreaterThan(2)
    expect(shown).toEqual(
      figures.currencies.map(({ currency, received, voided, refunded, closing: { held, outstanding } }) => {
        const amounts = [received, voided, refunded, held, outstanding, 0]
        return [
          currency,
          ...amounts.map((minor) => (minor === 0 ? '–' : closer.amount(minor, currency))),
        ].join('\t')
      }),
    )
    expect((await checkLedger(server.database.app, school.corp_id)).discrepancies).toEqual([])
  },
)

/** Two refunds. The second is above the limit of the school, and a second approver approves it. */
async function refundTwice(clerk: Accountant, school: MonthSchool, locale: Locale): Promise<void> {
  const { say, page, amount } = clerk
  const { staff, scholars, ill, left } = school.names
  await askForRefund(clerk, school, { student: staff[2]!, amount: 20_000, reason: ill, reference: 'RF-1' })
  await clerk.confirm(say('orders.refund'))
  await clerk.said(say('orders.refundDone', { amount: amount(20_000) }))
  const printed = page.context().waitForEvent('request', (request) => request.url().includes('/documents/'))
  await clerk.press(say('documents.creditNote'))
  const note = await fetch((await printed).url())
  expect(note.headers.get('content-type')).toBe('application/pdf')
  expect(note.headers.get('content-disposition')).toContain('credit')

  await askForRefund(clerk, school, { student: scholars[1]!, amount: 120_000, reason: left })
  await clerk.confirm(say('approvals.requestApproval'))
  await clerk.said(say('approvals.waits'))
  const second = await seatAccountant(browser, server.url, locale, school.approver.email)
  await second.openTab('approvals')
  await second.press(say('approvals.approve'), second.row(left))
  const kind = say('approvals.kinds.refund')
  await second.confirm(say('approvals.approveAmount', { kind, amount: amount(120_000) }))
  await second.said(say('orders.refundDone', { amount: amount(120_000) }))
  await second.said(say('approvals.none'))
  expect(second.complaints).toEqual([])
  await second.leave()
}

const tabs = ['receipts', 'unallocated', 'payers', 'approvals', 'ageing', 'cash-up', 'matching']

/** Codes, a file format, the words of a gateway in its file, and the name that the test gives to staff. */
const isLatinInChinese = /^(CNY|PDF|BT|RF|PO|txn|charge|dispute|payout|finance)$/

/** No screen of the office has an English word in Chinese. */
async function lookAround(clerk: Accountant, school: MonthSchool, locale: Locale): Promise<void> {
  const look = async (name: string) => {
    await clerk.page.waitForLoadState('networkidle')
    await takePicture(clerk.page, `month-${name}-${locale}`)
    if (locale === 'zh-CN') expect(await foreignWordsOn(clerk, isLatinInChinese), name).toEqual([])
  }
  for (const tab of tabs) {
    await clerk.openTab(tab, tab === 'matching' ? '&state=all' : '')
    await look(tab)
  }
  for (const student of [school.names.staff[2]!, school.names.children[0]!]) {
    await clerk.openOrder(school.orderOf(student))
    await look('order')
  }
}
