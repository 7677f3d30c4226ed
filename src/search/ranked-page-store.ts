import type { Queryable } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'
import { documentsNumbered, usersNumbered } from './candidate-store.ts'
import { type FacetPage, matchedBy } from './facet-page-store.ts'
import type { FacetQuery } from './facet-query-store.ts'

/** The records that a search finds. */
export interface RankedRecords {
  /** In the order of their ranks, of which the lowest is the best, and then the newest first. Times are in milliseconds. */
  best: { id: string; time: number; rank: number }[]
  /** Numbers of the documents of further records, in their order. */
  others: number[]
}

/** One page of found records and their total. There is no cursor: pages are found by their number. */
export async function readRankedPage<Row extends object>(
  on: Queryable,
  query: FacetQuery,
  found: RankedRecords,
  record: Statement,
): Promise<Omit<FacetPage<Row>, 'end'>> {
  const isWhole = query.facets.length + query.ranges.length === 0 && !query.from && !query.until
  if (!isWhole) return readFilteredPage(on, query, found, record)
  const { corp_id, page, page_size } = query
  const from = page * page_size
  const { best, others } = found
  const ranked = best.slice(from, from + page_size)
  const behind = Math.max(0, from - best.length)
  const numbers = others.slice(behind, behind + page_size - ranked.length)
  const total = best.length + others.length
  if (ranked.length + numbers.length === 0) return { total, rows: [] }
  const rows = await on.query<{ row: Row }>(sql`
    select to_json(record) as row
      from (select r.id, r.place from unnest(${ranked.map(({ id }) => id)}::text[]) with ordinality as r (id, place)
            union all
            select o.id, o.place + ${ranked.length}::bigint from (${usersNumbered(corp_id, numbers)}) o) page
     cross join lateral (${record}) record
     order by page.place`)
  return { total, rows: rows.map(({ row }) => row) }
}

/** The same for the records that have facets, too. Records without a rank come last, the newest first. */
async function readFilteredPage<Row extends object>(
  on: Queryable,
  query: FacetQuery,
  found: RankedRecords,
  record: Statement,
): Promise<Omit<FacetPage<Row>, 'end'>> {
  const { corp_id, page, page_size } = query
  const { best } = found
  const rows = await on.query<{ total: number; row: Row | null }>(sql`
    with matched as materialized (${matchedBy(query, [positionsOf(corp_id, found)])}),
         counted as (select count(*) as total from matched),
         -- Grouped, not joined: without statistics, the planner would compare each record with each rank.
         page as (
           select max(each.time) as time, each.id, min(each.rank) as rank
             from (select matched.time, matched.id, null::integer as rank from matched
                   union all
                   select null, r.id, r.rank
                     from unnest(${best.map(({ id }) => id)}::text[], ${best.map(({ rank }) => rank)}::integer[]) as r (id, rank)) each
            group by each.id having count(each.time) > 0
            order by min(each.rank) nulls last, max(each.time) desc, each.id desc
            limit ${page_size} offset ${page * page_size}::bigint)
    select counted.total, found.row
      from counted
      left join (select page.time, page.id, page.rank, to_json(record) as row
                   from page cross join lateral (${record}) record) found on true
     order by found.rank nulls last, found.time desc, found.id desc`)
  return { total: rows[0]?.total ?? 0, rows: rows.flatMap(({ row }) => row ?? []) }
}

/** Selects the positions of found records in lists. */
export function positionsOf(corp_id: string, { best, others }: RankedRecords): Statement {
  const ranked = sql`
    select f.time, f.id
      from unnest(${best.map(({ time }) => new Date(time).toISOString())}::timestamptz[],
                  ${best.map(({ id }) => id)}::text[]) as f (time, id)`
  return others.length === 0 ? ranked : sql`${ranked} union all ${documentsNumbered(corp_id, others)}`
}
