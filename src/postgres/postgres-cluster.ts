import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { syncFolder } from './durable-files.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { pickUnprivilegedUser, type SystemUser } from './unprivileged-user.ts'

export interface PostgresCluster {
  dataDir: string
  /** PGDATA. */
  dir: string
  logFile: string
  /** The user that PostgreSQL runs as, if it is another one. */
  user: SystemUser | undefined
  binaries: PostgresBinaries
}

// This link leads a process to its own working folder without checking permissions of the folders above it,
// so that PostgreSQL can run as another user beneath a folder only root may enter.
export const PGDATA_ARGUMENT = process.platform === 'linux' ? '/proc/self/cwd' : '.'

// Distinguishes our incomplete folders from those of a killed process with the same process id, as in containers.
const START_TOKEN = randomBytes(4).toString('hex')

const INITDB_ARGUMENTS = [
  `--pgdata=${PGDATA_ARGUMENT}`,
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--auth=peer',
  '--no-instructions',
]

export interface ClusterOptions {
  dataDir: string
  durable?: boolean
  /** The package with the PostgreSQL to use, if it is not the installed one. */
  packageDir?: string
  /** The folder in the data folder, if it is not the one that servers use. */
  folder?: string
}

/** Opens the database files in the data folder, and creates them if there are none. */
export async function openCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const dataDir = resolve(options.dataDir)
  const dir = join(dataDir, options.folder ?? 'postgres')
  const found = await explainDenial(dataDir, async () => {
    await mkdir(dataDir, { recursive: true, mode: dataDirMode() })
    await finishUpgrade(dir)
    return statIfPresent(dir)
  })
  const user = found ? ownerOf(dir, found) : await pickUnprivilegedUser()
  const cluster: PostgresCluster = {
    dataDir,
    dir,
    logFile: join(dataDir, 'postgres.log'),
    user,
    binaries: await findPostgresBinaries(user, options.packageDir),
  }
  await explainDenial(dataDir, () => createIfMissing(cluster, options.durable ?? true))
  await checkVersion(cluster)
  return cluster
}

/** Whether there are database files in the data folder. */
export function holdsDatabase(dataDir: string): Promise<boolean> {
  return explainDenial(dataDir, () => hasContent(join(dataDir, 'postgres')))
}

/** The environment of every PostgreSQL program: ours may hold secrets, and PG* variables would change its behaviour. */
export function postgresEnvironment(): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** The operating-system name that peer authentication will see for this process. */
export function currentUserName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `The operating system knows no name for user ${process.getuid?.()}, which PostgreSQL needs; ` +
        'add the user to /etc/passwd, or set DATABASE_URL to use another PostgreSQL.',
    )
  }
}

/** The name of files that are ready to replace `dir`. */
export function upgradedFolder(dir: string): string {
  return `${dir}.upgraded`
}

/** Completes an upgrade that was killed after moving the old files away. */
async function finishUpgrade(dir: string): Promise<void> {
  if (await statIfPresent(dir)) return
  if (await statIfPresent(upgradedFolder(dir))) await rename(upgradedFolder(dir), dir)
}

function dataDirMode(): number {
  return process.platform !== 'linux' && process.getuid?.() === 0 ? 0o711 : 0o700
}

// Root runs PostgreSQL as the owner of the files. A new choice of user could differ from the first one.
function ownerOf(dir: string, { uid, gid }: Stats): SystemUser | undefined {
  const self = process.getuid?.()
  if (self !== 0 && uid !== self) throw new Error(denialSentence(dir))
  if (uid !== 0) return self === 0 ? { uid, gid } : undefined
  throw new Error(
    `The database folder ${dir} belongs to root, as whom PostgreSQL refuses to run; ` +
      'give it to the user that PostgreSQL should run as (chown -R).',
  )
}

async function createIfMissing(cluster: PostgresCluster, durable: boolean): Promise<void> {
  await removeLeftovers(cluster)
  if (await hasContent(cluster.dir)) return
  const temporary = `${cluster.dir}.new-${process.pid}-${START_TOKEN}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(temporary, { mode: 0o700 })
    if (cluster.user) await chown(temporary, cluster.user.uid, cluster.user.gid)
    await runInitdb(cluster, temporary, durable)
    await moveIntoPlace(temporary, cluster.dir)
    await syncFolder(cluster.dataDir)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

// A process killed during initdb leaves an incomplete folder. A running process may still use its own.
async function removeLeftovers({ dataDir }: PostgresCluster): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const [, pid, token] = /^postgres\.new-(\d+)-(\w+)/.exec(name) ?? []
    if (!pid || token === START_TOKEN) continue
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function runInitdb({ binaries, user }: PostgresCluster, cwd: string, durable: boolean): Promise<void> {
  currentUserName()
  const args = durable ? INITDB_ARGUMENTS : [...INITDB_ARGUMENTS, '--no-sync']
  return new Promise((done, fail) => {
    execFile(binaries.initdb, args, { cwd, ...user, env: postgresEnvironment() }, (error, stdout, stderr) => {
      if (!error) return done()
      const words = `${stdout}${stderr}`.trim().split('\n').slice(-10).join('\n') || error.message
      fail(new Error(`PostgreSQL could not create its database files in ${cwd}.\n${words}`))
    })
  })
}

async function moveIntoPlace(temporary: string, dir: string): Promise<void> {
  try {
    await rename(temporary, dir)
  } catch (error) {
    // Another process has created the files, which are used.
    if (!(await hasContent(dir))) throw error
  }
}

async function checkVersion({ dir, binaries }: PostgresCluster): Promise<void> {
  const version = await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version.trim() === binaries.major) return
  throw new Error(
    version
      ? `The database in ${dir} was made by PostgreSQL ${version.trim()}, which PostgreSQL ${binaries.major} ` +
          'cannot open; run matricula db upgrade-postgres, or name another data folder.'
      : `The folder ${dir} contains something other than a PostgreSQL database; name another data folder.`,
  )
}

async function hasContent(dir: string): Promise<boolean> {
  return (await statIfPresent(dir)) !== undefined && (await readdir(dir)).length > 0
}

async function statIfPresent(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function explainDenial<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      throw new Error(denialSentence(dataDir), { cause: error })
    throw error
  }
}

function denialSentence(dir: string): string {
  return `The data folder ${dir} cannot be used by this user; run as the user it belongs to, or name another one.`
}
