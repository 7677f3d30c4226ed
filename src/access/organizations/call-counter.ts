import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { addCalls } from './usage-store.ts'

/** Calls are added to the database this often. A crash loses at most these. */
const flushMs = 10_000

/** Counts calls by organization in memory, so that a call costs no statement. */
export interface CallCounter {
  note(corp_id: string, isProgram: boolean): void
  /** Adds what was counted to the database. */
  flush(now: Date): Promise<void>
  /** Ends the flushes at intervals. */
  stop(): void
}

interface Counted {
  program_calls: number
  staff_calls: number
}

/** While `isPaused`, counts stay in memory. */
export function createCallCounter(
  db: Database,
  log: Logger,
  isPaused = () => false,
  everyMs = flushMs,
): CallCounter {
  let counted = new Map<string, Counted>()
  const note = (corp_id: string, isProgram: boolean) => {
    let counts = counted.get(corp_id)
    if (!counts) {
      counts = { program_calls: 0, staff_calls: 0 }
      counted.set(corp_id, counts)
    }
    if (isProgram) counts.program_calls++
    else counts.staff_calls++
  }
  const flush = async (now: Date) => {
    if (isPaused()) return
    const taken = counted
    counted = new Map()
    const day = now.toISOString().slice(0, 10)
    for (const [corp_id, counts] of taken)
      await addCalls(db.of(corp_id), corp_id, { day, ...counts }, now).catch((error) => {
        log.warn({ corp_id, err: error }, 'calls were not counted')
      })
  }
  const timer = setInterval(() => void flush(new Date()), everyMs)
  timer.unref()
  return { note, flush, stop: () => clearInterval(timer) }
}
