import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { chainedCorpIds, linkBatchSize, linkEntries } from './link-entries.ts'
import type { WaitingOrganizations } from './waiting-organizations.ts'

/** While entries come in, they are linked together, this often. */
const busyMs = 200
const sweepMs = 1000
/** The sweep asks an organization in which nothing happens less and less often. */
const longestIdleMs = 16_000
/** One organization's backlog must not keep the others waiting. */
const mostBatches = 10

interface Linking {
  db: Database
  log: Logger
  /** What the processes of this server have committed. */
  waiting: WaitingOrganizations
  /** Told each organization whose chain has grown. */
  onLinked(corp_id: string): void
  signal: AbortSignal
}

/**
 * Links entries of all organizations until `signal` is aborted, and what is known to wait once more after that. Processes
 * of this server report what they commit. A sweep finds what commands committed, and what a crash or a lost connection
 * has left. Any number of servers may do this side by side.
 */
export async function keepLinking({ db, log, waiting, onLinked, signal }: Linking): Promise<void> {
  const sweep = createSweep(db)
  const warn = (error: unknown, corp_id?: string) =>
    log.warn({ corp_id, err: error }, 'entries of the audit will be linked later')

  async function link(corp_id: string): Promise<void> {
    let linked = 0
    try {
      linked = await linkEntries(db, corp_id, mostBatches)
    } finally {
      sweep.note(corp_id, linked)
    }
    if (linked > 0) onLinked(corp_id)
    if (linked === mostBatches * linkBatchSize) waiting.note(corp_id)
  }

  while (!signal.aborted) {
    await sweep.due().then((corpIds) => corpIds.forEach(waiting.note), warn)
    for (const corp_id of waiting.take())
      if (signal.aborted) waiting.note(corp_id)
      else await link(corp_id).catch((error) => warn(error, corp_id))
    await waiting.next(busyMs, sweepMs, signal)
  }
  // Where the database is gone, the next server finds the entries.
  try {
    for (const corp_id of waiting.take()) await link(corp_id)
  } catch (error) {
    warn(error)
  }
}

/** Which organizations to ask though nothing was reported, and when. */
function createSweep(db: Database) {
  const next = new Map<string, { at: number; idleMs: number }>()
  let sweptAt = Number.NEGATIVE_INFINITY
  return {
    async due(): Promise<string[]> {
      const now = performance.now()
      if (now < sweptAt + sweepMs) return []
      sweptAt = now
      return (await chainedCorpIds(db)).filter((corp_id) => (next.get(corp_id)?.at ?? 0) <= now)
    },
    note(corp_id: string, linked: number): void {
      const { idleMs = 0 } = next.get(corp_id) ?? {}
      const waitMs = linked > 0 ? sweepMs : Math.min(Math.max(sweepMs, 2 * idleMs), longestIdleMs)
      next.set(corp_id, { at: performance.now() + waitMs, idleMs: waitMs })
    },
  }
}
