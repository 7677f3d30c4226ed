import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientFilesOf, type Document } from '../../../scripts/client-files.ts'
import { linkEntries } from '../../../src/access/audit/link-entries.ts'
import { addEvents } from '../../../src/events/add-events.ts'
import { openApiDocuments } from '../../../src/openapi-documents.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import type { Matricula } from '../src/index.ts'
import { type ClientSchool, openClientSchool } from './client-of.ts'
import { type Consumer, compile, copySources, makeConsumer, nodesHere } from './consumer.ts'

const run = promisify(execFile)

let server: TestServer
let school: ClientSchool
let m: Matricula
let consumer: Consumer
let nodes: Map<string, string>
let environment: Record<string, string>

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openClientSchool(server, 'Asia/Shanghai')
  m = school.client()
  ;[consumer, nodes] = await Promise.all([makeConsumer(server.url), nodesHere()])
  expect(await consumer.compile()).toBe('')
  environment = {
    ...(process.env as Record<string, string>),
    MATRICULA_URL: server.url,
    MATRICULA_APP_ID: school.account.app_id,
    MATRICULA_SECRET: school.account.user_api_secret,
    MATRICULA_CORP_ID: school.corp_id,
  }
})
afterAll(async () => {
  await consumer?.remove()
  await server?.close()
})

const out = (name: string) => join(consumer.folder, 'out', name)

/** Starts an example, and stops it in the end. */
async function running<Result>(
  node: string,
  [script, more]: [script: string, more: Record<string, string>],
  work: (line: Promise<string>) => Promise<Result>,
): Promise<Result> {
  const child = spawn(node, [out(script)], {
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    return await work(once(child.stdout, 'data').then(([data]) => String(data)))
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Adds what happened to the feed, as a server does. */
async function publish(): Promise<void> {
  await linkEntries(server.db, school.corp_id)
  if ((await addEvents(server.db, school.corp_id)) > 0) server.wakeReaders([school.corp_id])
}

describe('the package', () => {
  test('is at most 8 kB, with everything', async () => {
    const bundle = await rolldown({
      input: join(consumer.folder, 'node_modules/@matricula/client/dist/index.js'),
    })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    expect(output).toHaveLength(1)
    expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(8192)
  })

  test('has no fault that publint finds, and no dependency', async () => {
    const pkgDir = join(consumer.folder, 'node_modules/@matricula/client')
    expect((await publint({ pkgDir, strict: true, pack: false })).messages).toEqual([])
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(pkgDir, 'package.json'), 'utf8'),
    )
    expect({ dependencies, peerDependencies }).toEqual({})
  })

  test('lists all orders by the program of the README, on each Node that is here', async () => {
    const { user_id } = await m.users.create({ email: 'mei.lin@example.com' })
    const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 0 })
    const { status } = await m.orders.fetch({ order_id })
    for (const [major, node] of nodes) {
      const { stdout } = await run(node, [out('readme-0.js')], { env: environment })
      expect(stdout, `Node ${major}`).toBe(`${order_id} ${status} 0.00 CNY\n`)
    }
  })
})

describe('the examples', () => {
  test('notifications of a payment gateway are recorded once each', async () => {
    const { user_id } = await m.users.create({ email: 'payer@example.com' })
    const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 100_000 })
    const notify = async (url: string, id: string, more: object = {}) => {
      const body = JSON.stringify({
        id,
        order_id,
        amount: '99.90',
        currency: 'CNY',
        charge_id: `ch-${id}`,
        ...more,
      })
      return (await fetch(url, { method: 'POST', body })).status
    }
    const oldest = [...nodes.values()].at(-1)!
    const statuses = await running(oldest, ['payment-gateway.js', {}], async (line) => {
      const { port } = JSON.parse(await line)
      const url = `http://127.0.0.1:${port}`
      return [
        ...(await Promise.all([notify(url, '1'), notify(url, '1'), notify(url, '2')])),
        await notify(url, '2'),
        await notify(url, '3', { order_id: 'nowhere' }),
        await notify(url, '4', { amount: '0.001' }),
      ]
    })
    expect(statuses).toEqual([200, 200, 200, 200, 422, 422])
    expect((await m.orders.fetch({ order_id })).paid_price).toBe(2 * 9990)
  })

  test('a copy of the orders follows the feed into SQLite, and continues where it stopped', async () => {
    const file = join(consumer.folder, 'warehouse.sqlite')
    const { user_id } = await m.users.create({ email: 'copied@example.com' })
    const order = async () =>
      (await m.orders.create({ user_id, currency: 'CNY', listed_price: 5000 })).order_id
    const copied = () => {
      const db = new DatabaseSync(file, { readOnly: true })
      try {
        return db.prepare('select order_id, status, paid_minor, created from orders order by 1').all()
      } finally {
        db.close()
      }
    }
    const wanted = async () => {
      const { time } = await m.school()
      const rows = []
      for await (const { entity_id, status, paid_price, ctime } of m.orders.iterate())
        rows.push({ order_id: entity_id, status, paid_minor: paid_price, created: String(time(ctime)) })
      return rows.sort((one, other) => (one.order_id < other.order_id ? -1 : 1))
    }
    const isEqual = async () => {
      await publish()
      const rows = await wanted()
      await expect
        .poll(
          () => {
            try {
              return copied().map((row) => ({ ...row }))
            } catch {
              return []
            }
          },
          { timeout: 30_000 },
        )
        .toEqual(rows)
    }
    const first = await order()
    for (const step of ['read from the list', 'continued']) {
      await running(process.execPath, ['warehouse-copy.js', { WAREHOUSE: file }], async () => {
        await isEqual()
        await m.payments.create({ order_id: first, price: 100 })
        await order()
        await isEqual()
      })
      expect(copied().length, step).toBeGreaterThan(1)
      await order()
    }
  })

  test('the answers to a form are leads, refused ones are named, and a second run adds none', async () => {
    const file = join(consumer.folder, 'answers.ndjson')
    const answerOf = (n: number) => ({
      id: `${n}`,
      name: `Person ${n}`,
      phone: `138 0013 ${8000 + n}`,
      question: 'When?',
      answer: 'Soon',
    })
    for (let n = 0; n < 1100; n++) await appendFile(file, `${JSON.stringify(answerOf(n))}\n`)
    await appendFile(file, `${JSON.stringify({ ...answerOf(0), id: 'x', phone: '12' })}\n`)
    for (const node of nodes.values()) {
      const { stdout, stderr } = await run(node, [out('form-leads.js'), file], { env: environment })
      expect(JSON.parse(stdout)).toEqual({ imported: 1100, refused: 1 })
      expect(stderr).toMatch(/^line 1101: mobile .*\(40002\)$/m)
    }
    expect((await m.leads.list({ utm_source: 'spring-form' })).total).toBe(1100)
  })
})

describe('a member that is renamed in a contract', () => {
  /** The document with another name for a member of a component. */
  function documentWith(component: string, member: string, name: string): Document {
    const document = structuredClone(openApiDocuments['openapi.json']()) as unknown as Document
    const { properties = {}, required = [] } = document.components.schemas[component]!
    properties[name] = properties[member]!
    delete properties[member]
    required[required.indexOf(member)] = name
    return document
  }

  test('breaks the build of the client, where the client reads it', async () => {
    const cases = [
      ['ListEventsData', 'next_cursor', 'next_position'],
      ['IssueTokenData', 'expire_time', 'ends_at'],
      ['Organization', 'time_zone', 'zone'],
    ] as const
    for (const [component, member, name] of cases) {
      const folder = await copySources(clientFilesOf(documentWith(component, member, name)))
      try {
        expect(await compile(folder)).toContain(`'${member}'`)
      } finally {
        await rm(folder, { recursive: true })
      }
    }
  })

  test('breaks the build of its callers', async () => {
    const { 'types.ts': types } = clientFilesOf(documentWith('Order', 'total_price', 'whole_price'))
    const declared = join(consumer.folder, 'node_modules/@matricula/client/dist/generated/types.d.ts')
    await writeFile(declared, types!.replaceAll(".ts'", ".js'"))
    expect(await consumer.compile()).toMatch(/warehouse-copy\.ts.*'"total_price"'/)
  })
})
