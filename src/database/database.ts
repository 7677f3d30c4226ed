import pg from 'pg'
import { createFairShare, type FairShare, inTurn } from '../limits/fair-share.ts'
import { isNodeLost } from './availability.ts'
import { openTransaction, scopedPipeline } from './pipeline.ts'
import { defaultQueryMode, type QueryMode, type SessionSettings, sessionSettingsOf } from './query-mode.ts'
import type { Statement } from './sql.ts'

/** Where statements run: a pool or a transaction, the same small interface. */
export interface Queryable {
  /** Whether statements take part in a transaction that somebody else ends. */
  readonly isTransaction: boolean
  query<Row extends object>(statement: Statement): Promise<Row[]>
  /**
   * Runs statements that need nothing of each other's answers in one transaction and one round trip. Each sees what those
   * before it did and what others had committed when its turn came; one that fails leaves nothing of any. Each has its
   * rows, in the same order. Without statements it costs nothing.
   */
  pipeline<Rows extends object[]>(statements: Statement[]): Promise<RowsOfEach<Rows>>
  /** Runs the work in one transaction; inside a transaction it simply takes part. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /**
   * Runs reads on one moment of the database: what others commit meanwhile stays unseen, and nothing can be written or
   * locked. The work runs once; it may have effects of its own, such as a file. Inside a transaction it takes part.
   */
  snapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

/** Statements on their way to a pipeline: stores make them, others pass them on. */
export type Statements = Statement[]

export type RowsOfEach<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] }

export interface Database {
  /** The records of one organization. Row-level security hides every other. */
  of(corpId: string): Queryable
  /** Organizations and accounts, which span organizations; tenant tables look empty from here. */
  shared: Queryable
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * Serialization failures, deadlocks, statements behind one that lost a race and failed, and references to a record that
 * was taken back meanwhile: the transaction has left nothing, and may simply be run again.
 */
const retryableStates = new Set(['40001', '40P01', '25P02', '23503'])
const maxAttempts = 4

/** Everything that openDatabase needs to know; plain JSON, so that another process can be told. */
export type DatabaseOptions = pg.PoolConfig & { queryMode?: QueryMode }

export function openDatabase({ queryMode = defaultQueryMode, ...options }: DatabaseOptions): Database {
  const { pool: carried, session } = sessionSettingsOf(options, queryMode)
  const pool = new pg.Pool({ ...carried, types: { getTypeParser } })
  // Without listeners, a connection that dies, idle or at work, would take the process with it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const { max } = pool.options
  const longestWaitMs = options.connectionTimeoutMillis || undefined
  const on: Connections = {
    pool,
    session,
    places: createFairShare({ places: max, favoured: sharedScope, longestWaitMs }),
    writers: createFairShare({ places: Math.ceil(max / 2), longestWaitMs }),
  }
  return {
    of: (corpId) => scopedTo(on, corpId),
    shared: scopedTo(on, sharedScope),
    pool,
    close() {
      on.writers.close()
      on.places.close()
      return pool.end()
    },
  }
}

/** The organization of statements that span organizations: none. */
const sharedScope = ''

interface Connections {
  pool: pg.Pool
  session: SessionSettings
  /** The connections of the pool. Everybody waits here for one, so that nobody waits in the pool itself. */
  places: FairShare
  /**
   * Transactions in which something may be written. Those of one organization wait for each other, on the ledger's
   * clock; with half of the connections, however many wait in however many organizations, reads go on.
   */
  writers: FairShare
}

function scopedTo(on: Connections, corpId: string): Queryable {
  return {
    isTransaction: false,
    query: async <Row extends object>(statement: Statement) =>
      (await runOnce(on, corpId, [statement]))[0] as Row[],
    pipeline: <Rows extends object[]>(statements: Statement[]) =>
      retried(() => runOnce(on, corpId, statements)) as Promise<RowsOfEach<Rows>>,
    transaction: (work) => retried(() => inTurn(on.writers, corpId, () => transactOnce(on, corpId, work))),
    snapshot: (work) => transactOnce(on, corpId, work, 'isolation level repeatable read, read only'),
  }
}

async function runOnce(on: Connections, corpId: string, statements: Statement[]): Promise<object[][]> {
  if (statements.length === 0) return []
  const { session } = on
  const client = await connect(on, corpId)
  let broken: Error | undefined
  try {
    return await scopedPipeline(client, corpId, statements, session)
  } catch (error) {
    broken =
      connectionFailure(error) ?? (session.queryMode.sharded ? await endFailed(client, error) : undefined)
    throw error
  } finally {
    disconnect(on, corpId, client, broken)
  }
}

/** Where a place is free, this costs no more than the pool itself does. */
function connect({ pool, places }: Connections, corpId: string): Promise<pg.PoolClient> {
  const takeOne = () =>
    new Promise<pg.PoolClient>((resolve, reject) =>
      pool.connect((error, client) => {
        if (client) return resolve(client)
        places.leave(corpId)
        reject(error)
      }),
    )
  const turn = places.enter(corpId)
  return turn ? turn.then(takeOne) : takeOne()
}

function disconnect({ places }: Connections, corpId: string, client: pg.PoolClient, broken?: Error): void {
  client.release(broken)
  places.leave(corpId)
}

/** Ends the explicit transaction that a failure has left open; a connection of which more is in doubt is not kept. */
async function endFailed(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  const { code = '' } = error as pg.DatabaseError
  if (/^(26|42)/.test(code)) return error as Error
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const state = error instanceof pg.DatabaseError ? error.code : undefined
      if (attempt === maxAttempts || state === undefined || !retryableStates.has(state)) throw error
    }
  }
}

async function transactOnce<T>(
  on: Connections,
  corpId: string,
  work: (tx: Queryable) => Promise<T>,
  mode = '',
): Promise<T> {
  const { session } = on
  const client = await connect(on, corpId)
  let broken: Error | undefined
  // Noted where it happens: what the work itself throws says nothing about the connection.
  const noted = <T>(answer: Promise<T>) =>
    answer.catch((error: unknown) => {
      broken ??= connectionFailure(error)
      throw error
    })
  try {
    const run = openTransaction(client, corpId, mode, session)
    const result = await work(transactionOn((statements) => noted(run(statements))))
    const { command } = await noted(client.query('commit'))
    // PostgreSQL answers the commit of a transaction in which a statement failed with a rollback, and no error.
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed: nothing of it was kept')
    return result
  } catch (error) {
    if (!broken) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    disconnect(on, corpId, client, broken)
  }
}

type Run = (statements: Statement[]) => Promise<object[][]>

function transactionOn(run: Run): Queryable {
  const tx: Queryable = {
    isTransaction: true,
    query: async <Row extends object>(statement: Statement) => (await run([statement]))[0] as Row[],
    pipeline: <Rows extends object[]>(statements: Statement[]) =>
      run(statements) as Promise<RowsOfEach<Rows>>,
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

/** int8 holds amounts and counts, all within the safe integers; the rest is read as pg reads it. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return readSafeInteger
  return pg.types.getTypeParser(oid, format as 'text')
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('An integer of the database exceeds the safe range')
  return value
}
