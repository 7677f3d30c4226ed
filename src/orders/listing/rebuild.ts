import type { Queryable } from '../../database/database.ts'
import { addCounts, addingEntries, addingToCounts, type FacetCounts } from '../../search/facet-store.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { CountChanges } from './count-rows.ts'
import { facetChanges, projectOrders, renderOrders } from './project-orders.ts'
import {
  clearReadModel,
  countedMonths,
  findModelVersion,
  orderIdsAfter,
  recountingMonth,
  storingCountChanges,
  storingOrderRows,
  storingSubOrderRows,
  type Zoned,
} from './read-model-store.ts'

const batchSize = 500

/** Rebuilds the read model of an organization from the ledger. The caller holds the ledger clock. */
export async function rebuildReadModel(tx: Queryable, corp_id: string): Promise<number> {
  await clearReadModel(tx, corp_id)
  const { time_zone } = await findModelVersion(tx, corp_id)
  return renderAll(tx, { corp_id, time_zone }, {}, () => {})
}

/** Renders the next orders after an id again, with the differences of their counts and facets. Returns their ids. */
export async function rebuildOrdersAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  await holdClock(tx, corp_id)
  const ids = await orderIdsAfter(tx, corp_id, { after, limit })
  await projectOrders(tx, corp_id, ids)
  return ids
}

/** Counts the orders and sub-orders of the next months again. */
export async function recountMonthsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  await holdClock(tx, corp_id)
  const { time_zone } = await findModelVersion(tx, corp_id)
  const zoned = { corp_id, time_zone }
  const months = (await countedMonths(tx, zoned)).filter((month) => month > after).slice(0, limit)
  await tx.pipeline(months.map((month) => recountingMonth(zoned, month)))
  return months
}

/** A range of order ids: after one, up to another. */
interface IdRange {
  after?: string
  upTo?: string
}

/** Renders the rows of all orders in the range and counts them. Returns the number of orders. */
export async function renderAll(
  tx: Queryable,
  organization: Zoned,
  { after = '', upTo }: IdRange,
  report: (orders: number) => void,
): Promise<number> {
  const { corp_id } = organization
  const counts = new CountChanges()
  const facets: FacetCounts = new Map()
  let done = 0
  for (let last = after; ; ) {
    const ids = await orderIdsAfter(tx, corp_id, { after: last, upTo, limit: batchSize })
    if (ids.length === 0) break
    const { orders, subOrders } = await renderOrders(tx, organization, ids)
    const { added } = facetChanges([], orders)
    addCounts(facets, added, 1)
    await tx.pipeline([
      ...storingOrderRows(corp_id, orders),
      ...storingSubOrderRows(corp_id, subOrders),
      ...addingEntries(corp_id, added),
    ])
    counts.add('orders', orders)
    counts.add('sub_orders', subOrders)
    done += ids.length
    last = ids.at(-1)!
    report(done)
  }
  const changes = [...storingCountChanges(corp_id, counts.all()), ...addingToCounts(corp_id, facets)]
  if (changes.length > 0) await tx.pipeline(changes)
  return done
}
