import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { linkIntoSample, loadSampleOnFirstStart, publishSample } from '../sample/first-start.ts'
import { WaitingOrganizations } from './access/audit/keep-linking.ts'
import { type NewLinks, ofNoOrganization } from './access/audit/link-entries.ts'
import { keepMailing } from './access/mail/keep-mailing.ts'
import type { Keyring } from './access/organizations/keyring.ts'
import type { Announcement } from './announce.ts'
import { queueAlerts } from './backoffice/alerts/queue-alerts.ts'
import { backupMetrics } from './backup/backup-metrics.ts'
import { erasureFiles, listOfDataFolder } from './backup/erasure-files.ts'
import { keepBackupContinued } from './backup/keep-backup-continued.ts'
import { destinationsOf, findRestored } from './backup/published-heads/destinations.ts'
import { keepChains } from './backup/published-heads/keep-publishing.ts'
import { applyErasures } from './changes/erasure/apply-erasures.ts'
import { readLists } from './changes/erasure/erasure-list.ts'
import { createErasureList } from './changes/erasure/finish-erasures.ts'
import { type Config, rereadConfig } from './config.ts'
import { type Database, openDatabase, type Queryable } from './database/database.ts'
import { outgrownStatistics } from './database/fresh-statistics.ts'
import { migrate } from './database/migrate.ts'
import { keepDerivedData } from './derived/keep-derived-data.ts'
import { addEvents, followLinks } from './events/add-events.ts'
import { findChainsWithWork } from './events/feed-store.ts'
import {
  createDeliveryCounts,
  type DeliveryCounts,
  deliveryMetrics,
} from './events/webhooks/delivery-counts.ts'
import { keepDelivering } from './events/webhooks/keep-delivering.ts'
import { createSender } from './events/webhooks/send-delivery.ts'
import type { Installation } from './installation.ts'
import { createJobCounts } from './job-counts.ts'
import { jobNames, maintain } from './maintenance.ts'
import { openKeyring, reloadKeyring } from './open-keyring.ts'
import { ReadOnlyMode } from './read-only-mode.ts'
import { buildInBackground } from './server/console/console-build.ts'
import { serveByWorkers, type Workers } from './server/primary.ts'
import type { Served } from './server/serving-process.ts'
import type { serveAlone as ServeAlone } from './server/single.ts'
import type { Signals } from './server/stopping.ts'

/** The parts of a running server: its announcement, its serving processes and its stop. */
export interface Life {
  tell(announcement: Announcement): void
  stopping: Signals
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
  if (config.unknownSettings.length > 0)
    log.warn({ unknown: config.unknownSettings }, 'these variables are no settings of this version')
  // With workers, this process uses connections for maintenance only.
  const db = openDatabase({ ...installation.app, ...(life.workers && { max: 2 }) })
  try {
    const { wanted, keyring, isFirstStart } = await prepare(installation, life.stopping.signal, config, log)
    const { replicas, app } = installation
    const { workers, stopping } = life
    const served = workers
      ? await serveByWorkers(
          workers,
          { app, replicas, wantedSchema: wanted },
          stopping,
          config.drainTimeoutMs,
        )
      : await serveAlone({ db, replicas, keyring, wantedSchema: wanted, stopping }, config, log)
    await runUntilStopped({ installation, keyring, db, served, isFirstStart }, life, config, log)
  } finally {
    await db.close()
  }
}

/** Its module imports every operation, so it is loaded only where there are no workers. */
const serveAlone: typeof ServeAlone = async (...parts) =>
  (await import('./server/single.ts')).serveAlone(...parts)

/** Schema, erasures, and the sample school on the first start. */
async function prepare(
  installation: Installation,
  signal: AbortSignal,
  config: Config,
  log: Logger,
): Promise<{ wanted: number; keyring: Keyring; isFirstStart: boolean }> {
  signal.throwIfAborted()
  const { wanted } = await migrate(installation.owner, {
    report: (name) => log.info({ migration: name }, 'migrated'),
  })
  signal.throwIfAborted()
  const keyring = await openKeysAndEraseAgain(installation, config, log)
  signal.throwIfAborted()
  const isFirstStart =
    installation.isEmbedded && (await loadSampleOnFirstStart(installation, keyring, config.dataDir, signal))
  signal.throwIfAborted()
  return { wanted, keyring, isFirstStart }
}

interface Running {
  installation: Installation
  keyring: Keyring
  db: Database
  served: Served
  isFirstStart: boolean
}

/** Announces the server and does the background work until it is stopped. */
async function runUntilStopped(
  { installation, keyring, db, served, isFirstStart }: Running,
  { stopping, tell, fatal, waiting }: Life,
  config: Config,
  log: Logger,
): Promise<void> {
  const { app } = installation
  const embeddedIn = installation.isEmbedded ? config.dataDir : undefined
  const heads = {
    destinations: destinationsOf({ log, embeddedIn, target: config.auditHeads }),
    restored: embeddedIn === undefined ? undefined : await findRestored(db, embeddedIn),
  }
  const stopMaintenance = new AbortController()
  const written = new AbortController()
  const ended = new AbortController()
  const isOver = stopMaintenance.signal
  const erasureList = createErasureList(() => erasureFiles(config.dataDir))
  const mode = new ReadOnlyMode(config.readOnly)
  const rebuilding = mode.run(isOver, (signal) => keepDerivedData(db, log, signal))
  const jobs = createJobCounts([...jobNames, 'add events'])
  const maintenance = mode.run(isOver, (signal) =>
    maintain(db, log, config.maintenanceIntervalMs, signal, keyring, erasureList, jobs),
  )
  db.onEntries(waiting.note)
  const grown = new WaitingOrganizations()
  const counts = createDeliveryCounts()
  served.addMetrics(async () => {
    const backup = embeddedIn === undefined ? '' : await backupMetrics(embeddedIn)
    return deliveryMetrics(counts) + jobs.metrics() + backup
  })
  const delivering = deliverWebhooks(
    app,
    { keyring, waiting, grown, counts, mode, signal: isOver },
    config,
    log,
  )
  const mails = mailsOf({ db, keyring }, config, log)
  const mailing = mails && mode.run(isOver, (signal) => keepMailing(mails, signal))
  // A connection of its own: a long transaction of other background work would delay the feed.
  const chainDb = openDatabase({ ...app, max: 1 })
  const ownerDb = openDatabase({ ...installation.owner, queryMode: app.queryMode, max: 1 })
  const statistics = outgrownStatistics(ownerDb.shared)
  const followed = new Set<string>()
  const follow = async (tx: Queryable, corp_id: string, links: NewLinks) => {
    if ((await followLinks(tx, corp_id, links)) > 0) followed.add(corp_id)
  }
  const onLinked = async (corp_id: string) => {
    if (corp_id === ofNoOrganization) return
    const added = await jobs.run('add events', () => addEvents(chainDb, corp_id, 10))
    if (!followed.delete(corp_id) && added === 0) return
    void statistics
      .noteRecords()
      .catch((error) => log.warn({ err: error }, 'statistics of PostgreSQL are left to autovacuum'))
    served.wakeReaders([corp_id])
    grown.note(corp_id)
  }
  const findWork = () => findChainsWithWork(chainDb.everyOrganization)
  const chains = mode.run(written.signal, (signal) =>
    keepChains({ db: chainDb, log, waiting, ...heads, findWork, follow, onLinked, signal }),
  )
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
    stopping.onReload(() => void reload({ db, keyring, served, mode }, log))
    await buildInBackground(config.dataDir, log, stopping.signal)
    const signal = await Promise.race([stopping.asked, fatal])
    if (signal === 'SIGTERM' && config.drainMs > 0) {
      log.info({ signal, ms: config.drainMs }, 'draining: /readyz answers 503, and requests are still served')
      served.drain()
      await Promise.race([pause(config.drainMs, undefined, { ref: false }), stopping.insisted, fatal])
    }
    log.info({ signal }, 'stopping: finishing what is under way')
  } finally {
    stopMaintenance.abort()
    await served.end()
    await rebuilding
    await maintenance
    await delivering
    await mailing
    // After the last write.
    written.abort()
    await chains
    await chainDb.close()
    await ownerDb.close()
    ended.abort()
    await continuing
  }
}

/** Takes over the log level, the master keys and the read-only mode. A mistake in them changes nothing. */
async function reload(
  { db, keyring, served, mode }: Pick<Running, 'db' | 'keyring' | 'served'> & { mode: ReadOnlyMode },
  log: Logger,
): Promise<void> {
  try {
    const config = rereadConfig()
    await reloadKeyring(keyring, config, db)
    log.level = config.logLevel
    mode.set(config.readOnly)
    served.reload(config)
    const keys = keyring.tokenKeys.map(({ id }) => id)
    log.info(
      { log_level: config.logLevel, keys, is_read_only: config.readOnly },
      'the log level, the master keys and the read-only mode were read again',
    )
  } catch (error) {
    log.error({ fault: (error as Error).message }, 'settings could not be read again, and stay as they were')
  }
}

interface Delivering {
  keyring: Keyring
  /** Organizations with audit entries that wait to be linked. */
  waiting: WaitingOrganizations
  /** Organizations whose feeds grew. */
  grown: WaitingOrganizations
  counts: DeliveryCounts
  mode: ReadOnlyMode
  signal: AbortSignal
}

/** Deliveries have connections of their own: they neither wait for the linking of entries nor delay it. */
async function deliverWebhooks(
  app: Installation['app'],
  { keyring, waiting, grown, counts, mode, signal }: Delivering,
  { privateWebhooks }: Config,
  log: Logger,
): Promise<void> {
  const db = openDatabase({ ...app, max: 2 })
  db.onEntries(waiting.note)
  const sender = createSender({ allowsPrivate: privateWebhooks })
  try {
    await mode.run(signal, (signal) => keepDelivering({ db, log, keyring, sender, counts }, grown, signal))
  } finally {
    sender.close()
    await db.close()
  }
}

/** Undefined where no mail is sent. */
function mailsOf(
  { db, keyring }: Pick<Running, 'db' | 'keyring'>,
  { smtpUrl, mailFrom, publicUrl }: Config,
  log: Logger,
): Parameters<typeof keepMailing>[0] | undefined {
  if (!smtpUrl || !mailFrom || !publicUrl) return undefined
  return {
    ...{ db, log, keyring, server: { url: smtpUrl, from: mailFrom } },
    queueAlerts: (now) => queueAlerts({ db, keyring, publicOrigin: publicUrl.origin }, now),
  }
}

/** Opens the keys, and erases people again whom a restored database brought back, before anything is served. */
async function openKeysAndEraseAgain(
  { owner, app }: Installation,
  config: Config,
  log: Logger,
): Promise<Keyring> {
  const db = openDatabase({ ...owner, queryMode: app.queryMode, max: 1 })
  try {
    const keyring = await openKeyring(config, db)
    const applied = await applyErasures(db, await readLists([listOfDataFolder(config.dataDir)]), keyring)
    if (applied.erased.length + applied.contacts > 0)
      log.warn(
        { erased: applied.erased, contacts: applied.contacts },
        'the database was older than the list of erasures: these people were erased again',
      )
    if (applied.failed.length > 0)
      log.error({ failed: applied.failed }, 'people on the list of erasures could not be erased again')
    return keyring
  } finally {
    await db.close()
  }
}
