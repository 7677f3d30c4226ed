import { listOrganizations } from '../../access/organizations/organization-store.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { addCounts, addingCountsAlone, addingEntries, type FacetCounts } from '../../search/facet-store.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { CountChanges } from './count-rows.ts'
import { readModelFingerprint } from './fingerprint.ts'
import { facetChanges, renderOrders } from './project-orders.ts'
import {
  clearReadModel,
  countOrders,
  findModelVersion,
  orderIdsAfter,
  readModelDigest,
  storingCountChanges,
  storingFingerprint,
  storingOrderRows,
  storingSubOrderRows,
  type Zoned,
} from './read-model-store.ts'

const batchSize = 500

export interface Rebuilt {
  orders: number
  /** Whether the stored read model was equal to the rebuilt one. */
  wasRight: boolean
}

/** Rebuilds the read model of an organization from the data, in one transaction that locks its ledger. */
export async function rebuildReadModel(
  on: Queryable,
  corp_id: string,
  report: (orders: number) => void = () => {},
): Promise<Rebuilt> {
  return on.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const before = await readModelDigest(tx, corp_id)
    const orders = await rebuild(tx, corp_id, report)
    return { orders, wasRight: before === (await readModelDigest(tx, corp_id)) }
  })
}

/** Reports the progress of a rebuild. */
export type RebuildProgress = (corp_id: string, orders: number, total: number) => void

/**
 * Rebuilds the read models that another version of the service rendered; returns their organizations. A server calls this
 * before it serves. Servers that start together rebuild each model once.
 */
export async function rebuildOutdated(db: Database, report: RebuildProgress = () => {}): Promise<string[]> {
  const rebuilt: string[] = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    if (await isCurrent(on, corp_id)) continue
    const isMine = await on.transaction(async (tx) => {
      await holdClock(tx, corp_id)
      if (await isCurrent(tx, corp_id)) return false
      const total = await countOrders(tx, corp_id)
      await rebuild(tx, corp_id, (orders) => report(corp_id, orders, total))
      return true
    })
    if (isMine) rebuilt.push(corp_id)
  }
  return rebuilt
}

async function isCurrent(on: Queryable, corp_id: string): Promise<boolean> {
  return (await findModelVersion(on, corp_id)).fingerprint === readModelFingerprint
}

async function rebuild(tx: Queryable, corp_id: string, report: (orders: number) => void): Promise<number> {
  await clearReadModel(tx, corp_id)
  const { time_zone } = await findModelVersion(tx, corp_id)
  const orders = await renderAll(tx, { corp_id, time_zone }, {}, report)
  await tx.query(storingFingerprint(corp_id, readModelFingerprint))
  return orders
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
  const changes = [...storingCountChanges(corp_id, counts.all()), ...addingCountsAlone(corp_id, facets)]
  if (changes.length > 0) await tx.pipeline(changes)
  return done
}
