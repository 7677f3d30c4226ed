import type { Queryable } from '../../database/database.ts'
import { renderOrders } from '../../orders/listing/project-orders.ts'
import { orderIdsAfter, type Zoned } from '../../orders/listing/read-model-store.ts'
import { type StoredRow, storedRowsOf } from './check-read-model-store.ts'
import type { Breach } from './check-store.ts'

const batchSize = 500

/** Renders every order and financial row again, in batches, and yields the stored rows that differ. */
export async function* findStaleRows(
  tx: Queryable,
  organization: Zoned,
): AsyncGenerator<Omit<Breach, 'total'>> {
  for (let last = ''; ; ) {
    const ids = await orderIdsAfter(tx, organization.corp_id, { after: last, limit: batchSize })
    if (ids.length === 0) return
    yield* findStaleRowsOf(tx, organization, ids)
    last = ids.at(-1)!
  }
}

/** The rows of some orders. They contain personal data, so a breach does not show their content. */
export async function* findStaleRowsOf(
  tx: Queryable,
  organization: Zoned,
  ids: string[],
): AsyncGenerator<Omit<Breach, 'total'>> {
  const stored = byKey(await storedRowsOf(tx, organization.corp_id, ids))
  const right = byKey(await renderedRowsOf(tx, organization, ids))
  for (const key of new Set([...stored.keys(), ...right.keys()])) {
    const [is, should] = [stored.get(key), right.get(key)]
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
}

async function renderedRowsOf(tx: Queryable, organization: Zoned, ids: string[]): Promise<StoredRow[]> {
  const { orders, subOrders } = await renderOrders(tx, organization, ids)
  return [
    ...orders.flatMap(({ order_id, detail, list_row, facets }) => [
      { order_id, subject: null, what: 'order_read_model.detail', text: detail },
      { order_id, subject: null, what: 'order_read_model.list_row', text: list_row },
      { order_id, subject: null, what: 'order_read_model.facets', text: facets },
    ]),
    ...subOrders.map(({ order_id, sub_order_id, row_start, used_slots, unpaid_price }) => ({
      order_id,
      subject: sub_order_id,
      what: 'financial_read_model.row_start',
      text: `${used_slots} ${unpaid_price} ${row_start}`,
    })),
  ]
}

function byKey(rows: StoredRow[]): Map<string, StoredRow> {
  return new Map(rows.map((row) => [`${row.what} ${row.subject ?? row.order_id}`, row]))
}
