import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { BoundSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { isCrowded } from '../harness/is-crowded.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startOnPort, startService } from '../harness/process.ts'
import { isNginxInstalled, startNginx, startProxy } from '../harness/proxy.ts'
import { obtainToken } from '../harness/server.ts'

const root = join(import.meta.dirname, '../..')
const corp_id = 'northgate'
let database: TestDatabase
let credentials: { app_id: string; user_api_secret: string }
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  await createOrganization(database.owner, { corp_id, name: 'Northgate' }, new Date())
  const wanted = { name: 'Portal', corp_ids: [corp_id], rate_limit_per_minute: null }
  credentials = await createAccount(database.owner, testKeyring, wanted, new Date())
  folder = await mkdtemp(join(tmpdir(), 'matricula-upgrade-'))
})
afterAll(async () => {
  await cleanUp()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a later release: this code with further migrations. Returns its program. */
async function releaseWith(name: string, migrations: Record<string, string>): Promise<string> {
  const release = join(folder, name)
  await mkdir(join(release, 'migrations'), { recursive: true })
  for (const part of [
    'src',
    'schema',
    'sample',
    'console',
    'docs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    await cp(join(root, part), join(release, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(release, 'node_modules'))
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(release, 'migrations', `${file}.sql`), text)
  return join(release, 'src/main.ts')
}

/** Releases are compatible with the next one: the migration only adds, and names the oldest writer. */
const expand = '-- Oldest writer: schema 1.\nalter table users add column nickname text;\n'
/** Removes what older versions write. */
const contract = 'alter table users drop column nickname;\n'

/** On a port that this process keeps, as systemd does, or on a free one. */
function start(program?: string, port?: BoundSocket): ServiceProcess {
  const settings = {
    ...{ ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_LOG_LEVEL: 'warn' },
    MATRICULA_DRAIN_MS: '1000',
  }
  return port ? startOnPort(port, settings, program) : startService(settings, program)
}

interface Answer {
  status: number
  code: number
  msg?: string
  data: Record<string, unknown>
}

/** Calls like clients that repeat a call with its key where the machine is crowded. */
async function call(
  url: string,
  token: string,
  path: string,
  input: object,
  method = 'POST',
  key: string = randomUUID(),
): Promise<Answer> {
  const isRead = method === 'GET'
  const query = isRead ? `?${new URLSearchParams({ corp_id, ...input })}` : ''
  const response = await fetch(`${url}/api/v5/entity/${path}${query}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(!isRead && { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
    },
    ...(!isRead && { body: JSON.stringify({ corp_id, ...input }) }),
  })
  const text = await response.text()
  if (response.status === 502) throw new Error(`The proxy answered 502: ${text}`)
  const answer = { status: response.status, ...(JSON.parse(text) as Omit<Answer, 'status'>) }
  if (!isCrowded(answer)) return answer
  await pause(1000)
  return call(url, token, path, input, method, key)
}

/** Creates and renames people until stopped, and compares two responses about each. */
function startLoad(url: string, token: string, writesPerSecond: number) {
  const names = new Map<string, string>()
  const failures: unknown[] = []
  const contradictions: unknown[] = []
  let isOver = false
  let writes = 0
  const callers = 16
  const expectSuccess = (answer: Answer) => {
    if (answer.code !== 0) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  async function work(caller: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const beganMs = performance.now()
      const email = `caller${caller}-${n}@example.com`
      const name = `Name ${caller} ${n}`
      try {
        const { user_id } = expectSuccess(await call(url, token, 'user/create', { email }))
        expectSuccess(await call(url, token, 'user/update', { user_id, name }))
        writes += 2
        names.set(String(user_id), name)
        const profile = expectSuccess(await call(url, token, 'profile/fetch', { user_id }, 'GET'))
        const user = expectSuccess(await call(url, token, 'user/fetch', { user_id }, 'GET'))
        if (profile.name !== name || user.name !== name) contradictions.push({ name, profile, user })
      } catch (error) {
        failures.push(error)
      }
      await pause(Math.max(0, (2 * callers * 1000) / writesPerSecond - (performance.now() - beganMs)))
    }
  }
  const beganMs = performance.now()
  const working = Array.from({ length: callers }, (_, caller) => work(caller))
  return {
    async stop() {
      isOver = true
      await Promise.all(working)
      const perSecond = writes / ((performance.now() - beganMs) / 1000)
      return { names, failures, contradictions, writes, perSecond }
    },
  }
}

test('a schema upgrade with two servers neither fails nor repeats a request; then older versions only read', async () => {
  const next = await releaseWith('next', { '0002_nickname': expand })
  const afterNext = await releaseWith('after-next', { '0002_nickname': expand, '0003_no_nickname': contract })
  const [portOne, portTwo] = [new BoundSocket({ host: '127.0.0.1' }), new BoundSocket({ host: '127.0.0.1' })]
  const ports = [portOne, portTwo].map((socket) => socket.address().port)
  const [oldOne, oldTwo] = [start(undefined, portOne), start(undefined, portTwo)]
  const [urlOne, urlTwo] = [await oldOne.ready, await oldTwo.ready]
  const token = await obtainToken(urlOne, credentials)
  const hasNginx = await isNginxInstalled()
  if (!hasNginx)
    console.warn('NOT RUN through nginx, which is not installed: the tests use a proxy of their own.')
  const proxy = await (hasNginx ? startNginx(ports) : startProxy(ports, 'refusals'))
  const load = startLoad(proxy.url, token, Number(process.env.MATRICULA_DRILL_WRITES ?? 200))
  await pause(1000)

  // Expand: the first new server adds to the schema, and older servers continue.
  expect(await oldOne.stop()).toEqual({ code: 0, signal: null })
  const newOne = start(next, portOne)
  const urlNewOne = await newOne.ready
  const ready = await fetch(`${urlTwo}/readyz`)
  expect([ready.status, ((await ready.json()) as Answer).data]).toMatchObject([
    200,
    { status: 'ready', schema: 2 },
  ])
  // An older server that crashes can start again.
  const again = start()
  const urlAgain = await again.ready
  expect(await oldTwo.stop()).toEqual({ code: 0, signal: null })
  const newTwo = start(next, portTwo)
  await newTwo.ready
  await pause(1000)
  const { names, failures, contradictions, writes, perSecond } = await load.stop()
  await proxy.close()
  for (const socket of [portOne, portTwo]) socket.close()
  console.log(
    `rolling upgrade behind ${hasNginx ? 'nginx' : 'a proxy'}: ${writes} writes, ${perSecond.toFixed(0)} a second`,
  )
  expect({ failures, contradictions }).toEqual({ failures: [], contradictions: [] })
  const { rows } = await database.superuser.query('select user_id, name from users where corp_id = $1', [
    corp_id,
  ])
  expect(new Map(rows.map(({ user_id, name }) => [user_id, name]))).toEqual(names)

  // Contract: from now on, servers without the schema only read.
  const newest = start(afterNext)
  const urlNewest = await newest.ready
  const [user_id = ''] = names.keys()
  for (const url of [urlAgain, urlNewOne]) {
    const refused = await call(url, token, 'user/update', { user_id, name: 'Too old' })
    expect(refused).toMatchObject({ status: 503, code: 50301 })
    expect((await call(url, token, 'user/create', { email: 'too.old@example.com' })).code).toBe(50301)
    const read = await call(url, token, 'user/fetch', { user_id }, 'GET')
    expect(read).toMatchObject({ code: 0, data: { name: names.get(user_id) } })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
  }
  const { rows: after } = await database.superuser.query('select count(*)::integer as n from users')
  expect(after).toEqual([{ n: names.size }])
  expect(await call(urlNewest, token, 'user/update', { user_id, name: 'New' })).toMatchObject({ code: 0 })
  const refusedStart = start()
  expect((await refusedStart.exited).code).toBe(1)
  expect(refusedStart.stderr()).toContain('start a newer version')
})
