import type { Queryable } from '../database/database.ts'
import { ledgerSubOrdersOf } from '../orders/financial-store.ts'
import { orderDetailsOf, orderRowsOf } from '../orders/order-store.ts'
import { orderIdsAfter, type Zoned } from '../orders/read-model/read-model-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from '../orders/read-model/render.ts'
import { type StoredRow, storedRowsOf } from './check-read-model-store.ts'
import type { Breach } from './check-store.ts'

const batchSize = 500

/**
 * Renders every order and financial row again and yields those that are kept otherwise, a batch at a time. The texts
 * hold personal data, so that they differ is all that is told.
 */
export async function* findStaleRows(
  tx: Queryable,
  organization: Zoned,
): AsyncGenerator<Omit<Breach, 'total'>> {
  for (let last = ''; ; ) {
    const ids = await orderIdsAfter(tx, organization.corp_id, { after: last, limit: batchSize })
    if (ids.length === 0) return
    const kept = byKey(await storedRowsOf(tx, organization.corp_id, ids))
    const right = byKey(await textsOf(tx, organization, ids))
    for (const key of new Set([...kept.keys(), ...right.keys()])) {
      const [is, should] = [kept.get(key), right.get(key)]
      if (is?.text === should?.text) continue
      const { order_id, subject, what } = (is ?? should)!
      const expected = should ? 'the text that the data gives' : 'none'
      yield {
        order_id,
        subject,
        what: `${what}: as the data gives it`,
        expected,
        found: is ? 'another text' : 'none',
      }
    }
    last = ids.at(-1)!
  }
}

async function textsOf(tx: Queryable, { corp_id, time_zone }: Zoned, ids: string[]): Promise<StoredRow[]> {
  const details = await orderDetailsOf(tx, corp_id, ids, time_zone)
  const rows = await orderRowsOf(tx, corp_id, ids, time_zone)
  const subOrders = await ledgerSubOrdersOf(tx, corp_id, ids, time_zone)
  return [
    ...details.map((order) => ({
      order_id: order.entity_id,
      subject: null,
      what: 'order_read_model.detail',
      text: renderDetail(order),
    })),
    ...rows.map((row) => ({
      order_id: row.entity_id,
      subject: null,
      what: 'order_read_model.list_row',
      text: renderListRow(row),
    })),
    ...subOrders.map((subOrder) => {
      const { row_start, used_slots } = renderFinancialStart(subOrder)
      const { order_id, sub_order_id } = subOrder
      return {
        order_id,
        subject: sub_order_id,
        what: 'financial_read_model.row_start',
        text: `${used_slots} ${row_start}`,
      }
    }),
  ]
}

function byKey(texts: StoredRow[]): Map<string, StoredRow> {
  return new Map(texts.map((text) => [`${text.what} ${text.subject ?? text.order_id}`, text]))
}
