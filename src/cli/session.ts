import { userInfo } from 'node:os'
import type pg from 'pg'
import type { Keyring } from '../access/organizations/keyring.ts'
import type { Config } from '../config.ts'
import type { Origin } from '../contract/origin.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import { type Installation, openInstallation, poolLimits } from '../installation.ts'
import { findKeyring, openKeyring } from '../open-keyring.ts'
import '../derived/derived-data.ts'
import type { Command } from 'commander'
import { type Answer, print } from './output.ts'

// Registers the updates that follow a renamed user.

/** Read when a command runs, so that help needs no valid settings. */
export type Settings = () => Config

export interface Session {
  db: Database
  /** Opens the master keys. Refuses keys that do not open every stored secret. Commands that read no secret need none. */
  openKeyring(): Promise<Keyring>
  /** The master keys where there are any. Nothing is refused or created. */
  findKeyring(): Promise<Keyring | undefined>
  now: Date
}

/** No timeout: work on all records of an organization may take long. */
export const withoutTimeouts: pg.PoolConfig = {
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}

/** A command has longer timeouts than a request: on a busy machine, it should rather wait than fail. */
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

/** Runs the work on the database as its owner, and stops everything that it started. */
export async function withDatabase<T>(
  settings: Settings,
  work: (session: Session) => Promise<T>,
  limits: pg.PoolConfig = {},
): Promise<T> {
  return withInstallation(settings, async ({ owner }) => {
    await refuseOtherSchema(owner)
    const origin = commandOrigin(process.argv.slice(2))
    const config = settings()
    const db = openDatabase({ ...patientLimits(config), ...owner, max: 2, ...limits, origin })
    try {
      return await work({
        db,
        openKeyring: () => openKeyring(config, db),
        findKeyring: () => findKeyring(config),
        now: new Date(),
      })
    } finally {
      await db.close()
    }
  })
}

/** The action of a command that works on the database: prints the answer after everything is stopped. */
export function answering<Given extends unknown[]>(
  settings: Settings,
  work: (session: Session, ...given: Given) => Promise<Answer>,
  limits?: pg.PoolConfig,
) {
  // Commander passes the arguments, the options and the command.
  return async (...passed: [...Given, Command]): Promise<void> => {
    const given = passed.slice(0, -1) as unknown as Given
    const answer = await withDatabase(settings, (session) => work(session, ...given), limits)
    print(answer, (given.at(-1) as { json?: boolean }).json)
  }
}

/** The actor of a command is the operating-system user. Only the name of the command is recorded; arguments may be secret. */
function commandOrigin(words: string[]): Origin {
  const rest = words.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word))
  const named = words.slice(0, rest < 0 ? words.length : rest).slice(0, 2)
  const operation = ['matricula', ...named].join(' ')
  return { actor_kind: 'system', actor_id: systemUser(), address: null, operation, request_id: null }
}

/** In a container, a user may have an id without a name. */
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
    `The database has ${found}, and this version needs schema ${wanted}. Run matricula db migrate.`,
  )
}

/**
 * Ctrl-C must neither leave a PostgreSQL running that this command started, nor lose a secret that was just created. A
 * command therefore gets a moment to end by itself. A second Ctrl-C ends it at once.
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
