import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import { dailyPage } from './daily-page-store.ts'
import { exactly, type FacetQuery, havingAll, inOrder, isAfter, spanOf } from './facet-query-store.ts'
import { hasSlices } from './facet-slice-store.ts'
import { dayOf, everyRecord, isCounted } from './facet-store.ts'

export interface FacetPage<Row> {
  total: number
  rows: Row[]
  /** The key of the last row, for a cursor. */
  end: RowKey | undefined
}

/**
 * One page and the total, from one snapshot. `record` selects the row of the record with the id page.id. Each of `sources`
 * selects the time and id of records; a match is in all of them.
 *
 * Three strategies:
 *   - One counted facet: the stored counts give the total and the first day of the page. The cost does not grow with the
 *     list. Far inside a day with many records, the slices of the day are counted as for several facets.
 *   - Several facets: bitmaps give both. If one of the facets is rare, its records are searched instead.
 *   - Ranges or sources: the matching records are collected and counted.
 */
export async function readFacetPage<Row extends object>(
  on: Queryable,
  query: FacetQuery,
  after: RowKey | undefined,
  record: Statement,
  sources: Statement[] = [],
): Promise<FacetPage<Row>> {
  const [facet = everyRecord, ...others] = query.facets
  const isNarrow = query.ranges.length + sources.length > 0
  const isOneCounted = !isNarrow && others.length === 0 && isCounted(facet)
  const matched = isOneCounted
    ? (await isFarInLargeDay(on, query))
      ? dailyPage({ ...query, facets: query.facets.slice(0, 1) }, after)
      : countedPage(query, facet, after)
    : isNarrow
      ? gatheredPage(query, matchedBy(query, sources), after)
      : await sharedPage(on, query, after)
  return readMatchedPage(on, query, matched, record)
}

/** Up to this number, the entries of a day in front of a page are skipped one by one. */
const fewToSkip = 5000

/**
 * Whether a page of one facet may begin far inside a large day, or its range may cut one: the counts of days would leave many
 * entries to read.
 */
async function isFarInLargeDay(on: Queryable, query: FacetQuery): Promise<boolean> {
  const { from, until, page, page_size } = query
  const isCut = [from, until].some((time) => time && time.getTime() % dayMs !== 0)
  return (isCut || page * page_size > fewToSkip) && (await hasSlices(on, query))
}

/** Reads the rows of a page, given the statement's `counted` and `page`. */
export async function readMatchedPage<Row extends object>(
  on: Queryable,
  query: FacetQuery,
  matched: Statement,
  record: Statement,
): Promise<FacetPage<Row>> {
  const found = await on.query<{ total: number; row: Row | null; time: string; id: string }>(sql`
    ${matched}
    select counted.total, found.row, found.time::text as time, found.id
      from counted
      left join (select page.time, page.id, to_json(record) as row
                   from page cross join lateral (${record}) record) found on true
     order by ${inOrder(query, 'found')}`)
  // An empty page is one row: the total without a record.
  const rows = found.flatMap(({ row }) => row ?? [])
  const last = rows.length > 0 ? found.at(-1) : undefined
  return { total: found[0]?.total ?? 0, rows, end: last && { time: last.time, id: last.id } }
}

function countedPage(query: FacetQuery, facet: string, after: RowKey | undefined): Statement {
  const { corp_id, list, page, page_size, isDescending } = query
  const { from, until } = spanOf(query)
  const days = wholeDaysOf(query)
  const ofFacet = sql`f.corp_id = ${corp_id} and f.list = ${list} and f.facet = ${facet}`
  const offset = page * page_size
  // A page starts at the first instant of a day; in descending order, at its last.
  const [edge, direction, end] = isDescending
    ? [raw('edges.behind'), raw('desc'), raw(`+ interval '1 day'`)]
    : [raw('edges.before'), raw(''), raw('')]
  const start = sql`(select time from start)`
  return sql`
    with days as (
           select f.day, sum(f.rows) as rows
             from facet_counts f
            where ${ofFacet} and f.day >= ${days.from}::date and f.day < ${days.until}::date
            group by f.day),
         edges as (
           select (select count(*) from facet_entries f
                    where ${ofFacet} and f.time >= ${from}::timestamptz and f.time < ${days.begin}::timestamptz) as before,
                  (select count(*) from facet_entries f
                    where ${ofFacet} and f.time >= ${days.end}::timestamptz and f.time < ${until}::timestamptz) as behind),
         counted as (
           select (edges.before + edges.behind + coalesce((select sum(rows) from days), 0))::bigint as total from edges),
         -- Always one row. Under row-level security, a coalesce in the condition would not use the index, and all entries
         -- of the facet would be read.
         start as (
           select coalesce(found.time, ${isDescending ? until : from}::timestamptz) as time, coalesce(found.passed, 0)::bigint as passed
             from (select) one
             left join (
                  select placed.time, placed.passed
                    from (select (days.day ${end})::timestamp at time zone 'UTC' as time,
                                 ${edge} + coalesce(sum(days.rows) over (
                                   order by days.day ${direction} rows between unbounded preceding and 1 preceding), 0) as passed
                            from days cross join edges) placed
                   where placed.passed <= ${offset}::bigint
                   order by placed.passed desc, placed.time ${raw(isDescending ? '' : 'desc')} limit 1) found on true),
         page as (
           select f.time, f.id from facet_entries f
            where ${ofFacet} and f.time >= ${isDescending || after ? sql`${from}::timestamptz` : start}
              and f.time < ${isDescending && !after ? start : sql`${until}::timestamptz`}
              ${after ? sql`and ${isAfter(query, 'f', after)}` : raw('')}
            order by ${inOrder(query, 'f')} limit ${page_size}
            offset ${after ? sql`0` : sql`${offset}::bigint - (select passed from start)`})`
}

function gatheredPage(query: FacetQuery, matched: Statement, after: RowKey | undefined): Statement {
  const { page, page_size } = query
  return sql`
    with matched as materialized (${matched}),
         counted as (select count(*) as total from matched),
         page as (
           select matched.time, matched.id from matched
            ${after ? sql`where ${isAfter(query, 'matched', after)}` : raw('')}
            order by ${inOrder(query, 'matched')} limit ${page_size}
            offset ${after ? 0 : page * page_size}::bigint)`
}

/** The time and id of all matching records. */
export function matchedBy(query: FacetQuery, sources: Statement[]): Statement {
  const { corp_id, list, facets } = query
  const { from, until } = spanOf(query)
  const groups = query.ranges.flatMap((ranges, group) => ranges.map((range) => ({ group, ...range })))
  const more = sources
    .map(
      (source, index) =>
        sql`union all select ${query.ranges.length + index}::integer, source.time, source.id from (${source}) source`,
    )
    .reduce((all, one) => sql`${all} ${one}`, raw(''))
  // A single group needs no counting of groups.
  const wanted = query.ranges.length + sources.length
  const gathered =
    wanted === 1
      ? raw('')
      : sql`group by found.time, found.id having count(distinct found.grp) = ${wanted}::integer`
  return sql`
           select gathered.time, gathered.id
             from (select ${raw(wanted === 1 ? 'distinct' : '')} found.time, found.id
                     from (select r.grp, entry.time, entry.id
                             from unnest(${groups.map(({ group }) => group)}::integer[], ${groups.map((range) => range.from)}::text[],
                                         ${groups.map((range) => range.until)}::text[]) as r (grp, low, high)
                            cross join lateral (
                                  select f.time, f.id from facet_entries f
                                   where f.corp_id = ${corp_id} and f.list = ${list}
                                     and f.facet >= r.low collate "C" and f.facet < r.high collate "C"
                                     and f.time >= ${from}::timestamptz and f.time < ${until}::timestamptz
                                   -- Range by range: the planner may otherwise compare all entries with all ranges.
                                  offset 0) entry
                           ${more}) found
                    where found.time >= ${from}::timestamptz and found.time < ${until}::timestamptz
                    ${gathered}) gathered
            where true ${havingAll(query, facets, 'gathered')}`
}

/** A statement that selects the ids of all matching records, for use inside another statement. */
export async function idsMatching(
  on: Queryable,
  query: Omit<FacetQuery, 'page' | 'page_size'>,
): Promise<Statement> {
  const whole = { ...query, page: 0, page_size: 0 }
  const matched = query.ranges.length > 0 ? matchedBy(whole, []) : await matchedByFacets(on, whole)
  return sql`select matched.id from (${matched}) matched`
}

/** Up to this number, records of the rarest facet are searched one by one. */
const fewRecords = 500

async function sharedPage(on: Queryable, query: FacetQuery, after: RowKey | undefined): Promise<Statement> {
  const { facets, rows } = await rarestFirst(on, query)
  return rows > fewRecords
    ? dailyPage({ ...query, facets }, after)
    : gatheredPage(query, gatheredFrom(query, facets), after)
}

/** Searches the records of the facet with the fewest records. */
async function matchedByFacets(on: Queryable, query: FacetQuery): Promise<Statement> {
  return gatheredFrom(query, (await rarestFirst(on, query)).facets)
}

function gatheredFrom(query: FacetQuery, [rarest = everyRecord, ...others]: string[]): Statement {
  return matchedBy({ ...query, facets: others, ranges: [[exactly(rarest)]] }, [])
}

/** The facets, rarest first, and the number of records of the rarest. Uncounted facets are rare. */
async function rarestFirst(
  on: Queryable,
  { corp_id, list, facets }: FacetQuery,
): Promise<{ facets: string[]; rows: number }> {
  const counts = await on.query<{ facet: string; rows: number }>(sql`
    select facet, sum(rows)::bigint as rows from facet_counts
     where corp_id = ${corp_id} and list = ${list} and facet = any(${facets}::text[])
     group by facet`)
  const found = new Map(counts.map(({ facet, rows }) => [facet, rows]))
  const rowsOf = (facet: string) => found.get(facet) ?? 0
  const sorted = [...new Set(facets)].sort((a, b) => rowsOf(a) - rowsOf(b))
  return { facets: sorted, rows: rowsOf(sorted[0] ?? everyRecord) }
}

const dayMs = 86_400_000

/**
 * The whole days (UTC) of the range, which have stored counts. The rest at either end is less than a day each, and its
 * entries are counted. A range without a whole day is counted as one rest at the start.
 */
function wholeDaysOf({ from, until }: FacetQuery): {
  from: string
  until: string
  begin: string
  end: string
} {
  const first = from && Math.ceil(from.getTime() / dayMs) * dayMs
  const last = until && Math.floor(until.getTime() / dayMs) * dayMs
  if (until && first !== undefined && last !== undefined && first >= last) {
    const end = until.toISOString()
    return { from: '0001-01-01', until: '0001-01-01', begin: end, end }
  }
  return {
    from: first === undefined ? '-infinity' : dayOf(new Date(first)),
    until: last === undefined ? 'infinity' : dayOf(new Date(last)),
    begin: first === undefined ? '-infinity' : new Date(first).toISOString(),
    end: last === undefined ? 'infinity' : new Date(last).toISOString(),
  }
}
