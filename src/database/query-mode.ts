import pg from 'pg'
import type { Statement } from './sql.ts'

/** How statements reach the database. */
export interface QueryMode {
  /** Under names, parsed once per connection. Older poolers in transaction mode take statements without names only. */
  prepared: boolean
  /** The engine shards by organization: only `set local` in an explicit transaction reaches all of its nodes. */
  sharded: boolean
  /** The role to work as, where the connection itself cannot carry it. */
  role?: string
}

export const defaultQueryMode: QueryMode = { prepared: true, sharded: false }

/** What a transaction begins with: the organization, and whatever the connection could not carry. */
export interface SessionSettings {
  /** Settings by name, less the organization. */
  settings: Record<string, string>
  queryMode: QueryMode
}

/** Timeouts that are sent when a connection is opened, which a pooler in transaction mode refuses. */
const carried = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

/** Splits the options of a pool into what its connections carry and what every transaction has to set. */
export function sessionSettingsOf(
  options: pg.PoolConfig,
  queryMode: QueryMode,
): { pool: pg.PoolConfig; session: SessionSettings } {
  const settings: Record<string, string> = {}
  if (queryMode.role !== undefined) settings.role = queryMode.role
  if (queryMode.sharded) settings['citus.propagate_set_commands'] = 'local'
  const pool = { ...options }
  if (!queryMode.prepared) {
    for (const name of carried) {
      if (pool[name]) settings[name] = String(pool[name])
      delete pool[name]
    }
  }
  return { pool, session: { settings, queryMode } }
}

/** The same statement, without its name where names are not understood. */
export function inQueryMode(statement: Statement, { prepared }: QueryMode): Omit<Statement, 'name'> {
  if (prepared) return statement
  const { name: _, ...unnamed } = statement
  return unnamed
}

/** Statements are written to be planned once, whatever their values: to plan a page costs more than to read it. */
const genericPlans = { plan_cache_mode: 'force_generic_plan' }

/**
 * A statement of its own, and one of a transaction that writes, looks records up by their keys. Planned while a table was
 * still empty, it would go on to read the whole of it until somebody analyzes it. Reports read much, and may.
 */
const lookups = { enable_seqscan: 'off' }

/** Returns no row, so that the answer of a pipeline is that of the statements behind it. */
export function setOrganizationText({ settings }: SessionSettings, isReport: boolean): string {
  const others = Object.entries({ ...settings, ...genericPlans, ...(isReport ? {} : lookups) }).map(
    ([name, value]) => ` or set_config('${name}', ${pg.escapeLiteral(value)}, true) is null`,
  )
  return `select 1 where set_config('app.corp_id', $1, true) is null${others.join('')}`
}

/**
 * The same on a sharded engine, in an explicit transaction that begins here. It repeats `set local` on its nodes, by the
 * whole text that it came with, so each command must be a text of its own.
 */
export function beginTexts(corpId: string, mode: string, { settings }: SessionSettings): string[] {
  const setting = Object.entries({ ...settings, 'app.corp_id': corpId }).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`,
  )
  return [beginText(mode), ...setting]
}

export function beginText(mode: string): string {
  return `begin ${mode}`.trim()
}
