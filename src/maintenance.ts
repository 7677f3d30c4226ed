import type { Logger } from 'pino'
import type { Keyring } from './access/organizations/keyring.ts'
import { findOrganizations } from './access/organizations/organization-store.ts'
import type { ErasureList } from './changes/erasure/finish-erasures.ts'
import { type Organization, programAccount } from './contract/caller.ts'
import type { OrganizationContext } from './contract/endpoint.ts'
import { newId } from './contract/new-id.ts'
import type { Database } from './database/database.ts'
import type { JobCounts } from './job-counts.ts'
import { rareTasks, type Task, unfinishedTasks, usualTasks } from './maintenance-tasks.ts'
import { createCursors } from './search/cursors.ts'

const rareMs = 10 * 60 * 1000

/** Names of background work in the metrics. */
export const jobNames = [
  'maintenance',
  'find work',
  ...[...usualTasks, ...rareTasks, ...unfinishedTasks].map(({ name }) => name),
]

const uncounted: JobCounts = { run: (_, work) => work(), metrics: () => '' }

/**
 * Background work: expires orders, returns idle people to the public pool, notes what is due, folds facet counts and builds their bitmaps,
 * erases people after the retention period, deletes stored responses of Idempotency-Keys after a day. Several servers may
 * run it at the same time. Resolves once `signal` is aborted and no work is in progress.
 */
export async function maintain(
  db: Database,
  log: Logger,
  intervalMs: number,
  signal: AbortSignal,
  keyring: Keyring,
  erasureList?: ErasureList,
  jobs: JobCounts = uncounted,
): Promise<void> {
  let prunedAtMs = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    const isRareDue = performance.now() >= prunedAtMs + rareMs
    if (isRareDue) prunedAtMs = performance.now()
    const round = () => maintainOnce(db, new Date(), log, signal, keyring, erasureList, isRareDue, jobs)
    await jobs
      .run('maintenance', round)
      .catch((error) => log.warn({ err: error }, 'maintenance will be tried again'))
    await pause(intervalMs, signal)
  }
}

/**
 * Finds due work of all organizations at once, and does it organization by organization: a failure or a lock in one
 * does not delay the others. Without due work, the number of statements does not depend on the number of organizations.
 */
export async function maintainOnce(
  db: Database,
  now: Date,
  log: Logger,
  signal: AbortSignal,
  keyring: Keyring,
  erasureList?: ErasureList,
  isRareDue = true,
  jobs: JobCounts = uncounted,
): Promise<void> {
  const rounds = [[...usualTasks, ...(isRareDue ? rareTasks : [])], unfinishedTasks]
  for (const tasks of rounds) {
    const due = await findDue(db, now, tasks, log, erasureList, jobs)
    const organizations = due.size > 0 ? await findOrganizations(db.shared, [...due.keys()]) : []
    for (const organization of organizations) {
      const { corp_id, is_suspended } = organization
      if (is_suspended) continue
      const context = { ...contextOf(db, keyring, organization, now), database: db, signal, erasureList }
      try {
        for (const { name, run, done } of due.get(corp_id)!) {
          if (signal.aborted) return
          const changed = await jobs.run(name, () => run(context))
          if (done !== undefined && Number(changed) > 0) log.info({ corp_id, changed }, done)
        }
      } catch (error) {
        log.warn({ corp_id, err: error }, 'maintenance of an organization will be tried again')
      }
    }
  }
}

/** The tasks that are due in each organization, in their order. */
async function findDue(
  db: Database,
  now: Date,
  tasks: Task[],
  log: Logger,
  erasureList: ErasureList | undefined,
  jobs: JobCounts,
): Promise<Map<string, Task[]>> {
  const due = new Map<string, Task[]>()
  for (const task of tasks) {
    const find = () => task.find(db.everyOrganization, now, erasureList)
    const found = await jobs.run('find work', find).catch((error) => {
      log.warn({ err: error }, 'maintenance will be tried again')
      return []
    })
    for (const corp_id of new Set(found)) due.set(corp_id, [...(due.get(corp_id) ?? []), task])
  }
  return due
}

function contextOf(
  db: Database,
  keyring: Keyring,
  organization: Organization,
  now: Date,
): OrganizationContext {
  const account = programAccount('maintenance', 'Maintenance')
  const beside = {
    now,
    newId,
    cursors: createCursors(),
    keyring,
    role: undefined,
    reach: 'everyone' as const,
  }
  return { db: db.of(organization.corp_id), organization, account, ...beside }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
