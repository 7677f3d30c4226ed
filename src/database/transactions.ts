import type pg from 'pg'
import { inTurn } from '../contract/limits/fair-share.ts'
import type { Origin } from '../contract/origin.ts'
import { AuditTrail, auditedTableOf, insertingEntries } from './audit-notes.ts'
import {
  type Connections,
  connect,
  disconnect,
  lockTimeoutMs,
  patienceLeftMs,
  type Scope,
} from './connections.ts'
import { connectionFailure, isRead, lostRaceStates, lostWithoutTrace, retried } from './failures.ts'
import { noteRoundTrip, noteTurn } from './meter.ts'
import { openTransaction, rollBack, scopedPipeline } from './pipeline.ts'
import { pipelineOn, type Queryable, type Run } from './queryable.ts'
import type { Statement } from './sql.ts'

/** A handle on the records of one organization. Each call is a transaction of its own. */
export function scopedTo(on: Connections, scope: Scope): Queryable {
  const { share, origin, timing } = scope
  const transact = <T>(work: (tx: Queryable) => Promise<T>) =>
    inTurn(on.writers, share, () => transactOnce(on, scope, work), {
      patienceMs: patienceLeftMs(on, scope),
      noteWait: (askedMs) => noteTurn(timing, askedMs),
    })
  // A write to an audited table needs a transaction: only afterwards is known whether it changed anything.
  const run = (statements: Statement[]) =>
    statements.some((statement) => auditedTableOf(statement))
      ? transact((tx) => tx.pipeline(statements))
      : runOnce(on, scope, statements)
  return {
    isTransaction: false,
    origin,
    longestWaitMs: on.longestWaitMs,
    timing,
    note: () => {
      throw new Error('An audit note needs the transaction of its change.')
    },
    query: async <Row extends object>(statement: Statement) =>
      (await retried(() => run([statement]), lostRaceStates))[0] as Row[],
    pipeline: pipelineOn((statements) => retried(() => run(statements))),
    runLast: async (statements) => void (await retried(() => run(statements))),
    transaction: (work) => retried(() => transact(work)),
    snapshot: (work) => transactOnce(on, scope, work, 'isolation level repeatable read, read only'),
  }
}

/** Runs statements as one implicit transaction. */
async function runOnce(on: Connections, scope: Scope, statements: Statement[]): Promise<object[][]> {
  if (statements.length === 0) return []
  const { session } = on
  const client = await connect(on, scope)
  const beganMs = performance.now()
  let broken: Error | undefined
  try {
    const place = { corpId: scope.corpId, lockTimeoutMs: lockTimeoutMs(on, scope) }
    const rows = await scopedPipeline(client, place, statements, session)
    on.heartbeat?.noteAnswer()
    return rows
  } catch (error) {
    broken = connectionFailure(error)
    if (broken && statements.every(isRead)) lostWithoutTrace.add(broken)
    if (!broken && session.queryMode.sharded) broken = await endFailed(client, error)
    throw error
  } finally {
    noteRoundTrip(scope.timing, statements, beganMs)
    disconnect(on, scope, client, broken)
  }
}

/** Rolls back an explicit transaction after a failure. Returns the reason if the connection must not be used again. */
async function endFailed(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  const { code = '' } = error as pg.DatabaseError
  if (/^(26|42)/.test(code)) return error as Error
  return rollBack(client).then(
    () => undefined,
    (failure: Error) => failure,
  )
}

async function transactOnce<T>(
  on: Connections,
  scope: Scope,
  work: (tx: Queryable) => Promise<T>,
  mode = '',
): Promise<T> {
  const { corpId, origin, timing } = scope
  const client = await connect(on, scope)
  let broken: Error | undefined
  let isCommitting = false
  let hasEntries = false
  // Recorded here and not in the catch below: an error thrown by the work says nothing about the connection.
  const watched = async <Answer>(statements: Statement[], send: () => Promise<Answer>) => {
    const beganMs = performance.now()
    try {
      return await send()
    } catch (error) {
      broken ??= connectionFailure(error)
      throw error
    } finally {
      noteRoundTrip(timing, statements, beganMs)
    }
  }
  try {
    const place = { corpId, mode, lockTimeoutMs: lockTimeoutMs(on, scope) }
    const transaction = openTransaction(client, place, on.session)
    const trail = new AuditTrail()
    const last: Statement[] = []
    const run: Run = async (statements) => {
      const results = await watched(statements, () => transaction.run(statements))
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
    const final = [...last, ...entries]
    const command = await watched(final, () => transaction.commitAfter(final))
    // PostgreSQL answers the commit of a failed transaction with a rollback, and no error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed: it was rolled back.')
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
    // A commit with an unknown outcome may have left entries as well.
    if (hasEntries) on.noteEntries(corpId)
  }
}

/** The handle that work inside a transaction gets. */
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
