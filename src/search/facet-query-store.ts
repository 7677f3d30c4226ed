import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import type { List } from './facet-store.ts'

/** Facets from `from` to before `until`. */
export interface FacetRange {
  from: string
  until: string
}

/** The records of a list that have every facet in `facets`, and at least one facet of each group in `ranges`. */
export interface FacetQuery {
  corp_id: string
  list: List
  facets: string[]
  ranges: FacetRange[][]
  from?: Date
  until?: Date
  /** Newest first. */
  isDescending?: boolean
  page: number
  page_size: number
}

/** All facets with a prefix. */
export function withPrefix(prefix: string): FacetRange {
  return { from: prefix, until: `${prefix}\u{10ffff}` }
}

export function exactly(facet: string): FacetRange {
  return { from: facet, until: `${facet}\u0001` }
}

/** The order of the list. */
export function inOrder({ isDescending }: FacetQuery, alias: string): Statement {
  return raw(isDescending ? `${alias}.time desc, ${alias}.id desc` : `${alias}.time, ${alias}.id`)
}

/** The condition for rows after `after` in the order of the list. */
export function isAfter({ isDescending }: FacetQuery, alias: string, after: RowKey): Statement {
  const key = raw(`(${alias}.time, ${alias}.id)`)
  return sql`${key} ${raw(isDescending ? '<' : '>')} (${after.time}::timestamptz, ${after.id})`
}

/** Conditions for more facets. `offset 0` forces one index lookup per record and facet, regardless of statistics. */
export function havingAll({ corp_id, list }: FacetQuery, facets: string[], alias: string): Statement {
  return facets
    .map(
      (facet) => sql`
              and exists (select from facet_entries f
                           where f.corp_id = ${corp_id} and f.list = ${list} and f.facet = ${facet} collate "C"
                             and f.time = ${raw(alias)}.time and f.id = ${raw(alias)}.id offset 0)`,
    )
    .reduce((all, one) => sql`${all} ${one}`, raw(''))
}

export function spanOf({ from, until }: FacetQuery): { from: string; until: string } {
  return { from: from?.toISOString() ?? '-infinity', until: until?.toISOString() ?? 'infinity' }
}

/** The number of records with a counted facet. */
export async function countOfFacet(
  on: Queryable,
  { corp_id, list, facet }: { corp_id: string; list: List; facet: string },
): Promise<number> {
  const [row] = await on.query<{ rows: number }>(sql`
    select coalesce(sum(rows), 0)::bigint as rows from facet_counts
     where corp_id = ${corp_id} and list = ${list} and facet = ${facet}`)
  return row?.rows ?? 0
}
