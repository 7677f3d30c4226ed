import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bareEnvironment } from '../../test/harness/bare-environment.ts'
import { type CliResult, callCli } from '../../test/harness/cli.ts'
import { removeDataDirs } from '../../test/harness/data-folders.ts'
import { settledDataDir } from '../../test/harness/process.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'

const entry = join(import.meta.dirname, 'matricula.ts')

let base: string
let dataDir: string
let server: EmbeddedPostgres

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'matricula-cli-'))
  dataDir = join(base, 'data')
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await succeed('db migrate')
  await succeed('org create --name School')
})

afterAll(async () => {
  await removeDataDirs()
  await server.stop()
  await rm(base, { recursive: true, force: true })
})

test('a command prints a table, or one sentence about the fault, and exits with 0 or 1', async () => {
  const { organizations } = await succeed('org list')
  const listed = await runProcess(['org', 'list'])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(/^CORP_ID +NAME +TIME_ZONE +CURRENCY +COUNTRY +POOLS$/m)
  expect(listed.stdout).toContain(organizations[0].corp_id)
  const wrong: [string[], string][] = [
    [[], 'Name a command'],
    [['nonsense\x1b[2J'], "Unknown command 'nonsense␛[2J'"],
  ]
  for (const [args, reason] of wrong) {
    const { code, stdout, stderr } = await runProcess(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[A-Z][^\n]*\.\n$/)
    expect(stderr).toContain(reason)
  }
})

test('a new master key seals every secret, and the old one can be removed then', async () => {
  const { corp_id } = await succeed('org create --name School')
  await succeed(`account create --name bot --org ${corp_id}`)
  const before = (await succeed('key show')).keys
  const rotated = await succeed('key rotate')
  expect(rotated.old_keys).toEqual([before[0].key_id])
  expect(rotated.resealed).toBe(before[0].secrets)
  expect((await succeed('key show')).keys).toEqual([
    { key_id: rotated.key_id, is_known: true, is_newest: true, secrets: rotated.resealed },
    { key_id: before[0].key_id, is_known: true, is_newest: false, secrets: 0 },
  ])
  expect(await succeed('key forget')).toEqual({ forgotten: 1 })
  expect((await succeed('key show')).keys).toHaveLength(1)
})

test('the same commands work with DATABASE_URL, which needs a key', async () => {
  const DATABASE_URL = `postgres:///matricula?host=${encodeURIComponent(server.owner.host)}&user=postgres`
  const without = await run(['org', 'list'], { DATABASE_URL })
  expect(without.code).toBe(1)
  expect(without.stderr).toMatch(/^MATRICULA_KEY is required with DATABASE_URL/)
  const { stdout } = await run(['org', 'list', '--json'], { DATABASE_URL, MATRICULA_KEY: 'ab'.repeat(32) })
  expect(JSON.parse(stdout)).toEqual(await succeed('org list'))
})

test('a database without the schema names the command to run, and then works; nothing is left running', async () => {
  const env = { MATRICULA_DATA: join(base, 'fresh') }
  const missing = await runProcess(['org', 'list'], env)
  expect(missing.code).toBe(1)
  expect(missing.stderr).toMatch(/^The database has no schema yet, [^\n]+\. Run matricula db migrate\.\n$/)
  const before = JSON.parse((await run(['db', 'status', '--json'], env)).stdout)
  expect(before).toMatchObject({ current: 0, applied: [] })
  expect(before.pending).toHaveLength(before.wanted)
  const after = JSON.parse((await runProcess(['db', 'migrate', '--json'], env)).stdout)
  expect(after).toEqual({
    current: before.wanted,
    wanted: before.wanted,
    applied: before.pending,
    pending: [],
    rebuilt: [],
  })
  expect(JSON.parse((await run(['org', 'list', '--json'], env)).stdout)).toEqual({ organizations: [] })
  expect(await readdir(join(env.MATRICULA_DATA, 'postgres'))).not.toContain('postmaster.pid')
})

test('an interrupted command leaves no PostgreSQL behind', async () => {
  const env = { MATRICULA_DATA: join(base, 'interrupted') }
  const child = spawn(process.execPath, [entry, 'db', 'migrate'], { env: environment(env), stdio: 'ignore' })
  const exit = once(child, 'exit')
  while (!existsSync(env.MATRICULA_DATA)) await pause(20)
  child.kill('SIGINT')
  expect(await exit).toEqual([130, null])
  expect(await readdir(join(env.MATRICULA_DATA, 'postgres'))).not.toContain('postmaster.pid')
})

test('a server prints its address as one JSON object, shares its database with commands, and stops on a signal', async () => {
  const env = {
    MATRICULA_DATA: await settledDataDir(),
    PORT: '0',
    MATRICULA_DRAIN_MS: '0',
    MATRICULA_LOG_LEVEL: 'silent',
  }
  const child = spawn(process.execPath, [entry, 'serve', '--json'], { env: environment(env) })
  const exit = once(child, 'exit')
  let stdout = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  while (!stdout.includes('\n') && child.exitCode === null) await pause(50)
  expect((await runProcess(['account', 'list', '--json'], env)).code).toBe(0)
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  expect(JSON.parse(stdout)).toMatchObject({ data_dir: env.MATRICULA_DATA })
})

test('the wrapper for an older Node forwards signals to the server', async () => {
  const older = join(base, 'older-node.mjs')
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  )
  const program = join(import.meta.dirname, '../../bin/matricula.js')
  const env = {
    ...{ MATRICULA_DATA: await settledDataDir(), PORT: '0', MATRICULA_DRAIN_MS: '0', MATRICULA_WORKERS: '1' },
    MATRICULA_PID_FILE: join(base, 'wrapped.pid'),
  }
  const child = spawn(process.execPath, ['--import', older, program, 'serve', '--json'], {
    env: environment(env),
  })
  const exit = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const says = async (text: string) => {
    while (!output.includes(text) && child.exitCode === null) await pause(50)
    expect(output).toContain(text)
  }
  await says('base_url')
  expect(Number(await readFile(env.MATRICULA_PID_FILE, 'utf8'))).not.toBe(child.pid)
  child.kill('SIGUSR2')
  await says('a single process cannot be replaced')
  child.kill('SIGHUP')
  await says('were read again')
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

test('the installed package works in node_modules, where Node does not strip types', async () => {
  const root = join(import.meta.dirname, '../..')
  const installed = join(base, 'node_modules/matricula')
  for (const part of ['bin', 'src', 'schema', 'migrations', 'package.json']) {
    await cp(join(root, part), join(installed, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'))
  const program = join(installed, 'bin/matricula.js')
  const { stdout, stderr } = await runProcess(['org', 'list', '--json'], {}, program)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(await succeed('org list'))
})

function run(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  return callCli(args, { MATRICULA_DATA: dataDir, ...env })
}

/** As an operator runs it. */
function runProcess(args: string[], env: Record<string, string> = {}, program = entry): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: environment(env) }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

function environment(env: Record<string, string>): Record<string, string> {
  return { ...bareEnvironment, MATRICULA_DATA: dataDir, ...env }
}

/** The JSON object that is the only output of the command. */
async function succeed(words: string, ...more: string[]) {
  const { code, stdout, stderr } = await run([...words.split(' '), ...more, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/)
  return JSON.parse(stdout)
}
