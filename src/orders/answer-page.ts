import { RenderedJson } from '../contract/rendered-json.ts'
import type { Queryable } from '../database/database.ts'
import { createListWalks } from './list-walks.ts'
import type { OrderFilter } from './order-filter.ts'
import { readPage } from './order-page-store.ts'
import { createTurnstile } from './turnstile.ts'

const longPage = 100
const longPagesAtATime = 4
const takeTurn = createTurnstile(longPagesAtATime)

const walks = { orders: createListWalks(), sub_orders: createListWalks() }

/** Answers a page of either order list, and remembers where it ended for the caller's next one. */
export async function answerPage(
  db: Queryable,
  list: 'orders' | 'sub_orders',
  filter: OrderFilter,
  caller: string,
): Promise<RenderedJson> {
  const after = walks[list].endOfPageBefore(caller, filter)
  const read = async () => {
    const { total, rows, end } = await readPage(db, list, filter, after)
    walks[list].noteEnd(caller, filter, end)
    const { page, page_size } = filter
    return new RenderedJson(`{"total":${total},"page":${page},"page_size":${page_size},"list":[${rows}]}`)
  }
  return filter.page_size > longPage ? takeTurn(read) : read()
}
