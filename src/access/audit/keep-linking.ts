import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { type FollowLinks, linkBatchSize, linkWaiting } from './link-entries.ts'

/** Interval of linking while entries arrive. */
const busyMs = 20
/** The same while many arrive: a transaction that links twice as many costs little more. */
const crowdedMs = 80
const crowd = 50
const sweepMs = 1000
/** The backlog of one organization must not delay the others. */
const maxBatches = 10

interface Linking {
  db: Database
  log: Logger
  /** Organizations with entries that processes of this server committed. */
  waiting: WaitingOrganizations
  /** The organizations with entries to link, or links that `onLinked` has not followed. One statement for all. */
  findWork(): Promise<string[]>
  /** Called in each transaction that links entries. */
  follow?: FollowLinks
  /** Called after each attempt, with the number of entries that it linked. */
  onLinked(corp_id: string, linked: number): Promise<void>
  signal: AbortSignal
}

/**
 * Links the entries of all organizations until `signal` is aborted, and once more after that. Processes of this server report
 * their commits. A sweep finds the entries of commands, and those left by a crash or a lost connection. Several servers may
 * do this concurrently.
 */
export async function keepLinking({
  db,
  log,
  waiting,
  findWork,
  follow,
  onLinked,
  signal,
}: Linking): Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY
  const warn = (error: unknown, corp_id?: string) =>
    log.warn({ corp_id, err: error }, 'entries of the audit will be linked later')

  async function link(corp_id: string): Promise<number> {
    const linked = await linkWaiting(db, corp_id, maxBatches, follow).catch((error) => {
      log.warn(
        { corp_id, err: error },
        'entries of the audit are linked without their events, which follow later',
      )
      return linkWaiting(db, corp_id, maxBatches)
    })
    await onLinked(corp_id, linked)
    if (linked === maxBatches * linkBatchSize) waiting.note(corp_id)
    return linked
  }

  async function sweep(): Promise<string[]> {
    if (performance.now() < sweptAt + sweepMs) return []
    sweptAt = performance.now()
    return findWork()
  }

  while (!signal.aborted) {
    const found = await sweep().catch((error) => warn(error))
    let linked = 0
    for (const corp_id of new Set([...waiting.take(), ...(found ?? [])]))
      if (signal.aborted) waiting.note(corp_id)
      else linked += (await link(corp_id).catch((error) => warn(error, corp_id))) ?? 0
    await waiting.next(linked < crowd ? busyMs : crowdedMs, sweepMs, signal)
  }
  // If the database is down, the next server links the entries.
  try {
    for (const corp_id of waiting.take()) await link(corp_id)
  } catch (error) {
    warn(error)
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
