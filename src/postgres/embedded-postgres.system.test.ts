import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyInitialized } from '../../test/harness/data-folders.ts'
import {
  canRun,
  foldersWithPostmaster,
  greetServer,
  listeningTcpSocketsOf,
  NOBODY,
  query,
  readPid,
  waitFor,
  writeUntilFailure,
} from '../../test/support/postgres.ts'
import { borrowEmbeddedPostgres, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const MODULE = join(import.meta.dirname, 'embedded-postgres.ts')
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const othersCanRunUs = isRoot && canRun(`import(${JSON.stringify(pathToFileURL(MODULE).href)})`)

let base: string
let dataDir: string
let running: EmbeddedPostgres[]
let children: ChildProcess[]

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'matricula-test-'))
  dataDir = join(base, 'data')
  running = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const postgres of running) await postgres.stop().catch(() => undefined)
  for (const dir of await foldersWithPostmaster(base)) process.kill(readPid(dir), 'SIGQUIT')
  await rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

test('keeps the data from one start to the next', async () => {
  await copyInitialized(dataDir)
  const first = await start()
  await query(first.owner, 'create table kept (value text)')
  await query(first.owner, "insert into kept values ('ñandú')")
  await first.stop()
  const second = await start()
  expect(await query(second.owner, 'select value from kept')).toEqual([{ value: 'ñandú' }])
})

test('writes no values of failed statements into its log', async () => {
  await copyInitialized(dataDir)
  const { owner } = await start()
  await query(owner, 'create table people (email text primary key, age integer check (age > 0))')
  await query(owner, "insert into people values ('canary@birds.example', 1)")
  const failing = ["'canary@birds.example', 2", "'linnet@birds.example', -1"]
  for (const values of failing)
    await expect(query(owner, `insert into people select ${values}`)).rejects.toThrow()
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('violates')
  expect(log.split('\n').filter((line) => line.includes('DETAIL'))).toEqual([])
})

test('is durable and checksummed by default, in UTF-8 with the built-in locale', async () => {
  const { owner } = await start({})
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
    expect(await query(owner, `show ${name}`)).toEqual([{ [name]: 'on' }])
  }
  const [database] = await query(
    owner,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale from pg_database
      where datname = current_database()`,
  )
  expect(database).toEqual({ encoding: 'UTF8', datlocprovider: 'b', datlocale: 'C.UTF-8' })
})

test('gives the application a role that owns nothing, creates nothing and bypasses nothing', async () => {
  await copyInitialized(dataDir)
  const { owner, app } = await start()
  await query(owner, 'create table owned ()')
  await expect(query(app, 'create table mine ()')).rejects.toThrow('permission denied for schema public')
  await expect(query({ ...app, database: 'postgres' }, 'select 1')).rejects.toThrow('permission denied')
  const roles = await query(
    app,
    "select rolsuper or rolbypassrls or rolcreaterole as unconfined from pg_roles where rolname like 'matricula%'",
  )
  expect(roles).toEqual([{ unconfined: false }, { unconfined: false }])
  await expect(query({ ...app, user: 'somebody' }, 'select 1')).rejects.toThrow('pg_hba.conf rejects')
})

test('listens on no TCP port and keeps its folder private', async () => {
  await copyInitialized(dataDir)
  const { owner } = await start()
  expect(await query(owner, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  expect((await stat(dataDir)).uid).toBe(process.getuid?.())
  if (isLinux) expect(listeningTcpSocketsOf(readPid(dataDir))).toEqual([])
})

test('brings PostgreSQL back after it is killed, and loses no acknowledged write', async () => {
  await copyInitialized(dataDir)
  const { owner } = await start({})
  await query(owner, 'create table written (n int primary key)')
  const acknowledged: number[] = []
  for (let kill = 0; kill < 2; kill++) {
    const writing = writeUntilFailure(owner, acknowledged)
    const written = acknowledged.length
    await waitFor(async () => expect(acknowledged.length).toBeGreaterThan(written + 20))
    process.kill(readPid(dataDir), 'SIGKILL')
    await writing
    await waitFor(() => query(owner, 'select 1'))
  }
  const rows = await query(owner, 'select n from written order by n')
  expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining(acknowledged))
  await waitFor(() => expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('Another Matricula server'))
})

test('takes the lock again after a backend crash has cut every connection', async () => {
  await copyInitialized(dataDir)
  const { owner } = await start()
  const superuser = { ...owner, user: 'postgres', database: 'postgres' }
  const holder = "select pid from pg_locks where locktype = 'advisory' and granted"
  const [before] = await query(superuser, holder)
  process.kill(Number(before?.pid), 'SIGKILL')
  await waitFor(async () => {
    const [after] = await query(superuser, holder)
    expect(after?.pid).toBeGreaterThan(0)
    expect(after?.pid).not.toBe(before?.pid)
  })
})

test('reports a PostgreSQL that cannot be brought back', async () => {
  await copyInitialized(dataDir)
  const fatal = Promise.withResolvers<Error>()
  const postgres = await startEmbeddedPostgres({ dataDir, settings: QUICK, onFatal: fatal.resolve })
  running.push(postgres)
  await rm(join(dataDir, 'postgres', 'postgresql.conf'))
  process.kill(readPid(dataDir), 'SIGKILL')
  const { message } = await fatal.promise
  expect(message).toContain('could not be started again')
  expect(message).toContain('postgresql.conf')
})

test('refuses a second server in one sentence, and lets a command in', async () => {
  await copyInitialized(dataDir)
  const first = await start()
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    `Another Matricula server is already running on the data folder ${dataDir}.`,
  )
  const borrowed = await borrowEmbeddedPostgres({ dataDir })
  expect(await query(borrowed.owner, 'select 1 as one')).toEqual([{ one: 1 }])
  await borrowed.stop()
  expect(await query(first.app, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a command starts PostgreSQL and stops it, unless another process uses it', async () => {
  const first = await borrowEmbeddedPostgres({ dataDir })
  running.push(first)
  const second = await borrowEmbeddedPostgres({ dataDir })
  await first.stop()
  expect(await query(second.app, 'select 1 as one')).toEqual([{ one: 1 }])
  await second.stop()
  const server = await start()
  await server.stop()
  const alone = await borrowEmbeddedPostgres({ dataDir })
  await query(alone.owner, 'select 1')
  await alone.stop()
  expect(await foldersWithPostmaster(base)).toEqual([])
})

test('recovers after only the server was killed', async () => {
  await copyInitialized(dataDir)
  const child = await startInChild()
  const orphan = readPid(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { owner } = await start()
  expect(readPid(dataDir)).not.toBe(orphan)
  expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two servers starting at once, one starts and the other reports the reason', async () => {
  const results = await Promise.allSettled([start(), start()])
  const lost = results.filter((result) => result.status === 'rejected')
  expect(lost.map(({ reason }) => reason.message)).toEqual([
    expect.stringContaining('Another Matricula server'),
  ])
  const won = results.find((result) => result.status === 'fulfilled')
  expect(won && (await query(won.value.app, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('starts despite leftovers of a killed start or a reused process id', async () => {
  await mkdir(join(dataDir, 'postgres.new-4194303-dead'), { recursive: true })
  const first = await start()
  await first.stop()
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { cwd: '/', ...(isRoot ? { uid, gid } : {}) })
  children.push(stranger)
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    await writeFile(join(dataDir, 'postgres', name), `${stranger.pid}\n/nowhere\n1\n5432\n.\n\n`)
  }
  const second = await start()
  expect(await query(second.app, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.log'])
})

test('explains in one sentence why a data folder cannot be used', async () => {
  await copyInitialized(dataDir)
  await (await start()).stop()
  const version = join(dataDir, 'postgres', 'PG_VERSION')
  await writeFile(version, '12\n')
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 12, which PostgreSQL \d+ cannot open/)
  await rm(version)
  await expect(start()).rejects.toThrow('contains something other than a PostgreSQL database')
})

test('adds the last log lines of PostgreSQL if it does not start', async () => {
  await copyInitialized(dataDir)
  await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(
    /^PostgreSQL did not start on the data folder .*\.\n.*invalid value for parameter "shared_buffers"/s,
  )
})

test.runIf(isLinux)('works on a path too long for a socket', async () => {
  dataDir = join(base, 'long'.repeat(30), 'deep'.repeat(30))
  const { owner } = await start()
  expect(owner.host).toMatch(/^\/proc\/self\/fd\/\d+$/)
  expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(isRoot && isLinux)(
  'as root, runs unprivileged beneath a folder that only root may enter',
  async () => {
    await chmod(base, 0o700)
    const { owner } = await start()
    expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
    const status = await readFile(`/proc/${readPid(dataDir)}/status`, 'utf8')
    expect(status).not.toMatch(/^[UG]id:.*\t0\b/m)
    expect(status).toMatch(/^Groups:\s*$/m)
  },
)

test.runIf(othersCanRunUs)(
  'refuses other users of the operating system, even the one PostgreSQL runs as',
  async () => {
    await copyInitialized(dataDir)
    await start()
    const { uid, gid } = statSync(join(dataDir, 'postgres'))
    const options = { cwd: join(dataDir, 'postgres'), uid, gid, encoding: 'utf8' } as const
    for (const role of ['postgres', 'matricula_owner', 'matricula_app']) {
      const answer = execFileSync(process.execPath, ['-e', greetServer(role)], options)
      expect(answer).toContain('Peer authentication failed')
    }
  },
)

test.runIf(othersCanRunUs)(
  'as an ordinary user, works in an own folder and explains a foreign one',
  async () => {
    await chmod(base, 0o777)
    const child = await startInChild(NOBODY)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(NOBODY.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    await expect(borrowEmbeddedPostgres({ dataDir })).rejects.toThrow('was started by another user')
    child.kill('SIGTERM')
    await once(child, 'exit')
    dataDir = join(base, 'foreign')
    await (await start()).stop()
    await expect(startInChild(NOBODY)).rejects.toThrow(
      `The data folder ${dataDir} cannot be used by this user`,
    )
  },
)

async function start(settings: Record<string, string> = QUICK): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  running.push(postgres)
  return postgres
}

async function startInChild(user: { uid?: number; gid?: number } = {}): Promise<ChildProcess> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(pathToFileURL(MODULE).href)})
    const options = { dataDir: ${JSON.stringify(dataDir)}, settings: ${JSON.stringify(QUICK)} }
    const postgres = await startEmbeddedPostgres(options).catch(({ message }) => console.log(message))
    process.on('SIGTERM', () => postgres.stop())
    if (postgres) console.log('started')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: '/', ...user })
  children.push(child)
  const [words] = await once(child.stdout, 'data')
  if (String(words).trim() !== 'started') throw new Error(String(words))
  return child
}
