import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { bareEnvironment } from '../harness/bare-environment.ts'
import { freePorts } from '../harness/proxy.ts'

const root = join(import.meta.dirname, '../..')
const document = readFileSync(join(root, 'docs/operating.md'), 'utf8')
const section = /^## Two servers, step by step$.*?(?=^## )/ms.exec(document)![0]
const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
const removal = blocks.at(-1)!
const [variables = '', ...steps] = blocks.slice(0, -1)

const postgres = '/usr/lib/postgresql/15/bin'
const programs = ['nginx', 'pgbouncer', 'promtool', 'curl', 'openssl', join(postgres, 'initdb')]

let folder: string | undefined
let env: Record<string, string>

afterAll(async () => {
  if (!folder) return
  await run(removal)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Runs commands after the lines that define variables, with values from the environment. */
function run(commands: string): Promise<{ code: number; output: string }> {
  const script = `set -euo pipefail\n${variables}\n${commands}`
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { env, timeout: 240_000, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    )
  })
}

function isMissing(program: string): boolean {
  try {
    execFileSync('bash', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
}

test('a newcomer runs two servers with PgBouncer, replica, nginx, backups and alerts from docs/operating.md', async () => {
  const missing = programs.filter(isMissing)
  if (missing.length > 0) {
    console.warn(
      `NOT RUN: the commands of docs/operating.md need ${missing.join(', ')}, which are not installed.`,
    )
    return
  }
  folder = await mkdtemp(join(tmpdir(), 'matricula-operating-'))
  chmodSync(folder, 0o755)
  const names = ['PRIMARY', 'REPLICA', 'POOL', 'ONE', 'TWO', 'HTTP', 'HTTPS']
  const ports = await freePorts(names.length)
  env = {
    ...bareEnvironment,
    PATH: [dirname(process.execPath), bareEnvironment.PATH, '/usr/sbin', '/usr/bin', '/bin'].join(delimiter),
    ...{ BASE: folder, REPO: root, PG: postgres },
    ...Object.fromEntries(names.map((name, index) => [name, String(ports[index])])),
  }
  const { code, output } = await run(steps.join('\n'))
  expect(code, output.slice(-4000)).toBe(0)
  expect(output).toContain('The ledger agrees')
  expect(output).toContain('The audit is intact')
  expect(output).toMatch(/SUCCESS: .*prometheus\.yml/)

  // Through nginx, as the program account of the school.
  const account = JSON.parse(await readFile(join(folder, 'etc/portal.json'), 'utf8'))
  const { app_id, user_api_secret } = account
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const { data } = await call('/api/v5/authentication/token', { app_id, time_stamp, signature })
  const created = { corp_id: 'northgate', email: 'ada@example.com' }
  const { code: outcome } = await call('/api/v5/entity/user/create', created, data.token)
  expect(outcome).toBe(0)
  const listed = await call('/api/v5/entity/order/list?corp_id=northgate', undefined, data.token)
  expect(listed).toMatchObject({ code: 0, data: { total: 0 } })
}, 300_000)

// biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
function call(path: string, body?: object, token = ''): Promise<{ code: number; data: any }> {
  const options: RequestOptions = {
    ...{ host: '127.0.0.1', port: Number(env.HTTPS), path, method: body ? 'POST' : 'GET' },
    rejectUnauthorized: false,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  }
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      response.toArray().then((pieces) => resolve(JSON.parse(Buffer.concat(pieces).toString())), reject)
    })
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}
