import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { listFinancialRows } from '../listing/list-financial-rows.ts'
import { listOrders } from '../listing/list-orders.ts'
import { updateOrder } from '../update-order.ts'
import { createPayment } from './create-payment.ts'
import { listPayments } from './list-payments.ts'
import { voidPayment } from './void-payment.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

describe('receipts', () => {
  test('have numbers without gaps, one for each payment, however many come at once and are refused or told again', async () => {
    const school = await openCounter(server)
    const orders = await atOnce(12, () => school.order())
    const told = await atOnce(48, (n) =>
      school.call(createPayment, {
        order_id: orders[n % 12]!.order_id,
        // Every sixth is refused, and every fourth is told twice.
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

  test('are shown by the lists; a number that was told is shown as it was told', async () => {
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

describe('the page of an order’s receipts', () => {
  test('is where receipt_url leads once there is a payment; it prints without a script, and shows what is void', async () => {
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

  test('is found by its address only, and of no other organization', async () => {
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

  test('gives way to an address that was told', async () => {
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
