import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'

/** A request of a load; `{n}` in its body becomes a number of ten digits that no other request has. */
export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** The caller: a token and its account id, which most clients send. */
export interface Caller {
  token: string
  app_id: string
}

export const headersOf = ({ token, app_id }: Caller) => ({
  authorization: `Bearer ${token}`,
  'x-app-id': app_id,
  'content-type': 'application/json',
})

export interface Load {
  url: string
  caller: Caller
  requests: LoadRequest[]
  connections: number
  seconds: number
  /** The first number for `{n}`. */
  firstNumber: number
}

export interface LoadResult {
  perSecond: number
  /** Failed responses and broken connections. */
  failed: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined

export const generator = hasWrk ? 'wrk' : 'autocannon'

/** Loads a server from a separate process, for a limited time. */
export function runLoad(load: Load): Promise<LoadResult> {
  return hasWrk ? runWrk(load) : runAutocannon(load)
}

async function runWrk({
  url,
  caller: { token, app_id },
  requests,
  connections,
  seconds,
  firstNumber,
}: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-load-'))
  try {
    const list = join(folder, 'requests')
    const lines = requests.map(({ method, path, body = '' }) => [method, path, body].join('\t'))
    await writeFile(list, lines.join('\n'))
    const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
    const options = [
      '-t1',
      `-c${connections}`,
      `-d${Math.ceil(seconds)}s`,
      '--timeout',
      '20s',
      '-s',
      script,
      url,
    ]
    const child = spawn('wrk', [...options, '--', list, token, app_id, String(firstNumber)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    await once(child, 'close')
    return readWrk(text)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readWrk(text: string): LoadResult {
  const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  const socketErrors = /Socket errors: (.+)/.exec(text)?.[1]?.match(/\d+/g) ?? []
  return {
    perSecond: numberIn(/Requests\/sec: +([\d.]+)/),
    failed: numberIn(/Non-2xx or 3xx responses: (\d+)/) + socketErrors.reduce((sum, n) => sum + Number(n), 0),
  }
}

/** Sends all requests once at the same moment, from a separate process. */
export function runBurst(burst: Omit<Load, 'connections' | 'seconds'>): Promise<LoadResult> {
  return runAutocannon({ ...burst, connections: burst.requests.length, seconds: 0 })
}

let cannon: { child: ChildProcess; ended: Promise<never> } | undefined

async function runAutocannon(load: Load): Promise<LoadResult> {
  cannon ??= startCannon()
  cannon.child.send(load)
  const [result] = await Promise.race([once(cannon.child, 'message'), cannon.ended])
  return result as LoadResult
}

function startCannon() {
  const child = fork(fileURLToPath(import.meta.url))
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error('The load generator ended early')))
  })
  // It ends with this process.
  ended.catch(() => undefined)
  return { child, ended }
}

async function cannonade({
  url,
  caller,
  requests,
  connections,
  seconds,
  firstNumber,
}: Load): Promise<LoadResult> {
  const headers = headersOf(caller)
  let number = firstNumber
  let next = 0
  const fresh = () => {
    const { body, ...request } = requests[next++ % requests.length]!
    return { ...request, headers, ...(body && { body: numbered(body, number++) }) }
  }
  const isNumbered = requests.some(({ body }) => body?.includes('{n}'))
  const result = await autocannon({
    url,
    connections,
    ...(seconds > 0 ? { duration: seconds } : { amount: requests.length }),
    timeout: 20,
    ...(isNumbered
      ? { requests: [{ setupRequest: (request) => ({ ...request, ...fresh() }) }] }
      : // Ready-made requests cost the generator least; each connection gets others.
        { setupClient: (client) => client.setRequests(Array.from({ length: 40 }, fresh)) }),
  })
  return { perSecond: result['2xx'] / result.duration, failed: result.non2xx + result.errors }
}

function numbered(body: string, n: number): string {
  return body.replaceAll('{n}', String(n).padStart(10, '0'))
}

if (import.meta.main && process.send) {
  process.on('message', async (load: Load) => process.send!(await cannonade(load)))
  // The parent process has ended.
  process.once('disconnect', () => process.exit())
}
