import type { JsonBytes } from '../../contract/rendered-json.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, readingBytes, type Statement, sql } from '../../database/sql.ts'
import type { RowKey } from '../../search/cursor-memory.ts'
import { rowRenderer } from './fingerprint.ts'
import { spansOf } from './list-spans.ts'
import type { OrderFilter } from './order-filter.ts'

type List = 'orders' | 'sub_orders'

/** The table of a list's rows, and the table of their rendered texts. */
const sources = {
  orders: {
    id: 'order_id',
    live: 'and not t.is_deleted',
    deleted: 'and t.is_deleted',
    documents: 'order_read_model',
    text: 'd.list_row',
    usedSlots: 'null::smallint',
  },
  sub_orders: {
    id: 'sub_order_id',
    live: '',
    deleted: 'and false',
    documents: 'financial_read_model',
    // Without the empty slots.
    text: 'd.row_start',
    usedSlots: 'd.used_slots',
  },
} as const

/** A row of a page as JSON text. */
export interface ListRow {
  /** Null if the row is missing, or other code rendered it. */
  text: JsonBytes | null
  used_slots: number | null
  list_time: string
  id: string
  order_id: string
}

/** A page with its rows as JSON text. */
export interface Page {
  total: number
  rows: ListRow[]
  /** The last row: the cursor of the next page. */
  end: RowKey | undefined
}

/**
 * A fast path: one page and the total from one statement, hence one snapshot, at a cost that does not grow with the list.
 * The stored counts give the total and the day on which the page starts. Rows are skipped within that day only, and their
 * stored texts are joined unchanged.
 */
export async function readPage(
  on: Queryable,
  list: List,
  filter: OrderFilter,
  after: RowKey | undefined,
): Promise<Page> {
  const offset = filter.page * filter.page_size
  const page = filter.includesDeleted
    ? pageWithDeleted(list, filter, after, offset)
    : after
      ? pageBehind(list, filter, after)
      : pageFromTheStart(list, filter, offset)
  const found = await on.query<FoundRow>(readingBytes(page))
  const { total } = found[0]!
  const rows = found.filter((row): row is FoundRow & ListRow => row.id !== null)
  const last = rows.at(-1)
  return { total, rows, end: last && { time: last.list_time, id: last.id } }
}

interface FoundRow {
  total: number
  /** Null in the one row of an empty page. */
  id: string | null
}

function pageFromTheStart(list: List, filter: OrderFilter, offset: number): Statement {
  const time = raw(`t.${filter.timeColumn}`)
  return sql`
    with spans as (${countedSpans(list, filter)}),
         start_span as (select day, until, before from spans where before <= ${offset} order by day desc limit 1),
         days as (
           select counts.day, start_span.before + ${rowsBefore('counts')} as before
             from start_span
             join list_counts counts on ${countsOf(list, filter, 'day')}
              and counts.day >= start_span.day and counts.day < start_span.until),
         start as (
           select day::timestamp at time zone ${filter.timeZone}::text as time, (${offset} - before)::bigint as skipped
             from days where before <= ${offset} order by day desc limit 1),
         page as (
           ${rowsOf(list, filter)} and ${time} >= (select time from start)
            ${inOrder(list, filter)} limit ${filter.page_size} offset (select skipped from start))
    ${pageAndTotal(list, filter)}`
}

function pageBehind(list: List, filter: OrderFilter, after: RowKey): Statement {
  const key = raw(`(t.${filter.timeColumn}, t.${sources[list].id})`)
  return sql`
    with spans as (${countedSpans(list, filter)}),
         page as (
           ${rowsOf(list, filter)} and ${key} > (${after.time}::timestamptz, ${after.id})
            ${inOrder(list, filter)} limit ${filter.page_size})
    ${pageAndTotal(list, filter)}`
}

/** Merges live and deleted rows, each from an index of its own. Deleted rows are few, and have no stored counts. */
function pageWithDeleted(
  list: List,
  filter: OrderFilter,
  after: RowKey | undefined,
  offset: number,
): Statement {
  const skipped = after ? 0 : offset
  const key = raw(`(t.${filter.timeColumn}, t.${sources[list].id})`)
  const firstOf = (kind: 'live' | 'deleted') => sql`(
             ${rowsOf(list, filter, kind)}
             ${after ? sql`and ${key} > (${after.time}::timestamptz, ${after.id})` : raw('')}
             ${inOrder(list, filter)} limit ${skipped + filter.page_size}::bigint)`
  return sql`
    with spans as (
           select counted.rows from (${countedSpans(list, filter)}) counted
           union all
           select count(*) from (${rowsOf(list, filter, 'deleted')}) deleted),
         page as (
           select merged.id, merged.order_id, merged.list_time
             from (${firstOf('live')} union all ${firstOf('deleted')}) merged
            order by merged.list_time, merged.id limit ${filter.page_size} offset ${skipped}::bigint)
    ${pageAndTotal(list, filter)}`
}

/** Every row of a page has the total of the whole list. An empty page is one row with the total only. */
function pageAndTotal(list: List, filter: OrderFilter): Statement {
  return sql`
    select counted.total, found.text, found.used_slots, found.list_time::text as list_time, found.id, found.order_id
      from (select coalesce(sum(rows), 0)::bigint as total from spans) counted
      left join (${textsOf(list, filter)}) found on true
     order by found.list_time, found.id`
}

/** The number of rows in each whole month and each other day, and the number before it. */
function countedSpans(list: List, filter: OrderFilter): Statement {
  const spans = spansOf({ from: filter.fromDay, until: filter.untilDay })
  return sql`
    select day, until, rows, ${rowsBefore('span')} as before
      from (select counts.day, (counts.day + interval '1 month')::date as until, counts.rows
              from list_counts counts
             where ${countsOf(list, filter, 'month')}
               and counts.day >= ${spans.wholeFrom}::date and counts.day < ${spans.wholeUntil}::date
            union all
            select counts.day, counts.day + 1, counts.rows
              from list_counts counts
             where ${countsOf(list, filter, 'day')}
               and counts.day >= ${spans.from}::date and counts.day < ${spans.wholeFrom}::date
            union all
            select counts.day, counts.day + 1, counts.rows
              from list_counts counts
             where ${countsOf(list, filter, 'day')}
               and counts.day >= ${spans.wholeUntil}::date and counts.day <= ${spans.until}::date) span`
}

function rowsBefore(alias: string): Statement {
  return raw(
    `coalesce(sum(${alias}.rows) over (order by ${alias}.day rows between unbounded preceding and 1 preceding), 0)`,
  )
}

function countsOf(
  list: List,
  { corp_id, timeColumn, status }: OrderFilter,
  span: 'day' | 'month',
): Statement {
  return sql`counts.corp_id = ${corp_id} and counts.list = ${list} and counts.time = ${timeColumn}
               and counts.status = ${status ?? ''} and counts.span = ${span} and counts.rows > 0`
}

function rowsOf(list: List, filter: OrderFilter, kind: 'live' | 'deleted' = 'live'): Statement {
  const { id, [kind]: condition } = sources[list]
  const time = raw(`t.${filter.timeColumn}`)
  return sql`
    select t.${raw(id)} as id, t.order_id, ${time} as list_time
      from ${raw(list)} t
     where t.corp_id = ${filter.corp_id} ${raw(condition)}
       ${filter.status === undefined ? raw('') : sql`and t.status = ${filter.status}`}
       ${filter.from === undefined ? raw('') : sql`and ${time} >= ${filter.from}`}
       ${filter.until === undefined ? raw('') : sql`and ${time} < ${filter.until}`}`
}

function inOrder(list: List, { timeColumn }: OrderFilter): Statement {
  return raw(`order by t.${timeColumn}, t.${sources[list].id}`)
}

function textsOf(list: List, { corp_id }: OrderFilter): Statement {
  const { id, documents, text, usedSlots } = sources[list]
  return sql`
        select page.list_time, page.id, page.order_id, ${raw(usedSlots)} as used_slots,
               case when d.renderer = ${rowRenderer} then ${raw(text)} end as text
          from page left join ${raw(documents)} d on d.corp_id = ${corp_id} and d.${raw(id)} = page.id`
}
