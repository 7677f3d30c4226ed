import { readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { migrate, schemaStatus } from '../../database/migrate.ts'
import { syncFolder } from '../../postgres/durable-files.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { DATABASE } from '../../postgres/matricula-roles.ts'
import { findPostgresBinaries } from '../../postgres/postgres-binaries.ts'
import { upgradedFolder } from '../../postgres/postgres-cluster.ts'
import { findPostmaster, shutDownPostmaster } from '../../postgres/postmaster.ts'
import { noteContinued } from '../continued-backup.ts'
import {
  listTables,
  readFromFile,
  refreshAllStatistics,
  skipForeignKeys,
  sumUp,
  type TableColumns,
  writeToFile,
} from './table-copy-store.ts'

export interface UpgradeOptions {
  dataDir: string
  /** The unpacked package of the PostgreSQL that made the files. */
  oldPackageDir: string
  /** For tests, which have only one version. */
  evenIfSame?: boolean
}

export interface Upgraded {
  from: string
  to: string
  tables: number
  /** Folder of the old files. Remove it when it is no longer needed. */
  oldFiles: string
}

const NEW_FOLDER = 'postgres.upgrading'
const COPY_FILE = 'table.copy'

/** Copies the data to the installed PostgreSQL, table by table. The old files do not change. */
export async function upgradePostgres(
  options: UpgradeOptions,
  progress: (done: number, total: number) => void,
): Promise<Upgraded> {
  const { dataDir, oldPackageDir } = options
  const dir = join(dataDir, 'postgres')
  const from = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const { major: to } = await findPostgresBinaries()
  if (from === '') throw new Error(`The folder ${dataDir} contains no database.`)
  if (from === to && !options.evenIfSame)
    throw new Error(`The database in ${dataDir} already has the version of PostgreSQL ${to}.`)
  const tables = await moveDatabase(dataDir, resolve(oldPackageDir), progress)
  return { from, to, tables, oldFiles: await swap(dataDir, from) }
}

/** Creates new files next to the old ones, copies every row, and returns the number of tables. */
async function moveDatabase(
  dataDir: string,
  packageDir: string,
  progress: (done: number, total: number) => void,
): Promise<number> {
  await removeLeftovers(dataDir)
  const old = await startEmbeddedPostgres({ dataDir, packageDir })
  try {
    const fresh = await startEmbeddedPostgres({ dataDir, folder: NEW_FOLDER })
    try {
      const { current } = await schemaStatus(old.owner)
      await migrate(fresh.owner, { until: current })
      return await copyTables(dataDir, old, fresh, progress)
    } finally {
      await fresh.stop()
    }
  } finally {
    await old.stop()
  }
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const dir = join(dataDir, NEW_FOLDER)
  const pid = await findPostmaster(dir)
  if (pid !== undefined) await shutDownPostmaster(dir, pid)
  for (const each of [dir, upgradedFolder(join(dataDir, 'postgres'))])
    await rm(each, { recursive: true, force: true })
}

async function copyTables(
  dataDir: string,
  old: EmbeddedPostgres,
  fresh: EmbeddedPostgres,
  progress: (done: number, total: number) => void,
): Promise<number> {
  const [source, target] = [await connect(old), await connect(fresh)]
  try {
    const tables = await listTables(source)
    const known = await listTables(target)
    if (JSON.stringify(tables) !== JSON.stringify(known))
      throw new Error('The tables differ from the schema of this version. Correct them first.')
    await skipForeignKeys(target)
    for (const [done, table] of tables.entries()) {
      progress(done, tables.length)
      await copyTable(dataDir, source, target, table)
    }
    await refreshAllStatistics(target)
    return tables.length
  } finally {
    await source.end()
    await target.end()
  }
}

/** One PostgreSQL writes a file and the other reads it, each in its own folder. No row passes through this process. */
async function copyTable(dataDir: string, source: pg.Client, target: pg.Client, table: TableColumns) {
  const written = join(dataDir, 'postgres', COPY_FILE)
  const read = join(dataDir, NEW_FOLDER, COPY_FILE)
  try {
    await writeToFile(source, table, asPostgresSees(written))
    await rename(written, read)
    await readFromFile(target, table, asPostgresSees(read))
    if ((await sumUp(source, table)) !== (await sumUp(target, table)))
      throw new Error(`The table ${table.table} was copied incompletely. The database has not changed.`)
  } finally {
    for (const file of [written, read]) await rm(file, { force: true })
  }
}

/** A relative path: PostgreSQL may lack the permission to reach the folder from the root, but it runs in it. */
function asPostgresSees(file: string): string {
  return process.platform === 'linux' ? `/proc/self/cwd/${COPY_FILE}` : file
}

async function connect({ owner }: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, user: 'postgres', database: DATABASE })
  await client.connect()
  return client
}

/** If the process is killed between the last two steps, the next start performs the second (`finishUpgrade`). */
async function swap(dataDir: string, from: string): Promise<string> {
  const dir = join(dataDir, 'postgres')
  const oldFiles = `${dir}-${from}`
  await rename(join(dataDir, NEW_FOLDER), upgradedFolder(dir))
  // It refers to the backup of the old database.
  await noteContinued(dataDir, undefined)
  await rename(dir, oldFiles)
  await rename(upgradedFolder(dir), dir)
  await syncFolder(dataDir)
  return oldFiles
}
