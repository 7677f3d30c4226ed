import type { Logger } from 'pino'
import { linkIntoSample, loadSampleOnFirstStart, publishSample } from '../sample/first-start.ts'
import { hasWaitingEntries } from './access/audit/audit-chain-store.ts'
import { WaitingOrganizations } from './access/audit/keep-linking.ts'
import { ofNoOrganization } from './access/audit/link-entries.ts'
import type { Announcement } from './announce.ts'
import { erasureFiles, listOfDataFolder } from './backup/erasure-files.ts'
import { keepBackupContinued } from './backup/keep-backup-continued.ts'
import { destinationsOf, findRestored } from './backup/published-heads/destinations.ts'
import { keepChains } from './backup/published-heads/keep-publishing.ts'
import { applyErasures } from './changes/erasure/apply-erasures.ts'
import { readLists } from './changes/erasure/erasure-list.ts'
import { createErasureList } from './changes/erasure/finish-erasures.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { type RebuildProgress, rebuildOutdated } from './derived/derived-data.ts'
import { addEvents } from './events/add-events.ts'
import { isWorkWaiting } from './events/feed-store.ts'
import {
  createDeliveryCounts,
  type DeliveryCounts,
  deliveryMetrics,
} from './events/webhooks/delivery-counts.ts'
import { keepDelivering } from './events/webhooks/keep-delivering.ts'
import { createSender } from './events/webhooks/send-delivery.ts'
import type { Installation } from './installation.ts'
import { maintain } from './maintenance.ts'
import { buildInBackground } from './server/console/console-build.ts'
import { serveByWorkers, type Workers } from './server/primary.ts'
import type { Served } from './server/serving-process.ts'
import type { serveAlone as ServeAlone } from './server/single.ts'
import type { Stopping } from './server/stopping.ts'

/** The run of a server: who is told that it is up, who serves, and what ends it. */
export interface Life {
  tell(announcement: Announcement): void
  stopping: Stopping
  /** Rejects when the server cannot continue. */
  fatal: Promise<never>
  /** Absent: this process serves itself. */
  workers: Workers | undefined
  /** Organizations with audit entries that wait to be linked. */
  waiting: WaitingOrganizations
}

/** Brings the database up to date, and serves from it until the server is stopped. */
export async function serveFrom(
  installation: Installation,
  life: Life,
  config: Config,
  log: Logger,
): Promise<void> {
  if (installation.notice) log.warn(installation.notice)
  // With workers, this process uses connections for maintenance only.
  const db = openDatabase({ ...installation.app, ...(life.workers && { max: 2 }) })
  try {
    const { wanted, isFirstStart } = await prepare(installation, life.stopping.signal, config, log)
    const { replicas, keyring, app } = installation
    const { workers, stopping } = life
    const served = workers
      ? await serveByWorkers(
          workers,
          { app, replicas, wantedSchema: wanted },
          stopping,
          config.drainTimeoutMs,
        )
      : await serveAlone({ db, replicas, keyring, wantedSchema: wanted, stopping }, config, log)
    await runUntilStopped({ installation, db, served, isFirstStart }, life, config, log)
  } finally {
    await db.close()
  }
}

/** Its module imports every operation, so it is loaded only where there are no workers. */
const serveAlone: typeof ServeAlone = async (...parts) =>
  (await import('./server/single.ts')).serveAlone(...parts)

/** Schema, derived data, erasures, and the sample school on the first start. */
async function prepare(
  installation: Installation,
  signal: AbortSignal,
  config: Config,
  log: Logger,
): Promise<{ wanted: number; isFirstStart: boolean }> {
  signal.throwIfAborted()
  const { wanted } = await migrate(installation.owner, {
    report: (name) => log.info({ migration: name }, 'migrated'),
  })
  signal.throwIfAborted()
  await bringUpToDate(installation, config, log)
  signal.throwIfAborted()
  const isFirstStart =
    installation.isEmbedded && (await loadSampleOnFirstStart(installation, config.dataDir, signal))
  signal.throwIfAborted()
  return { wanted, isFirstStart }
}

interface Running {
  installation: Installation
  db: Database
  served: Served
  isFirstStart: boolean
}

/** Announces the server and does the background work until it is stopped. */
async function runUntilStopped(
  { installation, db, served, isFirstStart }: Running,
  { stopping, tell, fatal, waiting }: Life,
  config: Config,
  log: Logger,
): Promise<void> {
  const { app, keyring } = installation
  const embeddedIn = installation.isEmbedded ? config.dataDir : undefined
  const heads = {
    destinations: destinationsOf({ log, embeddedIn, target: config.auditHeads }),
    restored: embeddedIn === undefined ? undefined : await findRestored(db, embeddedIn),
  }
  const stopMaintenance = new AbortController()
  const written = new AbortController()
  const ended = new AbortController()
  const isOver = AbortSignal.any([stopping.signal, stopMaintenance.signal])
  const erasureList = createErasureList(() => erasureFiles(config.dataDir))
  const maintenance = maintain(db, log, config.maintenanceIntervalMs, isOver, keyring, erasureList)
  db.onEntries(waiting.note)
  const grown = new WaitingOrganizations()
  const counts = createDeliveryCounts()
  served.addMetrics(() => deliveryMetrics(counts))
  const delivering = deliverWebhooks(installation, { waiting, grown, counts, signal: isOver }, config, log)
  const onLinked = async (corp_id: string) => {
    if (corp_id === ofNoOrganization || (await addEvents(db, corp_id, 10)) === 0) return
    served.wakeReaders([corp_id])
    grown.note(corp_id)
  }
  const hasWork = (corp_id: string) =>
    (corp_id === ofNoOrganization ? hasWaitingEntries : isWorkWaiting)(db.of(corp_id), corp_id)
  const chains = keepChains({ db, log, waiting, ...heads, hasWork, onLinked, signal: written.signal })
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
    await delivering
    // After the last write.
    written.abort()
    await chains
    ended.abort()
    await continuing
  }
}

interface Delivering {
  /** Organizations with audit entries that wait to be linked. */
  waiting: WaitingOrganizations
  /** Organizations whose feeds grew. */
  grown: WaitingOrganizations
  counts: DeliveryCounts
  signal: AbortSignal
}

/** Deliveries have connections of their own: they neither wait for the linking of entries nor delay it. */
async function deliverWebhooks(
  { app, keyring }: Installation,
  { waiting, grown, counts, signal }: Delivering,
  { privateWebhooks }: Config,
  log: Logger,
): Promise<void> {
  const db = openDatabase({ ...app, max: 2 })
  db.onEntries(waiting.note)
  const sender = createSender({ allowsPrivate: privateWebhooks })
  try {
    await keepDelivering({ db, log, keyring, sender, counts }, grown, signal)
  } finally {
    sender.close()
    await db.close()
  }
}

/** Rebuilds derived data that another version of the service rendered, before anything is served. */
async function bringUpToDate(
  { owner, app, keyring }: Installation,
  { dataDir }: Config,
  log: Logger,
): Promise<void> {
  const db = openDatabase({ ...owner, queryMode: app.queryMode, max: 1 })
  let loggedAtMs = performance.now()
  const logEvery5Seconds: RebuildProgress = (step) => {
    if (performance.now() < loggedAtMs + 5000) return
    loggedAtMs = performance.now()
    log.info(step, 'rebuilding derived data')
  }
  try {
    const rebuilt = await rebuildOutdated(db, logEvery5Seconds)
    if (rebuilt.length > 0) log.info({ rebuilt }, 'derived data rebuilt')
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
