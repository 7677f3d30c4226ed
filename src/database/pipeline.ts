import { createRequire } from 'node:module'
import pg from 'pg'
import { beginTexts, inQueryMode, type SessionSettings, setOrganizationText } from './query-mode.ts'
import type { Statement } from './sql.ts'

/**
 * Runs statements with the organization set for them alone, in one round trip: "set the organization" and the statements
 * are executions before one Sync, which PostgreSQL runs as one implicit transaction. A sharded engine gets an explicit
 * one, in one round trip all the same. Each statement has its rows, in the same order.
 */
export function scopedPipeline(
  client: pg.PoolClient,
  corpId: string,
  statements: Statement[],
  session: SessionSettings,
): Promise<object[][]> {
  const { before, after } = framesOf(corpId, session)
  const executions = statements.map((statement) => inQueryMode(statement, session.queryMode))
  return runPipeline(client, [...before, ...executions, ...after]).then(rowsOf)
}

function rowsOf(results: pg.QueryResult[]): object[][] {
  return results.map(({ rows }) => rows)
}

/** Begins a transaction of an organization, in one round trip. */
export async function beginTransaction(
  client: pg.PoolClient,
  corpId: string,
  mode: string,
  session: SessionSettings,
): Promise<void> {
  const texts = beginTexts(corpId, mode, session)
  if (texts.length === 1) await client.query(texts[0]!)
  else await runPipeline(client, texts.map(settingOf))
}

/** Runs statements of a transaction that is open already in one round trip. */
export function pipelineInside(
  client: pg.PoolClient,
  statements: Statement[],
  { queryMode }: SessionSettings,
): Promise<pg.QueryResult[]> {
  return runPipeline(
    client,
    statements.map((statement) => inQueryMode(statement, queryMode)),
  )
}

/** Runs the last statements of a transaction and commits it, in one round trip; answers the command that PostgreSQL ran. */
export async function commitAfter(
  client: pg.PoolClient,
  statements: Statement[],
  { queryMode }: SessionSettings,
): Promise<string> {
  if (statements.length === 0) return (await client.query('commit')).command
  const executions = statements.map((statement) => inQueryMode(statement, queryMode))
  const results = await runPipeline(client, [...executions, { text: 'commit', values: [] }])
  return results.at(-1)!.command
}

/** Under a name, it is parsed once per connection. */
interface Execution {
  text: string
  name?: string
  values: unknown[]
  /** A setting, of which nobody wants to know rows. */
  isSetting?: boolean
}

/** Made once per database, not once per pipeline. */
const setOrganizationTexts = new WeakMap<SessionSettings, string>()

function framesOf(corpId: string, session: SessionSettings): { before: Execution[]; after: Execution[] } {
  const { prepared, sharded } = session.queryMode
  if (sharded) {
    return { before: beginTexts(corpId, '', session).map(settingOf), after: [settingOf('commit')] }
  }
  let text = setOrganizationTexts.get(session)
  if (text === undefined) {
    text = setOrganizationText(session)
    setOrganizationTexts.set(session, text)
  }
  const name = prepared ? 'set_organization' : undefined
  return { before: [{ name, text, values: [corpId], isSetting: true }], after: [] }
}

function settingOf(text: string): Execution {
  return { text, values: [], isSetting: true }
}

function runPipeline(client: pg.PoolClient, executions: Execution[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, results) => {
      if (error) return reject(error)
      resolve([results].flat().filter((_, index) => !executions[index]!.isSetting))
    }
    client.query(new PipelineQuery(executions, done) as unknown as pg.Query)
  })
}

type Done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]) => void

/** The members of pg's connection that a query object works with. */
interface Wire {
  readonly parsedStatements: Record<string, string>
  parse(message: { name: string; text: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown
}

/** pg's own query, which can have several results, for several executions. */
class PipelineQuery extends (pg.Query as unknown as new (
  config: object,
  values: undefined,
  callback: Done,
) => {
  name: string | undefined
  text: string
  handleCommandComplete(message: object, wire: Wire): void
}) {
  private readonly executions: Execution[]
  private completed = 0

  constructor(executions: Execution[], callback: Done) {
    super({ ...executions[0], queryMode: 'extended' }, undefined, callback)
    // All values are made ready before anything is sent: half a pipeline would be committed by its Sync.
    this.executions = executions.map((each) => ({ ...each, values: each.values.map(prepareValue) }))
  }

  prepare(wire: Wire): void {
    const parsed = new Set<string>()
    for (const { name = '', text, values, isSetting } of this.executions) {
      if (name === '' || (wire.parsedStatements[name] === undefined && !parsed.has(name)))
        wire.parse({ name, text, types: [] })
      parsed.add(name)
      wire.bind({ portal: '', statement: name, values })
      if (!isSetting) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    super.handleCommandComplete(message, wire)
    // When pg hears that something was parsed, it notes the name and the text that the query has then.
    const next = this.executions[++this.completed]
    if (next) Object.assign(this, { name: next.name, text: next.text })
  }
}
