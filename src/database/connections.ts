import type pg from 'pg'
import type { CallTimes } from '../contract/call-times.ts'
import type { FairShare } from '../contract/limits/fair-share.ts'
import type { Origin } from '../contract/origin.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type Meter, noteConnection, type Timing } from './meter.ts'
import type { SessionSettings } from './query-mode.ts'

/** The connections of a database, and the limits for using them. */
export interface Connections {
  pool: pg.Pool
  session: SessionSettings
  heartbeat: Heartbeat | undefined
  /** Maximum wait for a connection or a lock. Undefined: unlimited. */
  longestWaitMs: number | undefined
  /** Places for the connections of the pool. All waiting happens here, so nothing waits in the pool itself. */
  places: FairShare
  /**
   * Transactions that may write. Those of one organization wait for its ledger clock; limited to half of the connections,
   * they leave the rest to reads.
   */
  writers: FairShare
  meter: Meter
  noteEntries(corpId: string): void
}

/** The organization and author of statements. */
export interface Scope {
  corpId: string
  /** The queue in which the statements wait for a connection. */
  share: string
  origin: Origin
  budget?: CallBudget | undefined
  timing: Timing
}

/** The call for which statements run. */
export interface CallBudget {
  /**
   * The end of all waits of the call, for connections and for locks. It applies where the database limits waiting, and does
   * not limit the duration of statements.
   */
  endsAtMs: number
  /** Absent: the times of the call are not noted. */
  times?: CallTimes | undefined
}

/** A call that has used up its patience still gets this much, or it could never finish. */
const leastPatienceMs = 200

export function patienceLeftMs({ longestWaitMs = Infinity }: Connections, { budget }: Scope): number {
  if (!budget || longestWaitMs === Infinity) return longestWaitMs
  return Math.min(longestWaitMs, Math.max(leastPatienceMs, budget.endsAtMs - performance.now()))
}

/** The lock timeout of a call that has already waited. Undefined: the timeout of the connection applies. */
export function lockTimeoutMs(on: Connections, scope: Scope): number | undefined {
  const leftMs = Math.ceil(patienceLeftMs(on, scope))
  return leftMs < (on.longestWaitMs ?? 0) ? leftMs : undefined
}

/** Takes a connection. If a place is free, this costs no more than the pool itself. */
export function connect(on: Connections, scope: Scope): Promise<pg.PoolClient> {
  const { pool, places, heartbeat } = on
  const { share, timing } = scope
  const askedMs = performance.now()
  const takeOne = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      let isOver = false
      const refuse = (error: unknown) => {
        if (isOver) return
        isOver = true
        places.leave(share)
        noteConnection(timing, askedMs)
        reject(error)
      }
      if (heartbeat?.frozen) return refuse(heartbeat.frozen)
      const forget = heartbeat?.whenFrozen(refuse)
      pool.connect((error, client) => {
        forget?.()
        if (!client) refuse(error)
        else if (isOver) client.release(true)
        else {
          noteConnection(timing, askedMs)
          resolve(client)
        }
      })
    })
  if (heartbeat?.frozen) return Promise.reject(heartbeat.frozen)
  const turn = places.enter(share, patienceLeftMs(on, scope))
  if (!turn) return takeOne()
  return turn.then(takeOne, (error) => {
    noteConnection(timing, askedMs)
    throw error
  })
}

/** Returns a connection. A broken one is closed. */
export function disconnect(
  { places }: Connections,
  { share }: Scope,
  client: pg.PoolClient,
  broken?: Error,
): void {
  client.release(broken)
  places.leave(share)
}
