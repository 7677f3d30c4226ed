import type pg from 'pg'
import type { MetricObject } from 'prom-client'
import type { RateCounter } from '../contract/limits/rate-counter.ts'
import type { WaitingPlaces } from '../events/waiting-places.ts'
import type { CursorMemory } from '../search/cursor-memory.ts'
import type { Call } from './ipc.ts'
import type { RecentWriters } from './recent-writers.ts'

/** Functions of the primary that workers call. Arguments and results are plain JSON. */
export interface PrimaryCalls {
  /** Resolves once the database is ready. */
  join(): Promise<Assignment>
  listening(): void
  /** The worker cannot start, and no other could: one sentence for the operator. */
  failed(sentence: string): void
  /** The metrics of all workers as one text. */
  metrics(): Promise<string>
  /** Organizations with new audit entries, which the primary links. */
  noteEntries(corpIds: string[]): void
  count: RateCounter['count']
  mark: RecentWriters['mark']
  isMarked: RecentWriters['isMarked']
  findCursor: CursorMemory['find']
  noteCursor: CursorMemory['note']
  takePlace: WaitingPlaces['take']
  leavePlace: WaitingPlaces['leave']
}

/** Functions of a worker that the primary calls. */
export interface WorkerCalls {
  /** Read the settings again. */
  reload(): void
  /** Answer 503 at /readyz, and still serve requests. */
  drain(): void
  /** Finish requests in progress, then end. */
  stop(): void
  /** Cut off requests in progress. */
  insist(): void
  /** Another worker has taken over: accept no connections, then end. */
  retire(): void
  metrics(): Promise<MetricObject[]>
  /** The feeds of these organizations have grown. */
  wakeReaders(corpIds: string[]): void
}

export type CallPrimary = Call<PrimaryCalls>
export type CallWorker = Call<WorkerCalls>

/** The data that a worker needs to serve, besides the settings, which it reads itself. */
export interface Assignment {
  app: pg.PoolConfig
  replicas: pg.PoolConfig[]
  wantedSchema: number
}
