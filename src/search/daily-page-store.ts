import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import { type FacetQuery, havingAll, inOrder, isAfter, spanOf } from './facet-query-store.ts'
import { dayOf, everyRecord } from './facet-store.ts'

/**
 * A page of records with several facets, day by day. Valid bitmaps of a day give the number of its matching records. Days
 * without valid bitmaps, and days that the range covers in part, are counted from the entries. The entries of the days
 * of the page are read.
 */
export function dailyPage(query: FacetQuery, after: RowKey | undefined): Statement {
  const { corp_id, list, page, page_size, isDescending } = query
  const [rarest = everyRecord, ...others] = query.facets
  const compared = [everyRecord, ...query.facets]
  const { from, until } = spanOf(query)
  const offset = after ? 0 : page * page_size
  const direction = raw(isDescending ? 'desc' : '')
  const among = (day: string) => sql`
                  select e.time, e.id from facet_entries e
                   where e.corp_id = ${corp_id} and e.list = ${list} and e.facet = ${rarest} collate "C"
                     and e.time >= ${raw(day)}.low and e.time < ${raw(day)}.high ${havingAll(query, others, 'e')}`
  const notBefore = isDescending
    ? sql`low <= ${after?.time}::timestamptz`
    : sql`high > ${after?.time}::timestamptz`
  return sql`
    with -- A row that is not folded yet has no bits: it invalidates the bitmaps of its day.
         marks as (
           select c.day, c.bits, count(*) over same_day as facets,
                  bool_and(c.bits is not null and bit_count(c.bits) = c.rows) over same_day as is_known
             from facet_counts c
            where c.corp_id = ${corp_id} and c.list = ${list} and c.facet = any(${compared}::text[])
              and c.day >= ${query.from ? dayOf(query.from) : '-infinity'}::date
              and c.day <= ${query.until ? dayOf(query.until) : 'infinity'}::date
           window same_day as (partition by c.day)),
         spans as (
           select marks.bits, marks.facets, marks.is_known, marks.day::timestamp at time zone 'UTC' as low, (marks.day + 1)::timestamp at time zone 'UTC' as high
             from marks),
         known as (
           select greatest(s.low, ${from}::timestamptz) as low, least(s.high, ${until}::timestamptz) as high,
                  case when not s.is_known or s.low < ${from}::timestamptz or s.high > ${until}::timestamptz then null
                       when s.facets < ${compared.length}::bigint then 0
                       else bit_count(bit_and(case when s.is_known then s.bits end)) end as rows
             from spans s
            group by s.low, s.high, s.is_known, s.facets),
         days as materialized (
           select known.low, known.high, coalesce(known.rows, searched.rows) as rows
             from known
            cross join lateral (
                  select count(*) as rows from (${among('known')} and known.rows is null) entries) searched),
         counted as (select coalesce(sum(days.rows), 0)::bigint as total from days),
         placed as (
           select days.low, days.high, days.rows, sum(days.rows) over in_order - days.rows as passed,
                  ${after ? raw('first_value(days.rows) over in_order') : raw('0')} as begun
             from days where days.rows > 0 ${after ? sql`and ${notBefore}` : raw('')}
           window in_order as (order by days.low ${direction} rows unbounded preceding)),
         -- After a cursor row, the number of remaining records of its own day is unknown.
         opened as (
           select placed.low, placed.high, placed.passed from placed
            where placed.passed - placed.begun < ${offset + page_size}::bigint
              and placed.passed + placed.rows > ${offset}::bigint),
         page as (
           select found.time, found.id
             from opened cross join lateral (${among('opened')}) found
            ${after ? sql`where ${isAfter(query, 'found', after)}` : raw('')}
            order by ${inOrder(query, 'found')} limit ${page_size}
            offset ${after ? sql`0` : sql`${offset}::bigint - (select coalesce(min(passed), 0) from opened)::bigint`})`
}
