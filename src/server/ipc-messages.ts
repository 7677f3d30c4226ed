import type pg from 'pg'
import type { MetricObject } from 'prom-client'
import type { RateCounter } from '../contract/limits/rate-counter.ts'
import type { CursorMemory } from '../search/cursor-memory.ts'
import type { Call } from './ipc.ts'
import type { RecentWriters } from './recent-writers.ts'

/** What a worker may ask of the primary. Everything that crosses is plain JSON. */
export interface PrimaryCalls {
  /** Answered once there is something to serve. */
  join(): Promise<Assignment>
  listening(): void
  /** The worker cannot do its work, and nor could another: one sentence for whoever starts the server. */
  failed(sentence: string): void
  /** The metrics of all workers as one text. */
  metrics(): Promise<string>
  /** Organizations in which entries of the audit were committed, which the primary links. */
  noteEntries(corpIds: string[]): void
  count: RateCounter['count']
  mark: RecentWriters['mark']
  isMarked: RecentWriters['isMarked']
  findCursor: CursorMemory['find']
  noteCursor: CursorMemory['note']
}

/** What the primary may ask of a worker. */
export interface WorkerCalls {
  /** Finish what is under way, then end. */
  stop(): void
  /** Do not wait for what is under way. */
  insist(): void
  /** Another worker has taken the place: leave it every new connection, then end. */
  retire(): void
  metrics(): Promise<MetricObject[]>
}

export type CallPrimary = Call<PrimaryCalls>
export type CallWorker = Call<WorkerCalls>

/** What a worker has to know to serve, beside the settings, which it reads itself. */
export interface Assignment {
  app: pg.PoolConfig
  replicas: pg.PoolConfig[]
  wantedSchema: number
}
