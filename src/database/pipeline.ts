import { createRequire } from 'node:module'
import type pg from 'pg'
import { failedCommitOf } from './failed-commits.ts'
import {
  beginText,
  beginTexts,
  inQueryMode,
  type SessionSettings,
  setOrganizationText,
} from './query-mode.ts'
import { timeoutsOf } from './query-timeouts.ts'
import type { Statement } from './sql.ts'

/**
 * Runs statements with the organization set for them alone, in one round trip: "set the organization" and the statements
 * are executions before one Sync, which PostgreSQL runs as one implicit transaction. A sharded engine gets an explicit
 * one, in one round trip all the same. Each statement has its rows, in the same order.
 */
export function scopedPipeline(
  client: pg.PoolClient,
  { corpId, lockTimeoutMs }: { corpId: string; lockTimeoutMs: number | undefined },
  statements: Statement[],
  session: SessionSettings,
): Promise<object[][]> {
  const { before, after } = framesOf(corpId, session)
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

/** Under a name, it is parsed once per connection. */
interface Execution {
  text: string
  name?: string
  values: unknown[]
  /** A setting, of which nobody wants to know rows. */
  isSetting?: boolean
}

function openingOf(corpId: string, mode: string, session: SessionSettings): Execution[] {
  if (session.queryMode.sharded) return beginTexts(corpId, mode, session).map(settingOf)
  return [settingOf(beginText(mode)), setOrganization(corpId, session, mode !== '')]
}

function framesOf(corpId: string, session: SessionSettings): { before: Execution[]; after: Execution[] } {
  if (session.queryMode.sharded)
    return { before: openingOf(corpId, '', session), after: [settingOf('commit')] }
  return { before: [setOrganization(corpId, session, false)], after: [] }
}

/** Made once per database, not once per pipeline. */
const setOrganizationTexts = new WeakMap<SessionSettings, { usual: string; report: string }>()

function setOrganization(corpId: string, session: SessionSettings, isReport: boolean): Execution {
  let texts = setOrganizationTexts.get(session)
  if (texts === undefined) {
    texts = { usual: setOrganizationText(session, false), report: setOrganizationText(session, true) }
    setOrganizationTexts.set(session, texts)
  }
  const [name, text] = isReport
    ? ['set_organization_of_report', texts.report]
    : ['set_organization', texts.usual]
  return { ...(session.queryMode.prepared && { name }), text, values: [corpId], isSetting: true }
}

function settingOf(text: string): Execution {
  return { text, values: [], isSetting: true }
}

/** By a function, since `set local` does nothing in an implicit transaction; without rows, as nobody wants them. */
function lockTimeout(ms: number): Execution {
  return settingOf(`select 1 where set_config('lock_timeout', '${ms}', true) is null`)
}

/** All values are made ready before anything is sent: half a pipeline would be committed by its Sync. */
function madeReady(executions: Execution[]): Execution[] {
  return executions.map((each) => ({ ...each, values: each.values.map(prepareValue) }))
}

/** Ends a transaction that has failed. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  await runPipeline(client, [settingOf('rollback')])
}

/** What one execution came to. */
export interface Answer {
  command: string
  rowCount: number
  rows: object[]
}

function runPipeline(client: pg.PoolClient, executions: Execution[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const answered = timeoutsOf(client)?.watch(reject)
    const done: Done = (failure, answers) => {
      answered?.()
      const error = failure ?? failedCommitOf(client)
      if (error) reject(error)
      else resolve(answers.filter((_, index) => !executions[index]!.isSetting))
    }
    client.query(new PipelineQuery(executions, client, done))
  })
}

type Done = (error: Error | undefined, answers: Answer[]) => void

/** The members of pg's connection that a query object works with. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Record<string, string>
  parse(message: { name: string; text: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  sendCopyFail(reason: string): void
}

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown
}

interface Column {
  name: string
  read(text: string): unknown
}

/** Of statements that a connection has under names: what their rows look like cannot change, so it is asked for once. */
const columnsByName = new WeakMap<pg.ClientBase, Map<string, Column[]>>()

function columnsOf(client: pg.ClientBase): Map<string, Column[]> {
  let columns = columnsByName.get(client)
  if (!columns) {
    columns = new Map()
    columnsByName.set(client, columns)
  }
  return columns
}

function rowOf(columns: Column[], texts: (string | null)[]): object {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const { name, read } = columns[index]!
    const text = texts[index]!
    row[name] = text === null ? null : read(text)
  }
  return row
}

/**
 * Several executions as one query of pg, which tells it by these methods of what comes back. pg's own query object could
 * be had to do so, at twice the time for a read by id that it shares with a dozen others.
 */
class PipelineQuery {
  /** When pg hears that something was parsed, it notes the name and the text that the query has then. */
  name: string | undefined
  text: string
  private readonly executions: Execution[]
  private readonly client: pg.PoolClient
  private readonly done: Done
  private readonly answers: Answer[] = []
  private readonly columnsByName: Map<string, Column[]>
  private columns: Column[] | undefined
  private rows: object[] = []
  private failure: Error | undefined

  constructor(executions: Execution[], client: pg.PoolClient, done: Done) {
    this.executions = executions
    this.client = client
    this.done = done
    this.columnsByName = columnsOf(client)
    this.name = executions[0]!.name
    this.text = executions[0]!.text
  }

  submit(wire: Wire): void {
    const parsed = new Set<string>()
    // One write for all of it.
    wire.stream.cork()
    for (const { name = '', text, values, isSetting } of this.executions) {
      if (name === '' || (wire.parsedStatements[name] === undefined && !parsed.has(name)))
        wire.parse({ name, text, types: [] })
      parsed.add(name)
      wire.bind({ portal: '', statement: name, values })
      if (!isSetting && !this.columnsByName.has(name)) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.client.getTypeParser(dataTypeID, 'text'),
    }))
    if (this.name !== undefined) this.columnsByName.set(this.name, this.columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.columns ??= this.columnsByName.get(this.name!)!
    try {
      this.rows.push(rowOf(this.columns, fields))
    } catch (error) {
      this.failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ')
    this.answers.push({ command: words[0]!, rowCount: Number(words.at(-1)) || 0, rows: this.rows })
    this.rows = []
    this.columns = undefined
    const next = this.executions[this.answers.length]
    this.name = next?.name
    this.text = next?.text ?? ''
  }

  handleReadyForQuery(): void {
    this.done(this.failure, this.answers)
  }

  handleError(error: Error): void {
    this.done(this.failure ?? error, [])
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('A pipeline has nothing to copy')
  }

  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
