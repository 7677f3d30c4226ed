import type { Row } from '../caller.ts'
import { type Check, expect, expectEqual, Skipped } from '../check.ts'
import { financialRows, rowsOf } from '../subjects.ts'
import { paymentAttributes, paymentSlots } from '../tables/records.ts'

const operation = 'entity/order/financial/list'

/** Payment columns, and the unit of amounts. */
export function financialChecks(): Check[] {
  return [
    {
      ...{ id: 'order/financial/list payment slots', level: 'interface', operation },
      row: `Payment columns: payment<NUM>_<ATTRIBUTE>, NUM from 1 to ${paymentSlots}; every NUM carries all attributes`,
      async run(kit) {
        const exchange = await financialRows(kit)
        const wanted = Array.from({ length: paymentSlots }, (_, index) => slotColumns(index + 1))
          .flat()
          .sort()
        for (const row of rowsOf(exchange))
          expectEqual(
            Object.keys(row)
              .filter((name) => /^payment\d/.test(name))
              .sort(),
            wanted,
            'payment columns',
            exchange,
          )
      },
    },
    {
      ...{ id: 'order/financial/list unused slots', level: 'interface', operation },
      row: 'Attributes of an unused payment slot are null',
      async run(kit) {
        const exchange = await financialRows(kit)
        for (const row of rowsOf(exchange))
          for (let slot = 1; slot <= paymentSlots; slot++) {
            const values = slotColumns(slot).map((name) => row[name])
            const isUnused = row[`payment${slot}_id`] === null || row[`payment${slot}_id`] === ''
            if (isUnused)
              expect(
                values.every((value) => value === null),
                `null in every column of payment${slot}`,
                values,
                exchange,
              )
            else expect(row[`payment${slot}_price`] !== null, `payment${slot}_price: Float`, null, exchange)
          }
      },
    },
    {
      ...{ id: 'order/financial/list unit', level: 'matricula', gap: 'unit-of-amounts', operation },
      row: 'Amounts are minor units in order records and major units in the financial list',
      async run(kit) {
        const exchange = await financialRows(kit)
        const telling = rowsOf(exchange).find(
          ({ total_price, order_currency, currency }) =>
            Number(total_price) > 0 && twoDigits.has(String(currency || order_currency)),
        )
        if (!telling) throw new Skipped(`It needs an instalment in one of ${[...twoDigits].join(', ')}.`)
        const order = await kit.take('GET', 'entity/order/fetch', { order_id: telling.order_id })
        const instalment = order.data.sub_orders.find(
          ({ entity_id }: Row) => entity_id === telling.sub_order_id,
        )
        expect(
          instalment !== undefined,
          `sub_orders has ${telling.sub_order_id}`,
          order.data.sub_order_ids,
          order,
        )
        expectEqual(
          Number(telling.total_price) * 100,
          instalment.total_price,
          'total_price × 100, as in the order:',
          exchange,
        )
      },
    },
  ]
}

/** Currencies with two digits in every version of ISO 4217. */
const twoDigits = new Set(['CNY', 'USD', 'EUR', 'GBP', 'HKD', 'SGD'])

function slotColumns(slot: number): string[] {
  return Object.keys(paymentAttributes).map((name) => `payment${slot}_${name}`)
}
