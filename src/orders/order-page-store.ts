import { dayAfter, dayOf, endOfDay } from '../contract/days.ts'
import type { Queryable } from '../database/database.ts'
import { literal, type Statement, sql } from '../database/sql.ts'
import { emptySlots } from '../derivations/render.ts'
import { type DaySpans, spansOf } from './list-spans.ts'
import type { OrderFilter } from './order-filter.ts'
import type { RowKey } from './page-ends.ts'

type List = 'orders' | 'sub_orders'

/** Where the rows of a list stand, and where the texts they are answered with. */
const sources = {
  orders: {
    id: 'order_id',
    live: 'and not t.is_deleted',
    documents: 'order_documents',
    texts: `string_agg(d.list_row, ',' order by page.list_time, page.id) as texts, null::smallint[] as used_slots`,
  },
  sub_orders: {
    id: 'sub_order_id',
    live: '',
    documents: 'financial_documents',
    // U+0001 stands nowhere in JSON text; each row still lacks its empty slots.
    texts: `string_agg(d.row_start, E'\\x01' order by page.list_time, page.id) as texts,
            array_agg(d.used_slots order by page.list_time, page.id) as used_slots`,
  },
} as const

/** A page as it is answered: the rows are JSON text already. */
export interface Page {
  total: number
  /** In pieces, commas included. */
  rows: string[]
  /** The last row, for a walk that goes on behind it. */
  end: RowKey | undefined
}

/**
 * A fast path: one page and the total, from one statement and so from one snapshot, at a cost that does not grow with
 * the list. The kept counts tell the total and the day on which the page begins; rows are counted off within that day
 * only, and their kept texts are joined as they are.
 */
export async function readPage(
  on: Queryable,
  list: List,
  filter: OrderFilter,
  after: RowKey | undefined,
): Promise<Page> {
  const offset = filter.page * filter.page_size
  const [page] = await on.query<FoundPage>(
    after ? pageBehind(list, filter, after) : pageFromTheStart(list, filter, offset),
  )
  const { total, texts, used_slots, end_time, end_id } = page!
  return {
    // A walk counts what it has read and what is still ahead.
    total: after ? offset + total : total,
    rows: texts === null ? [] : used_slots === null ? [texts] : withEmptySlots(texts, used_slots),
    end: end_id === null ? undefined : { time: end_time!, id: end_id },
  }
}

interface FoundPage {
  total: number
  texts: string | null
  used_slots: number[] | null
  end_time: string | null
  end_id: string | null
}

function pageFromTheStart(list: List, filter: OrderFilter, offset: number): Statement {
  const time = literal(`t.${filter.timeColumn}`)
  return sql`
    with spans as (${countedSpans(list, filter, spansOf(filter.fromDay, filter.untilDay))}),
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
    select (select coalesce(sum(rows), 0)::bigint from spans) as total, ${textsOf(list, filter)}`
}

function pageBehind(list: List, filter: OrderFilter, after: RowKey): Statement {
  const time = literal(`t.${filter.timeColumn}`)
  const day = dayOf(after.time, filter.timeZone)
  const isBehind = sql`and (${time}, t.${literal(sources[list].id)}) > (${after.time}::timestamptz, ${after.id})`
  return sql`
    with spans as (${countedSpans(list, filter, spansOf(dayAfter(day), filter.untilDay))}),
         page as (${rowsOf(list, filter)} ${isBehind} ${inOrder(list, filter)} limit ${filter.page_size})
    select (select coalesce(sum(rows), 0)::bigint from spans)
           + (select count(*) from (${rowsOf(list, filter)} ${isBehind} and ${time} < ${endOfDay(day, filter.timeZone)}) same_day)
             as total,
           ${textsOf(list, filter)}`
}

/** How many rows there are in each whole month and in each of the other days, and how many before it. */
function countedSpans(list: List, filter: OrderFilter, spans: DaySpans): Statement {
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
  return literal(
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

function rowsOf(list: List, filter: OrderFilter): Statement {
  const { id, live } = sources[list]
  const time = literal(`t.${filter.timeColumn}`)
  return sql`
    select t.${literal(id)} as id, ${time} as list_time
      from ${literal(list)} t
     where t.corp_id = ${filter.corp_id} ${literal(live)}
       ${filter.status === undefined ? literal('') : sql`and t.status = ${filter.status}`}
       ${filter.from === undefined ? literal('') : sql`and ${time} >= ${filter.from}`}
       ${filter.until === undefined ? literal('') : sql`and ${time} < ${filter.until}`}`
}

function inOrder(list: List, { timeColumn }: OrderFilter): Statement {
  return literal(`order by t.${timeColumn}, t.${sources[list].id}`)
}

/** The texts of the page's rows and its last row; the rest of a statement over `page`. */
function textsOf(list: List, { corp_id }: OrderFilter): Statement {
  const { id, documents, texts } = sources[list]
  return sql`
           found.texts, found.used_slots, last.list_time::text as end_time, last.id as end_id
      from (select ${literal(texts)}
              from page join ${literal(documents)} d on d.corp_id = ${corp_id} and d.${literal(id)} = page.id) found
      left join (select list_time, id from page order by list_time desc, id desc limit 1) last on true`
}

function withEmptySlots(texts: string, usedSlots: number[]): string[] {
  const starts = texts.split('\x01')
  return starts.flatMap((start, index) => {
    const rest = emptySlots[usedSlots[index]!]!
    return index === 0 ? [start, rest] : [',', start, rest]
  })
}
