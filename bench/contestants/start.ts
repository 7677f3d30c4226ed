import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PostgresAddress } from '../../src/postgres/embedded-postgres.ts'
import type { LoadResult } from '../load.ts'
import type { Closer, Stage } from '../stage.ts'
import type { RawRun } from './raw.ts'

export interface PlainSettings {
  database: PostgresAddress
  masterKey: string
  poolSize: number
  logFile: string
}

export interface Contestants {
  ours: { url: string; pid: number }
  plain: { url: string }
  /** Answers requests with the given bodies. */
  bare: { url: string; answer(bodies: string[]): Promise<void> }
  raw: { run(run: Omit<RawRun, 'database'>): Promise<LoadResult> }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every contestant has its own processes, one per core, on 127.0.0.1 and a free port. */
export async function startContestants(
  { database, masterKey, folder }: Stage,
  closers: Closer[],
): Promise<Contestants> {
  const start = (file: string) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)))
    closers.push(() => stopChild(child))
    return child
  }
  const ours = startOurs(database, masterKey, join(folder, 'ours.log'))
  closers.push(() => stopChild(ours))
  const plain = start('plain.ts')
  const bare = start('bare.ts')
  const raw = start('raw.ts')
  const logFile = join(folder, 'plain.log')
  plain.send({ database, masterKey, poolSize: 10, logFile } satisfies PlainSettings)
  bare.send({ bodies: [''] })
  const [oursUrl, plainUrl, bareUrl] = await Promise.all([readyUrl(ours), urlFrom(plain), urlFrom(bare)])
  return {
    ours: { url: oursUrl, pid: ours.pid! },
    plain: { url: plainUrl },
    bare: {
      url: bareUrl,
      async answer(bodies) {
        bare.send({ bodies })
        await once(bare, 'message')
      },
    },
    raw: {
      async run(run) {
        raw.send({ ...run, database } satisfies RawRun)
        const [result] = await once(raw, 'message')
        return result as LoadResult
      },
    },
  }
}

const scripts = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).scripts

/** Our server without the audit, to measure the cost of the audit. */
export async function startWithoutAudit(
  { database, masterKey, folder }: Stage,
  closers: Closer[],
): Promise<{ url: string }> {
  const nodeOptions = `--import ${new URL('without-audit.ts', import.meta.url)}`
  const server = startOurs(database, masterKey, join(folder, 'without-audit.log'), { nodeOptions })
  closers.push(() => stopChild(server))
  return { url: await readyUrl(server) }
}

/** The service as `npm start` starts it, at its default settings, with its log going to a file. */
export function startOurs(
  { host, port, database }: PostgresAddress,
  masterKey: string,
  logFile: string,
  { nodeOptions = '', settings = {} }: { nodeOptions?: string; settings?: Record<string, string> } = {},
): ChildProcess {
  // Otherwise the server builds it during the measurement.
  execFileSync(process.execPath, ['src/cli/matricula.ts', 'console', 'build'], { cwd: root })
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('MATRICULA_'))
  return spawn('sh', ['-c', scripts.start], {
    cwd: root,
    env: {
      ...Object.fromEntries(own),
      // The Node that runs this, as npm finds it.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      // For profiles: BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=…' reaches our server only.
      NODE_OPTIONS: `${process.env.BENCH_NODE_OPTIONS ?? ''} ${nodeOptions}`.trim(),
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: `postgres://matricula_owner@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      MATRICULA_KEY: masterKey,
      // No proxy is used, so no drain is needed.
      MATRICULA_DRAIN_MS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
}

/** The address in the banner of a service that has started. */
export async function readyUrl(service: ChildProcess): Promise<string> {
  let text = ''
  const banner = new Promise<string>((resolve) => {
    service.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const url = /Stop with Ctrl-C/.test(text) && /^ {2}API +(\S+?)\/api\/v5\/$/m.exec(text)
      if (url) resolve(url[1]!)
    })
  })
  const ended = once(service, 'exit').then(([code]) => {
    throw new Error(`The service ended with ${code}: ${text}`)
  })
  return Promise.race([banner, ended])
}

async function urlFrom(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  return (message as { url: string }).url
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(timer)
}
