import { newId } from '../contract/new-id.ts'
import type { Queryable, Surveyor } from '../database/database.ts'
import { notByCopy } from '../database/insert-rows.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { survey } from '../database/survey.ts'
import { invalidateSlices } from './facet-slice-store.ts'

export type List = 'users' | 'leads' | 'orders'

/** A record of a list has a facet. `time` is the position of the record in the list. */
export interface FacetEntry {
  list: List
  facet: string
  time: Date
  id: string
}

/**
 * Identifies the code that derives the facets of users and leads. Raise it with every change of these facets: entries with
 * another number are removed once all records are derived again.
 */
export const facetDerivation = 4

const deriver = raw(String(facetDerivation))

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
      ? [sql`${entryInsertion(corp_id, added)} returning list, facet, time, id, 1 as change`]
      : []),
    ...(removed.length > 0 ? [entryRemoval(corp_id, removed)] : []),
  ]
}

/** Adds entries of records that this transaction creates. None of them can exist, so that no conflict is possible. */
export function addingNewEntries(corp_id: string, entries: FacetEntry[]): Statement[] {
  if (entries.length === 0) return []
  return [
    sql`
    insert into facet_entries (corp_id, list, facet, time, id, deriver)
    select ${corp_id}, e.list, e.facet, e.time, e.id, ${deriver} from ${sentEntries(entries)}
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

export interface ChangedEntry extends FacetEntry {
  change: number
}

/** Marks existing entries as derived by this code. */
export function renewingEntries(corp_id: string, entries: FacetEntry[]): Statement[] {
  if (entries.length === 0) return []
  return [
    sql`
      update facet_entries f set deriver = ${deriver}
        from ${sentEntries(entries)}
       where f.corp_id = ${corp_id} and f.list = e.list and f.facet = e.facet and f.time = e.time and f.id = e.id
         and f.deriver <> ${deriver}`,
  ]
}

/** The key of an entry within its list. */
export interface EntryKey {
  facet: string
  time: string
  id: string
}

const beforeFirst: EntryKey = { facet: '', time: '-infinity', id: '' }

/**
 * Removes the entries that other code derived, among the next `limit` entries after a key, with their counts. Returns the
 * key of the last entry; undefined at the end of the list.
 */
export async function removeForeignEntries(
  tx: Queryable,
  corp_id: string,
  list: List,
  after: EntryKey = beforeFirst,
  limit: number,
): Promise<EntryKey | undefined> {
  const isAfter = sql`(f.facet, f.time, f.id) > (${after.facet} collate "C", ${after.time}::timestamptz, ${after.id})`
  const [last] = await tx.query<EntryKey>(sql`
    select f.facet, f.time::text as time, f.id from facet_entries f
     where f.corp_id = ${corp_id} and f.list = ${list} and ${isAfter}
     order by f.facet, f.time, f.id limit 1 offset ${limit - 1}`)
  const isWithin = last
    ? sql`and (f.facet, f.time, f.id) <= (${last.facet} collate "C", ${last.time}::timestamptz, ${last.id})`
    : raw('')
  const removed = await tx.query<ChangedEntry>(sql`
    delete from facet_entries f
     where f.corp_id = ${corp_id} and f.list = ${list} and ${isAfter} ${isWithin} and f.deriver <> ${deriver}
    returning f.list, f.facet, f.time, f.id, -1 as change`)
  await tx.pipeline(addingCountDeltas(corp_id, countDeltasOf(removed)))
  return last
}

/** Sorted, so that two transactions cannot deadlock. */
function entryInsertion(corp_id: string, entries: FacetEntry[]): Statement {
  return sql`
    insert into facet_entries (corp_id, list, facet, time, id, deriver)
    select ${corp_id}, e.list, e.facet, e.time, e.id, ${deriver} from ${sentEntries(entries)}
    on conflict (corp_id, list, facet, time, id) do nothing`
}

function entryRemoval(corp_id: string, entries: FacetEntry[]): Statement {
  return sql`
    delete from facet_entries f
     using ${sentEntries(entries)}
     where f.corp_id = ${corp_id} and f.list = e.list and f.facet = e.facet and f.time = e.time and f.id = e.id
    returning f.list, f.facet, f.time, f.id, -1 as change`
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
  /** The records that were changed. */
  touched?: { time: Date; id: string }[]
}

/** Count deltas by key. */
export type FacetCounts = Map<string, CountDelta>

/**
 * Count deltas of the changed entries, with their records. A record that was added or removed is named once, with the facet
 * that every record has.
 */
export function countDeltasOf(changed: ChangedEntry[]): CountDelta[] {
  const counts: FacetCounts = new Map()
  const whole = new Set(
    changed.flatMap(({ list, facet, id }) => (facet === everyRecord ? `${list} ${id}` : [])),
  )
  for (const entry of changed) {
    const count = addCount(counts, entry, entry.change)
    const { list, facet, time, id } = entry
    if (count && (facet === everyRecord || !whole.has(`${list} ${id}`))) {
      count.touched ??= []
      count.touched.push({ time, id })
    }
  }
  return [...counts.values()]
}

export function addCounts(counts: FacetCounts, entries: Omit<FacetEntry, 'id'>[], sign: number): void {
  for (const entry of entries) addCount(counts, entry, sign)
}

function addCount(
  counts: FacetCounts,
  { list, facet, time }: Omit<FacetEntry, 'id'>,
  change: number,
): CountDelta | undefined {
  if (!isCounted(facet)) return undefined
  const day = dayOf(time)
  const key = `${list}\0${facet}\0${day}`
  const known = counts.get(key)
  if (!known) {
    const count: CountDelta = { list, facet, day, rows: change }
    counts.set(key, count)
    return count
  }
  known.rows += change
  return known
}

/** The day of an instant, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Sent as rows of JSON, because arrays of arrays must have the same length. */
function countInsertion(corp_id: string, counts: CountDelta[]): Statement {
  const rows = counts.map(({ list, facet, day, rows, touched }) => ({
    ...{ list, facet, day, rows },
    ...(touched && {
      touched_times: touched.map(({ time }) => time.toISOString()),
      touched_ids: touched.map(({ id }) => id),
    }),
  }))
  return sql`
    insert into facet_counts (corp_id, list, facet, day, part, rows, touched_times, touched_ids)
    select ${corp_id}, c.list, c.facet, c.day, ${newId()}, c.rows, c.touched_times, c.touched_ids
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (
           list text, facet text, day date, rows bigint, touched_times timestamptz[], touched_ids text[])
    ${notByCopy}`
}

function sentCounts(counts: CountDelta[]): Statement {
  return sql`unnest(${counts.map(({ list }) => list)}::text[], ${counts.map(({ facet }) => facet)}::text[],
                    ${counts.map(({ day }) => day)}::date[], ${counts.map(({ rows }) => rows)}::bigint[])
             as c (list, facet, day, rows)`
}

const partsAtATime = 100

/** The organizations with count deltas to fold. */
export async function findCorpIdsToFold(on: Surveyor): Promise<string[]> {
  return on.corpIds(survey`select distinct c.corp_id from facet_counts c where c.part <> ''`)
}

/** Folds count deltas into one count per facet and day. Several servers may do this concurrently. */
export async function foldCounts(on: Queryable, corp_id: string): Promise<void> {
  for (;;) {
    const parts = await on.query<{ part: string }>(sql`
      select distinct part from facet_counts where corp_id = ${corp_id} and part <> ''
       order by part limit ${partsAtATime}`)
    if (parts.length === 0) return
    const names = parts.map(({ part }) => part)
    await on.transaction(async (tx) => {
      await invalidateSlices(tx, corp_id, names)
      await tx.query(sql`
      with folded as (
        delete from facet_counts
         where corp_id = ${corp_id} and part <> '' and part = any(${names}::text[])
        returning list, facet, day, rows)
      insert into facet_counts as counts (corp_id, list, facet, day, part, rows)
      select ${corp_id}, list, facet, day, '', sum(rows)::bigint from folded
       group by list, facet, day order by list, facet, day
      on conflict (corp_id, list, facet, day, part) do update set rows = counts.rows + excluded.rows, bits = null`)
    })
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
    sql`delete from facet_slices where corp_id = ${corp_id} and list = any(${lists}::text[])`,
  ]
}

/** One text for the entries and counts of users and leads, and for the search documents and duplicate pairs of users. */
export async function facetsDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string }>(sql`
    select concat_ws(' ',
      (select concat_ws(' ', count(*), sum(hashtextextended(concat_ws('|', list, facet, time, id), 0)))
         from facet_entries where corp_id = ${corp_id} and list <> 'orders'),
      (select concat_ws(' ', count(*), sum(hashtextextended(concat_ws('|', c.list, c.facet, c.day, c.rows), 0)))
         from (select list, facet, day, sum(rows) as rows from facet_counts
                where corp_id = ${corp_id} and list <> 'orders' group by list, facet, day having sum(rows) <> 0) c),
      (select concat_ws(' ', count(*), sum(hashtextextended(concat_ws('|', id, user_id, time, text), 0)))
         from search_documents where corp_id = ${corp_id}),
      (select concat_ws(' ', count(*), sum(hashtextextended(concat_ws('|', user_id, other_user_id, score, reasons), 0)))
         from user_duplicates where corp_id = ${corp_id})) as digest`)
  return row!.digest
}
