import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { newDataDir } from './harness/data-folders.ts'
import { createTestDatabase } from './harness/database.ts'
import { cleanUp, startService, waitUntil } from './harness/process.ts'

const checkouts: string[] = []
afterEach(cleanUp)
afterAll(async () => {
  for (const folder of checkouts) await rm(folder, { recursive: true, force: true })
})

test('a server answers at once and builds the console in the background, once for all workers', async () => {
  const service = await startFrom(await freshCheckout(), { MATRICULA_WORKERS: '2' })
  const url = await service.ready
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const waiting = await fetch(`${url}/today`)
  expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await waiting.text()).toContain('http-equiv="refresh"')

  const isPacked = async () => (await fetch(`${url}/packages/matricula-client.tgz`)).status === 200
  expect(await waitUntil(isPacked, 60_000)).toBe(true)

  const isBuilt = async () => (await fetch(`${url}/today`)).status === 200
  expect(await waitUntil(isBuilt, 120_000)).toBe(true)
  expect(await (await fetch(`${url}/today`)).text()).toContain('/assets/')
  const messages = () => service.stderr().match(/building the console|the console is built/g)
  expect(await waitUntil(() => messages()?.length === 2, 10_000)).toBe(true)
  expect(messages()).toEqual(['building the console', 'the console is built'])
})

test('a failed build of the console is one line of the log, and the API continues', async () => {
  const checkout = await freshCheckout()
  await writeFile(join(checkout, 'console/src/main.tsx'), 'this is no program')
  const service = await startFrom(checkout, { MATRICULA_WORKERS: '1' })
  const url = await service.ready
  expect(await waitUntil(() => service.stderr().includes('could not be built'), 120_000)).toBe(true)
  const complaints = service
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(complaints.filter(({ level }) => level >= 50)).toMatchObject([
    { reason: expect.stringContaining('main.tsx') },
  ])
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await fetch(`${url}/today`)).status).toBe(503)
})

async function startFrom(checkout: string, settings: Record<string, string>) {
  const database = await createTestDatabase()
  const dataDir = await newDataDir()
  return startService(
    { ...database.settings, MATRICULA_KEY: 'ab'.repeat(32), MATRICULA_DATA: dataDir, ...settings },
    join(checkout, 'src/main.ts'),
  )
}

const folders = ['src', 'sample', 'console', 'docs', 'packages', 'schema', 'migrations']
const files = ['package.json', 'package-lock.json', 'LICENSE']

/** The sources of the service with its packages, without builds. */
async function freshCheckout(): Promise<string> {
  const root = join(import.meta.dirname, '..')
  const folder = await mkdtemp(join(tmpdir(), 'matricula-checkout-'))
  checkouts.push(folder)
  for (const part of [...folders, ...files])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}
