import { createFairShare, inTurn } from '../../contract/limits/fair-share.ts'
import { asciiJson, RenderedJson } from '../../contract/rendered-json.ts'
import type { Queryable } from '../../database/database.ts'
import type { Cursors } from '../../search/cursors.ts'
import type { OrderFilter } from './order-filter.ts'
import { readPage } from './order-page-store.ts'

const longPage = 100
/**
 * Pages of a thousand rows are megabytes each: read all at once for dozens of callers they would fill the memory, and be
 * no sooner done. An organization reads two at a time, and leaves one for another.
 */
const longPages = createFairShare({ places: 3, longestWaitMs: 15_000 })

/** Who asks for a page, on which records, and what is remembered of the pages before. */
interface Reader {
  db: Queryable
  account: { app_id: string }
  cursors: Cursors
}

/** Answers a page of either order list, and remembers where it ended for the caller's next one. */
export async function answerPage(
  { db, account, cursors }: Reader,
  list: 'orders' | 'sub_orders',
  filter: OrderFilter,
): Promise<RenderedJson> {
  const after = await cursors.endOfPageBefore(account.app_id, list, filter)
  const read = async () => {
    const { total, rows, end } = await readPage(db, list, filter, after)
    // Before the answer: whoever reads it may ask another process for the next page at once.
    await cursors.noteEnd(account.app_id, list, filter, end)
    const { page, page_size } = filter
    const head = `{"total":${total},"page":${page},"page_size":${page_size},"list":[`
    return new RenderedJson(asciiJson(head), ...rows, asciiJson(']}'))
  }
  return filter.page_size > longPage ? inTurn(longPages, filter.corp_id, read) : read()
}
