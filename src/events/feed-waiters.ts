import { ApiError } from '../contract/errors.ts'
import { maxWaitingInOrganization, maxWaitingReaders, type WaitingPlaces } from './waiting-places.ts'

/** A reader that comes while the server drains waits this long, so that it does not ask again at once. */
const lingerMs = 1000

/** Interval of looking for events that another server added, while events arrive and while none do. */
const busyMs = 250
const idleMs = 2000

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Absent: the caller cannot wait for events. */
    waiters?: FeedWaiters | undefined
    /** Aborted once the connection of the caller has closed. */
    closed?: (() => AbortSignal) | undefined
  }
}

interface Reader {
  corp_id: string
  account: string
  reader: string
}

interface Waiting {
  /** Wakes each reader that waits. */
  wakes: Set<() => void>
  length: number
  intervalMs: number
  nextAtMs: number
}

/**
 * Readers that wait for events. They hold no connection to the database. The process that adds events wakes them; for events
 * of other servers, one short query per organization with waiting readers looks for growth.
 */
export class FeedWaiters {
  private readonly organizations = new Map<string, Waiting>()
  private readonly places: WaitingPlaces
  private timer: NodeJS.Timeout | undefined
  private isDraining = false
  private isClosed = false
  private readonly closed = Promise.withResolvers<void>()
  /** Grows whenever readers are woken. A read that began earlier may miss the events that woke them. */
  generation = 0
  private readonly lengthOf: (corp_id: string) => Promise<number>

  constructor(places: WaitingPlaces, lengthOf: (corp_id: string) => Promise<number>) {
    this.places = places
    this.lengthOf = lengthOf
  }

  /** Whether the server stops: nobody waits any more. */
  get isStopping(): boolean {
    return this.isDraining || this.isClosed
  }

  /**
   * Waits for an event after `length`, or for `ms`. Ends early when `signal` is aborted or the server stops. A reader that
   * waits again keeps its place.
   */
  async wait(
    { corp_id, account, reader, length }: Reader & { length: number },
    ms: number,
    signal?: AbortSignal,
  ): Promise<void> {
    if (this.isStopping || signal?.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const waiting = this.organizationOf(corp_id, length)
    waiting.wakes.add(wake)
    signal?.addEventListener('abort', wake)
    const timer = setTimeout(wake, ms)
    // It grew since this reader read it.
    if (waiting.length > length) wake()
    try {
      await this.enter({ corp_id, account, reader }, ms + 1000)
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      waiting.wakes.delete(wake)
      if (waiting.wakes.size === 0 && this.organizations.get(corp_id) === waiting)
        this.organizations.delete(corp_id)
    }
  }

  /** Takes a place for `ms`, or keeps the one that the reader has. */
  async enter({ corp_id, account, reader }: Reader, ms: number): Promise<void> {
    const limit = await this.places.take(corp_id, account, reader, ms)
    if (!limit) return
    const [most, of] =
      limit === 'account' ? [maxWaitingReaders, 'account'] : [maxWaitingInOrganization, 'organization']
    throw new ApiError('tooManyRequests', {
      msg: `At most ${most} calls and streams of an ${of} wait for events at the same time.`,
      retryAfterSeconds: 1,
    })
  }

  /** Frees the place of a reader that does not wait again. */
  async leave(account: string, reader: string): Promise<void> {
    await this.places.leave(account, reader)
  }

  /** Wakes the readers of organizations whose feeds have grown. */
  readonly wake = (corpIds: string[]): void => {
    this.generation++
    for (const corp_id of corpIds) for (const wake of this.organizations.get(corp_id)?.wakes ?? []) wake()
  }

  /** Wakes all readers, and lets none wait for events from now on. */
  drain(): void {
    this.isDraining = true
    this.wake([...this.organizations.keys()])
  }

  /** Delays a reader that came while the server drains. */
  async linger(signal?: AbortSignal): Promise<void> {
    if (this.isClosed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, lingerMs)
    signal?.addEventListener('abort', () => resolve())
    await Promise.race([promise, this.closed.promise])
    clearTimeout(timer)
  }

  /** The same, and delays none. */
  close(): void {
    this.isClosed = true
    this.closed.resolve()
    clearTimeout(this.timer)
    this.wake([...this.organizations.keys()])
  }

  private organizationOf(corp_id: string, length: number): Waiting {
    const known = this.organizations.get(corp_id)
    if (known) return known
    const waiting = {
      wakes: new Set<() => void>(),
      length,
      intervalMs: busyMs,
      nextAtMs: performance.now() + busyMs,
    }
    this.organizations.set(corp_id, waiting)
    this.timer ??= setTimeout(() => this.lookForGrowth(), busyMs)
    return waiting
  }

  private async lookForGrowth(): Promise<void> {
    const now = performance.now()
    const due = [...this.organizations].filter(([, { nextAtMs }]) => nextAtMs <= now)
    for (const [corp_id, waiting] of due) {
      // If the database does not answer, the reader's next call says so.
      const length = await this.lengthOf(corp_id).catch(() => waiting.length)
      waiting.intervalMs = length > waiting.length ? busyMs : Math.min(2 * waiting.intervalMs, idleMs)
      waiting.nextAtMs = performance.now() + waiting.intervalMs
      if (length > waiting.length) this.wake([corp_id])
      waiting.length = length
    }
    this.timer = undefined
    if (this.organizations.size > 0 && !this.isClosed)
      this.timer = setTimeout(() => this.lookForGrowth(), busyMs)
  }
}
