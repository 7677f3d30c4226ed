import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { insertLogo, lockIssuer, storeIssuer } from '../../access/organizations/issuer-store.ts'
import { readLogo } from '../../access/organizations/logo.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { reverseRefund } from '../../orders/payments/reverse-refund.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { createUser } from '../../people/users/create-user.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { issueDocument } from './issue-document.ts'
import { fetchDocument, listDocuments } from './list-documents.ts'
import { printDocument } from './print-document.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

describe('invoices', () => {
  test('have lines that sum to the total, and do not change when the order is paid', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({
      course_code: 'mba',
      coupon_ids: ['early'],
      manual_discount: 2000,
    })
    const issued = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    expect(issued).toMatchObject({ kind: 'invoice', price: 27_000, revision: 1, is_new: true, payer: '李喆' })
    const said = await fetched(school, issued.document_id)
    expect(said.lines).toEqual([
      { label: 'item', text: 'MBA 工商管理硕士', price: 30_000 },
      { label: 'coupon', text: 'early', price: -1000 },
      { label: 'discount', text: '', price: -2000 },
    ])
    expect(sum(said.lines)).toBe(issued.price)
    expect(said.plan.map(({ price }: { price: number }) => price)).toEqual([9000, 9000, 9000])
    await school.call(createPayment, { order_id, price: 9000 })
    await school.call(updateUser, { user_id: school.user_id, name: 'Another' })
    const again = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    expect(again).toEqual({ ...issued, is_new: false })
    expect(await fetched(school, issued.document_id)).toEqual(said)
  })

  test('are issued again after a change of the price, and the print of the first names the second', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({ course_code: 'mba' })
    const first = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    await school.call(updateOrder, { order_id, version: 1, manual_discount: 3000 })
    const second = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    expect(second).toMatchObject({ price: 27_000, revision: 2, is_new: true })
    expect(second.number).not.toBe(first.number)
    expect((await fetched(school, first.document_id)).price).toBe(30_000)
    expect((await school.call(listDocuments, { order_id })).data).toMatchObject({ total: 2 })
  })

  test('have numbers without gaps, with concurrent, repeated and refused calls', async () => {
    const school = await openSchool('Asia/Shanghai')
    const orders = await atOnce(10, () => school.order())
    const canceled = await school.order({ status: 'unconfirmed' })
    const told = await atOnce(40, (n) =>
      n % 8 === 7
        ? school.call(issueDocument, { kind: 'invoice', subject_id: canceled.order_id })
        : school.call(issueDocument, { kind: 'invoice', subject_id: orders[n % 10]!.order_id }),
    )
    expect(told.filter(({ code }) => code === 40904)).toHaveLength(5)
    expect(told.filter(({ data }) => data.is_new)).toHaveLength(10)
    expect(await numbersOf(school, 'invoice')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('count from 1 in each year of the organization’s zone', async () => {
    const school = await openSchool('Asia/Shanghai')
    const numbers: string[] = []
    for (const now of ['2026-12-31T15:59:59Z', '2026-12-31T16:00:00Z', '2026-12-31T16:00:01Z']) {
      const { order_id } = await school.order()
      server.setNow(new Date(now))
      const answer = await server.call(
        issueDocument,
        { corp_id: school.corp_id, kind: 'invoice', subject_id: order_id },
        { token: await server.tokenOf(school.account) },
      )
      server.setNow(undefined)
      numbers.push(answer.data.number)
    }
    expect(numbers).toEqual(['INV-2026-000001', 'INV-2027-000001', 'INV-2027-000002'])
  })
})

describe('receipts and credit notes', () => {
  test('a receipt has the number of its payment, is issued once, and is refused for a void payment', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({ course_code: 'mba' })
    const ids = [await paid(school, order_id, 9000), await paid(school, order_id, 500)]
    const told = await atOnce(6, (n) =>
      school.call(issueDocument, { kind: 'receipt', subject_id: ids[n % 2] }),
    )
    expect(told.filter(({ data }) => data.is_new)).toHaveLength(2)
    expect(new Set(told.map(({ data }) => data.number.slice(4)))).toEqual(new Set(['-00000001', '-00000002']))
    const third = await paid(school, order_id, 100)
    await school.call(voidPayment, { payment_id: third, reason: 'bounced' })
    expect(await school.call(issueDocument, { kind: 'receipt', subject_id: third })).toMatchObject({
      code: 40904,
    })
  })

  test('a credit note states the cancelled price, names the invoice, and is refused if nothing is cancelled', async () => {
    const school = await openSchool()
    const { order_id } = await school.order()
    await paid(school, order_id, 30_000)
    const invoice = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    const credit = await refunded(school, order_id, { price: 4000 })
    const note = (await school.call(issueDocument, { kind: 'credit_note', subject_id: credit })).data
    expect(note).toMatchObject({ kind: 'credit_note', price: 4000, order_id })
    expect((await fetched(school, note.document_id)).facts).toContainEqual({
      label: 'invoice',
      text: invoice.number,
    })
    const returned = await refunded(school, order_id, { price: 1000, as: 'return' })
    expect(await school.call(issueDocument, { kind: 'credit_note', subject_id: returned })).toMatchObject({
      code: 40904,
    })
    const reversed = await refunded(school, order_id, { price: 500 })
    await school.call(reverseRefund, { refund_id: reversed, reason: 'The bank returned it' })
    expect(await school.call(issueDocument, { kind: 'credit_note', subject_id: reversed })).toMatchObject({
      code: 40904,
    })
    expect(await numbersOf(school, 'credit_note')).toEqual([1])
  })

  test('a receipt names the payer and the student', async () => {
    const school = await openSchool()
    const { order_id } = await school.order()
    const payer = { kind: 'employer', name: '上海某某公司', address: '南京路1号', tax_number: '9131X' }
    const { payer_id } = (await school.call(createPayer, payer)).data
    const { payment_id } = (await school.call(createPayment, { order_id, price: 100, payer_id })).data
    const { document_id } = (await school.call(issueDocument, { kind: 'receipt', subject_id: payment_id }))
      .data
    expect(await fetched(school, document_id)).toMatchObject({ payer: payer.name, student: '李喆' })
  })
})

test('one receipt over orders of several people names the payer, every order and every person', async () => {
  const school = await openSchool()
  const [first, second] = [await school.order({ course_code: 'mba' }), await school.order()]
  const { user_id } = (await school.call(createUser, { area_code: '86', mobile: '13800138001' })).data
  await school.call(updateUser, { user_id, name: '王芳' })
  const third = await school.order({ user_id })
  const allocations = [first, second, third].map(({ order_id }) => ({ order_id, price: 1000 }))
  const receipt = { payer_name: '上海某某公司', price: 3500, currency: 'CNY', allocations }
  const { payment_id } = (await school.call(recordReceipt, receipt)).data
  const issued = (await school.call(issueDocument, { kind: 'receipt', subject_id: payment_id })).data
  const said = await fetched(school, issued.document_id)
  expect(said).toMatchObject({ payer: '上海某某公司', price: 3500 })
  expect(said.student.split(', ').sort()).toEqual(['李喆', '王芳'])
  expect(said.lines).toHaveLength(4)
  expect(sum(said.lines)).toBe(3500)
})

describe('the file of a document', () => {
  test('is a PDF in the chosen language, with the refunds and the void of its day', async () => {
    const school = await openSchool()
    const { order_id } = await school.order({ course_code: 'mba' })
    const payment_id = await paid(school, order_id, 30_000)
    const receipt = (await school.call(issueDocument, { kind: 'receipt', subject_id: payment_id })).data
    const invoice = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    const refund_id = await refunded(school, order_id, { price: 4000 })
    const note = (await school.call(issueDocument, { kind: 'credit_note', subject_id: refund_id })).data
    for (const [document, language] of [
      [receipt, 'both'],
      [invoice, 'zh'],
      [invoice, 'en'],
      [note, 'both'],
    ] as const) {
      const { download, file_name } = (
        await school.call(printDocument, { document_id: document.document_id, language })
      ).data
      const answer = await fetch(`${server.url}${download}`)
      const pdf = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${file_name}"`)
      expect(answer.headers.get('x-robots-tag')).toBe('noindex')
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      // Only the used glyphs are embedded: a whole font takes 8 MB.
      expect(pdf.length).toBeLessThan(300_000)
      const { MATRICULA_PICTURES: folder } = process.env
      if (folder) writeFileSync(join(folder, `${language}-${file_name}`), pdf)
    }
  }, 60_000)

  test('is found by its address only, and shows no other organization', async () => {
    const [school, other] = [await openSchool(), await openSchool()]
    const { order_id } = await school.order()
    const { document_id } = (await school.call(issueDocument, { kind: 'invoice', subject_id: order_id })).data
    const { download } = (await school.call(printDocument, { document_id })).data
    const [, , corp_id, rest] = download.split('/')
    const token = rest.split('?')[0]
    const wrong = [
      `/documents/${other.corp_id}/${token}`,
      `/documents/${corp_id}/${'x'.repeat(32)}`,
      `/documents/${corp_id}/${token}x`,
      `/documents/${corp_id}/${document_id}`,
      `/documents/%00/${token}`,
    ]
    for (const path of wrong) expect((await fetch(`${server.url}${path}`)).status, path).toBe(404)
  })
})

/** The smallest PNG: one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a logo is a small PNG or JPEG image', () => {
  expect(readLogo(pixel)).toMatchObject({ type: 'image/png' })
  expect(readLogo('no')).toBe('must be Base64')
  expect(readLogo(Buffer.from('<svg/>').toString('base64'))).toBe('must be a PNG or JPEG image')
  expect(readLogo(Buffer.alloc(204_801).toString('base64'))).toBe('must have at most 204800 bytes')
  const huge = Buffer.from(pixel, 'base64')
  huge.writeUInt32BE(50_000, 16)
  expect(readLogo(huge.toString('base64'))).toBe('must be at most 4000 pixels wide and high')
})

async function openSchool(time_zone = 'UTC'): Promise<Counter> {
  const school = await openCounter(server, time_zone)
  const { corp_id } = school
  await school.call(updateUser, { user_id: school.user_id, name: '李喆' })
  await school.call(upsertCourse, {
    course_code: 'mba',
    name: 'MBA 工商管理硕士',
    currency: 'CNY',
    listed_price: 30_000,
  })
  await school.call(upsertCoupon, { coupon_id: 'early', amount: 1000, currency: 'CNY' })
  const logo = readLogo(pixel)
  if (typeof logo === 'string') throw new Error(logo)
  await server.database.app.of(corp_id).transaction(async (tx) => {
    const before = await lockIssuer(tx, corp_id, new Date())
    await insertLogo(tx, corp_id, logo, new Date())
    const issuer = {
      ...before,
      legal_name: '北门教育科技（上海）有限公司 Northgate Education Ltd.',
      address: '上海市浦东新区世纪大道88号\n88 Century Avenue, Shanghai 200120',
      tax_number: '91310115MA1K3XXX0X',
      bank_name: '中国工商银行上海陆家嘴支行',
      bank_account_name: '北门教育科技（上海）有限公司',
      bank_account_number: '1001 1900 0987 6543 210',
      bank_code: 'ICBKCNBJSHI',
      logo_id: logo.logo_id,
    }
    await storeIssuer(tx, corp_id, issuer, before)
  })
  return school
}

async function paid(school: Counter, order_id: string, price: number): Promise<string> {
  return (await school.call(createPayment, { order_id, price, method: 'transfer' })).data.payment_id
}

async function refunded(school: Counter, order_id: string, input: Record<string, unknown>): Promise<string> {
  const answer = await school.call(createRefund, { order_id, reason: '学员转班', ...input })
  return answer.data.refund_id
}

// biome-ignore lint/suspicious/noExplicitAny: data of every shape.
async function fetched(school: Counter, document_id: string): Promise<any> {
  return (await school.call(fetchDocument, { document_id })).data
}

async function numbersOf({ corp_id }: Counter, kind: string): Promise<number[]> {
  const text = 'select number::int from documents where corp_id = $1 and kind = $2 order by number'
  return (await server.database.superuser.query(text, [corp_id, kind])).rows.map(({ number }) => number)
}

function sum(lines: { price: number }[]): number {
  return lines.reduce((all, { price }) => all + price, 0)
}
