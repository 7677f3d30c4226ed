import type pg from 'pg'
import { ApiError } from '../contract/errors.ts'
import { type Answer, type Execution, type PipelineDone, PipelineQuery } from './driver/pipeline-query.ts'
import { prepareValue } from './driver/private-parts.ts'
import { timeoutsOf } from './driver/query-timeouts.ts'
import { failedCommitOf } from './failed-commits.ts'
import { isRead } from './failures.ts'
import {
  beginText,
  beginTexts,
  inQueryMode,
  neededSchema,
  type Purpose,
  type SessionSettings,
  setOrganizationText,
} from './query-mode.ts'
import type { Statement } from './sql.ts'

/**
 * Runs statements for one organization in one round trip. "Set the organization" and the statements are executions before
 * one Sync, which PostgreSQL runs as one implicit transaction. A sharded engine needs an explicit transaction, in the
 * same round trip. Returns the rows of each statement, in order.
 */
export function scopedPipeline(
  client: pg.PoolClient,
  { corpId, lockTimeoutMs }: { corpId: string; lockTimeoutMs: number | undefined },
  statements: Statement[],
  session: SessionSettings,
): Promise<object[][]> {
  const { before, after } = framesOf(corpId, session, statements.every(isRead) ? 'read' : 'write')
  if (lockTimeoutMs !== undefined) before.push(lockTimeout(lockTimeoutMs))
  const executions = statements.map((statement) => inQueryMode(statement, session.queryMode))
  return runPipeline(client, madeReady([...before, ...executions, ...after])).then(rowsOf)
}

function rowsOf(results: Answer[]): object[][] {
  return results.map(({ rows }) => rows)
}

/** A transaction of an organization, which begins in the round trip of its first statements. */
export interface OpenTransaction {
  run(statements: Statement[]): Promise<Answer[]>
  /** Runs the last statements and commits, in one round trip; answers the command that PostgreSQL ran. */
  commitAfter(statements: Statement[]): Promise<string>
}

export function openTransaction(
  client: pg.PoolClient,
  { corpId, mode, lockTimeoutMs }: { corpId: string; mode: string; lockTimeoutMs: number | undefined },
  session: SessionSettings,
): OpenTransaction {
  let opening = openingOf(corpId, mode, session)
  if (lockTimeoutMs !== undefined) opening.push(lockTimeout(lockTimeoutMs))
  async function send(statements: Statement[], last: Execution[]): Promise<Answer[]> {
    const executions = statements.map((statement) => inQueryMode(statement, session.queryMode))
    const ready = madeReady([...opening, ...executions, ...last])
    opening = []
    return runPipeline(client, ready)
  }
  return {
    run: async (statements) => (statements.length === 0 ? [] : send(statements, [])),
    async commitAfter(statements) {
      const isBegun = opening.length === 0
      if (!isBegun && statements.length === 0) return 'COMMIT'
      return (await send(statements, [{ text: 'commit', values: [] }])).at(-1)!.command
    },
  }
}

/** A transaction without a mode may write. */
function openingOf(corpId: string, mode: string, session: SessionSettings): Execution[] {
  const purpose = mode === '' ? 'write' : 'report'
  if (session.queryMode.sharded) return beginTexts(corpId, mode, session, purpose).map(settingOf)
  return [settingOf(beginText(mode)), setOrganization(corpId, session, purpose)]
}

function framesOf(
  corpId: string,
  session: SessionSettings,
  purpose: Purpose,
): { before: Execution[]; after: Execution[] } {
  if (session.queryMode.sharded)
    return { before: beginTexts(corpId, '', session, purpose).map(settingOf), after: [settingOf('commit')] }
  return { before: [setOrganization(corpId, session, purpose)], after: [] }
}

/** Cached per database. */
const setOrganizationTexts = new WeakMap<SessionSettings, Record<Purpose, string>>()

function setOrganization(corpId: string, session: SessionSettings, purpose: Purpose): Execution {
  let texts = setOrganizationTexts.get(session)
  if (texts === undefined) {
    const textFor = (each: Purpose) => setOrganizationText(session, each)
    texts = { read: textFor('read'), write: textFor('write'), report: textFor('report') }
    setOrganizationTexts.set(session, texts)
  }
  const name = purpose === 'read' ? 'set_organization' : `set_organization_to_${purpose}`
  return {
    ...(session.queryMode.prepared && { name }),
    text: texts[purpose],
    values: [corpId],
    isSetting: true,
  }
}

function settingOf(text: string): Execution {
  return { text, values: [], isSetting: true }
}

/** `set local` has no effect in an implicit transaction, so this uses a function. It returns no rows. */
function lockTimeout(ms: number): Execution {
  return settingOf(`select 1 where set_config('lock_timeout', '${ms}', true) is null`)
}

/** Prepares all values before anything is sent: the Sync of half a pipeline would commit it. */
function madeReady(executions: Execution[]): Execution[] {
  return executions.map((each) => ({ ...each, values: each.values.map(prepareValue) }))
}

/** Rolls back a failed transaction. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  await runPipeline(client, [settingOf('rollback')])
}

function runPipeline(client: pg.PoolClient, executions: Execution[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const answered = timeoutsOf(client)?.watch(reject)
    const done: PipelineDone = (failure, answers) => {
      answered?.()
      const error = failure ?? failedCommitOf(client)
      if (error) reject(refusalOf(error) ?? error)
      else resolve(answers.filter((_, index) => !executions[index]!.isSetting))
    }
    client.query(new PipelineQuery(executions, client, done))
  })
}

/** The refusal of a write by a version that does not know the schema. It has left nothing. */
function refusalOf(error: Error): ApiError | undefined {
  const schema = neededSchema(error)
  if (schema === undefined) return undefined
  const msg = `The database was updated to schema ${schema}: this server is too old to change records. It still reads them.`
  return new ApiError('unavailable', { msg, retryAfterSeconds: 2 })
}
