import { setTimeout as pause } from 'node:timers/promises'

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
