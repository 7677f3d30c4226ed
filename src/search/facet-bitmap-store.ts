import type { Queryable, Surveyor } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { survey } from '../database/survey.ts'
import { makeSlices } from './facet-slice-store.ts'
import { everyRecord, type List } from './facet-store.ts'

/** Per run of maintenance, so that other tasks do not wait long. */
const maxDays = 200

/**
 * A day with more records, such as that of a large import, has no bitmaps: writers of its counts would wait too long, and each
 * change would invalidate too many. A day of users or leads is divided into slices instead.
 */
const maxRecords = 5000

/** The organizations with missing bitmaps. */
export async function findCorpIdsWithoutBitmaps(on: Surveyor): Promise<string[]> {
  return on.corpIds(
    survey`select distinct c.corp_id from facet_counts c where c.part = '' and c.bits is null`,
  )
}

/**
 * Creates missing bitmaps. A bitmap shows which records of a day have a facet, with one bit for each record of the list on
 * that day. Returns the number of processed days.
 */
export async function makeBitmaps(on: Queryable, corp_id: string, signal?: AbortSignal): Promise<number> {
  const days = await on.query<{ list: List; day: string }>(sql`
    select list, day::text from facet_counts where corp_id = ${corp_id} and part = '' and bits is null
     group by list, day order by day desc, list limit ${maxDays}`)
  for (const [index, { list, day }] of days.entries()) {
    if (signal?.aborted) return index
    const isLarge = await makeBitmapsOfDay(on, corp_id, list, day)
    // Writers of orders update counts in place, without naming the changed records.
    if (isLarge && list !== 'orders') await makeSlices(on, { corp_id, list, day }, signal)
  }
  return days.length
}

/**
 * Locks the counts before it reads entries. A writer of entries updates their counts in the same transaction: either
 * before, and the entries are visible here, or later, and its update invalidates the bits. Returns whether the day is too
 * large.
 */
async function makeBitmapsOfDay(on: Queryable, corp_id: string, list: List, day: string): Promise<boolean> {
  return on.transaction(async (tx) => {
    const counts = await tx.query<{ facet: string; rows: number; is_missing: boolean }>(sql`
      select facet, rows, bits is null as is_missing from facet_counts
       where corp_id = ${corp_id} and list = ${list} and day = ${day}::date and part = ''
       order by facet for update`)
    if (counts.some(({ facet, rows }) => facet === everyRecord && rows > maxRecords)) {
      // An empty bitmap never matches the count, so that it is not used, and it is not missing until the count changes.
      await tx.query(sql`
        update facet_counts set bits = ''
         where corp_id = ${corp_id} and list = ${list} and day = ${day}::date and part = '' and bits is null`)
      return true
    }
    // Records were added or removed, so that every bit represents another record.
    const isRenumbered = counts.some(({ facet, is_missing }) => facet === everyRecord && is_missing)
    const facets = counts.filter(({ is_missing }) => is_missing || isRenumbered).map(({ facet }) => facet)
    await tx.query(sql`
      with span as materialized (
             select ${day}::date::timestamp at time zone 'UTC' as low, (${day}::date + 1)::timestamp at time zone 'UTC' as high),
           -- Every record has the facet everyRecord, so that ranks number all records. A lateral lookup per facet: the
           -- planner underestimates a join.
           numbered as materialized (
             select compared.facet, dense_rank() over (order by entry.time, entry.id) as n
               from unnest(${[...new Set([everyRecord, ...facets])]}::text[]) compared (facet)
              cross join lateral (
                    select f.time, f.id from facet_entries f
                     where f.corp_id = ${corp_id} and f.list = ${list} and f.facet = compared.facet collate "C"
                       and f.time >= (select low from span) and f.time < (select high from span)
                    offset 0) entry),
           members as (
             select facet, n, n - 1 - coalesce(lag(n) over (partition by facet order by n), 0) as gap from numbered),
           drawn as materialized (
             select facet, max(n) as last, string_agg(repeat('0', gap::integer) || '1', '' order by n) as bits
               from members group by facet)
      update facet_counts c
         set bits = (coalesce(drawn.bits, '') || repeat('0', ((select coalesce(max(n), 0) from numbered) - coalesce(drawn.last, 0))::integer))::bit varying
        from unnest(${facets}::text[]) wanted (facet)
        left join drawn on drawn.facet = wanted.facet
       where c.corp_id = ${corp_id} and c.list = ${list} and c.facet = wanted.facet collate "C" and c.day = ${day}::date
         and c.part = ''`)
    return false
  })
}
