import pg from 'pg'
import { createFairShare, type FairShare, inTurn } from '../contract/limits/fair-share.ts'
import { maintenanceOrigin, type Origin } from '../contract/origin.ts'
import { type AuditNote, auditedTableOf, insertingEntries } from './audit-notes.ts'
import { AuditTrail } from './audit-trail.ts'
import { isNodeLost } from './availability.ts'
import { noteFailedCommits } from './failed-commits.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { openTransaction, rollBack, scopedPipeline } from './pipeline.ts'
import { defaultQueryMode, type QueryMode, type SessionSettings, sessionSettingsOf } from './query-mode.ts'
import { limitQueries } from './query-timeouts.ts'
import { RowBytesClient } from './row-bytes.ts'
import type { Statement } from './sql.ts'
import { getTypeParser } from './type-parsers.ts'

/** Where statements run: a pool or a transaction, the same small interface. */
export interface Queryable {
  /** Whether statements take part in a transaction that somebody else ends. */
  readonly isTransaction: boolean
  /** Who works here: whoever writes is noted in the audit by it. */
  readonly origin: Origin
  /** For a connection; undefined: as long as it takes. */
  readonly longestWaitMs?: number | undefined
  /**
   * Notes what this transaction does, for the audit: the entries are committed with it. What writes an audited table and
   * notes nothing is noted all the same, by the table and what it answered.
   */
  note(...notes: AuditNote[]): void
  query<Row extends object>(statement: Statement): Promise<Row[]>
  /**
   * Runs statements that need nothing of each other's answers in one transaction and one round trip. Each sees what those
   * before it did and what others had committed when its turn came; one that fails leaves nothing of any. Each has its
   * rows, in the same order. Without statements it costs nothing.
   */
  pipeline<Rows extends object[]>(statements: Statement[]): Promise<RowsOfEach<Rows>>
  /** The same, with the rows of each part under its name. The rows of a part with several statements are joined. */
  pipeline<Rows extends Record<string, object>>(parts: PipelineParts<Rows>): Promise<RowsByName<Rows>>
  /**
   * Runs the last statements of a transaction, of whose answers nobody wants to know: in the round trip of its commit,
   * where whoever asks has begun the transaction, and at once where somebody else may go on in it.
   */
  runLast(statements: Statement[]): Promise<void>
  /** Runs the work in one transaction; inside a transaction it simply takes part. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /**
   * Runs reads on one moment of the database: what others commit meanwhile stays unseen, and nothing can be written or
   * locked. The work runs once; it may have effects of its own, such as a file. Inside a transaction it takes part.
   */
  snapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Reaches the records of the caller's organization only. */
    db: Queryable
  }
}

/** Statements on their way to a pipeline: stores make them, others pass them on. */
export type Statements = Statement[]

export type RowsOfEach<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] }
type PipelineParts<Rows> = { [Name in keyof Rows]: Statement | Statement[] }
export type RowsByName<Rows> = { [Name in keyof Rows]: Rows[Name][] }

/**
 * How long one call may wait in all, for a connection and for locks, wherever the database has a limit for waiting. What
 * takes long by itself may.
 */
export interface Patience {
  endsAtMs: number
}

export interface Database {
  /** The records of one organization, or of a `credentialScope`. Row-level security hides every other. */
  of(corpId: string, origin?: Origin, patience?: Patience): Queryable
  /**
   * The same for callers who are not known yet: their statements wait in the line of `shared`, so that strangers take
   * nothing from the organization that they name.
   */
  forStrangers(corpId: string, origin?: Origin): Queryable
  /** Organizations and accounts, which span organizations; tenant tables look empty from here. */
  shared: Queryable
  /**
   * Calls the listener with the organization of every transaction that has committed entries of the audit, or may have:
   * they wait to be linked.
   */
  onEntries(listener: (corpId: string) => void): void
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * Serialization failures, deadlocks, statements behind one that lost a race and failed, and references to a record that
 * was taken back meanwhile: the transaction has left nothing, and may simply be run again.
 */
const retryableStates = new Set(['40001', '40P01', '25P02', '23503'])
/** A single statement, of whose references whoever sends it may want to know. */
const lostRaceStates = new Set(['40001', '40P01'])
const maxAttempts = 4

/** Everything that openDatabase needs to know; plain JSON, so that another process can be told. */
export type DatabaseOptions = pg.PoolConfig & {
  queryMode?: QueryMode
  /** Who works, unless a handle is asked for in the name of somebody else. */
  origin?: Origin
  /** Whether a database that does not answer at all is found out before statements time out. */
  heartbeat?: boolean
  /** For a connection. Absent: as long as it takes. */
  longestWaitMs?: number
}

export function openDatabase({
  queryMode = defaultQueryMode,
  origin: own = maintenanceOrigin,
  heartbeat: hasHeartbeat = false,
  longestWaitMs,
  query_timeout,
  ...options
}: DatabaseOptions): Database {
  const { pool: carried, session } = sessionSettingsOf(options, queryMode)
  const pool = new pg.Pool({ ...carried, Client: RowBytesClient, types: { getTypeParser } })
  // Without listeners, a connection that dies, idle or at work, would take the process with it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', noteFailedCommits)
  if (query_timeout) limitQueries(pool, query_timeout)
  const { max } = pool.options
  const heartbeat = hasHeartbeat ? startHeartbeat(carried, pool) : undefined
  const on: Connections = {
    pool,
    session,
    heartbeat,
    longestWaitMs,
    places: createFairShare({ places: max, favoured: sharedScope, longestWaitMs }),
    writers: createFairShare({ places: Math.ceil(max / 2), longestWaitMs }),
    noteEntries: () => {},
  }
  return {
    of: (corpId, origin = own, patience) => scopedTo(on, { corpId, share: corpId, origin, patience }),
    forStrangers: (corpId, origin = own) => scopedTo(on, { corpId, share: sharedScope, origin }),
    shared: scopedTo(on, { corpId: sharedScope, share: sharedScope, origin: own }),
    onEntries(listener) {
      on.noteEntries = listener
    },
    pool,
    close() {
      on.writers.close()
      on.places.close()
      heartbeat?.close()
      return pool.end()
    },
  }
}

/** The organization of statements that span organizations: none. */
const sharedScope = ''

interface Connections {
  pool: pg.Pool
  session: SessionSettings
  heartbeat: Heartbeat | undefined
  longestWaitMs: number | undefined
  /** The connections of the pool. Everybody waits here for one, so that nobody waits in the pool itself. */
  places: FairShare
  /**
   * Transactions in which something may be written. Those of one organization wait for each other, on the ledger's
   * clock; with half of the connections, however many wait in however many organizations, reads go on.
   */
  writers: FairShare
  noteEntries(corpId: string): void
}

/** Of which organization, and in whose name. */
interface Scope {
  corpId: string
  /** In whose line it waits for a connection. */
  share: string
  origin: Origin
  patience?: Patience | undefined
}

/** What was waited for long enough already is not refused for that when something else follows. */
const leastPatienceMs = 200

function patienceLeftMs({ longestWaitMs = Infinity }: Connections, { patience }: Scope): number {
  if (!patience || longestWaitMs === Infinity) return longestWaitMs
  return Math.min(longestWaitMs, Math.max(leastPatienceMs, patience.endsAtMs - performance.now()))
}

function scopedTo(on: Connections, scope: Scope): Queryable {
  const { share, origin } = scope
  const transact = <T>(work: (tx: Queryable) => Promise<T>) =>
    inTurn(on.writers, share, () => transactOnce(on, scope, work), patienceLeftMs(on, scope))
  // What writes an audited table becomes a transaction: whether it has changed anything is known only afterwards.
  const run = (statements: Statement[]) =>
    statements.some((statement) => auditedTableOf(statement))
      ? transact((tx) => tx.pipeline(statements))
      : runOnce(on, scope, statements)
  return {
    isTransaction: false,
    origin,
    longestWaitMs: on.longestWaitMs,
    note: () => {
      throw new Error('Notes for the audit need the transaction that they are about')
    },
    query: async <Row extends object>(statement: Statement) =>
      (await retried(() => run([statement]), lostRaceStates))[0] as Row[],
    pipeline: pipelineOn((statements) => retried(() => run(statements))),
    runLast: async (statements) => void (await retried(() => run(statements))),
    transaction: (work) => retried(() => transact(work)),
    snapshot: (work) => transactOnce(on, scope, work, 'isolation level repeatable read, read only'),
  }
}

async function runOnce(on: Connections, scope: Scope, statements: Statement[]): Promise<object[][]> {
  if (statements.length === 0) return []
  const { session } = on
  const { corpId } = scope
  const client = await connect(on, scope)
  let broken: Error | undefined
  try {
    const place = { corpId, lockTimeoutMs: lockTimeoutMs(on, scope) }
    const rows = await scopedPipeline(client, place, statements, session)
    on.heartbeat?.noteAnswer()
    return rows
  } catch (error) {
    broken = connectionFailure(error)
    if (broken && statements.every(isRead)) lostWithoutTrace.add(broken)
    if (!broken && session.queryMode.sharded) broken = await endFailed(client, error)
    throw error
  } finally {
    disconnect(on, scope, client, broken)
  }
}

/** Where a place is free, this costs no more than the pool itself does. */
function connect(on: Connections, scope: Scope): Promise<pg.PoolClient> {
  const { pool, places, heartbeat } = on
  const { share } = scope
  const takeOne = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      let isOver = false
      const refuse = (error: unknown) => {
        if (isOver) return
        isOver = true
        places.leave(share)
        reject(error)
      }
      if (heartbeat?.frozen) return refuse(heartbeat.frozen)
      const forget = heartbeat?.whenFrozen(refuse)
      pool.connect((error, client) => {
        forget?.()
        if (!client) refuse(error)
        else if (isOver) client.release(true)
        else resolve(client)
      })
    })
  if (heartbeat?.frozen) return Promise.reject(heartbeat.frozen)
  const turn = places.enter(share, patienceLeftMs(on, scope))
  return turn ? turn.then(takeOne) : takeOne()
}

function disconnect({ places }: Connections, { share }: Scope, client: pg.PoolClient, broken?: Error): void {
  client.release(broken)
  places.leave(share)
}

/** Ends the explicit transaction that a failure has left open; a connection of which more is in doubt is not kept. */
async function endFailed(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  const { code = '' } = error as pg.DatabaseError
  if (/^(26|42)/.test(code)) return error as Error
  return rollBack(client).then(
    () => undefined,
    (failure: Error) => failure,
  )
}

/** Connections that were lost before anything could have been kept. */
const lostWithoutTrace = new WeakSet<Error>()

function isRead({ text }: Statement): boolean {
  return !/\b(insert into|update [a-z_]+ |delete from)/i.test(text)
}

function isRetryable(error: unknown, states: Set<string>): boolean {
  if (error instanceof pg.DatabaseError && states.has(error.code ?? '')) return true
  return lostWithoutTrace.has(error as Error)
}

async function retried<T>(run: () => Promise<T>, states = retryableStates): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error, states)) throw error
    }
  }
}

async function transactOnce<T>(
  on: Connections,
  scope: Scope,
  work: (tx: Queryable) => Promise<T>,
  mode = '',
): Promise<T> {
  const { session } = on
  const { corpId, origin } = scope
  const client = await connect(on, scope)
  let broken: Error | undefined
  let isCommitting = false
  let hasEntries = false
  // Noted where it happens: what the work itself throws says nothing about the connection.
  const noted = <T>(answer: Promise<T>) =>
    answer.catch((error: unknown) => {
      broken ??= connectionFailure(error)
      throw error
    })
  try {
    const transaction = openTransaction(
      client,
      { corpId, mode, lockTimeoutMs: lockTimeoutMs(on, scope) },
      session,
    )
    const trail = new AuditTrail()
    const last: Statement[] = []
    const run: Run = async (statements) => {
      const results = await noted(transaction.run(statements))
      on.heartbeat?.noteAnswer()
      trail.watch(statements, results)
      return results.map(({ rows }) => rows)
    }
    const result = await work({
      ...transactionOn(origin, trail, run),
      runLast: async (statements) => void last.push(...statements),
    })
    const entries = insertingEntries(corpId, origin, trail.entries)
    hasEntries = entries.length > 0
    isCommitting = true
    const command = await noted(transaction.commitAfter([...last, ...entries]))
    // PostgreSQL answers the commit of a transaction in which a statement failed with a rollback, and no error.
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed: nothing of it was kept')
    return result
  } catch (error) {
    if (broken && !isCommitting) lostWithoutTrace.add(broken)
    if (!broken) {
      await rollBack(client).catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    disconnect(on, scope, client, broken)
    // A commit whose outcome is unknown may have left entries as well.
    if (hasEntries) on.noteEntries(corpId)
  }
}

/** Whoever has waited for a connection has less time left for locks than the connection says; undefined for all others. */
function lockTimeoutMs(on: Connections, scope: Scope): number | undefined {
  const leftMs = Math.ceil(patienceLeftMs(on, scope))
  return leftMs < (on.longestWaitMs ?? 0) ? leftMs : undefined
}

type Run = (statements: Statement[]) => Promise<object[][]>

function pipelineOn(run: Run): Queryable['pipeline'] {
  const pipeline = (parts: Statement[] | Record<string, Statement | Statement[]>) =>
    Array.isArray(parts) ? run(parts) : runParts(run, parts)
  // The rows are as the statements select them, which the compiler cannot know.
  return pipeline as Queryable['pipeline']
}

async function runParts(
  run: Run,
  parts: Record<string, Statement | Statement[]>,
): Promise<Record<string, object[]>> {
  const lists = Object.values(parts).map((part) => [part].flat())
  const rows = (await run(lists.flat())).values()
  return Object.fromEntries(
    Object.keys(parts).map((name, index) => [name, lists[index]!.flatMap(() => rows.next().value!)]),
  )
}

function transactionOn(origin: Origin, trail: AuditTrail, run: Run): Queryable {
  const tx: Queryable = {
    isTransaction: true,
    origin,
    note: (...notes) => trail.add(notes),
    query: async <Row extends object>(statement: Statement) => (await run([statement]))[0] as Row[],
    pipeline: pipelineOn(run),
    runLast: async (statements) => void (await run(statements)),
    transaction: (work) => work(tx),
    snapshot: (work) => work(tx),
  }
  return tx
}

/** SQLSTATEs with which the server ends a connection. */
const farewellStates = /^(08|57P|25P03)/

/** Whether the database itself has refused a statement, which then has left nothing; else nobody knows. */
export function isRefused(error: unknown): boolean {
  return connectionFailure(error) === undefined
}

/** A failure that the server did not report itself came from the connection, which must not be used again. */
function connectionFailure(error: unknown): Error | undefined {
  const isUsable =
    error instanceof pg.DatabaseError && !farewellStates.test(error.code ?? '') && !isNodeLost(error)
  return isUsable ? undefined : (error as Error)
}
