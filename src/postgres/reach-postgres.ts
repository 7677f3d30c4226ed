import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { PostgresCluster } from './postgres-cluster.ts'
import { type PostgresProcess, spawnPostgres } from './postgres-process.ts'
import { findPostmaster, shutDownPostmaster } from './postmaster.ts'
import { connectAsSuperuser, isAlone, type SuperuserConnection } from './superuser-connection.ts'

export interface ReachOptions {
  cluster: PostgresCluster
  host: string
  settings?: Record<string, string> | undefined
  /** A server needs its own PostgreSQL and the server lock. A command uses any running PostgreSQL. */
  exclusive: boolean
  /** The process we started earlier, which may still run. */
  process?: PostgresProcess | undefined
  /** Called when a PostgreSQL has been launched, which then takes a while to accept connections. */
  onLaunched?: (() => void) | undefined
  signal?: AbortSignal
  patienceMs?: number
}

export interface ReachedPostgres {
  connection: SuperuserConnection
  /** Ours, if we started it. */
  process: PostgresProcess | undefined
}

/** Error code: another server uses the data folder. */
export const ANOTHER_SERVER = 'ANOTHER_SERVER'

const START_PATIENCE = 60_000
const LEFTOVER_PATIENCE = 20_000
const LOCK_PATIENCE = 3_000
const GUEST_PATIENCE = 5_000

// Messages of a start while backends of a killed PostgreSQL have not exited yet.
const LEFTOVER = /lock file .* already exists|pre-existing shared memory block/

/** Connects to the PostgreSQL of the cluster, and starts it if necessary. */
export async function reachPostgres(options: ReachOptions): Promise<ReachedPostgres> {
  const attempt: Attempt = { ...options, earlier: options.process, startedAt: Date.now() }
  try {
    for (;;) {
      const reached = await tryToReach(attempt)
      if (reached) return reached
      await stayPatient(attempt)
    }
  } catch (error) {
    if (attempt.process) await shutDownPostmaster(options.cluster.dir, attempt.process.pid)
    throw error
  }
}

type Attempt = ReachOptions & { earlier: PostgresProcess | undefined; startedAt: number }

async function tryToReach(attempt: Attempt): Promise<ReachedPostgres | undefined> {
  const { cluster, host } = attempt
  const connection = await connectAsSuperuser(host)
  if (connection) return settle(attempt, connection)
  if (attempt.process?.hasExited()) await forgetExited(attempt)
  if (!attempt.process && !(await findPostmaster(cluster.dir))) {
    attempt.process = await spawnPostgres(cluster, attempt.settings)
    attempt.onLaunched?.()
  }
  return undefined
}

async function settle(
  attempt: Attempt,
  connection: SuperuserConnection,
): Promise<ReachedPostgres | undefined> {
  const running = await findPostmaster(attempt.cluster.dir)
  const isOurs = running !== undefined && running === attempt.process?.pid
  const reached = { connection, process: isOurs ? attempt.process : undefined }
  if (!attempt.exclusive) return reached
  const lock = await orUndefined(takeServerLock(connection.client, LOCK_PATIENCE))
  if (lock && isOurs) return reached
  try {
    if (lock === false) throw anotherServerError(attempt.cluster)
    if (lock) await removeAbandoned(attempt, connection, running)
    return undefined
  } finally {
    await connection.client.end().catch(() => undefined)
  }
}

// The lock was free, so this PostgreSQL is left over from a killed server, or serves a command for a moment.
async function removeAbandoned(
  { cluster }: Attempt,
  connection: SuperuserConnection,
  running: number | undefined,
): Promise<void> {
  if (running === undefined) {
    throw new Error(
      `A PostgreSQL that this process cannot see, perhaps in another container, is running on ${cluster.dir}; ` +
        'stop it first.',
    )
  }
  const deadline = Date.now() + GUEST_PATIENCE
  while (Date.now() < deadline && (await orUndefined(isAlone(connection))) === false) await pause(100)
  await shutDownPostmaster(cluster.dir, running)
}

async function forgetExited(attempt: Attempt): Promise<void> {
  const exited = attempt.process
  attempt.process = undefined
  // The first exit is the reason for this attempt. Only an exit of a process started since then is a failed start.
  if (exited === attempt.earlier) return
  const words = (await exited?.lastWords()) ?? ''
  const mayPass = LEFTOVER.test(words) || words.endsWith('database system is shut down')
  if (!mayPass || Date.now() - attempt.startedAt > LEFTOVER_PATIENCE) {
    throw new Error(`PostgreSQL did not start on the data folder ${attempt.cluster.dataDir}.\n${words}`)
  }
  await pause(200)
}

async function stayPatient(attempt: Attempt): Promise<void> {
  attempt.signal?.throwIfAborted()
  if (Date.now() - attempt.startedAt > (attempt.patienceMs ?? START_PATIENCE)) {
    const words = (await attempt.process?.lastWords()) ?? ''
    throw new Error(
      `PostgreSQL on the data folder ${attempt.cluster.dataDir} accepts no connections.\n${words}`.trimEnd(),
    )
  }
  await pause(25)
}

function anotherServerError({ dataDir }: PostgresCluster): Error {
  const error = new Error(`Another Matricula server is already running on the data folder ${dataDir}.`)
  return Object.assign(error, { code: ANOTHER_SERVER })
}

// PostgreSQL may be shutting down. The next attempt handles that.
function orUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch(() => undefined)
}

// Any constant. It must be the same in all versions that may use one data folder.
const SERVER_LOCK = 7_281_940_113

/** Takes the lock that one server holds per data folder; it is released when the connection ends. */
async function takeServerLock(client: pg.Client, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [SERVER_LOCK])
    if (rows[0].taken) return true
    if (Date.now() >= deadline) return false
    await pause(100)
  }
}
