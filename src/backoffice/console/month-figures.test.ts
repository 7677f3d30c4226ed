import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { createOrder } from '../../orders/create-order.ts'
import { searchOrders } from '../../orders/listing/search-orders.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchToday } from './fetch-today.ts'
import { type MonthFigure, monthToDate } from './month-figures.ts'

let server: TestServer
let school: TestOrganization
let clerk: TestColleague
let wang: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server, 'Asia/Shanghai')
  clerk = await hireStaff(server, school.corp_id, 'finance')
  wang = await hireStaff(server, school.corp_id, 'counsellor')
})
afterAll(() => server?.close())

const figuresOf = async (who: TestColleague): Promise<MonthFigure[]> =>
  (await who.call(fetchToday, { figures: true })).data.figures

test('a month is compared with the last one to the same day, on the calendar of the school', () => {
  const at = (text: string) => monthToDate(new Date(text), 'Asia/Shanghai')
  expect(at('2026-11-17T02:00:00Z')).toEqual({
    month: { from: '2026-11-01', until: '2026-11-17' },
    last: { from: '2026-10-01', until: '2026-10-17' },
  })
  // In Shanghai it is the last of March, which February does not have.
  expect(at('2026-03-30T20:00:00Z').last).toEqual({ from: '2026-02-01', until: '2026-02-28' })
})

test('each figure is the total of the rows that it opens, and only finance sees receipts', async () => {
  const { user_id } = (await school.call(createUser, { area_code: '86', mobile: '13600000001' })).data
  const { order_id } = (await school.call(createOrder, { user_id, currency: 'CNY', listed_price: 900 })).data
  await school.call(createPayment, { order_id, price: 400 })
  const figures = await figuresOf(clerk)
  const orders = figures.find(({ figure }) => figure === 'orders')!
  const days = { start_date: orders.from, end_date: orders.until }
  expect(orders).toMatchObject({ value: (await school.call(searchOrders, days)).data.total, before: 0 })
  expect(orders.value).toBe(1)
  expect(figures.find(({ figure }) => figure === 'received')).toMatchObject({ currency: 'CNY', value: 400 })
  const own = await figuresOf(wang)
  expect(own.map(({ figure, value }) => [figure, value])).toEqual([
    ['leads', 0],
    ['orders', 0],
  ])
  expect((await clerk.call(fetchToday)).data.figures).toEqual([])
})
