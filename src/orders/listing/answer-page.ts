import { createFairShare, inTurn } from '../../contract/limits/fair-share.ts'
import { asciiJson, type JsonBytes, jsonBytes, RenderedJson } from '../../contract/rendered-json.ts'
import type { Queryable } from '../../database/database.ts'
import type { Cursors } from '../../search/cursors.ts'
import type { OrderFilter } from './order-filter.ts'
import { type ListRow, readPage } from './order-page-store.ts'
import { renderOrders } from './project-orders.ts'
import { emptySlots } from './render.ts'

const longPage = 100
/**
 * A page of a thousand rows is megabytes. Reading dozens at once would fill the memory and be no faster. One organization
 * reads at most two at a time, which leaves a place for others.
 */
const longPages = createFairShare({ places: 3, longestWaitMs: 15_000 })

/** The caller of a page, with the cursors of earlier pages. */
interface Reader {
  db: Queryable
  account: { app_id: string }
  cursors: Cursors
}

/** Reads a page of either order list, and stores its end as the cursor of the caller's next page. */
export async function answerPage(
  { db, account, cursors }: Reader,
  list: 'orders' | 'sub_orders',
  filter: OrderFilter,
): Promise<RenderedJson> {
  const after = await cursors.endOfPageBefore(account.app_id, list, filter)
  const read = async () => {
    const { total, rows: found, end } = await readPage(db, list, filter, after)
    const rows = piecesOf(await rendered(db, list, filter, found))
    // Before the response: the caller may request the next page from another process at once.
    await cursors.noteEnd(account.app_id, list, filter, end)
    const { page, page_size } = filter
    const head = `{"total":${total},"page":${page},"page_size":${page_size},"list":[`
    return new RenderedJson(asciiJson(head), ...rows, asciiJson(']}'))
  }
  return filter.page_size > longPage ? inTurn(longPages, filter.corp_id, read) : read()
}

/** Renders the rows that are missing, or that other code rendered. */
async function rendered(
  db: Queryable,
  list: 'orders' | 'sub_orders',
  { corp_id, timeZone: time_zone }: OrderFilter,
  rows: ListRow[],
): Promise<ListRow[]> {
  const stale = rows.flatMap(({ text, order_id }) => (text === null ? [order_id] : []))
  if (stale.length === 0) return rows
  const { orders, subOrders } = await renderOrders(db, { corp_id, time_zone }, [...new Set(stale)])
  const fresh: [string, Pick<ListRow, 'text' | 'used_slots'>][] =
    list === 'orders'
      ? orders.map((row) => [row.order_id, { text: jsonBytes(row.list_row), used_slots: null }])
      : subOrders.map((row) => [
          row.sub_order_id,
          { text: jsonBytes(row.row_start), used_slots: row.used_slots },
        ])
  const byId = new Map(fresh)
  return rows.map((row) => (row.text === null ? { ...row, ...byId.get(row.id) } : row))
}

const comma = asciiJson(',')

function piecesOf(rows: ListRow[]): JsonBytes[] {
  const pieces: JsonBytes[] = []
  for (const { text, used_slots } of rows) {
    // The row was deleted between the two reads.
    if (text === null) continue
    if (pieces.length > 0) pieces.push(comma)
    pieces.push(text)
    if (used_slots !== null) pieces.push(asciiJson(emptySlots[used_slots]!))
  }
  return pieces
}
