import { chown, copyFile, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { PublishedHeads } from '../access/audit/published-heads.ts'
import type { CheckRange } from '../access/audit/verified-heads.ts'
import { type AppliedErasures, applyErasures } from '../changes/erasure/apply-erasures.ts'
import { appendLines, type ListedErasures, linesOf, readLists } from '../changes/erasure/erasure-list.ts'
import { openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import { copyDurably, makePrivateFolder, severalAtOnce, syncFolder } from '../postgres/durable-files.ts'
import {
  type EmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../postgres/embedded-postgres.ts'
import { connectAsSuperuser } from '../postgres/superuser-connection.ts'
import { pickUnprivilegedUser } from '../postgres/unprivileged-user.ts'
import { readChecksums } from './archive-wal.ts'
import { type Backup, namesIn, removeAbandoned, walFolder } from './backup-folder.ts'
import { findLastReplayed, readEveryTable } from './backup-store.ts'
import { type BooksCheck, checkBooks } from './check-books.ts'
import { listOfDataFolder } from './erasure-files.ts'
import { headFileOf, noteRestored, readPublishedHeads } from './published-heads/destinations.ts'
import { findHeadsOf } from './published-heads/head-store.ts'
import { findWalDamage, type WalDamage } from './wal-damage.ts'

export interface RestoreOptions {
  backup: Backup
  /** A data folder that does not exist or is empty. */
  to: string
  /** Undefined: the end of the backup. */
  until: string | undefined
  /** Whether the copy must survive a power cut. A test copy need not. */
  durable: boolean
  /** Lists of erasures to apply to the copy. */
  erasureLists?: string[]
  /** The range of the check of the books. Undefined: everything. */
  range?: CheckRange
}

export interface Restored {
  /** The last change that is there; null where the log held none since the backup. */
  last_change: string | null
  check: BooksCheck | null
  /** The people who were erased again; null if the schema is too old for this version: a server erases them at its start. */
  erasures: AppliedErasures | null
}

export type Progress = (phase: 'copying' | 'checking', done: number, total: number) => void

/** Recovery replays at least some hundred megabytes per minute, so a day suffices for large logs. */
const RECOVERY_PATIENCE_MS = 86_400_000
const TARGET_NOT_REACHED = 'recovery ended before configured recovery target was reached'

/** Creates a data folder from a backup and checks its books. The folder appears complete or not at all. */
export async function restoreBackup(options: RestoreOptions, progress: Progress): Promise<Restored> {
  const to = resolve(options.to)
  await refuseUnlessEmpty(to)
  const staging = `${to}.restoring`
  await removeAbandoned(staging)
  try {
    await makePrivateFolder(staging)
    const damage = await copyBack(options, staging, progress)
    const listed = await readLists(options.erasureLists ?? [])
    await appendLines(listOfDataFolder(staging), linesOf(listed))
    const restored = await recover(staging, options, { listed, damage }, progress)
    await rm(join(staging, 'postgres.log'), { force: true })
    // Not every system replaces an empty folder.
    await rmdir(to).catch(() => undefined)
    await rename(staging, to)
    await syncFolder(dirname(to))
    return restored
  } finally {
    await removeAbandoned(staging)
  }
}

async function refuseUnlessEmpty(folder: string): Promise<void> {
  if ((await namesIn(folder)).length > 0)
    throw new Error(`The folder ${folder} is not empty. Name an empty or a new one.`)
}

/**
 * Compares every file with its checksum while copying. Log after a damaged file of the log is left out. Returns that file:
 * an instant before it can still be restored.
 */
async function copyBack(
  { backup: { folder, manifest, wal: end }, durable }: RestoreOptions,
  staging: string,
  progress: Progress,
): Promise<WalDamage | undefined> {
  const target = join(staging, 'postgres')
  const user = await pickUnprivilegedUser()
  const give = async (path: string) => user && chown(path, user.uid, user.gid)
  await mkdir(target, { mode: 0o700 })
  for (const each of manifest.folders) await mkdir(join(target, each), { mode: 0o700 })
  const checksums = await readChecksums(walFolder(folder))
  const wal = (await readdir(walFolder(folder))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  const files = [
    ...manifest.files.map(({ path, sha256 }) => ({ from: join('postgres', path), to: path, sha256 })),
    ...wal.map((name) => ({ from: join('wal', name), to: join('pg_wal', name), sha256: undefined })),
  ]
  const walHashes = new Map<string, string>()
  let done = 0
  await severalAtOnce(files, async ({ from, to, sha256 }) => {
    const copied = await copyDurably(join(folder, from), join(target, to), undefined, durable).catch(
      (error) => {
        throw new Error(`The file ${from} of the backup ${folder} cannot be read (${error.code}).`)
      },
    )
    if (sha256 !== undefined && copied.sha256 !== sha256)
      throw new Error(
        `The file ${from} of the backup ${folder} does not match its checksum. The backup is damaged.`,
      )
    if (sha256 === undefined) walHashes.set(basename(to), copied.sha256)
    await give(join(target, to))
    progress('copying', ++done, files.length)
  })
  const damage = await findWalDamage(join(target, 'pg_wal'), walHashes, checksums, end)
  for (const name of wal) if (damage && name > damage.file) await rm(join(target, 'pg_wal', name))
  await writeFile(join(target, 'recovery.signal'), '', { mode: 0o600 })
  for (const each of ['.', 'recovery.signal', ...manifest.folders]) await give(join(target, each))
  if (manifest.has_key) await copyFile(join(folder, 'master.key'), join(staging, 'master.key'))
  return damage
}

async function recover(
  staging: string,
  options: RestoreOptions,
  { listed, damage }: { listed: Map<string, ListedErasures>; damage: WalDamage | undefined },
  progress: Progress,
): Promise<Restored> {
  const { postgres, isAtEnd } = await startRecovered(staging, options).catch((error: Error) => {
    throw damage ? new Error(`${describeDamage(options, damage)}: ${error.message}`) : error
  })
  try {
    progress('checking', 0, 1)
    const connection = await connectAsSuperuser(postgres.owner.host)
    if (!connection) throw new Error('PostgreSQL ended during the check of the books.')
    const last_change = await findLastReplayed(connection.client).finally(() => connection.client.end())
    await readAll(postgres.owner)
    if (damage && isAtEnd) refuseUnreached(options, damage, last_change)
    // Before the checks link waiting entries: in the discarded history they may have had another order.
    await noteRestored(staging, await findHeadsOf(postgres.owner))
    const erasures = await eraseAgain(postgres.owner, listed)
    const check = await checkBooks(
      postgres.owner,
      (done, total) => progress('checking', done, total),
      await readPublishedOf(options),
      options.range,
    )
    return { last_change, check, erasures }
  } finally {
    await postgres.stop()
  }
}

/** A damaged page fails by its checksum. The checks of the books do not read every table. */
async function readAll({ host, database }: PostgresAddress): Promise<void> {
  const connection = await connectAsSuperuser(host, database)
  await readEveryTable(connection!.client).finally(() => connection!.client.end())
}

/** Heads next to the backup that were published up to the instant of the restore. */
async function readPublishedOf({ backup, until }: RestoreOptions): Promise<PublishedHeads> {
  const file = headFileOf(backup.folder)
  const isThere = (await namesIn(backup.folder)).includes(basename(file))
  return readPublishedHeads(isThere ? [file] : [], until ?? backup.through)
}

/** By id, which needs no master key: the key is often elsewhere while a backup is restored. */
async function eraseAgain(
  owner: PostgresAddress,
  listed: Map<string, ListedErasures>,
): Promise<AppliedErasures | null> {
  const { pending } = await schemaStatus(owner)
  if (pending.length > 0) return null
  const db = openDatabase({ ...owner, max: 2 })
  try {
    return await applyErasures(db, listed, undefined)
  } finally {
    await db.close()
  }
}

/** The log ends at a damaged file, so the instant counts as reached only by a change at it or later. */
function refuseUnreached(options: RestoreOptions, damage: WalDamage, lastChange: string | null): void {
  const { backup, until } = options
  if (until !== undefined && lastChange !== null && lastChange >= until) return
  const reached = lastChange ?? backup.manifest.completed_at
  throw new Error(
    `${describeDamage(options, damage)}: the restore reached ${reached}, not ${until ?? backup.through}. ` +
      'Restore from another copy of the backup, or name the instant that was reached, or an earlier one, with --until.',
  )
}

function describeDamage({ backup }: RestoreOptions, { file, reason }: WalDamage): string {
  return `The file ${join('wal', file)} of the backup ${backup.folder} ${reason}`
}

interface Recovered {
  postgres: EmbeddedPostgres
  /** Whether all log was replayed. If it is whole, nothing happened between its end and the instant. */
  isAtEnd: boolean
}

async function startRecovered(dataDir: string, { until, durable }: RestoreOptions): Promise<Recovered> {
  const settings = {
    // No connections before the recovery has reached its target.
    hot_standby: 'off',
    // The log is already in place, so there is nothing to fetch.
    restore_command: 'false',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(durable ? {} : { fsync: 'off' }),
  }
  const start = async (target: Record<string, string>, isAtEnd: boolean) => ({
    postgres: await startEmbeddedPostgres({
      dataDir,
      settings: { ...settings, ...target },
      patienceMs: RECOVERY_PATIENCE_MS,
    }),
    isAtEnd,
  })
  if (until === undefined) return start({}, true)
  const target = until.replace('T', ' ').replace('Z', '+00')
  const stopping = { recovery_target_time: target, recovery_target_inclusive: 'on' }
  return start(stopping, false).catch((error: Error) => {
    if (error.message.includes(TARGET_NOT_REACHED)) return start({}, true)
    throw error
  })
}
