import { afterAll, beforeAll, expect, test } from 'vitest'
import { ageDebts } from '../src/backoffice/finance/age-debts.ts'
import { closePeriod } from '../src/backoffice/finance/close-period.ts'
import { explainFigure } from '../src/backoffice/finance/explain-figure.ts'
import { listDebts } from '../src/backoffice/finance/list-debts.ts'
import { largestAmount } from '../src/contract/rounding.ts'
import { endpoints } from '../src/endpoints.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { type Counter, openCounter } from './harness/ledger.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  // Each amount is allowed; their sum is beyond 2^53.
  for (let n = 0; n < 12; n++) {
    const { order_id } = await school.order({ listed_price: largestAmount, installment_count: 1 })
    if (n < 6) expect((await school.call(createPayment, { order_id, price: largestAmount })).code).toBe(0)
    const one = { order_id, price: largestAmount - 1, charge_id: `large-${n}` }
    if (n >= 6) expect((await school.call(createPayment, one)).code).toBe(0)
  }
  for (let n = 0; n < 12; n++) await school.order({ listed_price: largestAmount, installment_count: 1 })
})
afterAll(() => server.close())

test('a sum that a number cannot hold is 40904 and says what to do', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await server.database.superuser.query(
    `update payments set ctime = ctime - interval '2 days', completed_time = completed_time - interval '2 days'
      where corp_id = $1`,
    [school.corp_id],
  )
  const closing = await school.call(closePeriod, { until: yesterday, dry_run: true })
  expect(closing).toMatchObject({ status: 409, code: 40904 })
  const aged = await school.call(ageDebts, {})
  expect(aged).toMatchObject({ status: 409, code: 40904 })
  expect(aged.msg).toMatch(/narrow|filter|period/i)
})

test('no operation that reads sums fails with 500', async () => {
  const reads = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('/health'))
  expect(reads.length).toBeGreaterThan(20)
  for (const operation of [...reads, ageDebts, listDebts, explainFigure]) {
    const { status } = await school.call(operation, {})
    expect(status, operation.path).toBeLessThan(500)
  }
})
