import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import type { List } from './facet-store.ts'

/** Facets from one up to another, without it. */
export interface FacetRange {
  from: string
  until: string
}

/** Which records of a list: those that have every facet and, of every group of ranges, some facet. */
export interface FacetQuery {
  corp_id: string
  list: List
  facets: string[]
  ranges: FacetRange[][]
  from?: Date
  until?: Date
  /** Those that came last stand first. */
  isDescending?: boolean
  page: number
  page_size: number
}

/** All facets that begin with a text. */
export function beginningWith(text: string): FacetRange {
  return { from: text, until: `${text}\u{10ffff}` }
}

export function exactly(facet: string): FacetRange {
  return { from: facet, until: `${facet}\u0001` }
}

/** The order of the list. */
export function inOrder({ isDescending }: FacetQuery, alias: string): Statement {
  return raw(isDescending ? `${alias}.time desc, ${alias}.id desc` : `${alias}.time, ${alias}.id`)
}

/** What comes behind a row in that order. */
export function behind({ isDescending }: FacetQuery, alias: string, after: RowKey): Statement {
  const key = raw(`(${alias}.time, ${alias}.id)`)
  return sql`${key} ${raw(isDescending ? '<' : '>')} (${after.time}::timestamptz, ${after.id})`
}

/** Of records, those that have other facets, too: one lookup each, whatever the planner believes of the table. */
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
