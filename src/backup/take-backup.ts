import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import type { PublishedHead } from '../access/audit/published-head.ts'
import type { CheckRange } from '../access/audit/verified-heads.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { hashOf, makePrivateFolder, syncFolder, writeDurably } from '../postgres/durable-files.ts'
import { connectAsSuperuser } from '../postgres/superuser-connection.ts'
import {
  archiveWal,
  describeTail,
  startOfSegment,
  type WalPosition,
  type WalSource,
  type WalTail,
} from './archive-wal.ts'
import {
  type Backup,
  type BackupFile,
  type BackupManifest,
  listBackups,
  newBackupId,
  noteArchived,
  partialFolder,
  pruneBackups,
  removePartial,
  walFolder,
  writeManifest,
} from './backup-folder.ts'
import {
  advanceSlot,
  type DatabaseIdentity,
  dropSlotsExcept,
  findSlot,
  findWalEnd,
  identify,
  keepSlot,
  startBackup,
  stopBackup,
  takeBackupLock,
} from './backup-store.ts'
import { isSound } from './check-books.ts'
import { type ContinuedBackup, noteContinued, readContinued } from './continued-backup.ts'
import { copyDatabaseFiles } from './copy-database-files.ts'
import { appendHeads, headFileOf } from './published-heads/destinations.ts'
import { type Progress, restoreBackup } from './restore-backup.ts'

export interface BackupOptions {
  dataDir: string
  /** Folder of the socket of the running PostgreSQL. */
  host: string
  /** The folder of backups. */
  into: string
  keyId: string
  /** Reads the ends of the chains, to be stored next to the backup. */
  findHeads(): Promise<PublishedHead[]>
  withKey: boolean
  /** Whether the server continues the backup, so that it can be restored to any later instant. */
  isContinued: boolean
  /** Number of backups to keep; undefined: all. */
  keep: number | undefined
  /** The range of the check of the books. Undefined: everything. */
  range?: CheckRange
}

export interface TakenBackup {
  folder: string
  manifest: BackupManifest
  pruned: string[]
}

/** Takes an online backup, and accepts it only after a test restore. */
export async function takeBackup(options: BackupOptions, progress: Progress): Promise<TakenBackup> {
  const into = resolve(options.into)
  await makePrivateFolder(into)
  const connection = await connectAsSuperuser(options.host)
  if (!connection) throw new Error('PostgreSQL ended before the backup could begin.')
  const { client } = connection
  try {
    if (!(await takeBackupLock(client))) throw new Error('Another backup of this data folder is being taken.')
    const identity = await identify(client)
    await refuseOtherDatabase(into, identity)
    await removePartial(into)
    const before = await readContinued(options.dataDir)
    await dropSlotsExcept(client, before?.slot)
    const { copiedTo, ...taken } = await take(client, identity, { ...options, into }, progress)
    // Complete the log of the previous backup up to here, even if no server runs.
    if (before) await continueBackup(client, options.dataDir, before).catch(() => undefined)
    if (options.isContinued) {
      const slot = await keepSlot(client, taken.manifest.id, copiedTo)
      await noteContinued(options.dataDir, { folder: taken.folder, slot })
      await dropSlotsExcept(client, slot)
    }
    const mayPrune = options.keep !== undefined && isSound(taken.manifest.check)
    return { ...taken, pruned: mayPrune ? await pruneBackups(into, options.keep!) : [] }
  } finally {
    await client.end()
  }
}

/** An instant selects a backup of the folder, so all its backups must belong to one database. */
async function refuseOtherDatabase(into: string, { systemId }: DatabaseIdentity): Promise<void> {
  for (const { manifest } of await listBackups(into))
    if (manifest.system_id !== systemId)
      throw new Error(`The folder ${into} contains backups of another database. Name another folder.`)
}

interface Taken extends Omit<TakenBackup, 'pruned'> {
  /** The log has been copied up to here. */
  copiedTo: WalPosition
}

async function take(
  client: pg.Client,
  identity: DatabaseIdentity,
  { dataDir, into, withKey, keyId, findHeads, range }: BackupOptions,
  progress: Progress,
): Promise<Taken> {
  const startedAt = new Date()
  const id = newBackupId(startedAt)
  const partial = partialFolder(into, id)
  try {
    await makePrivateFolder(walFolder(partial))
    const cluster = join(dataDir, 'postgres')
    const begin = await startBackup(client, id)
    const copied = await copyDatabaseFiles(cluster, join(partial, 'postgres'), (done, total) =>
      progress('copying', done, total),
    )
    await appendHeads(headFileOf(partial), await findHeads())
    const stopped = await stopBackup(client)
    copied.files.push(await writeLabel(partial, stopped.label))
    const source: WalSource = { folder: join(cluster, 'pg_wal'), ...identity }
    const end = await findWalEnd(client)
    const { segmentBytes } = identity
    const first = startOfSegment(begin, segmentBytes)
    const wal = describeTail(await archiveWal(source, walFolder(partial), first, end.position), segmentBytes)
    await noteArchived(partial, end.at, wal)
    if (withKey) await copyKey(dataDir, partial)
    const manifest: BackupManifest = {
      format: 1,
      id,
      system_id: identity.systemId,
      postgres_major: identity.major,
      service_version: serviceVersion,
      key_id: keyId,
      has_key: withKey,
      started_at: startedAt.toISOString(),
      completed_at: stopped.at,
      check: null,
      ...copied,
    }
    manifest.check = await tryOut({ folder: partial, manifest, through: end.at, wal }, range, progress)
    await writeManifest(partial, manifest)
    const folder = join(into, id)
    await rename(partial, folder)
    await syncFolder(into)
    return { folder, manifest, copiedTo: startOfSegment(end.position, segmentBytes) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** A backup that cannot be restored is discarded. One with discrepancies is kept, because the database has them too. */
async function tryOut(
  backup: Backup,
  range: CheckRange | undefined,
  progress: Progress,
): Promise<BackupManifest['check']> {
  const to = `${backup.folder}.check`
  try {
    const options = { backup, to, until: undefined, durable: false, ...(range && { range }) }
    return (await restoreBackup(options, progress)).check
  } catch (error) {
    throw new Error(`The backup could not be restored, and is not kept. ${(error as Error).message}`)
  } finally {
    await rm(to, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function writeLabel(partial: string, text: string): Promise<BackupFile> {
  const path = 'backup_label'
  const file = join(partial, 'postgres', path)
  await writeDurably(file, text)
  return { path, bytes: (await stat(file)).size, sha256: await hashOf(file) }
}

async function copyKey(dataDir: string, partial: string): Promise<void> {
  await copyFile(join(dataDir, 'master.key'), join(partial, 'master.key')).catch(() => {
    throw new Error(`The folder ${dataDir} has no master key. Store the key of MATRICULA_KEY yourself.`)
  })
}

/** How far a backup has been continued. */
export interface Reached {
  position: WalPosition
  tail: WalTail
}

/** Adds the log up to now to a backup, from where it was left or from where it is still held. */
export async function continueBackup(
  client: pg.Client,
  dataDir: string,
  { folder, slot }: ContinuedBackup,
  before?: Reached,
): Promise<Reached> {
  const { timeline, segmentBytes } = await identify(client)
  const held = await findSlot(client, slot)
  if (held === undefined)
    throw new Error(
      `The backup ${folder} cannot be continued, because its log is missing. Take a new backup.`,
    )
  const end = await findWalEnd(client)
  const source = { folder: join(dataDir, 'postgres', 'pg_wal'), timeline, segmentBytes }
  const from = before?.position ?? startOfSegment(held, segmentBytes)
  const tail = await archiveWal(source, walFolder(folder), from, end.position, before?.tail)
  await noteArchived(folder, end.at, describeTail(tail, segmentBytes))
  const done = startOfSegment(end.position, segmentBytes)
  if (done > held) await advanceSlot(client, slot, done)
  return { position: end.position, tail }
}
