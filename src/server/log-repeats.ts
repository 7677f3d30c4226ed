import type { LogFn, Logger } from 'pino'
import { isUnavailable, unavailableCause } from '../database/availability.ts'

/** Repeats within this time are counted, and logged as one line. */
const quietMs = 10_000

/**
 * A hook of the log. While the database is unavailable, every call fails for the same reason: the first line names the
 * cause, and the others are counted.
 */
export function createRepeats() {
  const repeats = new Map<string, number>()

  function quiet(log: Logger, key: string, cause: string, msg: string | undefined): void {
    repeats.set(key, 0)
    const timer = setTimeout(() => {
      const count = repeats.get(key)
      repeats.delete(key)
      if (!count) return
      log.warn({ cause, repeats: count, ms: quietMs }, msg)
      quiet(log, key, cause, msg)
    }, quietMs)
    timer.unref()
  }

  return function write(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
    const [members, msg] = args as unknown as [{ err?: Error } | string, string | undefined]
    const error = typeof members === 'object' ? members?.err : undefined
    if (!error || !isUnavailable(error)) return void method.apply(this, args)
    const cause = unavailableCause(error)
    const key = `${msg}: ${cause}`
    const count = repeats.get(key)
    if (count !== undefined) return void repeats.set(key, count + 1)
    quiet(this, key, cause, msg)
    method.apply(this, [{ ...(members as object), cause }, msg] as unknown as Parameters<LogFn>)
  }
}
