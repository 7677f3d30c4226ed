import type { Logger } from 'pino'
import type { MetricObject } from 'prom-client'
import type { Keyring } from '../access/organizations/keyring.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { openIpc } from './ipc.ts'
import type { Assignment, CallPrimary, PrimaryCalls, WorkerCalls } from './ipc-messages.ts'
import { listenInherited } from './listen.ts'
import { memoryOfPrimary } from './server-memory.ts'
import { createServingProcess, type ServerSettings } from './serving-process.ts'
import type { Stopping } from './stopping.ts'

/** The database that the primary has opened, as a worker reaches it. */
interface JoinedInstallation {
  app: DatabaseOptions
  keyring: Keyring
  stop(): Promise<void>
}

/** Where the primary puts the port among the files that a worker starts with, behind the pipe between them. */
const portFd = 4

/** A worker: the same server on what the primary has opened, until the primary says that it is over. */
export async function runWorker(
  id: number,
  settings: ServerSettings,
  log: Logger,
  join: (app: DatabaseOptions) => Promise<JoinedInstallation>,
): Promise<void> {
  const primary = joinPrimary()
  try {
    const { app, replicas, wantedSchema } = await primary.assignment
    const installation = await join(app)
    const { keyring } = installation
    const db = openDatabase(installation.app)
    const reportEntries = gatherEntries(db, (corpIds) => primary.call('noteEntries', corpIds))
    const memory = memoryOfPrimary(primary.call)
    const metricsOfAll = () => primary.call('metrics')
    const ownLog = log.child({ worker: id })
    const serving = await createServingProcess(
      { db, replicas, keyring, memory, wantedSchema, stopping: primary.stopping, metricsOfAll },
      settings,
      ownLog,
    )
    primary.tellMetrics(() => serving.http.metrics.getMetricsAsJSON())
    const url = await listenInherited(serving.http.server, portFd, settings.host)
    ownLog.info({ url }, 'listening')
    await primary.call('listening')
    const how = await Promise.race([primary.stopping.asked, primary.retired])
    await (how === 'retire' ? serving.retire() : serving.end())
    await reportEntries()
    await db.close()
    await installation.stop()
  } catch (error) {
    await primary.call('failed', (error as Error).message)
  }
  process.exit()
}

const gatheringMs = 50

/** Reports organizations with new entries to the primary, together; returns how to report at once. */
function gatherEntries(db: Database, send: (corpIds: string[]) => Promise<void>): () => Promise<void> {
  const gathered = new Set<string>()
  async function report(): Promise<void> {
    const corpIds = [...gathered]
    gathered.clear()
    // A primary that has ended says so elsewhere; entries that nobody reports are found by a sweep.
    if (corpIds.length > 0) await send(corpIds).catch(() => undefined)
  }
  db.onEntries((corpId) => {
    if (gathered.size === 0) setTimeout(report, gatheringMs)
    gathered.add(corpId)
  })
  return report
}

/** A worker's side of the server that it belongs to. */
interface Primary {
  assignment: Promise<Assignment>
  call: CallPrimary
  /** The primary alone decides when a worker stops. */
  stopping: Stopping
  /** That another worker has taken its place. */
  retired: Promise<string>
  /** Tells how the primary, asked for all metrics, gets those of this worker. */
  tellMetrics(read: () => Promise<MetricObject[]>): void
}

function joinPrimary(): Primary {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const retired = Promise.withResolvers<string>()
  let readMetrics = async (): Promise<MetricObject[]> => []
  // Ctrl-C reaches every process of the terminal; requests under way must outlive it here, too.
  const ignore = () => undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(name, ignore)
  // A primary that was killed must leave nothing behind that holds the port or works on its database.
  process.once('disconnect', () => process.exit(1))

  const answers: WorkerCalls = {
    stop() {
      controller.abort(new Error('The worker was told to stop.'))
      asked.resolve('stop')
    },
    insist: () => insisted.resolve(),
    retire: () => retired.resolve('retire'),
    metrics: () => readMetrics(),
  }
  const call = openIpc<WorkerCalls, PrimaryCalls>(process, answers)
  return {
    call,
    assignment: call('join'),
    stopping: { signal: controller.signal, asked: asked.promise, insisted: insisted.promise },
    retired: retired.promise,
    tellMetrics(read) {
      readMetrics = read
    },
  }
}
