import type { Queryable, RowsByName, Statements } from '../../database/database.ts'
import { notingUsersOfOrders } from '../../people/users/user-order-facet-store.ts'
import { mixedCode, storingFingerprint } from '../../search/derived-version-store.ts'
import { changingOwnEntries, type EntryChanges } from '../../search/facet-store.ts'
import type { RecordedRows, Recording } from '../ledger/history-store.ts'
import { CountChanges } from './count-rows.ts'
import { selectLedgerSubOrders } from './financial-store.ts'
import { readModelFingerprint, rowRenderer } from './fingerprint.ts'
import { type FacetedOrder, orderFacetsOf } from './order-facets.ts'
import { selectOrders, selectSharing } from './order-store.ts'
import {
  deletingSubOrderRows,
  findModel,
  type OrderModelRow,
  type StoredModel,
  type SubOrderModelRow,
  storingCountChanges,
  storingOrderRows,
  storingSubOrderRows,
  type Zoned,
} from './read-model-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'
import { type ReadOrder, type ReadSubOrder, sumUp } from './sum-up.ts'

/** Writes of a transaction that are due before the update of the read model. */
interface PendingWrites {
  /** The read model before the change, perhaps of more orders; read here if absent. */
  model?: StoredModel
  writes?: Statements
  recording?: Recording
  /** Whether nothing follows in the transaction, so that the last statements run with its commit. */
  isLast?: boolean
}

/**
 * Updates the read model of these orders. A transaction that writes orders calls this last, under the ledger's clock, so
 * that only one transaction at a time changes counts. Pending writes run in the same round trip.
 */
export async function projectOrders(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
  { model: known, writes = [], recording, isLast = false }: PendingWrites = {},
): Promise<void> {
  if (orderIds.length === 0) return
  let model = known ? ofOrders(known, orderIds) : await findModel(tx, corp_id, orderIds)
  const zoned = { corp_id, time_zone: model.time_zone }
  const {
    sharing,
    orders: own,
    subOrders: ownSubOrders,
  } = await tx.pipeline<OrderRows & { writes: object; sharing: { order_id: string } }>({
    writes,
    sharing: selectSharing(corp_id, orderIds),
    ...selectingOrders(zoned, orderIds),
  })
  let read: ReadOrders = { orders: own, subOrders: ownSubOrders }
  const sharingIds = sharing.map(({ order_id }) => order_id)
  if (sharingIds.length > 0) {
    read = joined(read, await tx.pipeline<OrderRows>(selectingOrders(zoned, sharingIds)))
    model = joined(model, await findModel(tx, corp_id, sharingIds))
  }
  const recorded = recording && tx.pipeline<RecordedRows>(recording.record)
  // Rows are rendered while the database records the versions. The model is stored next, without a pause.
  const [versions] = await Promise.all([
    recorded,
    Promise.try(() => tx.pipeline(storingModel(corp_id, model, render(read)))),
  ])
  const store = isLast ? tx.runLast : tx.pipeline
  if (recording && versions) await store(recording.chain(versions))
}

/** The statements that store rendered orders, with the differences of counts and facets to the stored model. */
function storingModel(
  corp_id: string,
  { fingerprint, rebuilder, orders, subOrders }: StoredModel,
  rendered: RenderedOrders,
): Statements {
  const staying = new Set(rendered.subOrders.map(({ sub_order_id }) => sub_order_id))
  const gone = subOrders.filter(({ sub_order_id }) => !staying.has(sub_order_id))
  const counts = new CountChanges()
  counts.add('orders', orders, -1)
  counts.add('orders', rendered.orders)
  counts.add('sub_orders', subOrders, -1)
  counts.add('sub_orders', rendered.subOrders)
  const moved = ordersInOtherStates(orders, rendered.orders)
  return [
    ...storingOrderRows(corp_id, rendered.orders),
    ...storingSubOrderRows(corp_id, rendered.subOrders),
    ...deletingSubOrderRows(
      corp_id,
      gone.map(({ sub_order_id }) => sub_order_id),
    ),
    ...storingCountChanges(corp_id, counts.all()),
    ...(moved.length > 0 ? [notingUsersOfOrders(corp_id, moved)] : []),
    ...changingOwnEntries(corp_id, facetChanges(orders, rendered.orders)),
    // While this version rebuilds the model, its own rows are no mixture.
    ...(fingerprint === readModelFingerprint || rebuilder === readModelFingerprint
      ? []
      : [storingFingerprint(corp_id, 'orders', fingerprint === null ? readModelFingerprint : mixedCode)]),
  ]
}

/** The orders with another status than before, which users are found by. */
function ordersInOtherStates(before: StoredModel['orders'], after: OrderModelRow[]): string[] {
  const stateOf = ({ status, is_deleted }: { status: string; is_deleted?: boolean }) =>
    `${status} ${is_deleted}`
  const known = new Map(before.map((order) => [order.order_id, stateOf(order)]))
  return after.filter((order) => known.get(order.order_id) !== stateOf(order)).map(({ order_id }) => order_id)
}

/** The facet entries to add and to remove. */
export function facetChanges(
  before: { order_id: string; facets: string }[],
  after: Pick<RenderedOrder, 'order_id' | 'createdAt' | 'facets'>[],
): EntryChanges {
  const known = new Map(before.map(({ order_id, facets }) => [order_id, facets]))
  const changes: EntryChanges = { added: [], removed: [] }
  for (const { order_id: id, createdAt: time, facets } of after) {
    if (known.get(id) === facets) continue
    const [was, is] = [facetsIn(known.get(id) ?? '[]'), facetsIn(facets)]
    const entriesOf = (some: Set<string>) =>
      Array.from(some, (facet) => ({ list: 'orders' as const, facet, time, id }))
    changes.added.push(...entriesOf(is.difference(was)))
    changes.removed.push(...entriesOf(was.difference(is)))
  }
  return changes
}

function facetsIn(text: string): Set<string> {
  return new Set(JSON.parse(text) as string[])
}

interface RenderedOrder extends OrderModelRow {
  createdAt: Date
}

interface RenderedOrders {
  orders: RenderedOrder[]
  subOrders: SubOrderModelRow[]
}

/** The rows of orders and of their sub-orders, as the data are now. */
export async function renderOrders(tx: Queryable, zoned: Zoned, orderIds: string[]): Promise<RenderedOrders> {
  return render(await tx.pipeline<OrderRows>(selectingOrders(zoned, orderIds)))
}

/** An order, and the members that its facets follow from. */
type FoundOrder = ReadOrder & Pick<FacetedOrder, 'external_id' | 'user_names'> & { created_at: string }

function facetsOf(order: FoundOrder, sub_orders: FacetedOrder['sub_orders']): string[] {
  const { batch_id, owner_relationship_managers: managers } = order.course_copy
  return orderFacetsOf({
    ...order,
    batch_id: String(batch_id ?? ''),
    managers: String(managers ?? ''),
    sub_orders,
  })
}

type OrderRows = { orders: FoundOrder; subOrders: ReadSubOrder }
type ReadOrders = RowsByName<OrderRows>

function selectingOrders({ corp_id, time_zone }: Zoned, orderIds: string[]) {
  return {
    orders: selectOrders(corp_id, orderIds, time_zone),
    subOrders: selectLedgerSubOrders(corp_id, orderIds, time_zone),
  }
}

/** Only these orders: an order that is counted out twice would be missing from the counts. */
function ofOrders(model: StoredModel, orderIds: string[]): StoredModel {
  const wanted = new Set(orderIds)
  const isWanted = ({ order_id }: { order_id: string }) => wanted.has(order_id)
  return { ...model, orders: model.orders.filter(isWanted), subOrders: model.subOrders.filter(isWanted) }
}

/** `one` with the orders of the other appended. */
function joined<Orders extends { orders: unknown[]; subOrders: unknown[] }>(
  one: Orders,
  { orders, subOrders }: Orders,
): Orders {
  return { ...one, orders: [...one.orders, ...orders], subOrders: [...one.subOrders, ...subOrders] }
}

function render({ orders, subOrders }: ReadOrders): RenderedOrders {
  const ofOrders = Map.groupBy(subOrders, ({ order_id }) => order_id)
  const shown = orders.map((order) => ({ order, ...sumUp(order, ofOrders.get(order.entity_id) ?? []) }))
  return {
    orders: shown.map(({ order, detail, listRow }) => ({
      order_id: detail.entity_id,
      status: detail.status,
      is_deleted: detail.is_deleted,
      ...daysOf(detail),
      detail: renderDetail(detail),
      list_row: renderListRow(listRow),
      facets: JSON.stringify(facetsOf(order, detail.sub_orders)),
      renderer: rowRenderer,
      createdAt: new Date(order.created_at),
    })),
    subOrders: shown.flatMap((order) =>
      order.subOrders.map((row) => ({
        sub_order_id: row.sub_order_id,
        order_id: row.order_id,
        status: row.status,
        ...daysOf(row),
        ...renderFinancialStart(row),
        unpaid_price: row.unpaid_price,
        renderer: rowRenderer,
      })),
    ),
  }
}

/** Times are rendered in the organization's zone, and begin with the day. */
function daysOf({ ctime, mtime }: { ctime: string; mtime: string }) {
  return { ctime_day: ctime.slice(0, 10), mtime_day: mtime.slice(0, 10) }
}
