import type { Queryable } from '../../database/database.ts'
import { nextInstant } from '../order-state-store.ts'
import { renderOrders } from './project-orders.ts'
import {
  clearReadModel,
  countRendered,
  insertRendered,
  orderIdsAfter,
  readModelDigest,
  type Zoned,
  zoneOf,
} from './read-model-store.ts'

const batchSize = 500

export interface Rebuilt {
  orders: number
  /** Whether what was kept before is what came out. */
  wasRight: boolean
}

/** Makes everything kept beside an organization's orders anew from the data, in one transaction that holds its ledger. */
export async function rebuildReadModel(
  on: Queryable,
  corp_id: string,
  now: Date,
  report: (orders: number) => void = () => {},
): Promise<Rebuilt> {
  return on.transaction(async (tx) => {
    await nextInstant(tx, corp_id, now)
    const before = await readModelDigest(tx, corp_id)
    await clearReadModel(tx, corp_id)
    const organization = { corp_id, time_zone: await zoneOf(tx, corp_id) }
    const orders = await renderAll(tx, organization, {}, report)
    await countRendered(tx, corp_id)
    return { orders, wasRight: before === (await readModelDigest(tx, corp_id)) }
  })
}

/** Which orders, by their ids: all behind one and up to another. */
interface IdRange {
  after?: string
  upTo?: string
}

/** Makes the texts of all orders that have none, and counts nothing. Returns how many orders there were. */
export async function renderAll(
  tx: Queryable,
  organization: Zoned,
  { after = '', upTo }: IdRange,
  report: (orders: number) => void,
): Promise<number> {
  let orders = 0
  for (let last = after; ; ) {
    const ids = await orderIdsAfter(tx, organization.corp_id, { after: last, upTo, limit: batchSize })
    if (ids.length === 0) return orders
    const { documents, financial } = await renderOrders(tx, organization, ids)
    await insertRendered(tx, organization, documents, financial)
    orders += ids.length
    last = ids.at(-1)!
    report(orders)
  }
}
