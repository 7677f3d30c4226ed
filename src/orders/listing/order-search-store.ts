import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { idsMatching } from '../../search/facet-page-store.ts'
import type { FacetQuery, FacetRange } from '../../search/facet-query-store.ts'
import { rowRenderer } from './fingerprint.ts'

/** An order that a search finds, as stored. */
export interface StoredSearchRow {
  order_id: string
  external_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  course_name: string
  batch_id: string
  batch_name: string
  owner_ids: string[]
  /** The detail as JSON. Null if it is missing, or other code rendered it. */
  detail: string | null
}

/** The order of a row of a page. */
export function orderOfPage(corp_id: string): Statement {
  return sql`
    select o.order_id, coalesce(o.external_id, '') as external_id, u.name, u.first_name, u.last_name,
           coalesce(o.course_copy->>'course_name', '') as course_name,
           coalesce(o.course_copy->>'batch_id', '') as batch_id, coalesce(o.course_copy->>'batch_name', '') as batch_name,
           (select coalesce(array_agg(owner order by owner), '{}') from jsonb_object_keys(o.share_proportion) owner) as owner_ids,
           case when d.renderer = ${rowRenderer} then d.detail end as detail
      from orders o
      left join order_read_model d on d.corp_id = ${corp_id} and d.order_id = o.order_id
      join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where o.corp_id = ${corp_id} and o.order_id = page.id`
}

/** The positions of orders whose last change is within a range. */
export function modifiedWithin(corp_id: string, { from, until }: { from?: Date; until?: Date }): Statement {
  return sql`
    select date_trunc('milliseconds', o.ctime) as time, o.order_id as id from orders o
     where o.corp_id = ${corp_id} and not o.is_deleted
           ${from === undefined ? raw('') : sql`and o.mtime >= ${from}`}
           ${until === undefined ? raw('') : sql`and o.mtime < ${until}`}`
}

/** Whether any order has a facet in one of the ranges. */
export async function isFoundBy(on: Queryable, corp_id: string, ranges: FacetRange[]): Promise<boolean> {
  const rows = await on.query(sql`
    select found.id from (${withinAny(corp_id, ranges)}) found limit 1`)
  return rows.length > 0
}

function withinAny(corp_id: string, ranges: FacetRange[]): Statement {
  return sql`
    select f.time, f.id
      from unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ until }) => until)}::text[]) range (start, until)
     cross join lateral (
           select f.time, f.id from facet_entries f
            where f.corp_id = ${corp_id} and f.list = 'orders' and f.facet >= range.start collate "C"
              and f.facet < range.until collate "C" offset 0) f`
}

/** The positions of orders that have a facet in one of the ranges, or whose user the facets find. */
export async function foundByText(
  on: Queryable,
  corp_id: string,
  own: FacetRange[],
  people: Pick<FacetQuery, 'facets' | 'ranges'>,
): Promise<Statement> {
  const users = await idsMatching(on, { corp_id, list: 'users', ...people })
  return sql`
    ${withinAny(corp_id, own)}
    union
    select f.time, f.id
      from (${users}) person
     cross join lateral (
           select f.time, f.id from facet_entries f
            where f.corp_id = ${corp_id} and f.list = 'orders' and f.facet = ('user:' || person.id) collate "C" offset 0) f`
}
