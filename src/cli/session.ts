import { userInfo } from 'node:os'
import type pg from 'pg'
import type { Keyring } from '../access/organizations/keyring.ts'
import type { Config } from '../config.ts'
import type { Origin } from '../contract/origin.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import { type Installation, openInstallation, poolLimits } from '../installation.ts'
// Registers what follows renamed users.
import '../derived/derived-data.ts'

/** Read when a command runs, so that help needs no valid settings. */
export type Settings = () => Config

export interface Session {
  db: Database
  keyring: Keyring
  now: Date
}

/** For work over all the records of an organization, which takes as long as it takes. */
export const withoutTimeouts: pg.PoolConfig = {
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}

/** Nobody waits for a command as callers of the service do: it rather takes a minute on a busy machine than fail. */
function patientLimits(config: Config): DatabaseOptions {
  const statement_timeout = Math.max(60_000, config.statementTimeoutMs)
  return {
    ...poolLimits(config),
    longestWaitMs: 10_000,
    lock_timeout: 10_000,
    statement_timeout,
    idle_in_transaction_session_timeout: statement_timeout,
    query_timeout: statement_timeout + 1000,
  }
}

/** Runs the work on the database as its owner, and leaves nothing running behind. */
export async function withDatabase<T>(
  settings: Settings,
  work: (session: Session) => Promise<T>,
  limits: pg.PoolConfig = {},
): Promise<T> {
  return withInstallation(settings, async ({ owner, keyring }) => {
    await refuseOtherSchema(owner)
    const origin = commandOrigin(process.argv.slice(2))
    const db = openDatabase({ ...patientLimits(settings()), ...owner, max: 2, ...limits, origin })
    try {
      return await work({ db, keyring, now: new Date() })
    } finally {
      await db.close()
    }
  })
}

/** A command works in the name of whoever has started it. Of its words only those that name it: others may be secret. */
function commandOrigin(words: string[]): Origin {
  const rest = words.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word))
  const named = words.slice(0, rest < 0 ? words.length : rest).slice(0, 2)
  const operation = ['matricula', ...named].join(' ')
  return { actor_kind: 'system', actor_id: systemUser(), address: null, operation, request_id: null }
}

/** In a container, whoever runs may have a number and no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

export async function withInstallation<T>(
  settings: Settings,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const config = settings()
  const forget = endSoonWhenInterrupted(config.databaseUrl === undefined ? 30_000 : 1000)
  let installation: Installation | undefined
  try {
    installation = await openInstallation(config, 'borrow')
    return await work(installation)
  } finally {
    await installation?.stop()
    forget()
  }
}

export async function refuseOtherSchema(owner: Installation['owner']): Promise<void> {
  const { current, wanted, pending } = await schemaStatus(owner)
  if (pending.length === 0) return
  const found = current === 0 ? 'no schema yet' : `schema ${current}`
  throw new Error(
    `The database has ${found}, and this version needs schema ${wanted}: run matricula db migrate.`,
  )
}

/**
 * Ctrl-C must neither leave a PostgreSQL behind that was started for this command nor lose a secret that has just been
 * made, so a command gets a moment to end by itself; a second Ctrl-C does not wait.
 */
function endSoonWhenInterrupted(graceMs: number): () => void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
  let timer: NodeJS.Timeout | undefined
  const interrupt = (signal: NodeJS.Signals) => {
    process.exitCode = exitCodes[signal as keyof typeof exitCodes]
    if (timer) process.exit()
    timer = setTimeout(() => process.exit(), graceMs)
  }
  for (const signal of Object.keys(exitCodes)) process.on(signal, interrupt)
  return () => {
    clearTimeout(timer)
    for (const signal of Object.keys(exitCodes)) process.off(signal, interrupt)
  }
}
