import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import { type FacetQuery, havingAll, inOrder, isAfter, spanOf } from './facet-query-store.ts'
import { dayOf, everyRecord } from './facet-store.ts'

/**
 * A page of records with several facets, span by span: a day, or a slice of a large day. Valid bitmaps of a span give the
 * number of its matching records. Spans without valid bitmaps, and spans that the range covers in part, are counted from
 * the entries. The entries of the spans of the page are read.
 *
 * A change of a small day invalidates its bitmaps. In a large day, each record that changed since the bitmaps were derived
 * is compared on its own.
 */
export function dailyPage(query: FacetQuery, after: RowKey | undefined): Statement {
  const { corp_id, list, page, page_size, isDescending } = query
  const [rarest = everyRecord, ...others] = query.facets
  const compared = [...new Set([everyRecord, ...query.facets])]
  const { from, until } = spanOf(query)
  const offset = after ? 0 : page * page_size
  const direction = raw(isDescending ? 'desc' : '')
  const isWithin = (entry: string, span: string) => sql`
                     (${raw(entry)}.time, ${raw(entry)}.id) >= (${raw(span)}.low, ${raw(span)}.low_id)
                     and (${raw(entry)}.time, ${raw(entry)}.id) < (${raw(span)}.high, ${raw(span)}.high_id)`
  const among = (span: string) => sql`
                  select e.time, e.id from facet_entries e
                   where e.corp_id = ${corp_id} and e.list = ${list} and e.facet = ${rarest} collate "C"
                     and ${isWithin('e', span)} ${havingAll(query, others, 'e')}`
  const notBefore = isDescending
    ? sql`(low, low_id) <= (${after?.time}::timestamptz, ${after?.id})`
    : sql`(high, high_id) > (${after?.time}::timestamptz, ${after?.id})`
  const ofDays = (alias: string) => sql`
                  ${raw(alias)}.corp_id = ${corp_id} and ${raw(alias)}.list = ${list} and ${raw(alias)}.facet = any(${compared}::text[])
                  and ${raw(alias)}.day >= ${query.from ? dayOf(query.from) : '-infinity'}::date
                  and ${raw(alias)}.day <= ${query.until ? dayOf(query.until) : 'infinity'}::date`
  return sql`
    with pieces as materialized (
           select s.day, s.slice, s.facet, s.from_time, s.from_id, s.ids, s.bits from facet_slices s where ${ofDays('s')}),
         slices as materialized (
           select p.day, p.slice, p.from_time as low, p.from_id as low_id, p.ids,
                  coalesce(lead(p.from_time) over in_order, (p.day + 1)::timestamp at time zone 'UTC') as high,
                  coalesce(lead(p.from_id) over in_order, '') as high_id
             from pieces p where p.facet = ''
           window in_order as (partition by p.day order by p.slice)),
         drawn as materialized (
           select p.day, p.slice, bool_and(p.bits is not null) as is_known,
                  case when bool_and(p.bits is not null) and count(*) = ${compared.length}::bigint
                       then bit_and(case when p.is_known then p.bits end) end as bits
             from (select pieces.day, pieces.slice, pieces.bits,
                          bool_and(pieces.bits is not null) over (partition by pieces.day, pieces.slice) as is_known
                     from pieces) p
            group by p.day, p.slice),
         -- Records that changed since the bitmaps of their slice were derived: what the bitmaps say, and what is so.
         touched as materialized (
           select distinct c.day, t.time, t.id
             from facet_counts c cross join lateral unnest(c.touched_times, c.touched_ids) as t (time, id)
            where c.part <> '' and ${ofDays('c')} and c.day in (select day from slices)),
         corrected as (
           select s.day, s.slice,
                  sum(case when exists (select from facet_entries e
                                         where e.corp_id = ${corp_id} and e.list = ${list} and e.facet = ${rarest} collate "C"
                                           and e.time = t.time and e.id = t.id offset 0)
                                ${havingAll(query, others, 't')} then 1 else 0 end
                    - case when d.bits is not null and array_position(s.ids, t.id) is not null
                           then get_bit(d.bits, array_position(s.ids, t.id) - 1) else 0 end) as rows
             from touched t
             join slices s on s.day = t.day and ${isWithin('t', 's')}
             join drawn d on d.day = s.day and d.slice = s.slice
            group by s.day, s.slice),
         -- A row that is not folded yet has no bits: it invalidates the bitmaps of its day.
         marks as (
           select c.day, c.bits, count(*) over same_day as facets,
                  bool_and(c.bits is not null and bit_count(c.bits) = c.rows) over same_day as is_known
             from facet_counts c
            where ${ofDays('c')} and c.day not in (select day from slices)
           window same_day as (partition by c.day)),
         spans as (
           select m.day::timestamp at time zone 'UTC' as low, '' as low_id, (m.day + 1)::timestamp at time zone 'UTC' as high,
                  '' as high_id, m.is_known,
                  case when m.facets < ${compared.length}::bigint then 0
                       else bit_count(bit_and(case when m.is_known then m.bits end)) end as rows
             from marks m
            group by m.day, m.is_known, m.facets
           union all
           select s.low, s.low_id, s.high, s.high_id, d.is_known,
                  coalesce(bit_count(d.bits), 0) + coalesce(corrected.rows, 0)
             from slices s
             join drawn d on d.day = s.day and d.slice = s.slice
             left join corrected on corrected.day = s.day and corrected.slice = s.slice),
         known as (
           select case when s.low < ${from}::timestamptz then ${from}::timestamptz else s.low end as low,
                  case when s.low < ${from}::timestamptz then '' else s.low_id end as low_id,
                  case when s.is_cut then ${until}::timestamptz else s.high end as high,
                  case when s.is_cut then '' else s.high_id end as high_id,
                  case when s.is_known and s.low >= ${from}::timestamptz and not s.is_cut then s.rows end as rows
             from (select spans.low, spans.low_id, spans.high, spans.high_id, spans.is_known, spans.rows,
                          (spans.high, spans.high_id) > (${until}::timestamptz, '') as is_cut from spans) s
            where s.high >= ${from}::timestamptz and s.low < ${until}::timestamptz),
         days as materialized (
           select known.low, known.low_id, known.high, known.high_id, coalesce(known.rows, searched.rows) as rows
             from known
            cross join lateral (
                  select count(*) as rows from (${among('known')} and known.rows is null) entries) searched),
         counted as (select coalesce(sum(days.rows), 0)::bigint as total from days),
         placed as (
           select days.low, days.low_id, days.high, days.high_id, days.rows, sum(days.rows) over in_order - days.rows as passed,
                  ${after ? raw('first_value(days.rows) over in_order') : raw('0')} as begun
             from days where days.rows > 0 ${after ? sql`and ${notBefore}` : raw('')}
           window in_order as (order by days.low ${direction}, days.low_id ${direction} rows unbounded preceding)),
         -- After a cursor row, the number of remaining records of its own span is unknown.
         opened as (
           select placed.low, placed.low_id, placed.high, placed.high_id, placed.passed from placed
            where placed.passed - placed.begun < ${offset + page_size}::bigint
              and placed.passed + placed.rows > ${offset}::bigint),
         page as (
           select found.time, found.id
             -- Span by span: the planner may otherwise read the entries from the first one on.
             from opened cross join lateral (${among('opened')} offset 0) found
            ${after ? sql`where ${isAfter(query, 'found', after)}` : raw('')}
            order by ${inOrder(query, 'found')} limit ${page_size}
            offset ${after ? sql`0` : sql`${offset}::bigint - (select coalesce(min(passed), 0) from opened)::bigint`})`
}
