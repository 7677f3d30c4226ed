import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { lockIssuer, storeIssuer, unnamedIssuer } from '../../access/organizations/issuer-store.ts'
import { listBankLines } from '../../backoffice/finance/reconciliation/list-bank-lines.ts'
import { confirmCertainMatches } from '../../backoffice/finance/reconciliation/settle-bank-lines.ts'
import { rotateCheckoutSecret, updateIssuer } from '../../backoffice/settings/issuer-settings.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { upsertCourse } from '../offerings/upsert-course.ts'
import { createPayment } from '../payments/create-payment.ts'
import { checkoutFault } from './checkout-address.ts'
import { epcPayload } from './epc-payload.ts'
import { firstNameOf } from './first-name.ts'
import { newReference, orderReferencesIn, writtenReference } from './order-reference.ts'
import { listPaymentRequests, requestPayment, revokePaymentRequest } from './payment-requests.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

describe('a reference', () => {
  test('follows ISO 11649, and is found in a text in any notation', () => {
    const reference = newReference('539007547')
    expect(newReference('539007547034')).toBe('RF18539007547034')
    expect(newReference('123456789')).toMatch(/^RF[0-9]{11}$/)
    for (const text of [
      reference,
      `School fee ${writtenReference(reference)} thanks`,
      reference.toLowerCase(),
      `学费${reference.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}`,
    ])
      expect(orderReferencesIn(text), text).toEqual([reference])
  })

  test('with one wrong digit, or two digits swapped, is not one', () => {
    const reference = newReference('539007547')
    for (let at = 2; at < reference.length; at++) {
      const wrong = [...reference].with(at, String((Number(reference[at]) + 1) % 10)).join('')
      expect(orderReferencesIn(wrong), wrong).toEqual([])
      const [a, b] = [reference[at]!, reference[at + 1] ?? reference[at]!]
      if (a === b) continue
      expect(orderReferencesIn(reference.slice(0, at) + b + a + reference.slice(at + 2))).toEqual([])
    }
    expect(orderReferencesIn(`${reference}9`)).toEqual([])
  })
})

test('only the first name of a person is shown', () => {
  expect(firstNameOf({ name: '', first_name: 'Wei' })).toBe('Wei')
  expect(firstNameOf({ name: 'Anna Maria Kowalska', first_name: '' })).toBe('Anna')
  expect(firstNameOf({ name: '李喆', first_name: '' })).toBe('喆')
  expect(firstNameOf({ name: '欧阳小明', first_name: '' })).toBe('小明')
  expect(firstNameOf({ name: 'Kowalska', first_name: '' })).toBe('')
})

test('a QR code for banking apps needs euros and an IBAN', () => {
  const issuer = {
    ...unnamedIssuer,
    bank_account_name: 'Schule',
    bank_account_number: 'DE89 3704 0044 0532 0130 00',
  }
  const due = { price: 123_456, currency: 'EUR', reference: 'RF18539007547034' }
  expect(epcPayload(issuer, due)).toBe(
    'BCD\n002\n1\nSCT\n\nSchule\nDE89370400440532013000\nEUR1234.56\n\nRF18539007547034',
  )
  expect(epcPayload(issuer, { ...due, currency: 'CNY' })).toBeUndefined()
  expect(epcPayload({ ...issuer, bank_account_number: '6222' }, due)).toBeUndefined()
})

describe('a payment request', () => {
  test('asks for the next instalment, and is paid once that amount arrived', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({ course_code: 'mba' })
    const made = (await school.call(requestPayment, { order_id })).data
    expect(made).toMatchObject({
      state: 'open',
      price: 10_000,
      due_price: 10_000,
      currency: 'CNY',
      opened: '',
    })
    expect(made.messages.zh).toContain('¥100.00')
    expect(await shown(school)).toMatchObject([{ state: 'open' }])
    await school.call(createPayment, { order_id, price: 4000 })
    expect(await shown(school)).toMatchObject([{ state: 'part_paid', due_price: 6000 }])
    await school.call(createPayment, { order_id, price: 6000 })
    expect(await shown(school)).toMatchObject([{ state: 'paid', due_price: 0 }])
    const second = (await school.call(requestPayment, { order_id, price: 500, days: 1 })).data
    expect(second.reference).toBe(made.reference)
    expect(await school.call(requestPayment, { order_id, price: 20_001 })).toMatchObject({ code: 40002 })
  })

  test('stores a hash of its token only, also for a repeated call', async () => {
    const school = await openSchool()
    const { order_id } = await school.order()
    const headers = { 'Idempotency-Key': 'once' }
    const { path } = (await school.call(requestPayment, { order_id }, headers)).data
    const token = path.split('/')[3]
    expect(Buffer.from(token, 'base64url')).toHaveLength(24)
    expect((await school.call(requestPayment, { order_id }, headers)).data.path).toBe('')
    const { rows } = await server.database.superuser.query(
      `select 1 from payment_requests r where to_jsonb(r)::text like $1
       union all select 1 from idempotency_keys k where to_jsonb(k)::text like $1
       union all select 1 from audit_entries a where to_jsonb(a)::text like $1`,
      [`%${token}%`],
    )
    expect(rows).toEqual([])
  })

  test('is refused if nothing is due', async () => {
    const school = await openSchool()
    const { order_id } = await school.order()
    await school.call(createPayment, { order_id, price: 30_000 })
    expect(await school.call(requestPayment, { order_id })).toMatchObject({ code: 40904 })
  })

  test('lets a statement line that names its reference find the payment of the order', async () => {
    const school = await openSchool()
    const orders = [await school.order(), await school.order()]
    const { reference } = (await school.call(requestPayment, { order_id: orders[0]!.order_id })).data
    for (const { order_id } of orders) await school.call(createPayment, { order_id, price: 10_000 })
    const line = { price: 10_000, description: `学费 ${writtenReference(reference)}` }
    const run: Parameters<typeof sendStatement>[0] = async (operation, input) =>
      (await school.call(operation, input)).data
    const { statement_id } = await sendStatement(run, [line])
    await school.call(confirmCertainMatches, { statement_id })
    const { data } = await school.call(listBankLines, { statement_id })
    expect(data.list[0]).toMatchObject({ state: 'matched', rule: 'reference' })
  })
})

describe('the checkout of a school', () => {
  test('gets a signed address, whose secret is shown once', async () => {
    const school = await openSchool()
    const admin = await hireStaff(server, school.corp_id, 'admin')
    const { secret } = (await admin.call(rotateCheckoutSecret, {})).data
    const checkout_url = 'https://pay.example/{order_id}?a={amount}&c={currency}&r={reference}'
    expect(await admin.call(updateIssuer, { checkout_url })).toMatchObject({ code: 0 })
    const { order_id } = await school.order()
    const { path, reference } = (await school.call(requestPayment, { order_id })).data
    const { text } = await get(path, 'en')
    const address = /class="button"[^>]*href="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const { origin, pathname, searchParams } = new URL(address)
    const [timestamp, signature] = ['timestamp', 'signature'].map((name) => searchParams.get(name))
    expect([origin, pathname, searchParams.get('a'), searchParams.get('r')]).toEqual([
      'https://pay.example',
      `/${order_id}`,
      '10000',
      reference,
    ])
    const signed = [order_id, 10_000, 'CNY', reference, timestamp].join('\n')
    expect(signature).toBe(createHmac('sha256', secret).update(signed).digest('hex'))
  })

  test('has an https address with known places only, and none in the host', () => {
    expect(checkoutFault('')).toBeUndefined()
    expect(checkoutFault('https://pay.example/{order_id}')).toBeUndefined()
    for (const wrong of [
      'http://pay.example',
      'javascript:alert(1)',
      'https://{order_id}.example',
      'https://pay.example/{name}',
      'https://a:b@pay.example',
    ])
      expect(checkoutFault(wrong), wrong).toBeTypeOf('string')
  })
})

describe('the page of a request', () => {
  test('shows purpose, amounts, bank details and reference in the language of the payer, and no name', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({ course_code: 'mba' })
    const { path, reference } = (await school.call(requestPayment, { order_id, note: '<b>秋季</b>' })).data
    const en = await get(path, 'en-GB,en;q=0.9')
    expect(en.status).toBe(200)
    for (const text of [
      'MBA 硕士',
      'for 喆',
      'CNY 100.00',
      'CNY 300.00',
      '6222 0000 1111',
      writtenReference(reference),
    ])
      expect(en.text, text).toContain(text)
    expect(en.text).toContain('&lt;b&gt;秋季')
    expect(en.text).not.toMatch(/李喆|13800138000|<form|https?:\/\/(?!127|www\.w3\.org)/)
    const zh = await get(path, 'zh-CN,zh;q=0.9')
    for (const text of ['本次应付', '¥100.00', '学员：喆']) expect(zh.text, text).toContain(text)
    expect((await get(`${path}?language=zh`, 'en')).text).toContain('本次应付')
    for (const { headers } of [en, zh]) {
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect(en.text.split('<script').length).toBe(2)
  })

  test('counts as opened when the script of the page reports it, not when a preview fetches it', async () => {
    const school = await openSchool()
    const { order_id } = await school.order()
    const { path } = (await school.call(requestPayment, { order_id })).data
    const openedBy = async (suffix: string, init: RequestInit = {}) => {
      const { status } = await fetch(`${server.url}${path}${suffix}`, init)
      return [status, (await shown(school))[0].opened !== '']
    }
    expect(await openedBy('')).toEqual([200, false])
    expect(await openedBy('', { method: 'HEAD' })).toEqual([200, false])
    expect(await openedBy('/opened')).toEqual([204, false])
    const report = { headers: { 'x-opened': '1' } }
    expect(await openedBy('/opened', { ...report, method: 'HEAD' })).toEqual([204, false])
    expect(await openedBy('x/opened', report)).toEqual([204, false])
    expect(await openedBy('/opened', report)).toEqual([204, true])
  })

  test('is the same for a wrong, a revoked and an expired link', async () => {
    const [school, other] = [await openSchool(), await openSchool()]
    const { order_id } = await school.order()
    const revoked = (await school.call(requestPayment, { order_id })).data
    const valid = (await school.call(requestPayment, { order_id })).data
    const expired = (await school.call(requestPayment, { order_id })).data
    await server.database.superuser.query(
      `update payment_requests set expires_at = now() where payment_request_id = $1`,
      [expired.payment_request_id],
    )
    const { payment_request_id } = revoked
    for (let times = 0; times < 2; times++)
      expect(await school.call(revokePaymentRequest, { payment_request_id })).toMatchObject({ code: 0 })
    const token = valid.path.split('/')[3]
    const pages = await Promise.all(
      [
        revoked.path,
        expired.path,
        `/pay/${other.corp_id}/${token}`,
        `/pay/nowhere/${token}`,
        `/pay/${school.corp_id}/${'x'.repeat(32)}`,
        `/pay/${school.corp_id}/short`,
      ].map((path) => get(path, 'en')),
    )
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    expect((await get(valid.path, 'en')).status).toBe(200)
    expect((await shown(school)).find((row) => row.payment_request_id === payment_request_id).state).toBe(
      'revoked',
    )
  })

  test('is refused after sixty views a minute from one address', async () => {
    const school = await openSchool()
    const statuses: number[] = []
    for (let n = 0; n <= 60; n++)
      statuses.push((await get(`/pay/${school.corp_id}/${'y'.repeat(32)}`, 'en')).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

async function openSchool(): Promise<Counter> {
  const school = await openCounter(server)
  const { corp_id } = school
  await school.call(updateUser, { user_id: school.user_id, name: '李喆' })
  await school.call(upsertCourse, {
    course_code: 'mba',
    name: 'MBA 硕士',
    currency: 'CNY',
    listed_price: 30_000,
  })
  await server.database.app.of(corp_id).transaction(async (tx) => {
    const before = await lockIssuer(tx, corp_id, new Date())
    await storeIssuer(
      tx,
      corp_id,
      { ...before, bank_account_number: '6222 0000 1111', bank_name: 'ICBC' },
      before,
    )
  })
  return school
}

// biome-ignore lint/suspicious/noExplicitAny: data of every shape.
async function shown(school: Counter): Promise<any[]> {
  return (await school.call(listPaymentRequests, {})).data.list
}

async function get(path: string, language: string) {
  const answer = await fetch(`${server.url}${path}`, { headers: { 'accept-language': language } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
