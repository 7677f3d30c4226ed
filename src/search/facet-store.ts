import { newId } from '../contract/new-id.ts'
import type { Queryable } from '../database/database.ts'
import { notByCopy } from '../database/insert-rows.ts'
import { type Statement, sql } from '../database/sql.ts'

export type List = 'users' | 'leads' | 'orders'

/** A record of a list has a facet. `time` is the position of the record in the list. */
export interface FacetEntry {
  list: List
  facet: string
  time: Date
  id: string
}

/** The facet that every record of a list has. */
export const everyRecord = ''

/** Facets with few records each have no stored counts: they are counted when they are requested. */
const uncounted = /^(name|mobile|tail|hidden-tail|namesake|email|person|user|ref|number|due):/

export function isCounted(facet: string): boolean {
  return !uncounted.test(facet)
}

export interface EntryChanges {
  added: FacetEntry[]
  removed: FacetEntry[]
}

/** Adds and removes entries, and updates the counts by the entries that really changed. */
export async function changeEntries(tx: Queryable, corp_id: string, changes: EntryChanges): Promise<void> {
  const changed = await tx.pipeline<ChangedEntry[]>(changingEntries(corp_id, changes))
  await tx.pipeline(addingCountDeltas(corp_id, countDeltasOf(changed.flat())))
}

/** The same as statements. They return the entries that really changed. */
export function changingEntries(corp_id: string, { added, removed }: EntryChanges): Statement[] {
  return [
    ...(added.length > 0
      ? [sql`${entryInsertion(corp_id, added)} returning list, facet, time, 1 as change`]
      : []),
    ...(removed.length > 0 ? [entryRemoval(corp_id, removed)] : []),
  ]
}

/** Adds entries of records that this transaction creates. None of them can exist, so that no conflict is possible. */
export function addingNewEntries(corp_id: string, entries: FacetEntry[]): Statement[] {
  if (entries.length === 0) return []
  return [
    sql`
    insert into facet_entries (corp_id, list, facet, time, id)
    select ${corp_id}, e.list, e.facet, e.time, e.id from ${sentEntries(entries)}
    ${notByCopy}`,
  ]
}

/**
 * Adds count deltas as rows of their own, which maintenance folds: writers do not wait for each other. A zero delta still
 * invalidates the bitmap.
 */
export function addingCountDeltas(corp_id: string, changes: CountDelta[]): Statement[] {
  return changes.length > 0 ? [countInsertion(corp_id, changes)] : []
}

/**
 * Adds and removes entries of a caller that knows which exist, and is the only writer of the list: the counts are updated
 * in place.
 */
export function changingOwnEntries(corp_id: string, { added, removed }: EntryChanges): Statement[] {
  const counts = new Map<string, CountDelta>()
  addCounts(counts, added, 1)
  addCounts(counts, removed, -1)
  return [
    ...addingEntries(corp_id, added),
    ...(removed.length > 0 ? [entryRemoval(corp_id, removed)] : []),
    ...addingToCounts(corp_id, counts),
  ]
}

/** Adds entries. The caller updates the counts. */
export function addingEntries(corp_id: string, entries: FacetEntry[]): Statement[] {
  return entries.length > 0 ? [entryInsertion(corp_id, entries)] : []
}

/** Updates counts in place, sorted, so that two transactions cannot deadlock. */
export function addingToCounts(corp_id: string, counts: FacetCounts): Statement[] {
  const changes = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  if (changes.length === 0) return []
  return [
    sql`
      insert into facet_counts as counts (corp_id, list, facet, day, part, rows)
      select ${corp_id}, c.list, c.facet, c.day, '', c.rows from ${sentCounts(changes.map(([, change]) => change))}
      on conflict (corp_id, list, facet, day, part) do update set rows = counts.rows + excluded.rows, bits = null`,
  ]
}

export interface ChangedEntry {
  list: List
  facet: string
  time: Date
  change: number
}

/** Sorted, so that two transactions cannot deadlock. */
function entryInsertion(corp_id: string, entries: FacetEntry[]): Statement {
  return sql`
    insert into facet_entries (corp_id, list, facet, time, id)
    select ${corp_id}, e.list, e.facet, e.time, e.id from ${sentEntries(entries)}
    on conflict (corp_id, list, facet, time, id) do nothing`
}

function entryRemoval(corp_id: string, entries: FacetEntry[]): Statement {
  return sql`
    delete from facet_entries f
     using ${sentEntries(entries)}
     where f.corp_id = ${corp_id} and f.list = e.list and f.facet = e.facet and f.time = e.time and f.id = e.id
    returning f.list, f.facet, f.time, -1 as change`
}

function sentEntries(entries: FacetEntry[]): Statement {
  const sorted = entries.toSorted(byKey)
  return sql`unnest(${sorted.map(({ list }) => list)}::text[], ${sorted.map(({ facet }) => facet)}::text[],
                    ${sorted.map(({ time }) => time.toISOString())}::timestamptz[],
                    ${sorted.map(({ id }) => id)}::text[]) as e (list, facet, time, id)`
}

function byKey(a: FacetEntry, b: FacetEntry): number {
  if (a.list !== b.list) return a.list < b.list ? -1 : 1
  if (a.facet !== b.facet) return a.facet < b.facet ? -1 : 1
  return a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : 1)
}

export interface CountDelta {
  list: List
  facet: string
  day: string
  rows: number
}

/** Count deltas by key. */
export type FacetCounts = Map<string, CountDelta>

/** Count deltas of the changed entries. */
export function countDeltasOf(changed: ChangedEntry[]): CountDelta[] {
  const counts: FacetCounts = new Map()
  for (const entry of changed) addCounts(counts, [entry], entry.change)
  return [...counts.values()]
}

export function addCounts(counts: FacetCounts, entries: Omit<FacetEntry, 'id'>[], sign: number): void {
  for (const { list, facet, time } of entries) {
    if (!isCounted(facet)) continue
    const day = dayOf(time)
    const key = `${list}\0${facet}\0${day}`
    const count = counts.get(key)
    if (count) count.rows += sign
    else counts.set(key, { list, facet, day, rows: sign })
  }
}

/** The day of an instant, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function countInsertion(corp_id: string, counts: CountDelta[]): Statement {
  return sql`
    insert into facet_counts (corp_id, list, facet, day, part, rows)
    select ${corp_id}, c.list, c.facet, c.day, ${newId()}, c.rows from ${sentCounts(counts)}
    ${notByCopy}`
}

function sentCounts(counts: CountDelta[]): Statement {
  return sql`unnest(${counts.map(({ list }) => list)}::text[], ${counts.map(({ facet }) => facet)}::text[],
                    ${counts.map(({ day }) => day)}::date[], ${counts.map(({ rows }) => rows)}::bigint[])
             as c (list, facet, day, rows)`
}

const partsAtATime = 100

/** Folds count deltas into one count per facet and day. Several servers may do this concurrently. */
export async function foldCounts(on: Queryable, corp_id: string): Promise<void> {
  for (;;) {
    const parts = await on.query<{ part: string }>(sql`
      select distinct part from facet_counts where corp_id = ${corp_id} and part <> ''
       order by part limit ${partsAtATime}`)
    if (parts.length === 0) return
    await on.query(sql`
      with folded as (
        delete from facet_counts
         where corp_id = ${corp_id} and part <> '' and part = any(${parts.map(({ part }) => part)}::text[])
        returning list, facet, day, rows)
      insert into facet_counts as counts (corp_id, list, facet, day, part, rows)
      select ${corp_id}, list, facet, day, '', sum(rows)::bigint from folded
       group by list, facet, day order by list, facet, day
      on conflict (corp_id, list, facet, day, part) do update set rows = counts.rows + excluded.rows, bits = null`)
    if (parts.length < partsAtATime) return
  }
}

/**
 * Corrects the counts of lists from their entries, in one statement and therefore one snapshot: concurrent writers add
 * their own deltas. The facets in `apart` have no entries, and their counts stay.
 */
export function recountingEntries(corp_id: string, lists: List[], apart: string[]): Statement {
  return sql`
    insert into facet_counts as counts (corp_id, list, facet, day, part, rows)
    select ${corp_id}, c.list, c.facet, c.day, '', sum(c.rows)::bigint
      from (select f.list, f.facet, (f.time at time zone 'UTC')::date as day, count(*) as rows
              from facet_entries f
             where f.corp_id = ${corp_id} and f.list = any(${lists}::text[]) and f.facet !~ ${uncounted.source}
             group by f.list, f.facet, (f.time at time zone 'UTC')::date
            union all
            select k.list, k.facet, k.day, -k.rows
              from facet_counts k
             where k.corp_id = ${corp_id} and k.list = any(${lists}::text[]) and k.facet <> all(${apart}::text[])) c
     group by c.list, c.facet, c.day having sum(c.rows) <> 0
     order by c.list, c.facet, c.day
    on conflict (corp_id, list, facet, day, part) do update set rows = counts.rows + excluded.rows, bits = null`
}

/** Deletes all entries and counts of lists. */
export function clearingFacets(corp_id: string, lists: List[]): Statement[] {
  return [
    sql`delete from facet_entries where corp_id = ${corp_id} and list = any(${lists}::text[])`,
    sql`delete from facet_counts where corp_id = ${corp_id} and list = any(${lists}::text[])`,
  ]
}

/** The versioned kinds of derived data. `src/derived/derived-data.ts` is their registry. */
export type DerivedName = 'orders' | 'profiles' | 'facets' | 'open_payments' | 'statement_sums'

/** The fingerprints of the code that derived the data of an organization. A kind that was never derived is absent. */
export async function findFingerprints(on: Queryable, corp_id: string): Promise<Map<DerivedName, string>> {
  const rows = await on.query<{ name: DerivedName; fingerprint: string }>(sql`
    select name, fingerprint from derived_data_versions where corp_id = ${corp_id}`)
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}

export function storingFingerprint(corp_id: string, name: DerivedName, fingerprint: string): Statement {
  return sql`
    insert into derived_data_versions (corp_id, name, fingerprint) values (${corp_id}, ${name}, ${fingerprint})
    on conflict (corp_id, name) do update set fingerprint = excluded.fingerprint`
}
