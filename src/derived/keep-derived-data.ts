import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { mixedCode, type OutdatedData, unknownCode } from '../search/derived-version-store.ts'
import { findAllOutdated, type RebuildProgress, rebuildOutdated } from './derived-data.ts'

const usualIntervalMs = 60_000
const retryMs = 5000
/** While maintenance or another server holds the data. */
const heldMs = 1000
const logIntervalMs = 5000
/** A batch takes longer on a busy machine. With rests as long, a rebuild would never catch up with new records. */
const longestRestMs = 100

/**
 * Rebuilds derived data of other versions in the background, until `signal` is aborted. The server serves during this: it
 * renders what other code rendered when it is read. Between two batches, writers get as much time as a batch usually takes.
 *
 * It rebuilds data of versions that were there before this server started. Data of a version that came later is newer, and
 * is left alone: two versions side by side would undo each other's work.
 */
export async function keepDerivedData(
  db: Database,
  log: Logger,
  signal: AbortSignal,
  intervalMs = usualIntervalMs,
): Promise<void> {
  let earlier: Set<string> | undefined
  const isWanted = ({ name, fingerprint }: OutdatedData) =>
    fingerprint === unknownCode ||
    earlier!.has(keyOf(name, fingerprint)) ||
    (fingerprint === mixedCode && [...earlier!].some((key) => key.startsWith(`${name} `)))
  const rest = (batchMs: number) => wait(Math.min(batchMs, longestRestMs), signal)
  let loggedAtMs = performance.now()
  const report: RebuildProgress = (batch) => {
    if (performance.now() < loggedAtMs + logIntervalMs) return
    loggedAtMs = performance.now()
    log.info(batch, 'rebuilding derived data')
  }
  while (!signal.aborted) {
    try {
      earlier ??= new Set(
        (await findAllOutdated(db)).map(({ name, fingerprint }) => keyOf(name, fingerprint)),
      )
      const rebuilt = await rebuildOutdated(db, { isWanted, report, rest, signal })
      if (rebuilt.length > 0) log.info({ rebuilt }, 'derived data rebuilt')
      const isHeld = (await findAllOutdated(db)).some(isWanted)
      await wait(isHeld ? Math.min(heldMs, intervalMs) : intervalMs, signal)
    } catch (error) {
      log.warn({ err: error }, 'derived data will be rebuilt later')
      await wait(retryMs, signal)
    }
  }
}

function keyOf(name: string, fingerprint: string): string {
  return `${name} ${fingerprint}`
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined)
}
