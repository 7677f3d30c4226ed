import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { movePayment } from '../../orders/payments/move-payment.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { closePeriod } from './close-period.ts'
import { closingFigures } from './explain-closing-store.ts'
import { explainFigure } from './explain-figure.ts'

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

test('every figure of every closing is the sum of its lines', async () => {
  const closings = []
  for (const [month, last] of [
    ['2031-01', '31'],
    ['2031-02', '28'],
    ['2031-03', '31'],
  ]) {
    await live(new Date(`${month}-10T00:00:00Z`))
    const after = new Date(Date.parse(`${month}-${last}T00:00:00Z`) + 2 * 86_400_000)
    closings.push(await school.run(closePeriod, { until: `${month}-${last}` }, after))
  }
  const seen = new Set<string>()
  for (const { until, as_of, currencies, accounts } of closings) {
    for (const { account, currency, order_currency, opening: _, closing, ...moved } of accounts) {
      const of = { account, currency, order_currency }
      for (const [name, shown] of Object.entries({ ...moved, held: closing.held })) {
        const figure = `accounts.${name}`
        const explained = await school.run(explainFigure, { figure, until, ...of, page_size: 1000 })
        expect(explained, `${figure} of ${until} in ${account}`).toMatchObject({ value: shown, as_of })
        if (shown !== 0) seen.add(figure)
      }
    }
    for (const { currency, opening: _, closing, earlier_periods, ...moved } of currencies) {
      const earlier = Object.entries(earlier_periods).map(([name, value]) => [
        `earlier_periods.${name}`,
        value,
      ])
      for (const [figure, shown] of Object.entries({
        ...moved,
        ...closing,
        ...Object.fromEntries(earlier),
      })) {
        const explained = await school.run(explainFigure, { figure, until, currency, page_size: 1000 })
        expect(explained, `${figure} of ${until} in ${currency}`).toMatchObject({ value: shown, as_of })
        expect(explained.list.reduce((sum: number, { price }: { price: number }) => sum + price, 0)).toBe(
          shown,
        )
        if (shown !== 0) seen.add(figure)
      }
    }
  }
  expect(closingFigures.filter((figure) => !seen.has(figure))).toEqual([])
})

test('an unknown closing and an unknown figure are refused', async () => {
  await expect(school.run(explainFigure, { figure: 'received', until: '2030-01-31' })).rejects.toThrow(
    'until',
  )
})

/** Every movement of money, some with value dates in earlier months. */
async function live(now: Date) {
  const run = (endpoint: unknown, input: Record<string, unknown>) => school.run(endpoint, input, now)
  const plan = { first_payment_deadline: '2031-01-20' }
  const paid = await school.order(plan)
  const earlier = { completed_time: '2026-01-05 10:00:00' }
  await run(createPayment, { order_id: paid.order_id, price: 12_000, ...earlier })
  await run(createRefund, { order_id: paid.order_id, price: 1000, ...earlier })
  const bounced = await run(createPayment, { order_id: paid.order_id, price: 5000, ...earlier })
  await run(voidPayment, { payment_id: bounced.payment_id, reason: 'bounced' })
  const dollars = { order_id: paid.order_id, price: 100, currency: 'USD', exchange_rate: 70_000 }
  const foreign = await run(createPayment, dollars)
  const { order_id: to_order_id } = await school.order({ currency: 'USD' })
  await run(movePayment, { payment_id: foreign.payment_id, to_order_id, reason: 'Wrong order' })
  const over = await school.order({ currency: 'JPY', listed_price: 900 })
  await run(createPayment, { order_id: over.order_id, price: 1000 })
  await run(createRefund, { order_id: over.order_id, price: 60 })
  const other = await school.order(plan)
  await run(transferMoney, {
    ...{ from_order_id: paid.order_id, to_order_id: other.order_id, price: 700, reason: 'Other course' },
  })
  const { version } = await run(updateStatus, { order_id: other.order_id, status: 'locked' })
  await run(updateStatus, { order_id: other.order_id, status: 'pending', version })
  await run(updateOrder, { order_id: other.order_id, version: version + 1, manual_discount: 500 })
  const given = await school.order(plan)
  await run(createPayment, { order_id: given.order_id, price: 29_000 })
  await run(writeOffOrder, { order_id: given.order_id, reason: 'Too little to ask for' })
  const kept = await school.order(plan)
  await run(createPayment, { order_id: kept.order_id, price: 3000 })
  await run(updateStatus, {
    order_id: kept.order_id,
    status: 'canceled',
    retain: true,
    reason: 'Came too late',
  })
  const ended = await school.order(plan)
  await run(updateStatus, { order_id: ended.order_id, status: 'canceled' })
  await run(createPayment, { order_id: ended.order_id, price: 800 })
}
