import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { searchOrders } from '../listing/search-orders.ts'
import { listOrderMoney } from './list-order-money.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the entries of orders that were loaded with their history add up to the held, owed and overpaid amounts', async () => {
  const { corp_id } = server.sample
  let withPayments = 0
  for (let page = 0; page < 3; page++) {
    const { list } = (await server.call(searchOrders, { corp_id, page, page_size: 100 })).data
    for (const { order_id } of list) {
      const money = (await server.call(listOrderMoney, { corp_id, order_id, page_size: 1000 })).data
      const { held_price, unpaid_price, over_payment_price } = money
      // A free order has no entry.
      const last = money.list.at(-1) ?? { held_price: 0, unpaid_price: 0, over_payment_price: 0 }
      const sum = money.list.reduce((all: number, { price }: { price: number }) => all + price, 0)
      const after = {
        ...{ held_price: last.held_price, unpaid_price: last.unpaid_price },
        over_payment_price: last.over_payment_price,
      }
      expect([order_id, sum, after]).toEqual([
        order_id,
        held_price,
        { held_price, unpaid_price, over_payment_price },
      ])
      if (held_price > 0) withPayments++
    }
  }
  expect(withPayments).toBeGreaterThan(50)
})
