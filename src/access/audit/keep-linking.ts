import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { chainedCorpIds, linkBatchSize, linkEntries } from './link-entries.ts'

/** Interval of linking while entries arrive. */
const busyMs = 20
const sweepMs = 1000
/** The sweep backs off for an idle organization, up to this interval. */
const maxIdleMs = 16_000
/** The backlog of one organization must not delay the others. */
const maxBatches = 10

interface Linking {
  db: Database
  log: Logger
  /** Organizations with entries that processes of this server committed. */
  waiting: WaitingOrganizations
  /** Whether an organization has entries to link, or links that `onLinked` has not followed. One short statement. */
  hasWork(corp_id: string): Promise<boolean>
  /** Called after each attempt, with the number of entries that it linked. */
  onLinked(corp_id: string, linked: number): Promise<void>
  signal: AbortSignal
}

/**
 * Links the entries of all organizations until `signal` is aborted, and once more after that. Processes of this server report
 * their commits. A sweep finds the entries of commands, and those left by a crash or a lost connection. Several servers may
 * do this concurrently.
 */
export async function keepLinking({ db, log, waiting, hasWork, onLinked, signal }: Linking): Promise<void> {
  const sweep = createSweep(db)
  const warn = (error: unknown, corp_id?: string) =>
    log.warn({ corp_id, err: error }, 'entries of the audit will be linked later')

  async function link(corp_id: string): Promise<void> {
    let linked = 0
    try {
      linked = await linkEntries(db, corp_id, maxBatches)
    } finally {
      sweep.note(corp_id, linked)
    }
    await onLinked(corp_id, linked)
    if (linked === maxBatches * linkBatchSize) waiting.note(corp_id)
  }

  async function look(corp_id: string): Promise<void> {
    if (!(await hasWork(corp_id))) return sweep.note(corp_id, 0)
    await link(corp_id)
    // It may have more: a long backlog is followed in steps.
    sweep.note(corp_id, 1)
  }

  while (!signal.aborted) {
    const due = await sweep.due().catch((error) => warn(error))
    const swept = new Set(due ?? [])
    for (const corp_id of waiting.take()) {
      swept.delete(corp_id)
      if (signal.aborted) waiting.note(corp_id)
      else await link(corp_id).catch((error) => warn(error, corp_id))
    }
    for (const corp_id of swept)
      if (!signal.aborted) await look(corp_id).catch((error) => warn(error, corp_id))
    await waiting.next(busyMs, sweepMs, signal)
  }
  // If the database is down, the next server links the entries.
  try {
    for (const corp_id of waiting.take()) await link(corp_id)
  } catch (error) {
    warn(error)
  }
}

/** Selects the organizations to check without a report. */
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
      const waitMs = linked > 0 ? sweepMs : Math.min(Math.max(sweepMs, 2 * idleMs), maxIdleMs)
      next.set(corp_id, { at: performance.now() + waitMs, idleMs: waitMs })
    },
  }
}

/** Organizations with waiting entries, as the processes of this server report them. */
export class WaitingOrganizations {
  private readonly noted = new Set<string>()
  private wake = () => {}

  readonly note = (corp_id: string): void => {
    this.noted.add(corp_id)
    this.wake()
  }

  /** Returns and clears the noted organizations. */
  take(): string[] {
    const taken = [...this.noted]
    this.noted.clear()
    return taken
  }

  /** Waits for `minMs`, then for the next note, at most `maxMs` in total. Returns at once if `signal` is aborted. */
  async next(minMs: number, maxMs: number, signal: AbortSignal): Promise<void> {
    await pause(minMs, undefined, { signal }).catch(() => undefined)
    if (this.noted.size > 0 || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxMs - minMs)
    const wake = () => resolve()
    signal.addEventListener('abort', wake)
    this.wake = wake
    await promise
    this.wake = () => {}
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
  }
}
