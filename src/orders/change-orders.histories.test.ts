import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openLedger } from '../../test/harness/ledger.ts'
import { seedOfRun } from '../../test/harness/seed.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { coupons, currencies, history, timeText } from '../../test/histories/history-steps.ts'
import { legalMoves, moneyMoves } from '../../test/histories/order-model.ts'
import {
  addMoney,
  close,
  type Playground,
  playgroundOf,
  playHistory,
} from '../../test/histories/play-history.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import {
  type ClosingDocument,
  type CurrencyFigures,
  sumsOf as sumsOfClosing,
} from '../backoffice/finance/closing.ts'
import { rebuildDerivedData } from '../derived/derived-data.ts'
import { listFinancialRows } from './listing/list-financial-rows.ts'
import { upsertCoupon } from './offerings/upsert-coupon.ts'
import { createPayment } from './payments/create-payment.ts'

/** `npm run test:long` plays 10,000 of them; the gate plays fewer. */
const histories = Number(process.env.MATRICULA_HISTORIES ?? 100)
const organizations = 12

let server: TestServer
let grounds: Playground[]

beforeAll(async () => {
  server = await startTestServer('matricula')
  grounds = await Promise.all(Array.from({ length: organizations }, openGround))
})
afterAll(() => server.close())

test(`over ${histories} random histories with simultaneous callers, the ledger follows the rules`, {
  timeout: 3_600_000,
}, async () => {
  const numRuns = Math.ceil(histories / organizations)
  // Each organization has its own histories.
  const played = grounds.map((ground, index) =>
    fc.assert(
      fc.asyncProperty(history, (each) => playHistory(ground, each)),
      { numRuns, seed: seedOfRun() + index },
    ),
  )
  // All histories run to their end, so that none continues after a failure.
  for (const outcome of await Promise.allSettled(played))
    if (outcome.status === 'rejected') throw outcome.reason
  const sum = (count: 'histories' | 'steps' | 'refused') =>
    grounds.reduce((all, ground) => all + ground[count], 0)
  expect(sum('histories')).toBeGreaterThanOrEqual(histories)
  // Some calls were refused and some not; otherwise the histories test nothing.
  expect(sum('refused') / sum('steps')).toBeGreaterThan(0.05)
  expect(sum('refused') / sum('steps')).toBeLessThan(0.5)
})

test('sub-orders with many payments at once and out of order take fifteen; the others stay unapplied', async () => {
  const times = fc.array(fc.nat(40), { minLength: 14, maxLength: 18 })
  const play = async (ground: Playground, daysAgo: number[]) => {
    const { order_id } = await ground.school.order({ installment_count: 1, listed_price: 10 })
    const pay = (days: number) => {
      const completed_time = timeText(ground.now - days * 86_400_000)
      return ground.school.run(createPayment, { order_id, price: 1, completed_time }, new Date(ground.now))
    }
    const told = await Promise.all(daysAgo.map(pay))
    expect(told.filter(({ applied }) => applied)).toHaveLength(Math.min(15, daysAgo.length))
    addMoney(ground, 'CNY', daysAgo.length, Math.max(0, daysAgo.length - 15))
  }
  await Promise.all(
    grounds.map((ground, index) =>
      fc.assert(
        fc.asyncProperty(times, (each) => play(ground, each)),
        { numRuns: Math.ceil(histories / 100), seed: seedOfRun() + index },
      ),
    ),
  )
})

describe('after all histories', () => {
  test('finance check finds nothing wrong in the whole database', { timeout: 600_000 }, async () => {
    const report = await checkLedger(server.db)
    expect(report).toMatchObject({ total: 0, discrepancies: [] })
    expect(report.orders).toBeGreaterThan(histories / 2)
  })

  test('every status was reached, and only by legal moves', async () => {
    const moves = await rows(
      `select distinct from_status, to_status from order_versions where from_status is not null`,
    )
    const legal = (from: string) => [...(legalMoves.get(from) ?? []), ...(moneyMoves.get(from) ?? [])]
    for (const { from_status, to_status } of moves) expect(legal(from_status)).toContain(to_status)
    const reached = new Set(moves.map(({ to_status }) => to_status))
    const usual = ['created', 'pending', 'success', 'locked', 'expired', 'canceled']
    expect([...reached]).toEqual(expect.arrayContaining(usual))
    if (histories >= 5000) {
      const wanted = [...legalMoves].flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`))
      const met = moves.map(({ from_status, to_status }) => `${from_status} ${to_status}`)
      // A pending order has money, so it does not expire, unless a call moved it there.
      expect(met).toEqual(expect.arrayContaining(wanted.filter((each) => each !== 'pending expired')))
    }
    const first = await rows(`
      select distinct v.to_status from order_versions v join orders o using (corp_id, order_id)
       where v.version = 1 and not (v.to_status = 'success' and v.record->'order'->>'total_price' = '0')`)
    expect(first.map(({ to_status }) => to_status).sort()).toEqual(['created', 'tbd', 'unconfirmed'])
  })

  test('every payment and refund has its order, and none was recorded twice', async () => {
    const twice = await rows(`
      select corp_id, provider, charge_id from payments where charge_id is not null
       group by corp_id, provider, charge_id having count(*) > 1`)
    expect(twice).toEqual([])
    const [facts] = await rows(`
      select (select count(*)::int from payments) as payments, (select count(*)::int from refunds) as refunds,
             (select count(distinct currency)::int from payments) as currencies,
             (select count(*)::int from payments p join orders o using (corp_id, order_id) where p.currency <> o.currency) as foreign_ones`)
    expect(facts.currencies).toBe(currencies.length)
    for (const count of Object.values(facts)) expect(count).toBeGreaterThan(0)
    const [versions] = await rows(`
      select count(*) filter (where change = 'payment')::int as payments, count(*) filter (where change = 'refund')::int as refunds
        from order_versions`)
    expect(versions).toEqual({ payments: facts.payments, refunds: facts.refunds })
  })

  test('received = refunded + retained + unapplied + held by orders', async () => {
    const payments = await rows(`
      select p.payment_id, p.order_price::float8 as received, coalesce(v.price, 0)::float8 as voided,
             coalesce(b.price, 0)::float8 as refunded, coalesce(l.price - coalesce(b.applied, 0), 0)::float8 as applied
        from payments p
        left join (select corp_id, payment_id, sum(price) as price from payment_voids group by 1, 2) v
          using (corp_id, payment_id)
        left join (select corp_id, payment_id, sum(price) as price, sum(price) filter (where sub_order_id <> '') as applied
                     from refund_allocations group by 1, 2) b using (corp_id, payment_id)
        left join (select corp_id, payment_id, sum(price) as price from payment_allocations group by 1, 2) l
          using (corp_id, payment_id)`)
    for (const { received, voided, refunded, applied } of payments) {
      const balance = received - voided - refunded
      expect(balance).toBeGreaterThanOrEqual(0)
      expect(applied).toBeGreaterThanOrEqual(0)
      expect(applied).toBeLessThanOrEqual(balance)
    }
    const [kept] = await rows(`
      select (select coalesce(sum(price), 0)::float8 from order_retentions) as retained,
             (select coalesce(sum(a.price), 0)::float8 from payment_allocations a join orders o using (corp_id, order_id) where o.status = 'canceled')
             - (select coalesce(sum(b.price), 0)::float8 from refund_allocations b join orders o using (corp_id, order_id)
                 where o.status = 'canceled' and b.sub_order_id <> '')
               as held`)
    expect(kept.retained).toBe(kept.held)
    // Few histories end with retained money.
    if (histories >= 2000) expect(kept.retained).toBeGreaterThan(0)
    const changes = await rows('select distinct change from order_versions')
    // Few histories apply unapplied money.
    const rare = histories >= 2000 ? ['apply', 'unapply'] : []
    const moved = ['void', 'transfer', 'write_off', 'refund', ...rare]
    expect(changes.map(({ change }) => change)).toEqual(expect.arrayContaining(moved))
  })

  test('each closing starts from the one before it, and the last one agrees with the model', {
    timeout: 600_000,
  }, async () => {
    for (const ground of grounds) {
      const last = await close({ ...ground, now: ground.now + 3 * 86_400_000 })
      const found = last.currencies.map(({ currency, closing: { held, unapplied } }) => ({
        ...{ currency, held, unapplied },
      }))
      const wanted = [...ground.money].map(([currency, sums]) => ({ currency, ...sums }))
      expect(found).toEqual(wanted.sort((a, b) => (a.currency < b.currency ? -1 : 1)))
      let before: CurrencyFigures[] = []
      for (const [, text] of [...ground.closings].sort()) {
        const { currencies } = JSON.parse(text) as ClosingDocument
        for (const figures of currencies) {
          const opening = before.find(({ currency }) => currency === figures.currency)?.closing
          if (opening) expect(figures.opening).toEqual(opening)
          for (const [what, sum, shown] of sumsOfClosing(figures)) expect(sum, what).toBe(shown)
        }
        before = currencies
      }
    }
    expect(grounds.reduce((all, { matched }) => all + matched, 0)).toBeGreaterThan(0)
    expect(grounds.some(({ closings }) => closings.size > 1)).toBe(true)
  })

  test('the read model is the same as after a rebuild', { timeout: 600_000 }, async () => {
    for (const { school } of grounds) {
      const { orders } = await rebuildDerivedData(server.db.of(school.corp_id), school.corp_id)
      expect(orders?.wasRight).toBe(true)
    }
  })

  test('the financial rows sum to the ledger, payments in order of completion', {
    timeout: 600_000,
  }, async () => {
    const corp_ids = grounds.map(({ school }) => school.corp_id)
    const wanted = { name: 'Finance', corp_ids, permissions: ['finance'] }
    const token = await server.tokenOf(
      await createAccount(server.database.owner, testKeyring, wanted, new Date()),
    )
    for (const corp_id of corp_ids) {
      const listed = await financialRows(corp_id, token)
      expect(sumsOf(listed)).toEqual(await ledgerSums(corp_id))
      const slots = new Map(listed.map((row) => [row.sub_order_id, slotsOf(row)]))
      const payments = await rows(
        `select s.sub_order_id, coalesce(array_agg(p.payment_id order by p.completed_time, p.payment_id)
                  filter (where p.payment_id is not null), '{}') as ids
           from sub_orders s
           left join (select corp_id, sub_order_id, payment_id from payment_allocations
                       group by corp_id, sub_order_id, payment_id having sum(price) > 0) a using (corp_id, sub_order_id)
           left join payments p using (corp_id, payment_id)
          where s.corp_id = $1 group by s.sub_order_id`,
        [corp_id],
      )
      expect(slots).toEqual(new Map(payments.map(({ sub_order_id, ids }) => [sub_order_id, ids])))
    }
  })
})

async function openGround(): Promise<Playground> {
  const school = await openLedger(server.database)
  for (const coupon of coupons) {
    const currency = coupon.amount === undefined ? {} : { currency: coupon.coupon_id.split('-')[1] }
    await school.run(upsertCoupon, { ...coupon, ...currency })
  }
  return playgroundOf(school, server.database)
}

type Row = Record<string, string | number | null>

async function financialRows(corp_id: string, token: string): Promise<Row[]> {
  const all: Row[] = []
  for (let page = 0; ; page++) {
    const { code, data } = await server.call(listFinancialRows, { corp_id, page, page_size: 1000 }, { token })
    expect(code).toBe(0)
    all.push(...data.list)
    if (data.list.length < 1000) {
      expect(data.total).toBe(all.length)
      return all
    }
  }
}

const places: Record<string, number> = { JPY: 0, CNY: 2, USD: 2, KWD: 3 }

function sumsOf(listed: Row[]): Record<string, number[]> {
  const sums: Record<string, number[]> = {}
  for (const row of listed) {
    const minor = (value: unknown) => Math.round(Number(value) * 10 ** places[row.currency as string]!)
    const amounts = [row.total_price, row.paid_price, row.post_refund_price].map(minor)
    const before = sums[row.currency as string] ?? [0, 0, 0]
    sums[row.currency as string] = before.map((sum, index) => sum + amounts[index]!)
  }
  return sums
}

async function ledgerSums(corp_id: string): Promise<Record<string, number[]>> {
  const sums = await rows(
    `select o.currency, sum(o.total_price)::float8 as total,
            sum(coalesce((select sum(a.price) from payment_allocations a where a.corp_id = o.corp_id and a.order_id = o.order_id), 0))::float8 as paid,
            sum(coalesce((select sum(r.price) from refund_allocations r where r.corp_id = o.corp_id and r.order_id = o.order_id and r.sub_order_id <> ''), 0))::float8 as back
       from orders o where o.corp_id = $1 group by o.currency`,
    [corp_id],
  )
  return Object.fromEntries(
    sums.map(({ currency, total, paid, back }) => [currency, [total, paid, paid - back]]),
  )
}

function slotsOf(row: Row): (string | number)[] {
  const ids = Array.from({ length: 15 }, (_, index) => row[`payment${index + 1}_id`])
  const used = ids.findLastIndex((id) => id !== null) + 1
  // No empty slot before the last payment.
  expect(ids.slice(0, used)).not.toContain(null)
  return ids.slice(0, used) as string[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape.
async function rows(text: string, values: unknown[] = []): Promise<any[]> {
  return (await server.database.superuser.query(text, values)).rows
}
