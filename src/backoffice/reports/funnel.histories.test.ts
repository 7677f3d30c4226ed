import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createOrder } from '../../orders/create-order.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { readFunnelNumbers } from './funnel.ts'
import { listFunnelLeads } from './funnel-rows.ts'
import { listReceiptsRows, readReceiptsNumbers } from './receipts.ts'

const runs = Number(process.env.MATRICULA_NUMBERS ?? 3)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const hour = 3_600_000
const day = 24 * hour
const mobile = (person: number) => ({ area_code: '86', mobile: `1380013800${person}` })

test('a lead moves through the stages, and events count for the last lead before them', async () => {
  const school = await openLedger(database, 'Asia/Shanghai')
  const at = (text: string) => new Date(`${text}+08:00`)
  const lead = (person: number, utm_source: string, time: string, more = {}) =>
    school.run(importLead, { ...mobile(person), utm_source, ...more }, at(time))
  await lead(1, 'fair', '2031-03-01T10:00:00', { owner_ids: ['anna', 'ben'] })
  await lead(2, 'fair', '2031-03-31T23:59:59', { campaign: 'spring', course_code: 'EMBA' })
  await lead(1, 'web', '2031-04-02T10:00:00')
  const user_id = await userOf(school, 1)
  await school.run(createFollowUp, { user_id, content: 'Called' }, at('2031-04-01T10:00:00'))
  const order = { user_id, currency: 'CNY', listed_price: 900 }
  const { order_id } = await school.run(createOrder, order, at('2031-04-03T10:00:00'))
  const paid = await school.run(createPayment, { order_id, price: 900 }, at('2031-04-04T10:00:00'))
  const range = { start_date: '2031-03-01', end_date: '2031-04-30' }
  const funnel = (more: object) =>
    school.run(readFunnelNumbers, { ...range, ...more }, at('2031-04-05T10:00:00'))
  const counted = ({ list }: { list: { key: string; counts: object }[] }) =>
    list.map(({ key, counts }) => [key, ...Object.values(counts)])
  expect(counted(await funnel({ by: 'month' }))).toEqual([
    ['2031-03', 2, 1, 0, 0, 0],
    ['2031-04', 1, 0, 1, 1, 1],
  ])
  expect(counted(await funnel({ by: 'channel' }))).toEqual([
    ['fair', 2, 1, 0, 0, 0],
    ['web', 1, 0, 1, 1, 1],
  ])
  expect(counted(await funnel({ by: 'course' }))).toEqual([
    ['', 2, 1, 1, 1, 1],
    ['EMBA', 1, 0, 0, 0, 0],
  ])
  const owners = await funnel({ by: 'owner' })
  expect(counted(owners)).toEqual([
    ['', 2, 0, 1, 1, 1],
    ['anna', 1, 1, 0, 0, 0],
    ['ben', 1, 1, 0, 0, 0],
  ])
  expect(owners.total.leads).toBe(3)
  await school.run(voidPayment, { payment_id: paid.payment_id, reason: 'bounced' }, at('2031-04-06T10:00:00'))
  const { total } = await school.run(readFunnelNumbers, range, at('2031-04-07T10:00:00'))
  expect(total).toEqual({ leads: 3, contacted: 1, ordered: 1, paid: 0, enrolled: 0 })
  // A year later the same leads are those of last year, in the stage of a year before.
  const next = { start_date: '2032-03-01', end_date: '2032-04-30', by: 'month' }
  const later = (as_of: string) =>
    school.run(readFunnelNumbers, { ...next, as_of }, at('2032-05-01T10:00:00'))
  expect((await later('2032-04-05T10:00:00')).total_last_year).toEqual(
    (await funnel({ as_of: '2031-04-05T10:00:00' })).total,
  )
  expect((await later('2032-04-30')).total_last_year.paid).toBe(0)
})

test(`over ${runs} random histories, every figure is the sum of its rows, at the time and later as of that instant`, {
  timeout: 600_000,
}, async () => {
  const step = fc.record({
    kind: fc.constantFrom(
      'lead',
      'lead',
      'follow',
      'order',
      'order',
      'pay',
      'pay',
      'pay',
      'void',
      'refund',
      'cancel',
    ),
    person: fc.nat(3),
    pick: fc.nat(20),
    hours: fc.integer({ min: 1, max: 24 * 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 16 }), async (steps) => {
      const life = await begin()
      const half = Math.floor(steps.length / 2)
      for (const each of steps.slice(0, half)) await live(life, each)
      const then = await allFigures(life, undefined)
      for (const each of steps.slice(half)) await live(life, each)
      const ago = await allFigures(life, then.as_of)
      expect(ago).toEqual(then)
      await allFigures(life, undefined)
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

interface Life {
  school: TestLedger
  now: number
  begun: number
  users: Map<number, string>
  orders: string[]
  payments: { payment_id: string; order_id: string }[]
}

async function begin(): Promise<Life> {
  const school = await openLedger(database, 'America/New_York')
  for (const course_code of ['EMBA', 'DBA'])
    await school.run(upsertCourse, { course_code, name: course_code, currency: 'CNY', listed_price: 9000 })
  const begun = Date.UTC(2031, 0, 1)
  return { school, now: begun, begun, users: new Map(), orders: [], payments: [] }
}

async function live(
  life: Life,
  { kind, person, pick, hours }: Record<'person' | 'pick' | 'hours', number> & { kind: string },
) {
  life.now += hours * hour
  const { school, users, orders, payments } = life
  const at = new Date(life.now)
  const user_id = users.get(person)
  const order_id = orders[pick % orders.length]
  const payment = payments[pick % payments.length]
  const attempt = (endpoint: unknown, input: object) =>
    school.run(endpoint, input as Record<string, unknown>, at).catch(() => undefined)
  if (kind === 'lead') {
    const owner_ids = ['anna', 'ben'].slice(0, pick % 3)
    await attempt(importLead, { ...mobile(person), utm_source: ['fair', 'web'][pick % 2], owner_ids })
    users.set(person, await userOf(school, person))
  }
  if (kind === 'follow' && user_id) await attempt(createFollowUp, { user_id, content: 'Called' })
  if (kind === 'order' && user_id) {
    const made = await attempt(createOrder, { user_id, course_code: pick % 2 ? 'EMBA' : 'DBA' })
    orders.push(made.order_id)
  }
  if (kind === 'pay' && order_id) {
    const foreign = pick % 3 === 0 ? { currency: 'USD', rate: '7.1' } : {}
    const made = await attempt(createPayment, { order_id, price: 100 + pick * 450, ...foreign })
    if (made) payments.push(made)
  }
  if (kind === 'void' && payment)
    await attempt(voidPayment, { payment_id: payment.payment_id, reason: 'bounced' })
  if (kind === 'refund' && order_id) await attempt(createRefund, { order_id, price: 50 + pick })
  if (kind === 'cancel' && order_id)
    await attempt(updateStatus, { order_id, status: 'canceled', retain: true, reason: 'left' })
}

/** Compares every figure with its rows. */
async function allFigures({ school, now, begun }: Life, as_of: string | undefined) {
  const at = new Date(now)
  const range = {
    start_date: '2030-12-31',
    end_date: new Date(Math.min(now, begun + 360 * day)).toISOString().slice(0, 10),
  }
  const receipts = await school.run(readReceiptsNumbers, { ...range, as_of }, at)
  const asked = { ...range, as_of: as_of ?? receipts.as_of }
  for (const { month, currency, course_code, ...figures } of receipts.list) {
    const rows = (kind?: string) =>
      school.run(
        listReceiptsRows,
        { ...asked, month, currency, course_code, unnamed: course_code === '', kind, page_size: 1000 },
        at,
      )
    const [all, paid, back] = [await rows(), await rows('payment'), await rows('refund')]
    expect([paid.value, paid.total, 0 - back.value, back.total, all.value]).toEqual([
      ...[figures.received, figures.payments, figures.refunded, figures.refunds, figures.net],
    ])
    const sum = all.list.reduce((total: number, { price }: { price: number }) => total + price, 0)
    expect(sum).toBe(all.value)
  }
  const funnels = []
  for (const by of ['month', 'owner']) {
    const funnel = await school.run(readFunnelNumbers, { ...asked, by }, at)
    const figures = [{ key: undefined, counts: funnel.total }, ...funnel.list]
    for (const { key, counts } of figures)
      for (const [stage, count] of Object.entries(counts)) {
        const rows = await school.run(
          listFunnelLeads,
          { ...asked, by, stage, key, unnamed: key === '', page_size: 1000 },
          at,
        )
        expect([rows.value, rows.list.length]).toEqual([count, count])
      }
    funnels.push(funnel)
  }
  return { as_of: asked.as_of, receipts: { ...receipts, as_of: asked.as_of }, funnels }
}

async function userOf(school: TestLedger, person: number): Promise<string> {
  const text = 'select user_id from users where corp_id = $1 and mobile = $2'
  return (await database.superuser.query(text, [school.corp_id, mobile(person).mobile])).rows[0].user_id
}
