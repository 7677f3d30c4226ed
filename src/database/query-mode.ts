import pg from 'pg'
import type { Statement } from './sql.ts'

/** How statements are sent to the database. */
export interface QueryMode {
  /** Under names, parsed once per connection. Older poolers in transaction mode take statements without names only. */
  prepared: boolean
  /** The engine shards by organization: only `set local` in an explicit transaction reaches all of its nodes. */
  sharded: boolean
  /** The role to work as, where the connection itself cannot carry it. */
  role?: string
}

export const defaultQueryMode: QueryMode = { prepared: true, sharded: false }

/** Settings at the begin of each transaction: those that the connection cannot carry. */
export interface SessionSettings {
  /** Settings by name, less the organization. */
  settings: Record<string, string>
  queryMode: QueryMode
  /** The newest schema that this version knows. Writes to a schema that needs a newer version are refused. */
  knownSchema?: number | undefined
}

/** The access of the statements of a transaction. */
export type Purpose = 'read' | 'write' | 'report'

/** Timeouts that a connection carries. A pooler in transaction mode refuses them. */
const carried = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

/** Splits the options of a pool into those that connections carry and those that every transaction sets. */
export function sessionSettingsOf(
  options: pg.PoolConfig,
  queryMode: QueryMode,
  knownSchema?: number,
): { pool: pg.PoolConfig; session: SessionSettings } {
  // Compiling a plan takes tens of milliseconds, and our statements run for less.
  const settings: Record<string, string> = { jit: 'off' }
  if (queryMode.role !== undefined) settings.role = queryMode.role
  if (queryMode.sharded) settings['citus.propagate_set_commands'] = 'local'
  const pool = { ...options }
  if (!queryMode.prepared) {
    for (const name of carried) {
      if (pool[name]) settings[name] = String(pool[name])
      delete pool[name]
    }
  }
  return { pool, session: { settings, queryMode, knownSchema } }
}

/** The statement, without its name where prepared statements are not supported. */
export function inQueryMode(statement: Statement, { prepared }: QueryMode): Omit<Statement, 'name'> {
  if (prepared) return statement
  const { name: _, ...unnamed } = statement
  return unnamed
}

/** Plans are reused for all values: planning a page costs more than reading it. */
const genericPlans = { plan_cache_mode: 'force_generic_plan' }

/**
 * Single statements and statements of writing transactions look records up by key. A plan made while a table was empty
 * would scan the whole table until the next ANALYZE. Reports may scan.
 */
const lookups = { enable_seqscan: 'off' }

/** Returns no rows, so the rows of a pipeline are those of its other statements. */
export function setOrganizationText(session: SessionSettings, purpose: Purpose): string {
  const { settings } = session
  const others = Object.entries({
    ...settings,
    ...genericPlans,
    ...(purpose === 'report' ? {} : lookups),
  }).map(([name, value]) => ` or set_config('${name}', ${pg.escapeLiteral(value)}, true) is null`)
  const check =
    purpose === 'write' && session.knownSchema !== undefined ? ` or ${writerCheck(session.knownSchema)}` : ''
  return `select 1 where set_config('app.corp_id', $1, true) is null${others.join('')}${check}`
}

/**
 * Fails where the schema needs a writer of a newer version; a version that does not know the schema would write it wrongly.
 * The failing cast is the only way to raise an error without a function.
 */
function writerCheck(knownSchema: number): string {
  return (
    `(select case when coalesce(v.oldest_writer, v.id) > ${knownSchema} then ('${tooOldMark} ' || coalesce(v.oldest_writer, v.id))::integer` +
    ' else 0 end from schema_migrations v order by v.id desc limit 1) <> 0'
  )
}

const tooOldMark = 'needs schema'

/** The schema that a writer must know, if the error is the refusal of an older one. */
export function neededSchema(error: Error): number | undefined {
  const [, schema] = new RegExp(`"${tooOldMark} (\\d+)"`).exec(error.message) ?? []
  return schema === undefined ? undefined : Number(schema)
}

/**
 * The same for a sharded engine, in an explicit transaction. The engine repeats the whole text of a `set local` on its
 * nodes, so each command is a separate text.
 */
export function beginTexts(
  corpId: string,
  mode: string,
  { settings, knownSchema }: SessionSettings,
  purpose: Purpose = 'read',
): string[] {
  const setting = Object.entries({ ...settings, 'app.corp_id': corpId }).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`,
  )
  const isChecked = purpose === 'write' && knownSchema !== undefined
  return [beginText(mode), ...setting, ...(isChecked ? [`select 1 where ${writerCheck(knownSchema)}`] : [])]
}

export function beginText(mode: string): string {
  return `begin ${mode}`.trim()
}
