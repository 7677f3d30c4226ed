import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../test/harness/database.ts'
import { codesOf, openCounter, openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { coupons, history } from '../../test/histories/history-steps.ts'
import { playgroundOf, playHistory } from '../../test/histories/play-history.ts'
import { ApiError } from '../contract/errors.ts'
import { catalogue } from '../endpoints.ts'
import { createOrder } from './create-order.ts'
import { explainOrder } from './ledger/explain-order.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { upsertCoupon } from './offerings/upsert-coupon.ts'
import { applyPayment } from './payments/apply-payment.ts'
import { createPayment } from './payments/create-payment.ts'
import { createRefund } from './payments/create-refund.ts'
import { transferMoney } from './payments/transfer-money.ts'
import { unapplyPayment } from './payments/unapply-payment.ts'
import { voidPayment } from './payments/void-payment.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'
import { writeOffOrder } from './write-off-order.ts'

const runs = Number(process.env.MATRICULA_DRY_RUNS ?? 8)

const rehearsed = [
  ...[createOrder, updateOrder, updateStatus, createPayment, voidPayment, applyPayment],
  ...[unapplyPayment, createRefund, transferMoney, writeOffOrder],
] as { id: string }[]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

test('every operation that moves money has a dry run', () => {
  const silent = catalogue.filter(
    ({ movesMoney, input }) => movesMoney && !Object.hasOwn(input.properties, 'dry_run'),
  )
  expect(silent.map(({ id }) => id)).toEqual([])
})

test(`over ${runs} random histories, a dry run changes nothing and returns the same as the real call`, {
  timeout: 600_000,
}, async () => {
  const school = await openLedger(server.database)
  for (const coupon of coupons) {
    const currency = coupon.amount === undefined ? {} : { currency: coupon.coupon_id.split('-')[1] }
    await school.run(upsertCoupon, { ...coupon, ...currency })
  }
  const seen = new Set<string>()
  const careful = { ...school, run: rehearsing(school, server.database, seen) }
  const ground = playgroundOf(careful, server.database)
  const alone = history.map(({ creation, rounds }) => ({
    creation: { ...creation, copies: 1 },
    rounds: rounds.map(([first]) => [first!]),
  }))
  await fc.assert(
    fc.asyncProperty(alone, (each) => playHistory(ground, each as never)),
    { numRuns: runs },
  )
  expect(seen).toContain('createOrder')
  expect(seen).toContain('createPayment')
  // Few histories reach the other operations, or a refusal.
  if (runs < 100) return
  expect(ground.refused).toBeGreaterThan(0)
  expect([...seen].sort()).toEqual(rehearsed.map(({ id }) => id).sort())
})

/** Makes a dry run of every call that has one, and compares the real call with it. */
function rehearsing(school: TestLedger, database: TestDatabase, seen: Set<string>): TestLedger['run'] {
  return async (endpoint, input = {}, now) => {
    if (!rehearsed.includes(endpoint as { id: string })) return school.run(endpoint, input, now)
    seen.add((endpoint as { id: string }).id)
    const attempt = (more: object) =>
      school.run(endpoint, { ...input, ...more }, now).catch((error: ApiError) => {
        if (!(error instanceof ApiError)) throw error
        return error
      })
    await attempt({ dry_run: true })
    const bytes = await digest(database, school.corp_id)
    const rehearsal = await attempt({ dry_run: true })
    expect(await digest(database, school.corp_id)).toBe(bytes)
    const real = await attempt({})
    if (real instanceof ApiError) {
      expect({ code: rehearsal.code, msg: rehearsal.message }).toEqual({ code: real.code, msg: real.message })
      throw real
    }
    const { orders, ...answer } = rehearsal
    expect(withoutIds(answer)).toEqual(withoutIds(real))
    for (const [index, { order_id, after }] of orders.entries()) {
      const made = 'before' in orders[index] ? order_id : real.order_id
      expect(withoutIds(after)).toEqual(
        withoutIds(shown(await school.run(fetchOrder, { order_id: made }), after)),
      )
    }
    return real
  }
}

/** The members of an order that a preview shows. */
// biome-ignore lint/suspicious/noExplicitAny: details of orders.
function shown(order: any, wanted: any) {
  const pick = (from: Record<string, unknown>, like: object) =>
    Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]))
  const refund_price = order.paid_price - order.post_refund_price
  return {
    ...pick({ ...order, refund_price, held_price: order.post_refund_price }, wanted),
    credited_price: wanted.credited_price,
    written_off_price: wanted.written_off_price,
    over_payment_price: wanted.over_payment_price,
    sub_orders: order.sub_orders.map((subOrder: Record<string, unknown>, index: number) =>
      pick({ ...subOrder, sub_order_id: subOrder.entity_id }, wanted.sub_orders[index]),
    ),
  }
}

/** Replaces ids by the order of their first appearance, since new ids differ from call to call. */
function withoutIds(value: unknown): unknown {
  const names = new Map<string, string>()
  const text = JSON.stringify(value).replaceAll(/"[0-9a-f]{32}"/g, (id) => {
    if (!names.has(id)) names.set(id, `"#${names.size}"`)
    return names.get(id)!
  })
  return JSON.parse(text)
}

async function digest(database: TestDatabase, corp_id: string): Promise<string> {
  const tables = await database.superuser.query(`
    select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'corp_id' order by table_name`)
  const parts = tables.rows.map(
    ({ table_name }) =>
      `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${table_name} t where corp_id = $1)`,
  )
  const found = await database.superuser.query(
    `select array_to_string(array[${parts.join(', ')}], ',') as digest`,
    [corp_id],
  )
  return found.rows[0].digest
}

test('a dry run does not use up its Idempotency-Key: the same key then makes the call', async () => {
  const school = await openCounter(server)
  const { order_id } = await school.order()
  const pay = (more: object) =>
    school.call(createPayment, { order_id, price: 100, ...more }, { 'Idempotency-Key': 'pay-once' })
  const answers = [await pay({ dry_run: true }), await pay({}), await pay({}), await pay({ dry_run: true })]
  expect(codesOf(answers)).toEqual({ 0: 4 })
  expect(answers[1]!.data.payment_id).toBe(answers[2]!.data.payment_id)
  expect(answers[3]!.data.orders[0].before.paid_price).toBe(100)
  expect(answers[3]!.data.orders[0].after.paid_price).toBe(200)
})

test('moves that order/explain calls possible succeed, and all others are refused with its code', {
  timeout: 120_000,
}, async () => {
  const school = await openLedger(server.database)
  const reason = 'As agreed'
  const to = await school.order()
  const makings: ((order_id: string) => Promise<unknown>)[] = [
    async () => undefined,
    (order_id) => school.run(createPayment, { order_id, price: 5_000 }),
    (order_id) => school.run(createPayment, { order_id, price: 30_000 }),
    (order_id) => school.run(updateStatus, { order_id, status: 'locked' }),
    (order_id) => school.run(updateStatus, { order_id, status: 'canceled' }),
    (order_id) => school.run(updateStatus, { order_id, status: 'expired' }),
  ]
  for (const make of makings) {
    const { order_id } = await school.order()
    await make(order_id)
    const { version, moves, refund, transfer, retain, write_off, reprice } = await school.run(explainOrder, {
      order_id,
    })
    const attempts = [
      ...moves.map((move: { status: string }) => [move, updateStatus, { status: move.status }]),
      [refund, createRefund, { price: Math.max(1, refund.at_most) }],
      [
        transfer,
        transferMoney,
        { from_order_id: order_id, to_order_id: to.order_id, price: Math.max(1, transfer.at_most), reason },
      ],
      [retain, updateStatus, { status: 'canceled', retain: true, reason }],
      [write_off, writeOffOrder, { reason }],
      [reprice, updateOrder, { version, listed_price: 40_000 }],
    ]
    for (const [said, endpoint, input] of attempts) {
      const outcome = await school.run(endpoint, { order_id, ...input, dry_run: true }).then(
        () => 'done',
        () => 'refused',
      )
      // An order without money is canceled without a question.
      if (said === retain && said.code === 'nothing_held') continue
      expect([said, outcome]).toEqual([said, said.is_possible ? 'done' : 'refused'])
      expect(said.code === 'possible').toBe(said.is_possible)
    }
  }
})
