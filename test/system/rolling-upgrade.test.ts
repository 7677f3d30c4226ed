import { mkdtemp, rm } from 'node:fs/promises'
import { BoundSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startOnPort, startService } from '../harness/process.ts'
import { isNginxInstalled, startNginx, startProxy } from '../harness/proxy.ts'
import { contract, expand, releaseWith } from '../harness/releases.ts'
import { type Answer, callEntity, startRenaming } from '../harness/renaming-load.ts'
import { obtainToken } from '../harness/server.ts'

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

/** On a port that this process keeps, as systemd does, or on a free one. */
function start(program?: string, port?: BoundSocket): ServiceProcess {
  const settings = {
    ...{ ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_LOG_LEVEL: 'warn' },
    MATRICULA_DRAIN_MS: '1000',
  }
  return port ? startOnPort(port, settings, program) : startService(settings, program)
}

test('a schema upgrade with two servers neither fails nor repeats a request; then older versions only read', async () => {
  const next = await releaseWith(join(folder, 'next'), { '0002_nickname': expand })
  const afterNext = await releaseWith(join(folder, 'after-next'), {
    '0002_nickname': expand,
    '0003_no_nickname': contract,
  })
  const [portOne, portTwo] = [new BoundSocket({ host: '127.0.0.1' }), new BoundSocket({ host: '127.0.0.1' })]
  const ports = [portOne, portTwo].map((socket) => socket.address().port)
  const [oldOne, oldTwo] = [start(undefined, portOne), start(undefined, portTwo)]
  const [urlOne, urlTwo] = [await oldOne.ready, await oldTwo.ready]
  const token = await obtainToken(urlOne, credentials)
  const hasNginx = await isNginxInstalled()
  if (!hasNginx)
    console.warn('NOT RUN through nginx, which is not installed: the tests use a proxy of their own.')
  const proxy = await (hasNginx ? startNginx(ports) : startProxy(ports, 'refusals'))
  const reached = { url: proxy.url, token, corp_id }
  const load = startRenaming(reached, Number(process.env.MATRICULA_DRILL_WRITES ?? 200))
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
  const { people, failures, contradictions, writes, perSecond } = await load.stop()
  await proxy.close()
  for (const socket of [portOne, portTwo]) socket.close()
  console.log(
    `rolling upgrade behind ${hasNginx ? 'nginx' : 'a proxy'}: ${writes} writes, ${perSecond.toFixed(0)} a second`,
  )
  expect({ failures, contradictions }).toEqual({ failures: [], contradictions: [] })
  const { rows } = await database.superuser.query('select user_id, name from users where corp_id = $1', [
    corp_id,
  ])
  expect(new Map(rows.map(({ user_id, name }) => [user_id, name]))).toEqual(
    new Map([...people].map(([id, { name }]) => [id, name])),
  )

  // Contract: from now on, servers without the schema only read.
  const newest = start(afterNext)
  const urlNewest = await newest.ready
  const [user_id = ''] = people.keys()
  for (const url of [urlAgain, urlNewOne]) {
    const refused = await callEntity({ ...reached, url }, 'user/update', { user_id, name: 'Too old' })
    expect(refused).toMatchObject({ status: 503, code: 50301 })
    expect(
      (await callEntity({ ...reached, url }, 'user/create', { email: 'too.old@example.com' })).code,
    ).toBe(50301)
    const read = await callEntity({ ...reached, url }, 'user/fetch', { user_id }, 'GET')
    expect(read).toMatchObject({ code: 0, data: { name: people.get(user_id)?.name } })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
  }
  const { rows: after } = await database.superuser.query('select count(*)::integer as n from users')
  expect(after).toEqual([{ n: people.size }])
  expect(
    await callEntity({ ...reached, url: urlNewest }, 'user/update', { user_id, name: 'New' }),
  ).toMatchObject({ code: 0 })
  const refusedStart = start()
  expect((await refusedStart.exited).code).toBe(1)
  expect(refusedStart.stderr()).toContain('start a newer version')
})
