import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Keyring } from '../../access/organizations/keyring.ts'
import type { FairShare } from '../../contract/limits/fair-share.ts'
import type { Database } from '../../database/database.ts'
import { eventOf } from '../event.ts'
import { signedHeaders } from '../standard-webhooks.ts'
import { selectTypes } from '../types-filter.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type Outcome,
  recordOutcomes,
  releaseDeliveries,
} from './claim-store.ts'
import { allTypes } from './create-endpoint.ts'
import type { DeliveryCounts } from './delivery-counts.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import { sealNameOf } from './endpoint-store.ts'
import { bodyOf } from './payload.ts'
import { nextAttemptAt, readRetryAfter } from './retry-schedule.ts'
import type { Sender, SendResult } from './send-delivery.ts'

/** The shared state of the pumps of a process. */
export interface PumpParts {
  db: Database
  log: Logger
  keyring: Keyring
  sender: Sender
  counts: DeliveryCounts
  now(): Date
  random(): number
  /** Requests in flight. Slow and failing endpoints have places of their own, so they cannot slow the others. */
  places: { fast: FairShare; slow: FairShare }
  /** Aborted: requests in flight are cut off. */
  cut: AbortSignal
}

/** Requests in flight to one endpoint, by this process. */
const maxInFlight = 8
/** Deliveries of one endpoint that this process has: in flight, and the next ones. */
const maxClaimed = 2 * maxInFlight
/** A claim takes several deliveries, if there are as many. */
const minClaimed = 4
const slowMs = 1000
/** A lease covers two requests in a row, and a difference between the clocks of servers. */
const leaseMarginMs = 15_000
/** A pause that the receiver asks for concerns all its deliveries, but not for longer than this. */
const maxPauseMs = 60 * 60 * 1000
const patienceWithFailuresMs = 5 * 24 * 60 * 60 * 1000

interface Taken extends ClaimedDelivery {
  url: string
  secrets: string[]
  leasedUntil: Date
  finish(): void
}

/**
 * Delivers to one endpoint. It takes deliveries in the order of the feed and keeps several in flight. A slow or failed one
 * holds up none of the others.
 */
export class EndpointPump {
  /** Whether the last attempt failed or took long. */
  isSlow = false
  private readonly corp_id: string
  private readonly endpoint_id: string
  private readonly parts: PumpParts
  private isRunning = false
  private running: Promise<void> | undefined
  private isWoken = false
  private isStopping = false
  private queue: Taken[] = []
  private inFlight = 0
  /** Deliveries whose outcomes are not stored yet. */
  private readonly unfinished = new Set<Promise<void>>()
  private outcomes: { outcome: Outcome; taken: Taken }[] = []
  private isStoring = false

  constructor(corp_id: string, endpoint_id: string, parts: PumpParts) {
    this.corp_id = corp_id
    this.endpoint_id = endpoint_id
    this.parts = parts
  }

  /** Claims due deliveries, unless a claim is in progress. */
  wake(): void {
    this.isWoken = true
    if (this.isRunning) return
    this.isRunning = true
    this.running = this.run()
  }

  get isIdle(): boolean {
    return !this.isRunning && this.unfinished.size === 0
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (!this.isIdle) await Promise.all([this.running, ...this.unfinished])
  }

  /** Claims nothing from now on, and releases deliveries without an attempt to other servers. */
  async stop(): Promise<void> {
    this.isStopping = true
    await this.running
    await this.release(this.queue.splice(0))
  }

  private async run(): Promise<void> {
    let hasMore = true
    try {
      while ((hasMore || this.isWoken) && !this.isStopping) {
        if (maxClaimed - this.unfinished.size < minClaimed) {
          await Promise.race(this.unfinished)
          continue
        }
        this.isWoken = false
        hasMore = await this.claim(maxClaimed - this.unfinished.size)
      }
    } catch (error) {
      this.parts.log.warn({ corp_id: this.corp_id, err: error }, 'webhooks will be delivered later')
    } finally {
      // At once: later outcomes start another run.
      this.isRunning = false
    }
  }

  private async claim(limit: number): Promise<boolean> {
    const { db, keyring, sender, now: clock } = this.parts
    const { corp_id, endpoint_id } = this
    const now = clock()
    const leasedUntil = new Date(now.getTime() + 2 * sender.timeoutMs + leaseMarginMs)
    const typesOf = (patterns: string[]) => selectTypes(patterns, allTypes)
    const wanted = { endpoint_id, now, leasedUntil, limit, typesOf }
    const claim = await claimDeliveries(db.of(corp_id), corp_id, wanted)
    if (!claim) return false
    const secrets = claim.secrets.map((each) => keyring.open(sealNameOf(corp_id, endpoint_id), each))
    for (const delivery of claim.deliveries) {
      const { promise, resolve: finish } = Promise.withResolvers<void>()
      this.unfinished.add(promise)
      promise.then(() => this.unfinished.delete(promise))
      this.queue.push({ ...delivery, url: claim.url, secrets, leasedUntil, finish })
    }
    this.sendNext()
    return claim.hasMore
  }

  private sendNext(): void {
    while (this.inFlight < maxInFlight && this.queue.length > 0) {
      const taken = this.queue.shift()!
      this.inFlight++
      this.attempt(taken)
        // It stays leased, and is repeated afterwards.
        .catch(() => taken.finish())
        .finally(() => {
          this.inFlight--
          this.sendNext()
        })
    }
  }

  private async attempt(taken: Taken): Promise<void> {
    const { places, sender, cut, counts, now } = this.parts
    const { event, event_id, leasedUntil } = taken
    const share = this.isSlow ? places.slow : places.fast
    await share.enter(this.corp_id)
    try {
      const at = now()
      // After the long wait for a place, the lease could expire during the request.
      if (at.getTime() + sender.timeoutMs >= leasedUntil.getTime()) return taken.finish()
      const beganMs = performance.now()
      const body = event && bodyOf(eventOf(event))
      const result: SendResult = body
        ? await sender.send(
            taken.url,
            signedHeaders(taken.secrets, { id: event_id, body, now: at }),
            body,
            cut,
          )
        : { error: 'event_deleted', status: null, response: '', retryAfter: undefined }
      const duration_ms = Math.round(performance.now() - beganMs)
      this.isSlow = result.error !== null || duration_ms > slowMs
      counts.add(result.error ?? 'delivered')
      this.outcomes.push({ outcome: this.outcomeOf(taken, result, at, duration_ms), taken })
      if (!this.isStoring) void this.store()
    } finally {
      share.leave(this.corp_id)
    }
  }

  private outcomeOf(taken: Taken, result: SendResult, at: Date, duration_ms: number): Outcome {
    const { seq, attempt } = taken
    const { error, status, response } = result
    const now = this.parts.now()
    const base = { seq, attempt, at, duration_ms, error, status, response, next_at: now }
    if (error === null)
      return { ...base, state: 'delivered', failures: taken.failures, pausedUntil: undefined }
    const failures = taken.failures + 1
    const retryAfterMs = readRetryAfter(result.retryAfter, now)
    const isFinal = status === 410 || error === 'event_deleted'
    const next = isFinal
      ? undefined
      : nextAttemptAt({ failures, now, retryAfterMs, random: this.parts.random() })
    const asksForPause = retryAfterMs !== undefined && (status === 429 || status === 503)
    return {
      ...base,
      state: next ? 'waiting' : 'dead',
      failures,
      next_at: next ?? now,
      pausedUntil: asksForPause ? new Date(now.getTime() + Math.min(retryAfterMs, maxPauseMs)) : undefined,
    }
  }

  /** Outcomes that arrive together are stored together. */
  private async store(): Promise<void> {
    const { db, log, now } = this.parts
    const { corp_id, endpoint_id } = this
    this.isStoring = true
    while (this.outcomes.length > 0) {
      const some = this.outcomes.splice(0)
      try {
        const outcomes = some.map(({ outcome }) => outcome)
        const failingSince = await recordOutcomes(db.of(corp_id), corp_id, endpoint_id, outcomes)
        await this.disableIfHopeless(outcomes, failingSince)
        for (const { taken } of some) taken.finish()
      } catch (error) {
        log.warn({ corp_id, err: error }, 'the outcomes of webhooks will be stored later')
        // After the end of the lease, the delivery is repeated anyway.
        const left = some.filter(({ taken }) => taken.leasedUntil > now())
        for (const { taken } of some) if (taken.leasedUntil <= now()) taken.finish()
        this.outcomes.unshift(...left)
        await pause(500)
      }
    }
    this.isStoring = false
  }

  private async disableIfHopeless(outcomes: Outcome[], failingSince: Date | null): Promise<void> {
    const { db, log, now } = this.parts
    const isGone = outcomes.some(({ status }) => status === 410)
    const isFailing =
      failingSince !== null && now().getTime() - failingSince.getTime() >= patienceWithFailuresMs
    if (!isGone && !isFailing) return
    const { corp_id, endpoint_id } = this
    const reason = isGone ? 'gone' : 'failing'
    if (await disableEndpoint(db.of(corp_id), corp_id, endpoint_id, reason, now()))
      log.warn({ corp_id, endpoint_id, reason }, 'a webhook endpoint was disabled')
  }

  private async release(taken: Taken[]): Promise<void> {
    const { db, now, log } = this.parts
    await releaseDeliveries(db.of(this.corp_id), this.corp_id, this.endpoint_id, taken, now()).catch(
      (error) =>
        log.warn({ corp_id: this.corp_id, err: error }, 'webhooks will be delivered after their lease'),
    )
    for (const each of taken) each.finish()
  }
}
