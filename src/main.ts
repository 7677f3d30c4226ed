import type { Logger } from 'pino'
import { linkIntoSample, loadSampleOnFirstStart, publishSample } from '../sample/first-start.ts'
import { WaitingOrganizations } from './access/audit/waiting-organizations.ts'
import { type Announcement, announce } from './announce.ts'
import { erasureFiles, listOfDataFolder } from './backup/erasure-files.ts'
import { keepBackupContinued } from './backup/keep-backup-continued.ts'
import { destinationsOf } from './backup/published-heads/destinations.ts'
import { keepChains } from './backup/published-heads/keep-chains.ts'
import { findRestored } from './backup/published-heads/restored-marker.ts'
import { applyErasures } from './changes/erasure/apply-erasures.ts'
import { readLists } from './changes/erasure/erasure-list.ts'
import { createErasureList } from './changes/erasure/publish-erasures.ts'
import { type Config, environmentOfWorker, readConfig } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { rebuildOutdatedFacets } from './derived/rebuild-facets.ts'
import { type Installation, joinInstallation, openInstallation } from './installation.ts'
import { maintain } from './maintenance.ts'
import { rebuildOutdated } from './orders/listing/rebuild.ts'
import { buildInBackground } from './server/console/build-in-background.ts'
import { createLog } from './server/log.ts'
import { serveByWorkers, startWorkers, type Workers } from './server/primary.ts'
import { serveAlone } from './server/single.ts'
import { listenForStop, type Stopping } from './server/stopping.ts'
import { runWorker } from './server/worker.ts'

/**
 * The composition root: configuration → database → server. Resolves once the server has been told to stop, and has.
 * With several workers, each of them runs this too, and finds out that it is one.
 */
export async function serve(
  config: Config,
  tell: (announcement: Announcement) => void = announce,
): Promise<void> {
  const log = createLog(config.logLevel)
  if (config.workerId !== undefined)
    return runWorker(config.workerId, config, log, (app) => joinInstallation(config, app))
  const stopping = listenForStop()
  const waiting = new WaitingOrganizations()
  let workers: Workers | undefined
  const restart = () => workers?.restart()
  process.on('SIGUSR2', restart)
  try {
    if (config.workers > 1) workers = await startWorkers(config, environmentOfWorker, waiting.note, log)
    await serveUntil({ stopping, tell, workers, waiting }, config, log)
  } catch (error) {
    // Being told to stop while starting is no failure.
    if (error !== stopping.signal.reason) throw error
  } finally {
    // A start that failed leaves workers that never got to listen.
    await workers?.stop(0, stopping.insisted)
    process.off('SIGUSR2', restart)
    stopping.forget()
  }
}

/** Who is told that the server is up, who serves, and what ends it. */
interface Life {
  tell(announcement: Announcement): void
  stopping: Stopping
  /** Absent: this process serves itself. */
  workers: Workers | undefined
  /** What was committed and waits to be linked into the chains of the audit. */
  waiting: WaitingOrganizations
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
  { stopping, tell, fatal, workers, waiting }: Life & { fatal: Promise<never> },
  config: Config,
  log: Logger,
): Promise<void> {
  stopping.signal.throwIfAborted()
  const { wanted } = await migrate(installation.owner, {
    report: (name) => log.info({ migration: name }, 'migrated'),
  })
  stopping.signal.throwIfAborted()
  await bringUpToDate(installation, config, log)
  stopping.signal.throwIfAborted()
  const isFirstStart =
    installation.isEmbedded && (await loadSampleOnFirstStart(installation, config.dataDir, stopping.signal))
  stopping.signal.throwIfAborted()

  const { app, replicas, keyring } = installation
  const embeddedIn = installation.isEmbedded ? config.dataDir : undefined
  const heads = {
    destinations: destinationsOf({ log, embeddedIn, target: config.auditHeads }),
    restored: embeddedIn === undefined ? undefined : await findRestored(db, embeddedIn),
  }
  const served = workers
    ? await serveByWorkers(workers, { app, replicas, wantedSchema: wanted }, stopping, config.drainTimeoutMs)
    : await serveAlone({ db, replicas, keyring, wantedSchema: wanted, stopping }, config, log)
  const stopMaintenance = new AbortController()
  const written = new AbortController()
  const ended = new AbortController()
  const isOver = AbortSignal.any([stopping.signal, stopMaintenance.signal])
  const erasureList = createErasureList(() => erasureFiles(config.dataDir))
  const maintenance = maintain(db, log, config.maintenanceIntervalMs, isOver, keyring, erasureList)
  db.onEntries(waiting.note)
  const chains = keepChains({ db, log, waiting, ...heads, signal: written.signal })
  const continuing = installation.isEmbedded
    ? keepBackupContinued({
        dataDir: config.dataDir,
        host: app.host!,
        log,
        intervalMs: 1000,
        signal: ended.signal,
      })
    : undefined
  try {
    // Browsers offer passkeys at a name only, not at an address.
    const baseUrl = served.baseUrl.replace('//127.0.0.1:', '//localhost:')
    const sample = installation.isEmbedded ? await publishSample(config.dataDir, baseUrl) : undefined
    const signInLink = isFirstStart ? await linkIntoSample(db, baseUrl) : undefined
    tell({ baseUrl, sample, signInLink, dataDir: embeddedIn })
    await buildInBackground(config.dataDir, log, isOver)
    const signal = await Promise.race([stopping.asked, fatal])
    log.info({ signal }, 'stopping: finishing what is under way')
  } finally {
    stopMaintenance.abort()
    await served.end()
    await maintenance
    // After the last write.
    written.abort()
    await chains
    ended.abort()
    await continuing
  }
}

/** Rebuilds derived data that another version of the service rendered, before anything is served. */
async function bringUpToDate(
  { owner, app, keyring }: Installation,
  { dataDir }: Config,
  log: Logger,
): Promise<void> {
  const db = openDatabase({ ...owner, queryMode: app.queryMode, max: 1 })
  let told = performance.now()
  const every5Seconds = (message: string) => (corp_id: string, done: number, total: number) => {
    if (performance.now() < told + 5000) return
    told = performance.now()
    log.info({ corp_id, done, total }, message)
  }
  try {
    const rebuilt = await rebuildOutdated(db, every5Seconds('rebuilding the read model'))
    if (rebuilt.length > 0) log.info({ rebuilt }, 'read models rebuilt')
    const derived = await rebuildOutdatedFacets(db)
    if (derived.length > 0) log.info({ derived }, 'facets of users and leads derived')
    const applied = await applyErasures(db, await readLists([listOfDataFolder(dataDir)]), keyring)
    if (applied.erased.length + applied.contacts > 0)
      log.warn(
        { erased: applied.erased, contacts: applied.contacts },
        'the database was older than the list of erasures: these people were erased again',
      )
    if (applied.failed.length > 0)
      log.error({ failed: applied.failed }, 'people on the list of erasures could not be erased again')
  } finally {
    await db.close()
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
