import type { Queryable } from '../database/database.ts'
import { nextInstant } from '../ledger/ledger-store.ts'
import { clearDerivations, derivationDigest, orderIdsAfter } from './derivation-store.ts'
import { deriveOrders } from './derive-orders.ts'

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
    let orders = 0
    for (let last = ''; ; ) {
      const ids = await orderIdsAfter(tx, corp_id, last, batchSize)
      if (ids.length === 0) break
      await deriveOrders(tx, corp_id, ids)
      orders += ids.length
      last = ids.at(-1)!
      report(orders)
    }
    return { orders, wasRight: before === (await derivationDigest(tx, corp_id)) }
  })
}
