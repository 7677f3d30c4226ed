import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { giveToOwnerOf } from './durable-files.ts'
import { writeAuthentication } from './postgres-authentication.ts'
import { PGDATA_ARGUMENT, type PostgresCluster, postgresEnvironment } from './postgres-cluster.ts'
import { removeStaleLockFiles } from './postmaster.ts'

export interface PostgresProcess {
  pid: number
  hasExited(): boolean
  exited: Promise<void>
  /** The last lines this process wrote to the log. */
  lastWords(): Promise<string>
}

const MAX_LOG_BYTES = 10 * 1024 * 1024

// The access rules depend on these, so they come last on the command line, where nothing overrides them.
const FIXED_SETTINGS = {
  listen_addresses: '',
  port: '5432',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  hba_file: `${PGDATA_ARGUMENT}/pg_hba.conf`,
  ident_file: `${PGDATA_ARGUMENT}/pg_ident.conf`,
  logging_collector: 'off',
  log_destination: 'stderr',
  // Details would quote the values of a failed statement.
  log_error_verbosity: 'terse',
  // Analyze soon: plans made on an empty table are replaced after the first analyze, by default within a minute.
  autovacuum_naptime: '10s',
  // If the disk of the backup is missing, retained log must not fill the disk of the database.
  max_slot_wal_keep_size: '8GB',
}

/** Starts PostgreSQL on the cluster's files, without waiting until it accepts connections. */
export async function spawnPostgres(
  cluster: PostgresCluster,
  settings: Record<string, string> = {},
): Promise<PostgresProcess> {
  await removeStaleLockFiles(cluster.dir)
  await writeAuthentication(cluster)
  const log = await openLog(cluster)
  try {
    const { size } = await log.stat()
    const child = launch(cluster, log, { ...settings, ...FIXED_SETTINGS })
    const exited = once(child, 'exit').then(
      () => undefined,
      () => undefined,
    )
    await confirmSpawn(child)
    // The child process does not keep this process alive. A connection to PostgreSQL does.
    child.unref()
    return {
      pid: child.pid as number,
      hasExited: () => child.exitCode !== null || child.signalCode !== null,
      exited,
      lastWords: () => readLastLines(cluster.logFile, size),
    }
  } finally {
    await log.close()
  }
}

function launch(cluster: PostgresCluster, log: FileHandle, settings: Record<string, string>): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(cluster.binaries.postgres, ['-D', PGDATA_ARGUMENT, ...options], {
    cwd: cluster.dir,
    ...cluster.user,
    env: postgresEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    // Ctrl-C reaches the whole process group of the terminal, and PostgreSQL must outlive the server's last request.
    detached: true,
  })
}

async function confirmSpawn(child: ChildProcess): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new Error(`PostgreSQL could not be started (${(error as Error).message}).`, { cause: error })
  }
}

async function openLog({ dataDir, logFile }: PostgresCluster): Promise<FileHandle> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const log = await open(logFile, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  await giveToOwnerOf(log, dataDir)
  return log
}

async function readLastLines(file: string, from: number): Promise<string> {
  const log = await open(file, 'r')
  try {
    const { size } = await log.stat()
    const start = Math.max(from, size - 16_384)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(Math.max(0, size - start)), { position: start })
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-10).join('\n')
  } finally {
    await log.close()
  }
}
