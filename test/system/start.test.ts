import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { newId } from '../../src/contract/new-id.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { bareEnvironment } from '../harness/bare-environment.ts'
import { callCli } from '../harness/cli.ts'
import { newDataDir } from '../harness/data-folders.ts'
import { cleanUp, postmasterOf, settledDataDir, startService, waitUntil } from '../harness/process.ts'
import { isRunning } from '../harness/processes.ts'

const key = 'ab'.repeat(32)

afterEach(cleanUp)

describe('on an empty data folder', () => {
  test('the first start prints everything that a newcomer needs, and the second one no secret', async () => {
    const dataDir = await newDataDir()
    const first = startService({ MATRICULA_DATA: dataDir, MATRICULA_WORKERS: '2' })
    const url = await first.ready
    const sample = await readSample(dataDir)
    const { staff, ...account } = sample
    expect(Object.keys(account)).toEqual(['base_url', 'corp_id', 'app_id', 'user_api_secret'])
    expect(sample.base_url).toBe(url)
    for (const text of [...Object.values(account), `${url}/docs`]) expect(first.stdout()).toContain(text)
    expect(new URL(url).hostname).toBe('localhost')
    const link = new RegExp(`${url}/enter#([\\w-]+\\.[\\w-]{43})`).exec(first.stdout())![1]!
    expect(await enter(url, link)).toMatchObject({ code: 0, data: { email: 'admin@lakeside.example' } })
    expect((await enter(url, link)).code).toBe(40109)
    expect((await fetch(`${url}/today`)).status).toBe(200)
    expect(staff.map(({ role }) => role)).toEqual(['counsellor', 'finance', 'admin', 'viewer'])
    for (const { email, password } of staff) expect((await signIn(url, { email, password })).code).toBe(0)
    expect(await modeOf(join(dataDir, 'sample.json'))).toBe('600')
    expect(await modeOf(join(dataDir, 'master.key'))).toBe('600')

    const printed = first.stdout().split('\n')
    const line = printed.filter((text) => text.includes('curl'))
    expect(line).toHaveLength(1)
    const orders = await paste(line[0]!)
    expect(orders).toMatchObject({ code: 0, msg: 'success' })
    expect(orders.data.list.length).toBeGreaterThan(0)
    expect(first.stderr()).not.toContain(sample.user_api_secret)
    for (const text of first.stderr().trim().split('\n')) JSON.parse(text)
    const userId = await createUser(sample)
    expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(postmasterOf(dataDir)).toBeUndefined()

    const second = startService({ MATRICULA_DATA: dataDir })
    const again = await second.ready
    expect(second.stdout()).not.toContain(sample.user_api_secret)
    expect(second.stdout()).not.toContain('/enter#')
    expect(second.stdout()).toContain(join(dataDir, 'sample.json'))
    const now = await readSample(dataDir)
    expect(now).toEqual({ ...sample, base_url: again })
    expect(await fetchProfile(now, userId)).toMatchObject({ code: 0, data: { user_id: userId } })
  })

  test('a second server on the same data folder is refused, and the first continues', async () => {
    const dataDir = await settledDataDir()
    const first = startService({ MATRICULA_DATA: dataDir })
    const url = await first.ready
    const second = startService({ MATRICULA_DATA: dataDir })
    expect((await second.exited).code).toBe(1)
    expect(complaintOf(second)).toBe(
      `Another Matricula server is already running on the data folder ${dataDir}.`,
    )
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('a port in use and a newer schema end the start, and PostgreSQL with it', async () => {
    const dataDir = await settledDataDir()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const crowded = startService({ MATRICULA_DATA: dataDir, PORT: String(port) })
    expect((await crowded.exited).code).toBe(1)
    taken.close()
    expect(complaintOf(crowded)).toBe(`Port ${port} on 127.0.0.1 is already in use: set PORT to another one.`)
    expect(postmasterOf(dataDir)).toBeUndefined()

    const postgres = await borrowEmbeddedPostgres({ dataDir })
    await query(postgres.owner, `insert into schema_migrations (id, name) values (9999, '9999_future')`)
    await postgres.stop()
    const outdated = startService({ MATRICULA_DATA: dataDir })
    expect((await outdated.exited).code).toBe(1)
    expect(complaintOf(outdated)).toMatch(/^The database has schema 9999, .*: start a newer version\.$/)
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  test.for([
    ['SIGINT', 'its files are being made', (dir: string) => readdirSync(dir).length > 0],
    ['SIGTERM', 'PostgreSQL has been launched', (dir: string) => postmasterOf(dir) !== undefined],
  ] as const)('%s while %s ends the start cleanly', async ([signal, , isReached]) => {
    const dataDir = await newDataDir()
    await interrupt(dataDir, {}, signal, () => isReached(dataDir))
  })

  test('SIGTERM during the creation of the schema does too, and the next start is a first start again', async () => {
    const dataDir = await newDataDir()
    const isReached = (log: string) => log.includes('0001_')
    await interrupt(dataDir, { MATRICULA_WORKERS: '2' }, 'SIGTERM', isReached)
    const service = startService({ MATRICULA_DATA: dataDir })
    await service.ready
    expect(service.stdout()).toContain((await readSample(dataDir)).user_api_secret)
  })
})

async function interrupt(
  dataDir: string,
  settings: Record<string, string>,
  signal: NodeJS.Signals,
  isReached: (log: string) => boolean,
): Promise<void> {
  const service = startService({ MATRICULA_DATA: dataDir, ...settings })
  expect(await waitUntil(() => isReached(service.stderr()), 60_000)).toBe(true)
  expect(await service.stop(signal)).toEqual({ code: 0, signal: null })
  expect(service.stdout()).toBe('')
  expect(postmasterOf(dataDir)).toBeUndefined()
}

test.for([
  [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ HOST: '203.0.113.7' }, 'HOST 203.0.113.7 is not an address of this machine.'],
] as const)('a bad setting ends the start with one sentence: %j', async ([settings, sentence]) => {
  const dataDir = await ('HOST' in settings ? settledDataDir() : newDataDir())
  const service = startService({ MATRICULA_DATA: dataDir, ...settings })
  expect((await service.exited).code).toBe(1)
  expect(service.stdout()).toBe('')
  expect(complaintOf(service)).toBe(sentence)
  expect(postmasterOf(dataDir)).toBeUndefined()
})

describe('with DATABASE_URL', () => {
  test('the wait for an absent database is bounded, and can be interrupted', async () => {
    const settings = { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x', MATRICULA_KEY: key }
    const service = startService({ ...settings, MATRICULA_CONNECT_TIMEOUT_MS: '1000' })
    expect((await service.exited).code).toBe(1)
    expect(complaintOf(service)).toBe(
      'PostgreSQL at 127.0.0.1:1, named in DATABASE_URL, does not accept connections (ECONNREFUSED).',
    )
    const unwilling = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(unwilling, 'listening')
    const { port } = unwilling.address() as { port: number }
    const patient = startService({ ...settings, DATABASE_URL: `postgres://me@127.0.0.1:${port}/x` })
    await once(unwilling, 'connection')
    expect(await patient.stop('SIGINT')).toEqual({ code: 0, signal: null })
    unwilling.close()
    expect(patient.stderr()).toBe('')
  })

  test.for([
    [
      'postgres',
      'The database role postgres is a superuser, so the server works as the app role matricula_app.',
    ],
    ['matricula_owner', 'works as the database role matricula_owner itself'],
  ] as const)('as %s, nothing embedded is started and no sample is loaded', async ([role, notice]) => {
    const dataDir = await newDataDir()
    const { url, drop } = await newDatabase(role)
    try {
      const service = startService({ MATRICULA_DATA: dataDir, DATABASE_URL: url, MATRICULA_KEY: key })
      expect(await (await fetch(`${await service.ready}/readyz`)).json()).toMatchObject({ code: 0 })
      expect(logOf(service).some(({ msg }) => msg.includes(notice))).toBe(true)
      expect(service.stdout()).not.toContain('sample')
      expect(service.stdout()).not.toContain(dataDir)
      expect(await exists(join(dataDir, 'postgres'))).toBe(false)
      expect(await exists(join(dataDir, 'sample.json'))).toBe(false)
      expect(await service.stop()).toEqual({ code: 0, signal: null })
    } finally {
      await drop()
    }
  })
})

describe('asked to stop', () => {
  test.for([
    ['SIGTERM', '1'],
    ['SIGINT', '2'],
  ] as const)('after %s, a request under way finishes first', async ([signal, MATRICULA_WORKERS]) => {
    const dataDir = await settledDataDir()
    // Longer than the test: neither the request nor an idle connection may time out.
    const MATRICULA_DRAIN_TIMEOUT_MS = '600000'
    const service = startService({ MATRICULA_DATA: dataDir, MATRICULA_WORKERS, MATRICULA_DRAIN_TIMEOUT_MS })
    await service.ready
    const sample = await readSample(dataDir)
    const token = await tokenOf(sample)
    const postgres = await borrowEmbeddedPostgres({ dataDir })
    const blocker = new pg.Client({ ...postgres.owner })
    await blocker.connect()
    await blocker.query('begin; lock table users in access exclusive mode')
    const underWay = createUser(sample, token)
    await waitUntil(async () => (await countWaiting(postgres.owner)) > 0, 60_000)

    const exited = service.stop(signal)
    const isClosed = () =>
      fetch(`${sample.base_url}/readyz`).then(
        ({ status }) => status === 503,
        () => true,
      )
    expect(await waitUntil(isClosed, 30_000)).toBe(true)
    await blocker.query('rollback')
    await blocker.end()
    expect(await underWay).toMatch(/^[0-9a-f]{32}$/)
    await postgres.stop()
    // The client keeps the connection alive, which must not delay the server.
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  test('a caller that never finishes delays the stop for a bounded time, and not at all after a second signal', async () => {
    for (const [drainMs, signals] of [
      ['500', 1],
      ['600000', 2],
    ] as const) {
      const dataDir = await settledDataDir()
      const service = startService({ MATRICULA_DATA: dataDir, MATRICULA_DRAIN_TIMEOUT_MS: drainMs })
      const url = new URL(await service.ready)
      const caller = connect(Number(url.port), url.hostname)
      caller.on('error', () => undefined)
      caller.write(
        'POST /api/v5/authentication/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      )
      await new Promise((done) => setTimeout(done, 200))
      for (let n = 0; n < signals; n++) {
        service.kill('SIGTERM')
        await new Promise((done) => setTimeout(done, 200))
      }
      expect((await service.exited).code).toBe(0)
      expect(postmasterOf(dataDir)).toBeUndefined()
      caller.destroy()
    }
  })
})

test('SIGHUP reads the log level, the master keys and the read-only mode again, and nothing ends', async () => {
  const dataDir = await settledDataDir()
  const MATRICULA_SETTINGS = join(dataDir, 'settings.env')
  await writeFile(MATRICULA_SETTINGS, 'MATRICULA_LOG_LEVEL=warn\n')
  const service = startService({ MATRICULA_DATA: dataDir, MATRICULA_WORKERS: '2', MATRICULA_SETTINGS })
  await service.ready
  const sample = await readSample(dataDir)
  const before = await tokenOf(sample)
  expect((await callCli(['key', 'rotate', '--json'], { MATRICULA_DATA: dataDir })).code).toBe(0)
  await writeFile(MATRICULA_SETTINGS, 'MATRICULA_LOG_LEVEL=info\n')
  service.kill('SIGHUP')
  expect(await waitUntil(() => service.stderr().includes('were read again'), 60_000)).toBe(true)
  const idOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
  expect(await waitUntil(async () => idOf(await tokenOf(sample)) !== idOf(before), 60_000)).toBe(true)
  // Tokens of the old key are valid until they expire.
  expect(await createUser(sample, before)).toMatch(/^[0-9a-f]{32}$/)
  expect(await waitUntil(() => service.stderr().includes('"operation":"createUser"'), 60_000)).toBe(true)

  await writeFile(MATRICULA_SETTINGS, 'MATRICULA_LOG_LEVEL=loud\n')
  service.kill('SIGHUP')
  expect(await waitUntil(() => service.stderr().includes('MATRICULA_LOG_LEVEL must be one of'), 10_000)).toBe(
    true,
  )
  expect((await fetch(`${sample.base_url}/readyz`)).status).toBe(200)

  await writeFile(MATRICULA_SETTINGS, 'MATRICULA_READ_ONLY=true\n')
  service.kill('SIGHUP')
  const isReadOnly = async () =>
    ((await (await fetch(`${sample.base_url}/readyz`)).json()) as { data: { is_read_only: boolean } }).data
      .is_read_only
  expect(await waitUntil(isReadOnly, 10_000)).toBe(true)
  // Every worker reads it separately.
  expect(await waitUntil(async () => (await createUser(sample, before)) === undefined, 10_000)).toBe(true)
  await writeFile(MATRICULA_SETTINGS, 'MATRICULA_LOG_LEVEL=info\n')
  service.kill('SIGHUP')
  expect(await waitUntil(async () => !(await isReadOnly()), 10_000)).toBe(true)
})

test('a signal that ends npm leaves neither a server on the port nor the pid file', async () => {
  const dataDir = await settledDataDir()
  const MATRICULA_PID_FILE = join(dataDir, 'server.pid')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const env = { ...bareEnvironment, HOME: dataDir, MATRICULA_SKIP_INSTALL: '1', MATRICULA_WORKERS: '1' }
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, PORT: '0', MATRICULA_DATA: dataDir, MATRICULA_PID_FILE },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  npm.stdout.resume()
  const isUp = async () => {
    const url = (await readSample(dataDir).catch(() => undefined))?.base_url
    return (
      url !== undefined &&
      (await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
  }
  expect(await waitUntil(isUp, 30_000)).toBe(true)
  const pid = Number(await readFile(MATRICULA_PID_FILE, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  npm.kill('SIGUSR2')
  expect(await once(npm, 'exit')).toEqual([null, 'SIGUSR2'])
  expect(await waitUntil(() => !isRunning(pid), 20_000)).toBe(true)
  expect(await exists(MATRICULA_PID_FILE)).toBe(false)
  expect(postmasterOf(dataDir)).toBeUndefined()
})

interface Sample {
  base_url: string
  corp_id: string
  app_id: string
  user_api_secret: string
  staff: { email: string; password: string; role: string }[]
}

async function readSample(dataDir: string): Promise<Sample> {
  return JSON.parse(await readFile(join(dataDir, 'sample.json'), 'utf8'))
}

/** The standard error of a failed start, without the structured log: one sentence. */
function complaintOf(service: { stderr(): string }): string {
  const lines = service
    .stderr()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
  expect(lines).toHaveLength(1)
  return lines[0]!
}

function logOf(service: { stderr(): string }): { msg: string }[] {
  return service
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function paste(line: string): Promise<{ code: number; data: { list: unknown[] } }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]).catch((error: Error) => {
    throw new Error(`The printed line needs sh, curl and sha256sum or shasum: ${error.message}`)
  })
  if (stdout === '') throw new Error('The printed line printed nothing: is curl installed?')
  return JSON.parse(stdout)
}

function signIn(url: string, who: { email: string; password: string }): Promise<{ code: number }> {
  return fromConsole(`${url}/api/v5/console/session/create`, who)
}

function enter(url: string, link: string): Promise<{ code: number }> {
  return fromConsole(`${url}/api/v5/console/session/link`, { link })
}

async function fromConsole(address: string, body: object): Promise<{ code: number }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { code: number }
}

async function tokenOf({ base_url, app_id, user_api_secret }: Sample): Promise<string> {
  const time_stamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const response = await post(`${base_url}/api/v5/authentication/token`, { app_id, time_stamp, signature })
  return response.data.token!
}

async function createUser(sample: Sample, token?: string): Promise<string> {
  const email = `${newId()}@example.com`
  const body = { corp_id: sample.corp_id, email }
  const response = await post(
    `${sample.base_url}/api/v5/entity/user/create`,
    body,
    token ?? (await tokenOf(sample)),
  )
  return response.data.user_id!
}

async function fetchProfile(sample: Sample, user_id: string): Promise<unknown> {
  const query = new URLSearchParams({ corp_id: sample.corp_id, user_id })
  const headers = { Authorization: `Bearer ${await tokenOf(sample)}` }
  return (await fetch(`${sample.base_url}/api/v5/entity/profile/fetch?${query}`, { headers })).json()
}

async function post(url: string, body: object, token?: string): Promise<{ data: Record<string, string> }> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as { data: Record<string, string> }
}

/** A database on the PostgreSQL of the test run, whose role can neither use the app role nor create roles. */
async function newDatabase(role: string): Promise<{ url: string; drop(): Promise<void> }> {
  const { host, port } = inject('postgres')
  const name = `test_${newId()}`
  const admin = { host, port, user: 'postgres', database: 'postgres' }
  await query(admin, `create database ${name} owner ${role}`)
  const url = `postgres://${role}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
  return { url, drop: async () => void (await query(admin, `drop database ${name} with (force)`)) }
}

async function query(address: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function countWaiting(owner: pg.ClientConfig): Promise<number> {
  const rows = await query(owner, 'select 1 from pg_locks where not granted')
  return rows.length
}

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
