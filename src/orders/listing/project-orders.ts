import type { Queryable, Statements } from '../../database/database.ts'
import { notingUsersOfOrders } from '../../people/users/user-order-facet-store.ts'
import { changingEntriesAlone, type EntryChanges } from '../../search/facet-store.ts'
import type { Recording } from '../ledger/history-store.ts'
import { CountChanges } from './count-rows.ts'
import { selectLedgerSubOrders } from './financial-store.ts'
import { readModelFingerprint } from './fingerprint.ts'
import { type FacetedOrder, orderFacetsOf } from './order-facets.ts'
import { selectOrders, selectSharing } from './order-store.ts'
import {
  deletingSubOrderRows,
  findModel,
  type OrderModelRow,
  type StoredModel,
  type SubOrderModelRow,
  storingCountChanges,
  storingFingerprint,
  storingOrderRows,
  storingSubOrderRows,
  type Zoned,
} from './read-model-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'
import { type ReadOrder, type ReadSubOrder, sumUp } from './sum-up.ts'

/**
 * Brings the read model of these orders up to date. Whoever writes orders calls this last, in the same transaction, while
 * it holds the ledger's clock: so counts are changed by one at a time. What is still to be written of the orders goes
 * along in the same round trip; and if nothing follows in the transaction, what is stored goes along with its commit.
 */
export async function projectOrders(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
  before: { model?: StoredModel; writes?: Statements; recording?: Recording; isLast?: boolean } = {},
): Promise<void> {
  if (orderIds.length === 0) return
  const { writes = [], recording, isLast = false } = before
  const known = before.model ?? (await findModel(tx, corp_id, orderIds))
  const { time_zone, fingerprint } = known
  const zoned = { corp_id, time_zone }
  const own = await readOrders(tx, zoned, orderIds, [...writes, selectSharing(corp_id, orderIds)])
  const sharing = (own.answers.at(-1) as { order_id: string }[]).map(({ order_id }) => order_id)
  const [read, model] =
    sharing.length === 0
      ? [own, known]
      : [
          joined(own, await readOrders(tx, zoned, sharing)),
          joined(known, await findModel(tx, corp_id, sharing)),
        ]
  // While the database records the versions, the rows are rendered: whoever comes next waits for both.
  const recorded = tx.pipeline(recording?.record ?? [])
  const [answers, rendered] = await Promise.all([recorded, Promise.try(render, read)])
  const changed = new Set([...orderIds, ...sharing])
  const orders = model.orders.filter(({ order_id }) => changed.has(order_id))
  const subOrders = model.subOrders.filter(({ order_id }) => changed.has(order_id))
  const staying = new Set(rendered.subOrders.map(({ sub_order_id }) => sub_order_id))
  const gone = subOrders.filter(({ sub_order_id }) => !staying.has(sub_order_id))
  const counts = new CountChanges()
  counts.add('orders', orders, -1)
  counts.add('orders', rendered.orders)
  counts.add('sub_orders', subOrders, -1)
  counts.add('sub_orders', rendered.subOrders)
  const store = isLast ? tx.runLast : tx.pipeline
  await store([
    ...(recording?.chain(answers) ?? []),
    ...storingOrderRows(corp_id, rendered.orders),
    ...storingSubOrderRows(corp_id, rendered.subOrders),
    ...deletingSubOrderRows(
      corp_id,
      gone.map(({ sub_order_id }) => sub_order_id),
    ),
    ...storingCountChanges(corp_id, counts.all()),
    ...(changesState(orders, rendered.orders) ? [notingUsersOfOrders(corp_id, orderIds)] : []),
    ...changingEntriesAlone(corp_id, facetChanges(orders, rendered.orders)),
    ...(fingerprint === readModelFingerprint
      ? []
      : [storingFingerprint(corp_id, fingerprint === null ? readModelFingerprint : mixed)]),
  ])
}

/** Whether users are found by other states of their orders afterwards. */
function changesState(before: StoredModel['orders'], after: OrderModelRow[]): boolean {
  const stateOf = ({ status, is_deleted }: { status: string; is_deleted?: boolean }) =>
    `${status} ${is_deleted}`
  const known = new Map(before.map((order) => [order.order_id, stateOf(order)]))
  return after.some((order) => known.get(order.order_id) !== stateOf(order))
}

/** Of a model with rows of two versions of the service, which run side by side: whichever starts next rebuilds it. */
const mixed = 'mixed'

/** What becomes of the entries of orders that were found by these facets. */
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
  return render(await readOrders(tx, zoned, orderIds))
}

/** A row of the list, and what it is found by. */
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

interface ReadOrders {
  orders: FoundOrder[]
  subOrders: ReadSubOrder[]
}

/** The same with the orders of another one. */
function joined<Orders extends { orders: unknown[]; subOrders: unknown[] }>(
  one: Orders,
  { orders, subOrders }: Orders,
): Orders {
  return { ...one, orders: [...one.orders, ...orders], subOrders: [...one.subOrders, ...subOrders] }
}

/** What is shown of orders, once these statements are through, and what those answered. */
async function readOrders(
  tx: Queryable,
  { corp_id, time_zone }: Zoned,
  orderIds: string[],
  writes: Statements = [],
): Promise<ReadOrders & { answers: object[][] }> {
  const read = await tx.pipeline([
    ...writes,
    selectOrders(corp_id, orderIds, time_zone),
    selectLedgerSubOrders(corp_id, orderIds, time_zone),
  ])
  const [orders, subOrders] = read.slice(writes.length) as unknown as [FoundOrder[], ReadSubOrder[]]
  return { orders, subOrders, answers: read.slice(0, writes.length) }
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
      })),
    ),
  }
}

/** Times are shown in the organization's zone, and begin with their day. */
function daysOf({ ctime, mtime }: { ctime: string; mtime: string }) {
  return { ctime_day: ctime.slice(0, 10), mtime_day: mtime.slice(0, 10) }
}
