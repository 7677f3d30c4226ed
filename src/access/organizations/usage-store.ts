import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import { tenantTables } from '../../database/tables.ts'

/** Calls of a day (UTC). */
export interface UsageDay {
  day: string
  program_calls: number
  staff_calls: number
}

/** The size of an organization at a time. */
export interface UsageMeasure {
  measured_at: Date
  /** Not measured again before this time. */
  next_at: Date
  rows: Record<string, number>
  /** Null: the database has no statistics of its tables. */
  bytes: number | null
}

/** Null: no quota. */
export interface Quotas {
  calls_per_day: number | null
  rows: number | null
  bytes: number | null
  imports_per_day: number | null
}

export const noQuotas: Quotas = { calls_per_day: null, rows: null, bytes: null, imports_per_day: null }

/** Adds calls to a day. */
export async function addCalls(on: Queryable, corp_id: string, calls: UsageDay, now: Date): Promise<void> {
  await on.query(sql`
    insert into usage_days as u (corp_id, day, program_calls, staff_calls, mtime)
    values (${corp_id}, ${calls.day}::date, ${calls.program_calls}::bigint, ${calls.staff_calls}::bigint, ${now})
    on conflict (corp_id, day) do update
       set program_calls = u.program_calls + excluded.program_calls, staff_calls = u.staff_calls + excluded.staff_calls,
           mtime = excluded.mtime
    returning 1`)
}

/**
 * The organizations whose usage is to be measured or compared with their quotas: they were called since, or a quota is used
 * up, which ends with the day or with a higher quota. Nothing is due without calls.
 */
export async function findCorpIdsToMeasure(on: Surveyor, now: Date): Promise<string[]> {
  const today = now.toISOString().slice(0, 10)
  return on.corpIds(survey`
    select o.corp_id from organizations o where o.suspended_at is null and o.over_quota <> '{}'
    union
    select u.corp_id
      from usage_days u
      join organizations o on o.corp_id = u.corp_id and o.suspended_at is null
      left join usage_measures m on m.corp_id = u.corp_id
      left join quotas q on q.corp_id = u.corp_id
     where u.day >= ${today}::date
       and (m.corp_id is null or m.measured_at < u.mtime and m.next_at <= ${now}
            or q.corp_id is not null and m.checked_at < u.mtime)`)
}

/** All organizations, and those that are suspended. */
export async function countSchools(on: Surveyor): Promise<{ schools: number; suspended: number }> {
  const [found] = await on.ask<{ schools: number; suspended: number }>(survey`
    select count(*) as schools, count(o.suspended_at) as suspended from organizations o`)
  return found!
}

/** The calls of all organizations on the present day. */
export async function listCallsOfDay(
  on: Surveyor,
  now: Date,
): Promise<({ corp_id: string } & Omit<UsageDay, 'day'>)[]> {
  return on.ask(survey`
    select u.corp_id, u.program_calls, u.staff_calls from usage_days u
     where u.day = ${now.toISOString().slice(0, 10)}::date order by u.corp_id`)
}

/** The sizes of all organizations, as they were last measured. */
export async function listMeasures(
  on: Surveyor,
): Promise<({ corp_id: string } & Pick<UsageMeasure, 'rows' | 'bytes'>)[]> {
  return on.ask(survey`select m.corp_id, m.rows, m.bytes from usage_measures m order by m.corp_id`)
}

/** Notes that the quotas were compared with the usage. */
export async function noteChecked(on: Queryable, corp_id: string, now: Date): Promise<void> {
  await on.query(sql`
    update usage_measures set checked_at = ${now} where corp_id = ${corp_id} returning 1`)
}

/** The last days with calls, the newest first. */
export async function listUsageDays(on: Queryable, corp_id: string, limit: number): Promise<UsageDay[]> {
  return on.query<UsageDay>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, program_calls, staff_calls from usage_days
     where corp_id = ${corp_id} order by usage_days.day desc limit ${limit}`)
}

export async function pruneUsageDays(on: Queryable, corp_id: string, before: string): Promise<void> {
  await on.query(sql`delete from usage_days where corp_id = ${corp_id} and day < ${before}::date`)
}

export async function findMeasure(on: Queryable, corp_id: string): Promise<UsageMeasure | undefined> {
  const [row] = await on.query<UsageMeasure>(sql`
    select measured_at, next_at, rows, bytes from usage_measures where corp_id = ${corp_id}`)
  return row
}

export async function storeMeasure(on: Queryable, corp_id: string, measure: UsageMeasure): Promise<void> {
  const { measured_at, next_at, rows, bytes } = measure
  await on.query(sql`
    insert into usage_measures (corp_id, measured_at, next_at, checked_at, rows, bytes)
    values (${corp_id}, ${measured_at}, ${next_at}, ${measured_at}, ${JSON.stringify(rows)}::jsonb, ${bytes}::bigint)
    on conflict (corp_id) do update
       set measured_at = excluded.measured_at, next_at = excluded.next_at, checked_at = excluded.checked_at,
           rows = excluded.rows, bytes = excluded.bytes
    returning 1`)
}

export async function findQuotas(on: Queryable, corp_id: string): Promise<Quotas> {
  const [row] = await on.query<Quotas>(sql`
    select calls_per_day, rows, bytes, imports_per_day from quotas where corp_id = ${corp_id}`)
  return row ?? noQuotas
}

export async function storeQuotas(tx: Queryable, corp_id: string, quotas: Quotas, now: Date): Promise<void> {
  await tx.query(sql`
    insert into quotas (corp_id, calls_per_day, rows, bytes, imports_per_day, mtime)
    values (${corp_id}, ${quotas.calls_per_day}::bigint, ${quotas.rows}::bigint, ${quotas.bytes}::bigint,
            ${quotas.imports_per_day}::integer, ${now})
    on conflict (corp_id) do update
       set calls_per_day = excluded.calls_per_day, rows = excluded.rows, bytes = excluded.bytes,
           imports_per_day = excluded.imports_per_day, mtime = excluded.mtime
    returning corp_id`)
}

/** Rows of an organization in each table, counted exactly. */
export async function countTables(on: Queryable, corp_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tenantTables) {
    const [row] = await on.query<{ rows: number }>(sql`
      select count(*) as rows from ${raw(table)} where corp_id = ${corp_id}`)
    if (row!.rows > 0) counts[table] = row!.rows
  }
  return counts
}

/** The average bytes of a row with its indexes, by table, from the statistics of PostgreSQL. */
export async function findRowSizes(on: Queryable): Promise<Map<string, number>> {
  const rows = await on.query<{ table: string; bytes: number }>(sql`
    select relname as table, (pg_total_relation_size(oid) / reltuples)::double precision as bytes from pg_class
     where oid = any(${[...tenantTables]}::text[]::regclass[]) and reltuples > 0`)
  return new Map(rows.map(({ table, bytes }) => [table, bytes]))
}

/** Imports of leads and orders that began at or after a time. */
export async function countImports(on: Queryable, corp_id: string, since: Date): Promise<number> {
  const [row] = await on.query<{ imports: number }>(sql`
    select (select count(*) from lead_imports where corp_id = ${corp_id} and ctime >= ${since})
         + (select count(*) from change_batches
             where corp_id = ${corp_id} and kind = 'order_import' and ctime >= ${since}) as imports`)
  return row!.imports
}

/** The quotas that an organization has used up. Read with every caller, so changes of it are few. */
export async function setOverQuota(on: Queryable, corp_id: string, over: string[]): Promise<boolean> {
  const rows = await on.query(sql`
    update organizations set over_quota = ${over}::text[]
     where corp_id = ${corp_id} and over_quota <> ${over}::text[]
    returning 1`)
  return rows.length > 0
}
