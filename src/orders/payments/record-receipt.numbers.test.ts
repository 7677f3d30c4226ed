import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, type Counter, codesOf, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { listFinancialRows } from '../listing/list-financial-rows.ts'
import { listOrders } from '../listing/list-orders.ts'
import { createPayer } from '../payers/create-payer.ts'
import { updateOrder } from '../update-order.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listPayments } from './list-payments.ts'
import { reverseVoid } from './reverse-void.ts'
import { voidPayment } from './void-payment.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

describe('receipts', () => {
  test('have numbers without gaps, one for each payment, with concurrent, refused and repeated calls', async () => {
    const school = await openCounter(server)
    const orders = await atOnce(12, () => school.order())
    const told = await atOnce(48, (n) =>
      school.call(createPayment, {
        order_id: orders[n % 12]!.order_id,
        // Every sixth is refused, and every fourth is sent twice.
        ...(n % 6 === 5 ? { price: 1, currency: 'USD' } : { price: n + 1 }),
        ...(n % 4 === 0 && { charge_id: `charge-${n % 8}`, price: 7, order_id: orders[0]!.order_id }),
      }),
    )
    const payments = new Set(told.flatMap(({ code, data }) => (code === 0 ? [data.payment_id] : [])))
    const numbers = await numbersOf(school)
    expect(numbers).toEqual(Array.from(payments, (_, index) => index + 1))
    expect(await checkLedger(server.database.app, school.corp_id)).toMatchObject({ total: 0 })
  })

  test('count from 1 in each year of the organization’s calendar, by the day they entered the ledger', async () => {
    const school = await openCounter(server, 'Asia/Shanghai')
    const { order_id } = await school.order()
    for (const completed_time of ['2026-01-01 10:00:00', '2025-12-31 10:00:00'])
      await school.call(createPayment, { order_id, price: 5, completed_time })
    const { list } = (await school.call(listPayments, {})).data
    const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'Asia/Shanghai' }).format()
    expect(list.map(({ receipt_num }: { receipt_num: number }) => receipt_num)).toEqual([
      Number(year) * 100_000_000 + 2,
      Number(year) * 100_000_000 + 1,
    ])
  })

  test('are shown by the lists; a given number is shown unchanged', async () => {
    const school = await openCounter(server)
    const { order_id } = await school.order()
    await school.call(createPayment, { order_id, price: 10, receipt_num: 77 })
    await school.call(createPayment, { order_id, price: 10 })
    const rows = (await school.call(listFinancialRows, {})).data.list
    const row = rows.find(({ paid_price }: { paid_price: number }) => paid_price > 0)
    expect(new Set([row.payment1_receipt_num, row.payment2_receipt_num % 100_000_000])).toEqual(
      new Set([77, 2]),
    )
  })
})

describe('the receipt number of the school', () => {
  const number = (receipt_num: number, more = {}) => ({ price: 10, receipt_num, ...more })

  test('is used once; again only after its payment was voided, and the void then cannot be reversed', async () => {
    const school = await openCounter(server)
    const [{ order_id }, other] = [await school.order(), await school.order()]
    const first = await school.call(createPayment, { order_id, ...number(17, { charge_id: 'c1' }) })
    expect(first.code).toBe(0)
    const repeated = await school.call(createPayment, { order_id, ...number(17, { charge_id: 'c1' }) })
    expect(repeated).toMatchObject({ code: 0, data: { payment_id: first.data.payment_id } })
    const again = await school.call(createPayment, { order_id: other.order_id, ...number(17) })
    expect(again).toMatchObject({ status: 409, code: 40901, data: { payment_id: first.data.payment_id } })
    expect(again.msg).toMatch(/receipt_num 17 belongs to another payment/)
    const { payment_id } = first.data
    await school.call(voidPayment, { payment_id, reason: 'Wrong order' })
    expect((await school.call(createPayment, { order_id: other.order_id, ...number(17) })).code).toBe(0)
    const reversal = await school.call(reverseVoid, { payment_id, reason: 'After all' })
    expect(reversal).toMatchObject({ code: 40904 })
    expect(reversal.msg).toMatch(/receipt number was used again/)
  })

  test('is used once by payments of different orders at the same time', async () => {
    const school = await openCounter(server)
    const orders = await atOnce(10, () => school.order())
    const told = await atOnce(30, (n) =>
      school.call(createPayment, { order_id: orders[n % 10]!.order_id, ...number(5 + (n % 2)) }),
    )
    expect(codesOf(told)).toEqual({ 0: 2, 40901: 28 })
  })
})

describe('the page of an order’s receipts', () => {
  test('is the receipt_url once there is a payment; it prints without a script, and marks void payments', async () => {
    const school = await openCounter(server)
    const { order_id } = await school.order()
    expect(await urlOf(school)).toBe('')
    const { data } = await school.call(createPayment, { order_id, price: 12_345, charge_id: '<b>&"\'</b>' })
    await school.call(createPayment, { order_id, price: 100 })
    const url = await urlOf(school)
    expect(url).toMatch(/^\/receipts\/[^/]+\/[A-Za-z0-9_-]{32}$/)
    const page = await get(url)
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    expect(page.policy).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page.text.match(/<section/g)).toHaveLength(2)
    expect(page.text).toContain('123.45 CNY')
    expect(page.text).toContain('&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;')
    expect(page.text).not.toMatch(/<script|<b>|VOID/)
    await school.call(voidPayment, { payment_id: data.payment_id, reason: 'bounced' })
    const after = await get(url)
    expect(after.text.match(/VOID/g)).toHaveLength(1)
    expect(after.text.match(/<section/g)).toHaveLength(2)
    expect(await urlOf(school)).toBe(url)
    expect(await numbersOf(school)).toEqual([1, 2])
  })

  test('names the payer, the given number, and the refunded amount', async () => {
    const school = await openCounter(server)
    const { order_id } = await school.order()
    const { payer_id } = (await school.call(createPayer, { name: 'Cloudsail Ltd.' })).data
    await school.call(createPayment, { order_id, price: 10_000, payer_id, receipt_num: 4711 })
    const url = await urlOf(school)
    expect((await get(url)).text).not.toContain('Refunded')
    await school.call(createRefund, { order_id, price: 2500, reason: 'Agreed' })
    const { text } = await get(url)
    for (const shown of ['Cloudsail Ltd.', '4711', '100.00 CNY', '25.00 CNY']) expect(text).toContain(shown)
  })

  test('is found by its address only, and shows no other organization', async () => {
    const [school, other] = [await openCounter(server), await openCounter(server)]
    const { order_id } = await school.order()
    await school.call(createPayment, { order_id, price: 5 })
    const [, , corp_id, token] = (await urlOf(school)).split('/')
    const wrong = [
      `/receipts/${other.corp_id}/${token}`,
      `/receipts/nowhere/${token}`,
      `/receipts/${corp_id}/${'x'.repeat(32)}`,
      `/receipts/${corp_id}/${token}x`,
      `/receipts/${corp_id}/${order_id}`,
      `/receipts/%00/${token}`,
      `/receipts/${corp_id}`,
    ]
    for (const path of wrong) expect((await get(path)).status, path).toBe(404)
  })

  test('is replaced by a given address', async () => {
    const school = await openCounter(server)
    const { order_id } = await school.order()
    await school.call(createPayment, { order_id, price: 5 })
    await school.call(updateOrder, { order_id, version: 2, receipt_url: 'https://files.example.com/1.pdf' })
    expect(await urlOf(school)).toBe('https://files.example.com/1.pdf')
  })
})

async function numbersOf({ corp_id }: Counter): Promise<number[]> {
  const text = 'select number::int from receipts where corp_id = $1 order by number'
  return (await server.database.superuser.query(text, [corp_id])).rows.map(({ number }) => number)
}

async function urlOf(school: Counter): Promise<string> {
  return (await school.call(listOrders, {})).data.list[0].receipt_url
}

async function get(path: string) {
  const response = await fetch(`${server.url}${path}`)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    policy: response.headers.get('content-security-policy'),
    text: await response.text(),
  }
}
