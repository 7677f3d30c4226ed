import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText, testKeyring } from '../../test/harness/keyring.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import type { Finding } from './finding.ts'

let database: TestDatabase
let server: TestServer
let folder: string
let settings: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase('sample')
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'matricula-doctor-'))
  settings = {
    ...{ ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_DATA: folder, MATRICULA_WORKERS: '1' },
    MATRICULA_PUBLIC_URL: server.url.replace('127.0.0.1', 'localhost'),
  }
})
afterAll(async () => {
  await database?.drop()
  await server?.close()
  await rm(folder, { recursive: true })
})

async function diagnose(more: Record<string, string> = {}, ...options: string[]) {
  const { code, stdout, stderr } = await callCli(['doctor', '--json', ...options], { ...settings, ...more })
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, of: (check: string) => findings.find((each) => each.check === check), findings }
}

test('a healthy installation has no problem, and every other finding has its fix', async () => {
  const { code, findings, of } = await diagnose()
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
  expect(code).toBe(0)
  for (const { state, fix } of findings) expect(fix !== undefined).toBe(state !== 'ok')
  const sound = [
    'database',
    'grants',
    'row-level security',
    'version',
    'key',
    'jit',
    'clock',
    'public address',
  ]
  for (const check of sound) expect(of(check), check).toMatchObject({ state: 'ok' })
  expect(of('role')?.fix).toBe('As an administrator: grant matricula_app to "matricula_owner";')
  expect(of('dump')).toMatchObject({ state: 'warning', fix: expect.stringContaining('bypassrls') })
  expect((await diagnose({}, '--strict')).code).toBe(1)
})

test('people read the worst first, and then what to do', async () => {
  const { stdout } = await callCli(['doctor'], { ...settings, MATRICULA_KEY: 'ab'.repeat(32) })
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^STATE +CHECK +FINDING$/)
  expect(lines[1]).toMatch(/^problem +key +The database holds \d+ secrets that need the master key /)
  expect(stdout).toContain('\n\nWhat to do:\nkey: ')
})

test('a wrong key is a problem that names the missing one', async () => {
  const { code, of } = await diagnose({ MATRICULA_KEY: 'ab'.repeat(32) })
  expect(code).toBe(1)
  expect(of('key')).toMatchObject({
    state: 'problem',
    finding: expect.stringContaining(testKeyring.newestKeyId),
  })
})

test('a table without row-level security is found, with the statement that protects it', async () => {
  await database.superuser.query('alter table leads no force row level security')
  const found = (await diagnose()).of('row-level security')
  expect(found).toMatchObject({ state: 'problem', finding: 'It does not protect leads.' })
  await database.superuser.query(found!.fix!)
  expect((await diagnose()).of('row-level security')).toMatchObject({ state: 'ok' })
})

test('a replica that does not replicate, and callers that all have the address of the proxy, are found', async () => {
  const { of } = await diagnose({
    DATABASE_REPLICA_URLS: settings.DATABASE_URL!,
    MATRICULA_PUBLIC_URL: 'https://127.0.0.1:1',
    MATRICULA_IMAGE_TAG: '1',
  })
  expect(of('replica 1')).toMatchObject({
    state: 'problem',
    finding: 'It cannot be used: The replica cannot be used.',
  })
  expect(of('proxy')).toMatchObject({
    state: 'warning',
    fix: expect.stringContaining('MATRICULA_TRUST_PROXY'),
  })
  expect(of('public address')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('does not answer'),
  })
  expect(of('settings')?.finding).toBe('No settings of this version: MATRICULA_IMAGE_TAG.')
})

test('a database that cannot be opened is a finding', async () => {
  const nowhere = { DATABASE_URL: 'postgres://me@127.0.0.1:1/x', MATRICULA_CONNECT_TIMEOUT_MS: '100' }
  const { code, of } = await diagnose(nowhere)
  expect(code).toBe(1)
  expect(of('database')).toMatchObject({ state: 'problem', finding: expect.stringContaining('ECONNREFUSED') })
  expect(of('open files')).toBeDefined()
})

test('if there is no database, none is created', async () => {
  const { code, findings } = await diagnose({ DATABASE_URL: '', MATRICULA_DATA: join(folder, 'none') })
  expect([code, findings.map(({ check }) => check)]).toEqual([0, ['database']])
})
