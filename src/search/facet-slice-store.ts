import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { List } from './facet-store.ts'

/** Records of a slice when it is made. A slice that has grown to twice as many is divided again, with its day. */
const sliceSize = 1000

/** Bounds of a slice: the key of its first record, and that of the first record after it. */
interface Slice {
  slice: number
  low: string
  low_id: string
  high: string
  high_id: string
  /** The current number, for a slice without bitmaps. */
  records: number
  /** Whether a bitmap is missing. */
  is_missing: boolean
}

export interface SlicedDay {
  corp_id: string
  list: List
  day: string
}

/**
 * Derives the missing bitmaps of a large day, slice by slice. Each slice is a transaction that holds the counts of the day,
 * as `makeBitmaps` does.
 */
export async function makeSlices(on: Queryable, day: SlicedDay, signal?: AbortSignal): Promise<void> {
  let slices = await findSlices(on, day)
  if (slices.length === 0 || slices.some(({ records }) => records > 2 * sliceSize)) {
    await divide(on, day)
    slices = await findSlices(on, day)
  }
  for (const slice of slices) {
    if (signal?.aborted) return
    if (slice.is_missing) await on.transaction((tx) => drawSlice(tx, day, slice))
  }
}

/** Whether a list has a day with slices. */
export async function hasSlices(
  on: Queryable,
  { corp_id, list }: { corp_id: string; list: List },
): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from facet_slices where corp_id = ${corp_id} and list = ${list} and facet = '' limit 1`)
  return rows.length > 0
}

async function findSlices(on: Queryable, { corp_id, list, day }: SlicedDay): Promise<Slice[]> {
  return on.query<Slice>(sql`
    select bounds.slice, bounds.low::text as low, bounds.low_id, bounds.high::text as high, bounds.high_id, bounds.is_missing,
           -- The ids are those of the time when the bitmaps were derived.
           case when bounds.is_missing
                then (select count(*) from facet_entries f
                       where f.corp_id = ${corp_id} and f.list = ${list} and f.facet = '' collate "C"
                         and (f.time, f.id) >= (bounds.low, bounds.low_id)
                         and (f.time, f.id) < (bounds.high, bounds.high_id))
                else coalesce(cardinality(bounds.ids), 0) end as records
      from (select s.slice, s.from_time as low, s.from_id as low_id, s.ids,
                   coalesce(lead(s.from_time) over in_order, (${day}::date + 1)::timestamp at time zone 'UTC') as high,
                   coalesce(lead(s.from_id) over in_order, '') as high_id,
                   exists (select from facet_slices o
                            where o.corp_id = ${corp_id} and o.list = ${list} and o.day = ${day}::date
                              and o.slice = s.slice and o.bits is null) as is_missing
              from facet_slices s
             where s.corp_id = ${corp_id} and s.list = ${list} and s.facet = '' and s.day = ${day}::date
            window in_order as (order by s.slice)) bounds
     order by bounds.slice`)
}

/** Divides a day into slices of the same size, without bitmaps. The first one begins with the day. */
async function divide(on: Queryable, { corp_id, list, day }: SlicedDay): Promise<void> {
  await on.transaction(async (tx) => {
    await lockCounts(tx, { corp_id, list, day })
    await tx.query(sql`
      delete from facet_slices
       where corp_id = ${corp_id} and list = ${list} and day = ${day}::date`)
    await tx.query(sql`
      insert into facet_slices (corp_id, list, facet, day, slice, from_time, from_id)
      select ${corp_id}, ${list}, '', ${day}::date, (numbered.n / ${sliceSize})::integer,
             case when numbered.n = 0 then ${day}::date::timestamp at time zone 'UTC' else numbered.time end,
             case when numbered.n = 0 then '' else numbered.id end
        from (select f.time, f.id, row_number() over (order by f.time, f.id) - 1 as n
                from facet_entries f
               where f.corp_id = ${corp_id} and f.list = ${list} and f.facet = ''
                 and f.time >= ${day}::date::timestamp at time zone 'UTC'
                 and f.time < (${day}::date + 1)::timestamp at time zone 'UTC') numbered
       where numbered.n % ${sliceSize} = 0
      on conflict (corp_id, list, facet, day, slice) do nothing`)
  })
}

/** Locks the counts of a day before its entries are read: a fold of later changes waits, and invalidates the new bitmaps. */
async function lockCounts(tx: Queryable, { corp_id, list, day }: SlicedDay): Promise<string[]> {
  const counts = await tx.query<{ facet: string }>(sql`
    select facet from facet_counts
     where corp_id = ${corp_id} and list = ${list} and day = ${day}::date and part = ''
     order by facet for update`)
  return counts.map(({ facet }) => facet)
}

/** Derives all bitmaps of a slice from the same records. */
async function drawSlice(tx: Queryable, sliced: SlicedDay, slice: Slice): Promise<void> {
  const { corp_id, list, day } = sliced
  const facets = await lockCounts(tx, sliced)
  const { low, low_id, high, high_id } = slice
  await tx.query(sql`
    delete from facet_slices
     where corp_id = ${corp_id} and list = ${list} and day = ${day}::date and slice = ${slice.slice} and facet <> ''`)
  await tx.query(sql`
    with numbered as materialized (
           select compared.facet, entry.id, dense_rank() over (order by entry.time, entry.id) as n
             from unnest(${[...new Set(['', ...facets])]}::text[]) compared (facet)
            cross join lateral (
                  select f.time, f.id from facet_entries f
                   where f.corp_id = ${corp_id} and f.list = ${list} and f.facet = compared.facet collate "C"
                     and (f.time, f.id) >= (${low}::timestamptz, ${low_id})
                     and (f.time, f.id) < (${high}::timestamptz, ${high_id})
                  offset 0) entry),
         members as (
           select facet, id, n, n - 1 - coalesce(lag(n) over (partition by facet order by n), 0) as gap from numbered),
         drawn as materialized (
           select facet, max(n) as last, string_agg(repeat('0', gap::integer) || '1', '' order by n) as bits,
                  case when facet = '' then array_agg(id order by n) end as ids
             from members group by facet)
    insert into facet_slices as stored (corp_id, list, facet, day, slice, from_time, from_id, ids, bits)
    select ${corp_id}, ${list}, drawn.facet, ${day}::date, ${slice.slice}::integer,
           case when drawn.facet = '' then ${low}::timestamptz end, case when drawn.facet = '' then ${low_id} end, drawn.ids,
           (drawn.bits || repeat('0', ((select coalesce(max(n), 0) from numbered) - drawn.last)::integer))::bit varying
      from drawn
    on conflict (corp_id, list, facet, day, slice) do update set ids = excluded.ids, bits = excluded.bits`)
  // A slice that has lost all its records.
  await tx.query(sql`
    update facet_slices set ids = '{}', bits = ''
     where corp_id = ${corp_id} and list = ${list} and day = ${day}::date and slice = ${slice.slice} and facet = ''
       and bits is null`)
}

interface Touch {
  list: List
  facet: string
  day: string
  time: string
  id: string
}

/**
 * Invalidates the bitmaps of the slices whose records these parts changed. Runs in the transaction that folds the parts. It
 * locks the counts first, as the maker of slices does.
 */
export async function invalidateSlices(tx: Queryable, corp_id: string, parts: string[]): Promise<void> {
  const days = await tx.query<{ list: List; day: string }>(sql`
    select distinct s.list, s.day::text as day from facet_slices s
     where s.corp_id = ${corp_id} and s.facet = ''
       and exists (select from facet_counts c
                    where c.corp_id = ${corp_id} and c.list = s.list and c.day = s.day and c.part <> ''
                      and c.part = any(${parts}::text[]))
     order by 1, 2`)
  for (const { list, day } of days) {
    await lockCounts(tx, { corp_id, list, day })
    const touched = await tx.query<Touch>(sql`
      select c.list, c.facet, c.day::text as day, t.time::text as time, t.id
        from facet_counts c cross join lateral unnest(c.touched_times, c.touched_ids) as t (time, id)
       where c.corp_id = ${corp_id} and c.list = ${list} and c.day = ${day}::date and c.part <> ''
         and c.part = any(${parts}::text[])`)
    if (touched.length === 0) continue
    await tx.query(sql`
      insert into facet_slices as stored (corp_id, list, facet, day, slice)
      select distinct ${corp_id}, ${list}, t.facet, ${day}::date, place.slice
        from unnest(${touched.map(({ facet }) => facet)}::text[], ${touched.map(({ time }) => time)}::timestamptz[],
                    ${touched.map(({ id }) => id)}::text[]) as t (facet, time, id)
       cross join lateral (
             select s.slice from facet_slices s
              where s.corp_id = ${corp_id} and s.list = ${list} and s.facet = '' and s.day = ${day}::date
                and (s.from_time, s.from_id) <= (t.time, t.id)
              order by s.slice desc limit 1) place
      on conflict (corp_id, list, facet, day, slice) do update set bits = null`)
  }
}
