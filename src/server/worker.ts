import type { LevelWithSilent, Logger } from 'pino'
import type { MetricObject } from 'prom-client'
import type { Keyring } from '../access/organizations/keyring.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { feedLength } from '../events/feed-store.ts'
import { FeedWaiters } from '../events/feed-waiters.ts'
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

/** Settings that a running server takes over. */
export interface ReloadedSettings {
  logLevel: LevelWithSilent
  readOnly: boolean
  masterKeys: Buffer[]
}

/** The file descriptor of the port that a worker inherits; 3 is the channel to the primary. */
const portFd = 4

/** Serves from the database that the primary has opened, until the primary stops it. */
export async function runWorker(
  id: number,
  settings: ServerSettings,
  log: Logger,
  join: (app: DatabaseOptions) => Promise<JoinedInstallation>,
  reread: () => Promise<ReloadedSettings>,
): Promise<void> {
  const primary = joinPrimary()
  try {
    const { app, replicas, wantedSchema } = await primary.assignment
    const installation = await join(app)
    const { keyring } = installation
    const db = openDatabase(installation.app)
    const reportEntries = gatherEntries(db, (corpIds) => primary.call('noteEntries', corpIds))
    const memory = memoryOfPrimary(primary.call)
    const waiters = new FeedWaiters(memory.waitingPlaces, (corp_id) => feedLength(db, corp_id))
    primary.onWake(waiters.wake)
    const metricsOfAll = () => primary.call('metrics')
    const ownLog = log.child({ worker: id })
    const serving = await createServingProcess(
      { db, replicas, keyring, memory, wantedSchema, stopping: primary.stopping, waiters, metricsOfAll },
      settings,
      ownLog,
    )
    primary.provideMetrics(async () => (await serving.http.metrics()).getMetricsAsJSON())
    primary.drained.then(serving.drain)
    primary.onReload(async () => {
      const { logLevel, masterKeys, readOnly } = await reread()
      ownLog.level = logLevel
      serving.reload({ readOnly })
      keyring.replace(masterKeys)
    })
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

const gatheringMs = 10

/** Reports organizations with new audit entries to the primary, in groups. Returns a function that reports at once. */
function gatherEntries(db: Database, send: (corpIds: string[]) => Promise<void>): () => Promise<void> {
  const gathered = new Set<string>()
  async function report(): Promise<void> {
    const corpIds = [...gathered]
    gathered.clear()
    // If the primary has ended, the worker ends too. A sweep finds entries that nobody reported.
    if (corpIds.length > 0) await send(corpIds).catch(() => undefined)
  }
  db.onEntries((corpId) => {
    if (gathered.size === 0) setTimeout(report, gatheringMs)
    gathered.add(corpId)
  })
  return report
}

/** The primary, as a worker sees it. */
interface Primary {
  assignment: Promise<Assignment>
  call: CallPrimary
  /** The primary alone decides when a worker stops. */
  stopping: Stopping
  /** Resolves when the server drains. */
  drained: Promise<void>
  /** Resolves when another worker has taken over. */
  retired: Promise<string>
  /** Sets the function that reads the metrics of this worker. */
  provideMetrics(read: () => Promise<MetricObject[]>): void
  /** Sets the function that reads settings again. */
  onReload(reload: () => Promise<void>): void
  /** Sets the function that wakes waiting readers of the feed. */
  onWake(wake: (corpIds: string[]) => void): void
}

function joinPrimary(): Primary {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const drained = Promise.withResolvers<void>()
  const retired = Promise.withResolvers<string>()
  let readMetrics = async (): Promise<MetricObject[]> => []
  let wake = (_: string[]) => {}
  let reload = async () => {}
  // Ctrl-C reaches every process of the terminal, but only the primary decides when workers stop.
  const ignore = () => undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(name, ignore)
  // If the primary was killed, its workers must not keep the port or use the database.
  process.once('disconnect', () => process.exit(1))

  const answers: WorkerCalls = {
    reload: () => reload(),
    drain: () => drained.resolve(),
    stop() {
      controller.abort(new Error('The worker was asked to stop.'))
      asked.resolve('stop')
    },
    insist: () => insisted.resolve(),
    retire: () => retired.resolve('retire'),
    metrics: () => readMetrics(),
    wakeReaders: (corpIds) => wake(corpIds),
  }
  const call = openIpc<WorkerCalls, PrimaryCalls>(process, answers)
  return {
    call,
    assignment: call('join'),
    stopping: { signal: controller.signal, asked: asked.promise, insisted: insisted.promise },
    drained: drained.promise,
    retired: retired.promise,
    provideMetrics(read) {
      readMetrics = read
    },
    onReload(listener) {
      reload = listener
    },
    onWake(listener) {
      wake = listener
    },
  }
}
