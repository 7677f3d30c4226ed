import { createFairShare, inTurn } from '../../contract/limits/fair-share.ts'
import { asciiJson, RenderedJson } from '../../contract/rendered-json.ts'
import type { Queryable } from '../../database/database.ts'
import type { Cursors } from '../../search/cursors.ts'
import type { OrderFilter } from './order-filter.ts'
import { readPage } from './order-page-store.ts'

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
    const { total, rows, end } = await readPage(db, list, filter, after)
    // Before the response: the caller may request the next page from another process at once.
    await cursors.noteEnd(account.app_id, list, filter, end)
    const { page, page_size } = filter
    const head = `{"total":${total},"page":${page},"page_size":${page_size},"list":[`
    return new RenderedJson(asciiJson(head), ...rows, asciiJson(']}'))
  }
  return filter.page_size > longPage ? inTurn(longPages, filter.corp_id, read) : read()
}
