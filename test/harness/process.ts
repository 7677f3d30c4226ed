import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { BoundSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from './bare-environment.ts'
import { copyMadeOnce, dataDirs, newDataDir, removeDataDirs } from './data-folders.ts'

/** The service as an operator starts it: a separate process. */
export interface ServiceProcess {
  pid: number
  stdout(): string
  stderr(): string
  /** Resolves with the base URL once the banner is printed; rejects if the process ends before. */
  ready: Promise<string>
  /** Resolves when the process has ended and its output is read. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  kill(signal?: NodeJS.Signals): void
  /** Stops it, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const running = new Set<ServiceProcess>()

/** A data folder after its first start, for tests that need no first start. */
export async function settledDataDir(): Promise<string> {
  const folder = await newDataDir()
  await copyMadeOnce(folder, 'settled', async (dataDir) => {
    const service = startService({ MATRICULA_DATA: dataDir })
    await service.ready
    await service.stop()
  })
  return folder
}

/**
 * Starts the service with exactly these settings: on a free port, in one process and without a drain, unless they say
 * otherwise; of another checkout, or by another program that ends in it, where told.
 */
export function startService(
  settings: Record<string, string>,
  program = main,
  under: string[] = [],
  port?: BoundSocket,
): ServiceProcess {
  const { HOME = '' } = process.env
  const [command = process.execPath, ...args] = [...under, process.execPath, program]
  const child = spawn(command, args, {
    env: {
      ...bareEnvironment,
      HOME,
      PORT: '0',
      MATRICULA_WORKERS: '1',
      MATRICULA_DRAIN_MS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(port ? [port.fd()] : [])],
  })
  const service = observe(child)
  running.add(service)
  service.exited.then(() => running.delete(service))
  return service
}

/** Starts the service on a port that this process keeps, as systemd does with a socket unit. */
export function startOnPort(
  port: BoundSocket,
  settings: Record<string, string>,
  program = main,
): ServiceProcess {
  const under = ['sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh']
  return startService({ ...settings, LISTEN_FDS: '1' }, program, under, port)
}

/** For afterEach: ends the remaining processes of a test, and removes its folders. */
export async function cleanUp(): Promise<void> {
  for (const service of running) {
    service.kill('SIGTERM')
    const isGone = await Promise.race([service.exited.then(() => true), pause(10_000, false)])
    if (!isGone) service.kill('SIGKILL')
    await service.exited
  }
  for (const folder of dataDirs()) {
    killPostmaster(folder, 'SIGQUIT')
    await waitUntil(() => postmasterOf(folder) === undefined, 10_000)
  }
  await removeDataDirs()
}

/** The process id of the PostgreSQL that runs on a data folder; undefined without one. */
export function postmasterOf(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

export function killPostmaster(dataDir: string, signal: NodeJS.Signals = 'SIGKILL'): void {
  const pid = postmasterOf(dataDir)
  if (pid !== undefined) process.kill(pid, signal)
}

export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  patienceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if (await holds()) return true
    await pause(25)
  }
  return holds()
}

/** Polls until the condition holds. Only the time limit of the test ends the wait. */
export async function waitFor(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10)
}

function observe(child: ChildProcess): ServiceProcess {
  const output = { stdout: '', stderr: '' }
  const ready = Promise.withResolvers<string>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      const url =
        /Stop with Ctrl-C/.test(output.stdout) && /^ {2}API +(\S+?)\/api\/v5\/$/m.exec(output.stdout)
      if (url) ready.resolve(url[1]!)
    })
  }
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  exited.then(({ code }) => ready.reject(new Error(`The service ended with ${code}: ${output.stderr}`)))
  // A test that expects the start to fail does not wait for readiness.
  ready.promise.catch(() => undefined)
  return {
    pid: child.pid!,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready: ready.promise,
    exited,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}
