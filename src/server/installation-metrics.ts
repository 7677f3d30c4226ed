import { countSchools, listCallsOfDay, listMeasures } from '../access/organizations/usage-store.ts'
import { countUnfinishedExports } from '../backoffice/finance/exports/export-file-store.ts'
import { countUnfinishedImports } from '../changes/lead-import/lead-import-store.ts'
import { countUnfinishedUndos } from '../changes/undo/change-batch-store.ts'
import { type Metric, metricText, type Sample } from '../contract/metric-text.ts'
import type { Database } from '../database/database.ts'
import { readLockWaits } from '../database/lock-store.ts'
import type { Replicas } from '../database/replicas.ts'
import type { Unfinished } from '../database/survey.ts'
import { feedLagSeconds } from '../events/feed-lag.ts'
import { countBacklog } from '../events/feed-store.ts'

/** A reading takes a few statements for all organizations, and one for each with waiting changes. */
const ageMs = 10_000

interface Options {
  db: Database
  now(): Date
  /** Schools have metrics of their own if there are at most this many. */
  mostSchools: number
}

/**
 * Metrics of the whole installation, read from the database by one process: a sum over processes would be wrong. A reading
 * that fails is left out, so that the others are still there while the database is away.
 */
export function createInstallationMetrics(options: Options): () => Promise<string> {
  let read: Promise<string> | undefined
  let readAtMs = 0
  const readers = [feedLag, backlog, unfinished, lockWaits, schools]
  const readAll = async () => {
    const metrics = await Promise.all(readers.map((each) => each(options).catch(() => [])))
    return metricText(metrics.flat())
  }
  return () => {
    if (!read || performance.now() > readAtMs + ageMs) {
      readAtMs = performance.now()
      read = readAll()
    }
    return read
  }
}

function gauge(name: string, help: string, samples: Sample[]): Metric {
  return { name, help, type: 'gauge', samples }
}

async function feedLag({ db }: Options): Promise<Metric[]> {
  const help = 'Age of the oldest change that is not in the event feed yet, of all organizations'
  return [gauge('matricula_event_feed_lag_seconds', help, [{ value: await feedLagSeconds(db) }])]
}

async function backlog({ db }: Options): Promise<Metric[]> {
  const { unlinked, behind } = await countBacklog(db.everyOrganization)
  return [
    gauge('matricula_audit_backlog_entries', 'Entries of the audit that are in no chain yet', [
      { value: unlinked },
    ]),
    gauge(
      'matricula_event_backlog_entries',
      'Entries of audit chains that the event feeds have not followed',
      [{ value: behind }],
    ),
  ]
}

async function unfinished({ db, now }: Options): Promise<Metric[]> {
  const on = db.everyOrganization
  const kinds: [string, Unfinished][] = [
    ['import', await countUnfinishedImports(on, now())],
    ['export', await countUnfinishedExports(on, now())],
    ['undo', await countUnfinishedUndos(on, now())],
  ]
  return [
    gauge(
      'matricula_unfinished_work',
      'Lead imports, exports and undos that wait or run',
      kinds.map(([kind, { waiting }]) => ({ labels: { kind }, value: waiting })),
    ),
    gauge(
      'matricula_unfinished_work_age_seconds',
      'Age of the oldest lead import, export and undo that waits or runs',
      kinds.map(([kind, { age }]) => ({ labels: { kind }, value: age })),
    ),
  ]
}

async function lockWaits({ db }: Options): Promise<Metric[]> {
  const { waiting, longest_seconds } = await readLockWaits(db.shared)
  return [
    gauge('matricula_lock_waiting_sessions', 'Database sessions that wait for a lock', [{ value: waiting }]),
    gauge(
      'matricula_lock_wait_longest_seconds',
      'The longest wait for a lock so far, of sessions that wait',
      [{ value: longest_seconds }],
    ),
  ]
}

async function schools({ db, now, mostSchools }: Options): Promise<Metric[]> {
  const on = db.everyOrganization
  const { schools: count, suspended } = await countSchools(on)
  const counts = gauge('matricula_schools', 'Schools by state', [
    { labels: { state: 'active' }, value: count - suspended },
    { labels: { state: 'suspended' }, value: suspended },
  ])
  if (count > mostSchools) return [counts]
  const calls = await listCallsOfDay(on, now())
  const measures = await listMeasures(on)
  return [
    counts,
    {
      name: 'matricula_school_calls_total',
      help: 'Calls of a school on this day (UTC), by kind of caller; begins again at midnight',
      type: 'counter',
      samples: calls.flatMap(({ corp_id, program_calls, staff_calls }) => [
        { labels: { corp_id, caller: 'program' }, value: program_calls },
        { labels: { corp_id, caller: 'staff' }, value: staff_calls },
      ]),
    },
    gauge(
      'matricula_school_rows',
      'Rows of a school, when it was last measured',
      measures.map(({ corp_id, rows }) => ({
        labels: { corp_id },
        value: Object.values(rows).reduce((sum, each) => sum + each, 0),
      })),
    ),
    gauge(
      'matricula_school_bytes',
      'Estimated bytes of a school in the database, when it was last measured',
      measures.flatMap(({ corp_id, bytes }) => (bytes === null ? [] : { labels: { corp_id }, value: bytes })),
    ),
  ]
}

/** As this process measures them. Empty without replicas. */
export function replicaLags({ replicas }: { replicas?: Pick<Replicas, 'lagsMs'> }): string {
  const samples = (replicas?.lagsMs() ?? []).map((ms, index) => ({
    labels: { replica: index + 1 },
    value: Math.round(ms) / 1000,
  }))
  const help = 'Age of the newest state of the primary that a replica is known to have'
  return metricText([gauge('matricula_replica_lag_seconds', help, samples)])
}
