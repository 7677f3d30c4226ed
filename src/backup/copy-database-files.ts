import type { Dirent } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copyDurably, severalAtOnce, syncFolder } from '../postgres/durable-files.ts'
import { type BackupFile, nothingIfGone } from './backup-folder.ts'

/** Not copied: files of the running server, and files that are restored from the log. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|\.s\.PGSQL.*)$/
/** Names the begin of the recovery. Read last, when everything that it refers to is copied. */
const CONTROL_FILE = 'global/pg_control'

export interface CopiedFiles {
  folders: string[]
  files: BackupFile[]
}

/** Copies the files of a running PostgreSQL in backup mode. Replaying the log repairs pages that change during the copy. */
export async function copyDatabaseFiles(
  source: string,
  target: string,
  progress: (done: number, total: number) => void,
): Promise<CopiedFiles> {
  const folders: string[] = []
  const paths: string[] = []
  await walk(source, '', folders, paths)
  const total = await totalBytes(source, paths)
  let done = 0
  await mkdir(target, { mode: 0o700 })
  for (const folder of folders) await mkdir(join(target, folder), { mode: 0o700 })
  const files: BackupFile[] = []
  const all = paths.filter((path) => path !== CONTROL_FILE)
  await severalAtOnce(all, async (path) => {
    const file = await copyIfPresent(source, target, path, (bytes) => {
      done += bytes
      progress(done, Math.max(done, total))
    })
    if (file) files.push(file)
  })
  files.push(await copyControlFile(source, target))
  for (const folder of ['', ...folders]) await syncFolder(join(target, folder))
  return { folders, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

async function walk(root: string, folder: string, folders: string[], paths: string[]): Promise<void> {
  for (const entry of await entriesOf(join(root, folder))) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (LEFT_OUT.test(entry.name)) continue
    if (entry.isDirectory()) {
      folders.push(path)
      if (!EMPTIED.has(path)) await walk(root, path, folders, paths)
    } else if (entry.isFile()) paths.push(path)
  }
}

/** A folder or file may be removed during the copy. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(nothingIfGone([]))
}

async function totalBytes(root: string, paths: string[]): Promise<number> {
  let total = 0
  for (const path of paths) total += (await stat(join(root, path)).catch(nothingIfGone({ size: 0 }))).size
  return total
}

async function copyIfPresent(
  source: string,
  target: string,
  path: string,
  progress: (bytes: number) => void,
): Promise<BackupFile | undefined> {
  const copied = await copyDurably(join(source, path), join(target, path), progress).catch(
    nothingIfGone(undefined),
  )
  return copied && { path, ...copied }
}

/** PostgreSQL may be writing the file. Two equal reads prove that the content is not torn. */
async function copyControlFile(source: string, target: string): Promise<BackupFile> {
  for (;;) {
    const before = await readFile(join(source, CONTROL_FILE))
    const copied = await copyDurably(join(source, CONTROL_FILE), join(target, CONTROL_FILE))
    if (before.equals(await readFile(join(target, CONTROL_FILE)))) return { path: CONTROL_FILE, ...copied }
    await rm(join(target, CONTROL_FILE))
  }
}
