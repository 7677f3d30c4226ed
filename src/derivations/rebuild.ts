import type { Queryable } from '../database/database.ts'
import { nextInstant } from '../ledger/ledger-store.ts'
import {
  clearDerivations,
  countDocuments,
  derivationDigest,
  insertDocuments,
  orderIdsAfter,
  zoneOf,
} from './derivation-store.ts'
import { renderOrders } from './derive-orders.ts'

const batchSize = 500

export interface Rebuilt {
  orders: number
  /** Whether what was kept before is what came out. */
  wasRight: boolean
}

/** Makes everything kept beside an organization's orders anew from the data, in one transaction that holds its ledger. */
export async function rebuildDerivations(
  on: Queryable,
  corp_id: string,
  now: Date,
  report: (orders: number) => void = () => {},
): Promise<Rebuilt> {
  return on.transaction(async (tx) => {
    await nextInstant(tx, corp_id, now)
    const before = await derivationDigest(tx, corp_id)
    await clearDerivations(tx, corp_id)
    const organization = { corp_id, time_zone: await zoneOf(tx, corp_id) }
    let orders = 0
    for (let last = ''; ; ) {
      const ids = await orderIdsAfter(tx, corp_id, last, batchSize)
      if (ids.length === 0) break
      const { documents, financial } = await renderOrders(tx, organization, ids)
      await insertDocuments(tx, organization, documents, financial)
      orders += ids.length
      last = ids.at(-1)!
      report(orders)
    }
    await countDocuments(tx, corp_id)
    return { orders, wasRight: before === (await derivationDigest(tx, corp_id)) }
  })
}
