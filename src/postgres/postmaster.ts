import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const LOCK_FILES = ['postmaster.pid', '.s.PGSQL.5432.lock']

/** The process id of the PostgreSQL on these database files, whichever process started it. */
export async function findPostmaster(dir: string): Promise<number | undefined> {
  const pid = await readPid(join(dir, 'postmaster.pid'))
  return pid && (await isPostmaster(pid, dir)) ? pid : undefined
}

/**
 * Removes a stale lock file. PostgreSQL refuses to start if the process id in the file now belongs to another process of
 * its user, which is common in containers.
 */
export async function removeStaleLockFiles(dir: string): Promise<void> {
  for (const name of LOCK_FILES) {
    const pid = await readPid(join(dir, name))
    if (pid && !(await isPostmaster(pid, dir))) await rm(join(dir, name), { force: true })
  }
}

/** Fast shutdown; if it hangs, immediate shutdown, which costs a crash recovery but no data. */
export async function shutDownPostmaster(dir: string, pid: number): Promise<void> {
  for (const [signal, patience] of [['SIGINT', 30_000] as const, ['SIGQUIT', 10_000] as const]) {
    if (!(await isPostmaster(pid, dir))) return
    sendSignal(pid, signal)
    if (await waitUntilGone(dir, pid, patience)) return
  }
  throw new Error(`PostgreSQL (process ${pid}) on ${dir} does not stop.`)
}

async function waitUntilGone(dir: string, pid: number, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience
  while (Date.now() < deadline) {
    if (!(await isPostmaster(pid, dir))) return true
    await pause(20)
  }
  return false
}

async function isPostmaster(pid: number, dir: string): Promise<boolean> {
  return process.platform === 'linux' ? worksInFolder(pid, dir) : looksLikePostgres(pid)
}

async function worksInFolder(pid: number, dir: string): Promise<boolean> {
  try {
    const [name, folder, own] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      stat(`/proc/${pid}/cwd`),
      stat(dir),
    ])
    return name.trim() === 'postgres' && folder.ino === own.ino && folder.dev === own.dev
  } catch {
    return false
  }
}

function looksLikePostgres(pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'comm=', '-p', String(pid)], (error, stdout) =>
      resolve(!error && stdout.includes('postgres')),
    )
  })
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}
