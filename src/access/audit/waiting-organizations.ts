import { setTimeout as pause } from 'node:timers/promises'

/** Organizations in which something was committed that waits to be linked, as the processes of this server report them. */
export class WaitingOrganizations {
  private readonly noted = new Set<string>()
  private wake = () => {}

  readonly note = (corp_id: string): void => {
    this.noted.add(corp_id)
    this.wake()
  }

  /** Returns what was noted, and forgets it. */
  take(): string[] {
    const taken = [...this.noted]
    this.noted.clear()
    return taken
  }

  /** Waits for `leastMs`, then for the next note, `mostMs` in all; not at all once `signal` is aborted. */
  async next(leastMs: number, mostMs: number, signal: AbortSignal): Promise<void> {
    await pause(leastMs, undefined, { signal }).catch(() => undefined)
    if (this.noted.size > 0 || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, mostMs - leastMs)
    const wake = () => resolve()
    signal.addEventListener('abort', wake)
    this.wake = wake
    await promise
    this.wake = () => {}
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
  }
}
