import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callCli } from '../../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { atOnce, openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { majorText } from '../../files/amounts.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { listPayments } from '../../orders/payments/list-payments.ts'
import { reverseVoid } from '../../orders/payments/reverse-void.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { closeBooks, closePeriod } from './close-period.ts'
import { type CurrencyFigures, sumsOf } from './closing.ts'
import { exportFinancialRows } from './export-financial-rows.ts'
import { listClosings } from './list-closings.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase('sample')
  folder = await mkdtemp(join(tmpdir(), 'matricula-closing-'))
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('a closing of the sample school', () => {
  test('equals the sums of the exports as of its instants, and its roll-forward adds up', async () => {
    const corp_id = 'lakeside'
    const [organization] = await findOrganizations(database.app.shared, [corp_id])
    const closer = { db: database.app.of(corp_id), organization: organization!, executor_id: null }
    const days = ['2025-12-31', '2026-01-31', await lastDayOf(corp_id)]
    let opening: CurrencyFigures[] = []
    for (const until of days) {
      expect((await exported(corp_id, until)).control.closing).toBeNull()
      const closing = await closeBooks(closer, until)
      expect(closing.after).toBe(days[days.indexOf(until) - 1] ?? null)
      const added = await addedUp(corp_id, closing.as_of)
      // The export of a closed month names its closing, whether requested by day or by instant.
      for (const as_of of [until, closing.as_of])
        expect((await exported(corp_id, as_of)).control).toMatchObject({
          closing: until,
          as_of: closing.as_of,
        })
      for (const figures of closing.currencies) {
        expect(figures.closing.outstanding).toBe(added[figures.currency]?.outstanding ?? 0)
        expect(figures.opening).toEqual(
          opening.find(({ currency }) => currency === figures.currency)?.closing ?? zeros,
        )
        for (const [what, sum, balance] of sumsOf(figures)) expect(sum, what).toBe(balance)
      }
      expect(closing.currencies.map(({ currency }) => currency)).toEqual(
        expect.arrayContaining(Object.keys(added)),
      )
      opening = closing.currencies
    }
    // Versions of an imported order record only the end of its history, and payments all of it: compare on the last day.
    const all = await addedUp(corp_id, undefined)
    for (const { currency, closing } of opening) expect(closing).toMatchObject(all[currency]!)
    expect(opening.length).toBeGreaterThan(2)
    // Two prints have the same bytes.
    const [printed, again] = [await print(corp_id, days.at(-1)!), await print(corp_id, days.at(-1)!)]
    expect(again).toBe(printed)
    for (const { currency, closing } of opening)
      expect(printed).toMatch(
        new RegExp(
          `\\b${currency}\\b[^]*closing outstanding.*${majorText(BigInt(closing.outstanding), currency)}`,
        ),
      )
  })

  async function print(corp_id: string, until: string): Promise<string> {
    const settings = { ...database.settings, MATRICULA_KEY: 'ab'.repeat(32) }
    return (await callCli(['finance', 'close', '--org', corp_id, '--until', until], settings)).stdout
  }

  async function exported(corp_id: string, as_of: string | undefined) {
    const out = join(folder, `${as_of ?? 'now'}.ndjson`)
    const request = { corp_id, format: 'ndjson' as const, out, as_of, force: true }
    return { out, ...(await exportFinancialRows({ db: database.app }, request)) }
  }

  /** Sums of the columns of the file. */
  async function addedUp(corp_id: string, as_of: string | undefined) {
    const { out } = await exported(corp_id, as_of)
    const sums: Record<string, { outstanding: number; held: number }> = {}
    for (const line of (await readFile(out, 'utf8')).split('\n').filter(Boolean)) {
      const { currency, unpaid_price, post_refund_price } = JSON.parse(line)
      const minor = (major: number) => Math.round(major * 10 ** (currencyExponents[currency] ?? 2))
      sums[currency] ??= { outstanding: 0, held: 0 }
      sums[currency].outstanding += minor(unpaid_price)
      sums[currency].held += minor(post_refund_price)
    }
    return sums
  }
})

const zeros = { held: 0, unapplied: 0, claims: 0, covered: 0, outstanding: 0, overdue: 0 }

const nothingEarlier = { received: 0, voided: 0, refunded: 0 }
const noMoves = {
  ...{
    received: 0,
    voided: 0,
    moved: 0,
    refunded: 0,
    transferred: 0,
    retained: 0,
    written_off: 0,
    applied: 0,
    returned: 0,
  },
  earlier_periods: nothingEarlier,
}

async function lastDayOf(corp_id: string): Promise<string> {
  const { rows } = await database.superuser.query(
    `select max((at at time zone 'Asia/Shanghai')::date)::text as day from order_versions where corp_id = $1`,
    [corp_id],
  )
  return rows[0].day
}

describe('a month', () => {
  test('that is closed again has the same bytes after later facts, which belong to the open month', async () => {
    const { school, day, order_id, sub_order_ids } = await openMonth()
    await school.run(createPayment, { order_id, price: 10_000 })
    const later = new Date(`${day(3)}T00:00:00Z`)
    // A dry run shows the same figures and closes nothing.
    const shown = await school.run(closePeriod, { until: day(0), dry_run: true }, later)
    expect((await school.run(listClosings)).total).toBe(0)
    const first = await school.run(closePeriod, { until: day(0) }, later)
    expect({ ...shown, closed_at: first.closed_at }).toEqual(first)
    expect(first.currencies).toEqual([
      {
        currency: 'CNY',
        opening: zeros,
        ...noMoves,
        received: 10_000,
        applied: 10_000,
        charged: 30_000,
        settled: 10_000,
        closing: { ...zeros, held: 10_000, claims: 30_000, covered: 10_000, outstanding: 20_000 },
      },
    ])
    expect(first.chain).toEqual({ head: expect.stringMatching(/^[0-9a-f]{64}$/), length: 2 })
    // Paid in the closed month, recorded in the open one.
    await school.run(createPayment, { order_id, price: 5000, completed_time: `${day(0)} 10:00:00` })
    await school.run(createPayment, { order_id, price: 1000, completed_time: `${day(2)} 10:00:00` })
    await school.run(createRefund, { order_id, sub_order_id: sub_order_ids[0], price: 700 })
    const { version } = (
      await database.superuser.query('select version from orders where order_id = $1', [order_id])
    ).rows[0]
    await school.run(updateOrder, { order_id, version, listed_price: 33_000 })
    const again = await school.run(closePeriod, { until: day(0) })
    expect(JSON.stringify(again)).toBe(JSON.stringify(first))
    const second = await school.run(closePeriod, { until: day(3) }, new Date(`${day(5)}T00:00:00Z`))
    expect(second).toMatchObject({ after: day(0), chain: { length: 6 } })
    expect(second.currencies).toEqual([
      {
        currency: 'CNY',
        opening: first.currencies[0].closing,
        ...noMoves,
        received: 6000,
        refunded: 700,
        returned: 700,
        applied: 6000,
        charged: 2300,
        settled: 5300,
        earlier_periods: { ...nothingEarlier, received: 5000 },
        closing: { ...zeros, held: 15_300, claims: 32_300, covered: 15_300, outstanding: 17_000 },
      },
    ])
  })

  test('contains every movement of money, and payments name their closed period', async () => {
    const { school, day, order_id } = await openMonth()
    const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
    await school.run(closePeriod, { until: day(0) }, new Date(`${day(3)}T00:00:00Z`))
    const other = await school.order()
    const third = await school.order()
    await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    const late = await school.run(createPayment, {
      order_id,
      price: 8000,
      completed_time: `${day(0)} 00:00:00`,
    })
    await school.run(transferMoney, {
      ...{ from_order_id: order_id, to_order_id: other.order_id, price: 3000, reason: 'Other course' },
    })
    await school.run(createRefund, { order_id, payment_id: late.payment_id, price: 500 })
    await school.run(writeOffOrder, { order_id: other.order_id, reason: 'Gone abroad' })
    await school.run(updateStatus, { order_id: third.order_id, status: 'canceled' })
    await school.run(createPayment, { order_id: third.order_id, price: 900 })
    const fourth = await school.order()
    await school.run(createPayment, { order_id: fourth.order_id, price: 400 })
    const retained = { status: 'canceled', retain: true, reason: 'The deposit is kept' }
    await school.run(updateStatus, { order_id: fourth.order_id, ...retained })
    const closing = await school.run(closePeriod, { until: day(3) }, new Date(`${day(5)}T00:00:00Z`))
    expect(closing.currencies).toMatchObject([
      {
        received: 9300,
        voided: 10_000,
        refunded: 500,
        transferred: 3000,
        retained: 400,
        written_off: 27_000,
        applied: -1600,
        returned: 500,
        earlier_periods: { received: 8000, voided: 10_000, refunded: 500 },
        closing: { held: 8800, unapplied: 900, claims: 32_500, covered: 7500, outstanding: 25_000 },
      },
    ])
    for (const [what, sum, balance] of sumsOf(closing.currencies[0])) expect(sum, what).toBe(balance)
    const { list } = await school.run(listPayments, { page_size: 10 })
    expect(list.map((row: Record<string, unknown>) => [row.price, row.closed_period])).toEqual(
      expect.arrayContaining([
        [10_000, ''],
        [8000, day(0)],
        [900, ''],
      ]),
    )
  })

  test('names itself on a void that was posted after it, but not on one before it', async () => {
    const { school, day, order_id } = await openMonth()
    const [before, after, reversed] = [
      await school.run(createPayment, { order_id, price: 10 }),
      await school.run(createPayment, { order_id, price: 20 }),
      await school.run(createPayment, { order_id, price: 30 }),
    ]
    await school.run(voidPayment, { payment_id: before.payment_id, reason: 'Bounced' })
    await school.run(closePeriod, { until: day(0) }, new Date(`${day(3)}T00:00:00Z`))
    for (const { payment_id } of [after, reversed])
      await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    await school.run(reverseVoid, { payment_id: reversed.payment_id, reason: 'Arrived after all' })
    const { list } = await school.run(listPayments, { page_size: 10 })
    const shown = list.map((row: Record<string, unknown>) => [row.price, row.state, row.void_closed_period])
    expect(shown).toEqual(
      expect.arrayContaining([
        [10, 'void', ''],
        [20, 'void', day(0)],
        [30, 'applied', ''],
      ]),
    )
  })

  test('is closed once by concurrent calls, and the month before it can no longer be closed', async () => {
    const { school, day } = await openMonth()
    await school.run(closePeriod, { until: day(-1) })
    const later = new Date(`${day(4)}T00:00:00Z`)
    const closings = await atOnce(6, () => school.run(closePeriod, { until: day(1) }, later))
    expect(new Set(closings.map((closing) => JSON.stringify(closing))).size).toBe(1)
    await expect(school.run(closePeriod, { until: day(0) })).rejects.toMatchObject({ code: 40002 })
    const { rows } = await database.superuser.query(
      'select until::text from closings where corp_id = $1 order by 1',
      [school.corp_id],
    )
    expect(rows.map(({ until }) => until)).toEqual([day(-1), day(1)])
  })

  test('that is not over cannot be closed', async () => {
    const { school, day } = await openMonth()
    await expect(school.run(closePeriod, { until: day(0) })).rejects.toMatchObject({ code: 40002 })
    const { rowCount } = await database.superuser.query('select 1 from closings where corp_id = $1', [
      school.corp_id,
    ])
    expect(rowCount).toBe(0)
  })

  test('with manipulated facts is not closed', async () => {
    const { school, day, order_id } = await openMonth()
    await school.run(createPayment, { order_id, price: 10_000 })
    await school.run(closePeriod, { until: day(0) }, new Date(`${day(3)}T00:00:00Z`))
    await database.superuser.query('update payments set order_price = 9000 where order_id = $1', [order_id])
    const next = school.run(closePeriod, { until: day(2) })
    await expect(next).rejects.toThrow('The books do not add up: held in CNY is 9000, expected 10000.')
  })
})

/** A school in UTC with an order, and days relative to today. */
async function openMonth(): Promise<{
  school: TestLedger
  day(later: number): string
  order_id: string
  sub_order_ids: string[]
}> {
  const school = await openLedger(database)
  const today = Temporal.Now.plainDateISO('UTC')
  return { school, day: (later) => today.add({ days: later }).toString(), ...(await school.order()) }
}
