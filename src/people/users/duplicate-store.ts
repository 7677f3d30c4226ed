import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import type { CountDelta } from '../../search/facet-store.ts'
import { type Likeness, type LikenessKey, scoreOf } from './likeness.ts'

/** Two users that are likely one person. The lesser id comes first, so that each pair is one row. */
export interface LikelyPair {
  user_id: string
  other_user_id: string
  score: number
  reasons: Likeness[]
}

/** Per key: a value that hundreds of users share does not identify a person. */
const maxMatches = 10

const keyColumns = { user_id: 'text', reason: 'text', facet: 'text' } as const

/** Finds the duplicate pairs of users by their likeness keys. */
export async function findPairs(on: Queryable, corp_id: string, keys: LikenessKey[]): Promise<LikelyPair[]> {
  const [found = []] = await on.pipeline<FoundLikeness[]>(findingLikenesses(corp_id, keys))
  return pairsOf(found)
}

/** Two users share a likeness key. */
export interface FoundLikeness {
  user_id: string
  reason: Likeness
  other: string
}

/** Finds the users that share a key, key by key. */
export function findingLikenesses(corp_id: string, keys: LikenessKey[]): Statement[] {
  if (keys.length === 0) return []
  return [
    sql`
    select k.user_id, k.reason, found.id as other
      from ${sentRows('k', keyColumns, keys)}
     cross join lateral (
           select f.id from facet_entries f
            where f.corp_id = ${corp_id} and f.list = 'users' and f.facet = k.facet collate "C" and f.id <> k.user_id
            order by f.time, f.id
            limit ${maxMatches}) found`,
  ]
}

export function pairsOf(found: FoundLikeness[]): LikelyPair[] {
  const pairs = new Map<string, LikelyPair>()
  for (const { user_id, reason, other } of found) {
    const [low, high] = user_id < other ? [user_id, other] : [other, user_id]
    const pair = pairs.get(`${low} ${high}`) ?? { user_id: low, other_user_id: high, score: 0, reasons: [] }
    if (!pair.reasons.includes(reason)) pair.reasons.push(reason)
    pairs.set(`${low} ${high}`, pair)
  }
  const named = [...pairs.values()].sort((a, b) =>
    `${a.user_id} ${a.other_user_id}` < `${b.user_id} ${b.other_user_id}` ? -1 : 1,
  )
  return named.map((pair) => ({ ...pair, reasons: pair.reasons.sort(), score: scoreOf(pair.reasons) }))
}

/** Deletes the pairs of users. Returns one row per pair. */
export function removingPairs(corp_id: string, userIds: string[]): Statement[] {
  if (userIds.length === 0) return []
  return ['user_id', 'other_user_id'].map(
    (column) => sql`
      delete from user_duplicates where corp_id = ${corp_id} and ${raw(column)} = any(${userIds}::text[]) returning user_id`,
  )
}

const pairColumns = { user_id: 'text', other_user_id: 'text', score: 'integer', reasons: 'text[]' } as const

/** Adds pairs. Returns one row per new pair. */
export function addingPairs(corp_id: string, pairs: LikelyPair[]): Statement[] {
  if (pairs.length === 0) return []
  return [
    sql`
    insert into user_duplicates (corp_id, user_id, other_user_id, score, reasons)
    select ${corp_id}, p.user_id, p.other_user_id, p.score, p.reasons from ${sentRows('p', pairColumns, pairs)}
    on conflict (corp_id, user_id, other_user_id) do nothing
    returning user_id`,
  ]
}

/** The facet count that holds the total number of pairs. */
export const allPairs = { list: 'users', facet: 'duplicates', day: '1970-01-01' } as const

export function pairCountDelta(rows: number): CountDelta[] {
  return rows === 0 ? [] : [{ ...allPairs, rows }]
}

/**
 * Highest score first. One statement, therefore one snapshot. Pages of the second half are read from the end, so that the
 * last page is as fast as the first.
 */
export async function listPairs(
  on: Queryable,
  corp_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: LikelyPair[] }> {
  const page = (order: string, skipped: Statement) => sql`
    (select coalesce(json_agg(to_json(page)), '[]')
       from (select user_id, other_user_id, score, reasons from user_duplicates
              where corp_id = ${corp_id} order by ${raw(order)} limit ${limit} offset ${skipped}) page)`
  const found = await on.query<{ total: number; isFromEnd: boolean; list: LikelyPair[] }>(sql`
    with counted as materialized (
      select coalesce(sum(rows), 0)::bigint as total from facet_counts
       where corp_id = ${corp_id} and list = ${allPairs.list} and facet = ${allPairs.facet})
    select c.total, ${offset}::bigint * 2 > c.total as "isFromEnd",
           case when ${offset}::bigint * 2 > c.total
                then ${page(
                  'score, user_id desc, other_user_id desc',
                  sql`(select greatest(total - ${offset}::bigint - ${limit}::bigint, 0) from counted)`,
                )}
                else ${page('score desc, user_id, other_user_id', sql`${offset}`)} end as list
      from counted c`)
  const { total, isFromEnd, list } = firstRow(found)
  return { total, list: isFromEnd ? list.slice(0, Math.max(total - offset, 0)).reverse() : list }
}

/** The next users after an id that share a likeness key with another user: equal facets are neighbours in the index. */
export async function findPossibleDuplicates(
  on: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const neighbours = (kind: string) => sql`
    select n.id from (
      select f.id, f.facet, lag(f.facet) over inorder as previous, lead(f.facet) over inorder as next
        from facet_entries f
       where f.corp_id = ${corp_id} and f.list = 'users' and f.facet >= ${`${kind}:`} and f.facet < ${`${kind};`}
      window inorder as (order by f.facet)) n
     where n.id > ${after} and (n.facet = n.previous or n.facet = n.next)`
  const found = await on.query<{ id: string }>(sql`
    select distinct alike.id
      from (${neighbours('mobile')} union all ${neighbours('email')} union all ${neighbours('person')} union all
            ${neighbours('namesake')}) alike
     order by alike.id limit ${limit}`)
  return found.map(({ id }) => id)
}

/** Deletes all pairs of an organization. */
export function clearingPairs(corp_id: string): Statement {
  return sql`delete from user_duplicates where corp_id = ${corp_id}`
}
