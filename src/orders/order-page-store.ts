import type { Queryable } from '../database/database.ts'
import { literal, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './list-walks.ts'
import type { OrderFilter } from './order-filter.ts'

/** What differs between the two lists: where the rows stand, and how a row of the page is read. */
export interface PagedRows {
  table: 'orders' | 'sub_orders'
  id: 'order_id' | 'sub_order_id'
  /** Every row of `page` (corp_id, id, list_time), in full. */
  select: Statement
}

export interface Page<Row> {
  total: number
  rows: Row[]
  end: RowKey | undefined
}

type ListedRow = RowKey & { total: number; is_row: boolean }

/** One page and the total, from one snapshot: the count and the rows cannot disagree. */
export async function readPage<Row extends object>(
  on: Queryable,
  paged: PagedRows,
  filter: OrderFilter,
  after: RowKey | undefined,
): Promise<Page<Row>> {
  const offset = filter.page * filter.page_size
  const matching = sql`
    from ${literal(paged.table)} t
   where t.corp_id = ${filter.corp_id} ${conditionsOf(paged, filter, after)}`
  const rows = await on.query<Row & ListedRow>(sql`
    with total as (select count(*) as total ${matching}),
         page as (
           select t.corp_id, t.${literal(paged.id)} as id, t.${literal(filter.timeColumn)} as list_time ${matching}
            order by t.${literal(filter.timeColumn)}, t.${literal(paged.id)}
            limit ${filter.page_size} offset ${after ? 0 : offset}),
         listed as (${paged.select})
    select listed.*, total.total, listed.id is not null as is_row, listed.list_time::text as time
      from total left join listed on true
     order by listed.list_time, listed.id`)
  const { total } = rows[0]!
  const last = rows.at(-1)!
  return {
    // A walk that goes on behind its last page counts what it has read and what is still ahead.
    total: after ? offset + total : total,
    rows: last.is_row ? rows : [],
    end: last.is_row ? { time: last.time, id: last.id } : undefined,
  }
}

function conditionsOf(paged: PagedRows, filter: OrderFilter, after: RowKey | undefined): Statement {
  const time = literal(`t.${filter.timeColumn}`)
  const conditions: Statement[] = []
  if (paged.table === 'orders') conditions.push(sql`and not t.is_deleted`)
  if (filter.status !== undefined) conditions.push(sql`and t.status = ${filter.status}`)
  if (filter.from !== undefined) conditions.push(sql`and ${time} >= ${filter.from}`)
  if (filter.until !== undefined) conditions.push(sql`and ${time} < ${filter.until}`)
  if (after !== undefined) {
    conditions.push(sql`and (${time}, t.${literal(paged.id)}) > (${after.time}::timestamptz, ${after.id})`)
  }
  return conditions.reduce((all, condition) => sql`${all} ${condition}`, literal(''))
}
