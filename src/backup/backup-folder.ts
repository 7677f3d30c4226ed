import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../postgres/durable-files.ts'
import { findPostmaster, shutDownPostmaster } from '../postgres/postmaster.ts'
import type { ArchivedWal } from './archive-wal.ts'
import type { BooksCheck } from './check-books.ts'

/**
 * A folder of backups holds one folder per backup: `manifest.json`, the files of the database (`postgres`) and the log
 * from the beginning of the backup on (`wal`). An incomplete backup has another name.
 */

export interface BackupManifest {
  format: 1
  id: string
  /** System identifier of the database. A restored copy keeps it. */
  system_id: string
  postgres_major: string
  service_version: string
  /** Id of the master key that encrypts the secrets of accounts. The key itself is included only with --with-key. */
  key_id: string
  has_key: boolean
  started_at: string
  /** The first instant that the backup can be restored to. */
  completed_at: string
  /** The result of the check of the books after the test restore; null if the backup has another schema. */
  check: BooksCheck | null
  folders: string[]
  files: BackupFile[]
}

export interface BackupFile {
  path: string
  bytes: number
  sha256: string
}

export interface Backup {
  folder: string
  manifest: BackupManifest
  /** The last instant that the backup can be restored to. */
  through: string
  /** The end of its log; undefined if the note about it is lost. */
  wal: ArchivedWal | undefined
}

const PARTIAL = '.partial'
const idPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

export function newBackupId(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}

export function partialFolder(backups: string, id: string): string {
  return join(backups, `${id}${PARTIAL}`)
}

export function walFolder(backup: string): string {
  return join(backup, 'wal')
}

/** Complete backups, oldest first. */
export async function listBackups(backups: string): Promise<Backup[]> {
  const names = await backupIdsIn(backups)
  return Promise.all(names.map((name) => readBackup(join(backups, name))))
}

export async function readBackup(folder: string): Promise<Backup> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as BackupManifest
  if (manifest.format !== 1)
    throw new Error(
      `The backup ${folder} was made by a newer version of Matricula. Restore it with that version.`,
    )
  const { through = manifest.completed_at, wal } = await readArchived(folder)
  return { folder, manifest, through, wal }
}

export async function isBackup(folder: string): Promise<boolean> {
  return (await namesIn(folder)).includes('manifest.json')
}

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  await writeDurably(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
}

/** Records that the log of the backup contains everything acknowledged before this instant, and the end of the log. */
export async function noteArchived(folder: string, through: string, wal: ArchivedWal): Promise<void> {
  await writeDurably(join(folder, 'archived.json'), `${JSON.stringify({ through, wal })}\n`)
}

async function readArchived(folder: string): Promise<Partial<Pick<Backup, 'through' | 'wal'>>> {
  const text = await readFile(join(folder, 'archived.json'), 'utf8').catch(nothingIfGone('{}'))
  return JSON.parse(text)
}

/** Removes the files of killed backups. The backup lock is held, so no other backup is in progress. */
export async function removePartial(backups: string): Promise<void> {
  for (const name of await namesIn(backups))
    if (name.includes(PARTIAL)) await removeAbandoned(join(backups, name))
}

/** Removes the data folder of a killed test or restore, and stops a PostgreSQL that still runs on it. */
export async function removeAbandoned(folder: string): Promise<void> {
  const dir = join(folder, 'postgres')
  const pid = await findPostmaster(dir)
  if (pid !== undefined) await shutDownPostmaster(dir, pid)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Removes all but the newest backups, and returns the ids of the removed ones. */
export async function pruneBackups(backups: string, keep: number): Promise<string[]> {
  const names = await backupIdsIn(backups)
  const pruned = names.slice(0, Math.max(0, names.length - keep))
  for (const name of pruned) await rm(join(backups, name), { recursive: true, force: true })
  return pruned
}

/** The newest backup that can be restored to the instant; without an instant, the newest backup. */
export function chooseBackup(found: Backup[], backups: string, until: string | undefined): Backup {
  const newest = found.at(-1)
  if (!newest) throw new Error(`The folder ${backups} contains no backup.`)
  if (until === undefined) return newest
  const chosen = found.findLast(({ manifest }) => manifest.completed_at <= until)
  if (!chosen)
    throw new Error(
      `The backups in ${backups} begin at ${found[0]!.manifest.completed_at}. Name that instant or a later one.`,
    )
  if (chosen.through < until)
    throw new Error(
      `The backup ${chosen.folder} ends at ${chosen.through}. Name that instant or an earlier one.`,
    )
  return chosen
}

async function backupIdsIn(backups: string): Promise<string[]> {
  return (await namesIn(backups)).filter((name) => idPattern.test(name)).sort()
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(nothingIfGone([]))
}

export function nothingIfGone<T>(nothing: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return nothing
    throw error
  }
}
