import { setTimeout as pause } from 'node:timers/promises'
import { appRole } from '../database/migrate.ts'
import { createMatriculaRoles, DATABASE, OWNER_ROLE } from './matricula-roles.ts'
import { type ClusterOptions, openCluster } from './postgres-cluster.ts'
import { shutDownPostmaster } from './postmaster.ts'
import { ANOTHER_SERVER, type ReachedPostgres, type ReachOptions, reachPostgres } from './reach-postgres.ts'
import { openSocketFolder, SOCKET_PORT, type SocketFolder } from './socket-folder.ts'
import { isAlone } from './superuser-connection.ts'

export interface PostgresAddress {
  host: string
  port: number
  user: string
  database: string
}

/** A running PostgreSQL; its addresses are valid in this process only, until stop(). */
export interface EmbeddedPostgres {
  /** pg connection options for the role that owns the schema (migrations, command line). */
  owner: PostgresAddress
  /** pg connection options for the server's own role, which neither owns tables nor bypasses row-level security. */
  app: PostgresAddress
  stop(): Promise<void>
}

export interface StartOptions extends Omit<ClusterOptions, 'durable'> {
  /** PostgreSQL settings beyond the defaults. */
  settings?: Record<string, string>
  /** Called when PostgreSQL died and cannot be brought back, so that the server can exit. */
  onFatal?: (error: Error) => void
  log?: (message: string) => void
  /** Called while PostgreSQL starts: work that blocks this process costs no time then. */
  onLaunched?: () => void
  /** Aborts the start, and stops a started PostgreSQL. */
  signal?: AbortSignal
  /** Maximum time until PostgreSQL accepts connections. Replaying a log takes longer than usual. */
  patienceMs?: number
}

const MAX_RECOVERIES_PER_MINUTE = 5
const MAX_ATTEMPTS_PER_RECOVERY = 3

/** Starts PostgreSQL for the server, as a child process that is restarted after a failure. A second server is refused. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster({ ...options, durable: options.settings?.fsync !== 'off' })
  const socket = await openSocketFolder(cluster.dir)
  const reach = { cluster, host: socket.host, settings: options.settings, exclusive: true }
  const { signal, patienceMs, onLaunched } = options
  const first = { ...reach, onLaunched, ...(signal && { signal }), ...(patienceMs && { patienceMs }) }
  const reached = await reachAndSetUp(first, socket)
  const stopKeeping = keepRunning(reach, reached, options)
  return describe(socket, async () => {
    const last = await stopKeeping()
    await leave(reach, last, true)
  })
}

/** Gives a command the running PostgreSQL, or starts one for the duration of the command. */
export async function borrowEmbeddedPostgres(options: { dataDir: string }): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options)
  const socket = await openSocketFolder(cluster.dir)
  const reach = { cluster, host: socket.host, exclusive: false }
  const reached = await reachAndSetUp(reach, socket)
  return describe(socket, async () => leave(reach, reached, await isUnused(reached)))
}

async function reachAndSetUp(reach: ReachOptions, socket: SocketFolder): Promise<ReachedPostgres> {
  let reached: ReachedPostgres | undefined
  try {
    reached = await reachPostgres(reach)
    await createMatriculaRoles(reached.connection.client, socket.host)
    return reached
  } catch (error) {
    if (reached) await leave(reach, reached, true)
    await socket.close()
    throw error
  }
}

function describe({ host, close }: SocketFolder, leaveDatabase: () => Promise<void>): EmbeddedPostgres {
  const address = { host, port: SOCKET_PORT, database: DATABASE }
  let stopped: Promise<void> | undefined
  return {
    owner: { ...address, user: OWNER_ROLE },
    app: { ...address, user: appRole },
    stop: () => {
      stopped ??= leaveDatabase().finally(close)
      return stopped
    },
  }
}

async function leave({ cluster }: ReachOptions, reached: ReachedPostgres, shutDown: boolean): Promise<void> {
  await reached.connection.client.end().catch(() => undefined)
  if (shutDown && reached.process) await shutDownPostmaster(cluster.dir, reached.process.pid)
}

// Connections that the command has just closed take a moment to disappear.
async function isUnused({ connection, process }: ReachedPostgres): Promise<boolean> {
  if (!process) return false
  for (let attempt = 0; attempt < 20; attempt++) {
    const alone = await isAlone(connection).catch(() => true)
    if (alone) return true
    await pause(50)
  }
  return false
}

/** Restarts PostgreSQL or takes the lock again after a loss. The returned function stops this. */
function keepRunning(
  reach: ReachOptions,
  first: ReachedPostgres,
  { onFatal, log = () => undefined }: StartOptions,
): () => Promise<ReachedPostgres> {
  const abort = new AbortController()
  let current = first
  let recovery: Promise<void> | undefined
  let recoveries: number[] = []

  function watch(watched: ReachedPostgres) {
    const recover = () => {
      if (watched === current && !abort.signal.aborted) recovery ??= bringBack()
    }
    watched.process?.exited.then(recover)
    watched.connection.closed.then(recover)
  }

  async function bringBack() {
    try {
      log('PostgreSQL stopped unexpectedly; starting it again')
      recoveries = [...recoveries, Date.now()].filter((at) => at > Date.now() - 60_000)
      if (recoveries.length > MAX_RECOVERIES_PER_MINUTE) throw new Error('It keeps stopping.')
      await current.connection.client.end().catch(() => undefined)
      current = await reachWithoutTimeouts({ ...reach, process: current.process, signal: abort.signal })
      log('PostgreSQL is running again')
      recovery = undefined
      watch(current)
    } catch (error) {
      if (!abort.signal.aborted) onFatal?.(fatalError(error as Error))
    }
  }

  watch(first)
  return async () => {
    abort.abort()
    await recovery
    return current
  }
}

async function reachWithoutTimeouts(options: ReachOptions): Promise<ReachedPostgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await reachPostgres(options)
    } catch (error) {
      const isHopeless = (error as NodeJS.ErrnoException).code === ANOTHER_SERVER || options.signal?.aborted
      if (isHopeless || attempt === MAX_ATTEMPTS_PER_RECOVERY) throw error
      await pause(attempt * 1_000)
    }
  }
}

function fatalError(cause: Error): Error {
  return new Error(`PostgreSQL stopped and could not be started again. ${cause.message}`, { cause })
}
