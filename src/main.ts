import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Announcement, announce } from './announce.ts'
import { type Config, readConfig } from './config.ts'
import { newId } from './contract/new-id.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { openReplicas } from './database/replicas.ts'
import { type Installation, joinInstallation, openInstallation } from './installation.ts'
import { maintain } from './maintenance.ts'
import type { Keyring } from './organizations/keyring.ts'
import { loadSampleOnFirstStart, publishSample } from './sample/first-start.ts'
import { buildApp } from './server/app.ts'
import { drain, listen } from './server/listen.ts'
import { createLog } from './server/log.ts'
import { startWorkers, type Workers } from './server/primary.ts'
import { createServerMemory, memoryOfPrimary } from './server/server-memory.ts'
import type { Services } from './server/services.ts'
import { joinPrimary } from './server/worker.ts'
import { listenForStop, type Stopping } from './stopping.ts'
import { createAuth } from './tokens/auth.ts'

/**
 * The composition root: configuration → database → server. Resolves once the server has been told to stop, and has.
 * With several workers, each of them runs this too, and finds out that it is one.
 */
export async function serve(
  config: Config,
  tell: (announcement: Announcement) => void = announce,
): Promise<void> {
  if (cluster.isWorker) return work(config)
  const log = createLog(config.logLevel)
  const stopping = listenForStop()
  const workers = config.workers > 1 ? startWorkers(config.workers, log) : undefined
  try {
    await serveUntil({ stopping, tell, workers }, config, log)
  } catch (error) {
    // Being told to stop while starting is no failure.
    if (error !== stopping.signal.reason) throw error
  } finally {
    // A start that failed leaves workers that never got to listen.
    await workers?.stop(0, stopping.insisted)
    stopping.forget()
  }
}

/** Who is told that the server is up, who serves, and what ends it. */
interface Life {
  tell(announcement: Announcement): void
  stopping: Stopping
  /** Absent: this process serves itself. */
  workers: Workers | undefined
}

async function serveUntil(life: Life, config: Config, log: Logger): Promise<void> {
  const fatal = Promise.withResolvers<never>()
  // It may come at a moment at which nobody waits for it.
  fatal.promise.catch(() => undefined)
  life.workers?.failed.catch(fatal.reject)
  const installation = await openInstallation(config, 'serve', {
    onFatal: fatal.reject,
    log: (message) => log.warn(message),
    signal: life.stopping.signal,
  })
  try {
    if (installation.notice) log.warn(installation.notice)
    // A primary only does the maintenance itself.
    const db = openDatabase({ ...installation.app, ...(life.workers && { max: 2 }) })
    try {
      await serveFrom(installation, db, { ...life, fatal: fatal.promise }, config, log)
    } finally {
      await db.close()
    }
  } finally {
    await installation.stop()
  }
}

async function serveFrom(
  installation: Installation,
  db: Database,
  { stopping, tell, fatal, workers }: Life & { fatal: Promise<never> },
  config: Config,
  log: Logger,
): Promise<void> {
  stopping.signal.throwIfAborted()
  const { wanted } = await migrate(installation.owner, (name) => log.info({ migration: name }, 'migrated'))
  stopping.signal.throwIfAborted()
  const isFirstStart =
    installation.isEmbedded && (await loadSampleOnFirstStart(installation, config.dataDir, stopping.signal))
  stopping.signal.throwIfAborted()

  const served = workers
    ? await serveByWorkers(workers, installation, wanted, stopping, config)
    : await serveAlone(installation, db, wanted, stopping, config, log)
  const ended = new AbortController()
  const maintenance = maintain(
    db,
    log,
    config.maintenanceIntervalMs,
    AbortSignal.any([stopping.signal, ended.signal]),
  )
  try {
    const { baseUrl } = served
    const sample = installation.isEmbedded ? await publishSample(config.dataDir, baseUrl) : undefined
    const dataDir = installation.isEmbedded ? config.dataDir : undefined
    tell({ baseUrl, sample, isFirstStart, dataDir })
    const signal = await Promise.race([stopping.asked, fatal])
    log.info({ signal }, 'stopping: finishing what is under way')
  } finally {
    ended.abort()
    await served.end()
    await maintenance
  }
}

/** The server, whichever processes it is made of. */
interface Served {
  baseUrl: string
  /** Lets requests under way finish. */
  end(): Promise<void>
}

async function serveByWorkers(
  workers: Workers,
  { app, replicas }: Installation,
  wantedSchema: number,
  stopping: Stopping,
  config: Config,
): Promise<Served> {
  const toldToStop = stopping.asked.then(() => stopping.signal.throwIfAborted())
  const listening = workers.serve({ app, replicas, wantedSchema, port: config.port })
  try {
    const baseUrl = (await Promise.race([listening, toldToStop])) as string
    return { baseUrl, end: () => workers.stop(config.drainTimeoutMs, stopping.insisted) }
  } catch (error) {
    await workers.stop(0, stopping.insisted)
    throw error
  }
}

async function serveAlone(
  installation: Installation,
  db: Database,
  wantedSchema: number,
  stopping: Stopping,
  config: Config,
  log: Logger,
): Promise<Served> {
  const server = await buildServer(
    { ...installation, db, wantedSchema, stopping, memory: createServerMemory() },
    config,
    log,
  )
  const end = () => server.end(stopping.insisted)
  try {
    return { baseUrl: await listen(server.app, config), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** A worker: the same server on what the primary has opened, until the primary says that it is over. */
async function work(config: Config): Promise<void> {
  const workers = joinPrimary()
  try {
    const { app, replicas, wantedSchema, port } = await workers.assignment
    const installation = await joinInstallation(config, app)
    const db = openDatabase(installation.app)
    const server = await buildServer(
      {
        ...{ db, replicas, wantedSchema, keyring: installation.keyring, stopping: workers.stopping },
        memory: memoryOfPrimary(workers.call),
        metricsOfAll: () => workers.call('metrics'),
      },
      config,
      createLog(config.logLevel).child({ worker: cluster.worker!.id }),
    )
    workers.tellMetrics(() => server.app.metrics.getMetricsAsJSON())
    await workers.call('listening', await listen(server.app, { ...config, port }))
    await workers.stopping.asked
    await server.end(workers.stopping.insisted)
    await db.close()
    await installation.stop()
  } catch (error) {
    await workers.call('failed', (error as Error).message)
  }
  workers.leave()
}

/** What a process that serves is built from. */
interface Parts extends Pick<Services, 'db' | 'memory' | 'wantedSchema' | 'metricsOfAll'> {
  replicas: DatabaseOptions[]
  keyring: Keyring
  stopping: Stopping
}

async function buildServer(
  { db, replicas, keyring, memory, wantedSchema, stopping, metricsOfAll }: Parts,
  config: Config,
  log: Logger,
): Promise<{ app: FastifyInstance; end(insisted: Promise<void>): Promise<void> }> {
  const copies = replicas.length > 0 ? openReplicas(db, replicas, config.replicaMaxLagMs, log) : undefined
  const services: Services = {
    db,
    auth: createAuth(db, keyring, memory.rateCounter),
    memory,
    now: () => new Date(),
    newId,
    wantedSchema,
    isDraining: () => stopping.signal.aborted,
    ...(copies && { replicas: copies }),
    ...(metricsOfAll && { metricsOfAll }),
  }
  const app = await buildApp(services, { log, ...config })
  return {
    app,
    async end(insisted) {
      await drain(app, insisted, config.drainTimeoutMs, log)
      await copies?.close()
    },
  }
}

if (import.meta.main) {
  try {
    await serve(readConfig(process.env))
  } catch (error) {
    // One clear sentence, not a stack: whoever starts the service is to mend something, not to read code.
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
