import pg from 'pg'
import { createFairShare } from '../contract/limits/fair-share.ts'
import { maintenanceOrigin, type Origin } from '../contract/origin.ts'
import type { CallBudget, Connections, Scope } from './connections.ts'
import { checkDriver } from './driver/check-driver.ts'
import { limitQueries } from './driver/query-timeouts.ts'
import { getTypeParser, RowBytesClient } from './driver/row-bytes.ts'
import { noteFailedCommits } from './failed-commits.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createMeter, type Meter } from './meter.ts'
import { defaultQueryMode, type QueryMode, sessionSettingsOf } from './query-mode.ts'
import type { Queryable } from './queryable.ts'
import { type Surveyor, surveyorOf } from './survey.ts'
import { scopedTo } from './transactions.ts'

export type { CallBudget } from './connections.ts'
export type { Queryable, RowsByName, Statements } from './queryable.ts'
export type { Surveyor } from './survey.ts'

export interface Database {
  /** The records of one organization, or of a `credentialScope`. Row-level security hides all others. */
  of(corpId: string, origin?: Origin, budget?: CallBudget): Queryable
  /** The same for unidentified callers: they wait in the queue of `shared`, not in that of the organization they name. */
  forStrangers(corpId: string, origin?: Origin, budget?: CallBudget): Queryable
  /** Organizations and accounts, which span organizations. Tenant tables look empty from here. */
  shared: Queryable
  /**
   * Finds the organizations that have background work, with one statement for all of them (`survey`). It can read the few
   * tables of such work, and write none.
   */
  everyOrganization: Surveyor
  /** Calls the listener with the organization of every transaction that may have committed audit entries to be linked. */
  onEntries(listener: (corpId: string) => void): void
  pool: pg.Pool
  meter: Meter
  /** Work that waits for a connection. */
  waiting(): number
  close(): Promise<void>
}

/** Options of openDatabase. Plain JSON, so that they can be sent to another process. */
export type DatabaseOptions = pg.PoolConfig & {
  queryMode?: QueryMode
  /** The default author of changes. */
  origin?: Origin
  /** Whether to detect a database that does not answer before statements time out. */
  heartbeat?: boolean
  /** Maximum wait for a connection. Absent: unlimited. */
  longestWaitMs?: number
  /** The newest schema that this version knows: it writes to no schema that needs a newer version. Absent: no check. */
  knownSchema?: number
}

let isDriverChecked = false

export function openDatabase({
  queryMode = defaultQueryMode,
  origin: own = maintenanceOrigin,
  heartbeat: hasHeartbeat = false,
  longestWaitMs,
  knownSchema,
  query_timeout,
  ...options
}: DatabaseOptions): Database {
  if (!isDriverChecked) checkDriver()
  isDriverChecked = true
  const { pool: carried, session } = sessionSettingsOf(options, queryMode, knownSchema)
  const pool = new pg.Pool({ ...carried, Client: RowBytesClient, types: { getTypeParser } })
  // Without listeners, the failure of a connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', noteFailedCommits)
  if (query_timeout) limitQueries(pool, query_timeout)
  const { max } = pool.options
  const heartbeat = hasHeartbeat ? startHeartbeat(carried, pool) : undefined
  const meter = createMeter()
  const on: Connections = {
    pool,
    session,
    heartbeat,
    longestWaitMs,
    places: createFairShare({ places: max, favoured: sharedScope, longestWaitMs }),
    writers: createFairShare({ places: Math.ceil(max / 2), longestWaitMs }),
    meter,
    noteEntries: () => {},
  }
  const handle = (corpId: string, share: string, origin: Origin, budget?: CallBudget) =>
    scopedTo(on, { corpId, share, origin, budget, timing: { meter, times: budget?.times } } satisfies Scope)
  return {
    of: (corpId, origin = own, budget) => handle(corpId, corpId, origin, budget),
    forStrangers: (corpId, origin = own, budget) => handle(corpId, sharedScope, origin, budget),
    shared: handle(sharedScope, sharedScope, own),
    everyOrganization: surveyorOf(handle(everyScope, sharedScope, own)),
    onEntries(listener) {
      on.noteEntries = listener
    },
    pool,
    meter,
    waiting: on.places.waiting,
    close() {
      on.writers.close()
      on.places.close()
      heartbeat?.close()
      return pool.end()
    },
  }
}

/** The scope of statements that span organizations. */
const sharedScope = ''

/** The scope that the policies `survey` name. No organization can have this id. */
const everyScope = '*'
