import type { Database, Queryable } from '../../database/database.ts'
import {
  countImports,
  countTables,
  findMeasure,
  findQuotas,
  findRowSizes,
  listUsageDays,
  noteChecked,
  pruneUsageDays,
  type Quotas,
  setOverQuota,
  storeMeasure,
  type UsageDay,
  type UsageMeasure,
} from './usage-store.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
/** Counting may take a thousandth of the time. */
const restPerWork = 1000
const keptDays = 400

/** The usage of an organization today, as quotas compare it. */
export interface Used {
  calls_per_day: number
  /** Null: not measured yet. */
  rows: number | null
  /** Null: not measured yet, or the database has no statistics. */
  bytes: number | null
  imports_per_day: number
}

/**
 * Measures the size of an organization where the last measure is old enough, and notes which quotas it has used up. Runs in
 * the background: quotas are refused a few minutes late, and no call counts rows.
 */
export async function measureUsage(db: Pick<Database, 'of'>, corp_id: string, now: Date): Promise<void> {
  const on = db.of(corp_id)
  const last = await findMeasure(on, corp_id)
  const measure = !last || last.next_at <= now ? await measureNow(db, corp_id, now) : last
  const [today] = await listUsageDays(on, corp_id, 1)
  const used = usedOf(measure, today, await importsOfDay(on, corp_id, now), now)
  await setOverQuota(on, corp_id, usedUp(await findQuotas(on, corp_id), used))
  await noteChecked(on, corp_id, now)
}

async function measureNow(db: Pick<Database, 'of'>, corp_id: string, now: Date): Promise<UsageMeasure> {
  const on = db.of(corp_id)
  const began = performance.now()
  const rows = await countTables(on, corp_id)
  const sizes = await findRowSizes(on)
  const restMs = Math.max(hourMs, (performance.now() - began) * restPerWork)
  const measure = {
    measured_at: now,
    next_at: new Date(now.getTime() + restMs),
    rows,
    bytes: sizes.size === 0 ? null : bytesOf(rows, sizes),
  }
  await storeMeasure(on, corp_id, measure)
  await pruneUsageDays(on, corp_id, new Date(now.getTime() - keptDays * dayMs).toISOString().slice(0, 10))
  return measure
}

/** A table without statistics is small. */
function bytesOf(rows: Record<string, number>, sizes: Map<string, number>): number {
  return Math.round(
    Object.entries(rows).reduce((sum, [table, count]) => sum + count * (sizes.get(table) ?? 0), 0),
  )
}

function startOfDay(now: Date): Date {
  return new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
}

/** The imports that began on the day (UTC). */
export function importsOfDay(on: Queryable, corp_id: string, now: Date): Promise<number> {
  return countImports(on, corp_id, startOfDay(now))
}

export function usedOf(
  measure: UsageMeasure | undefined,
  last: UsageDay | undefined,
  imports_per_day: number,
  now: Date,
): Used {
  const isToday = last?.day === now.toISOString().slice(0, 10)
  return {
    calls_per_day: isToday ? last!.program_calls : 0,
    rows: measure ? Object.values(measure.rows).reduce((sum, rows) => sum + rows, 0) : null,
    bytes: measure?.bytes ?? null,
    imports_per_day,
  }
}

/** The names of the quotas that are used up. */
export function usedUp(quotas: Quotas, used: Used): (keyof Quotas)[] {
  return (Object.keys(quotas) as (keyof Quotas)[]).filter((name) => {
    const most = quotas[name]
    return most !== null && (used[name] ?? 0) >= most
  })
}
