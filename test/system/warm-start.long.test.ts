import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, startService } from '../harness/process.ts'
import { obtainToken } from '../harness/server.ts'

/** MATRICULA_DRILL_PEOPLE=1000000 takes about ten minutes and 3 GB. */
const people = Number(process.env.MATRICULA_DRILL_PEOPLE ?? 20_000)
const longestMs = 3000
const corp_id = 'large'
let database: TestDatabase
let settings: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  settings = { ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_LOG_LEVEL: 'info' }
  await createOrganization(database.owner, { corp_id, name: 'Large' }, new Date())
  await database.superuser.query(
    `insert into users (corp_id, user_id, email, name, pool, ctime, mtime)
     select $1, 'u' || lpad(n::text, 8, '0'), 'user' || n || '@example.com', 'Person ' || n, 'public',
            timestamptz '2020-01-01' + n * interval '1 minute', timestamptz '2020-01-01' + n * interval '1 minute'
       from generate_series(1, $2::integer) n`,
    [corp_id, people],
  )
  await database.superuser.query('vacuum analyze users')
}, 1_800_000)
afterAll(async () => {
  await cleanUp()
  await database.drop()
})

async function startMs(): Promise<{ ms: number; url: string; stop(): Promise<unknown>; log(): string }> {
  const beganMs = performance.now()
  const service = startService(settings)
  const url = await service.ready
  while (!(await fetch(`${url}/readyz`)).ok);
  return { ms: performance.now() - beganMs, url, stop: () => service.stop(), log: service.stderr }
}

test('a new organization does not delay the next start', async () => {
  const usual = await startMs()
  await usual.stop()
  await createOrganization(database.owner, { corp_id: 'new', name: 'New' }, new Date())
  const withNew = await startMs()
  await withNew.stop()
  expect(withNew.log()).not.toContain('rebuil')
  console.log(
    `start with ${people} people: ${usual.ms.toFixed(0)} ms; with a new organization: ${withNew.ms.toFixed(0)} ms`,
  )
  expect(withNew.ms).toBeLessThan(longestMs)
})

test('data of another version delays neither the start nor a write', async () => {
  const wanted = { name: 'Portal', corp_ids: [corp_id], rate_limit_per_minute: null }
  const account = await createAccount(database.owner, testKeyring, wanted, new Date())
  await database.superuser.query(
    `update derived_data_versions set fingerprint = 'older' where corp_id = $1`,
    [corp_id],
  )
  const server = await startMs()
  const token = await obtainToken(server.url, account)
  const isOutdated = async () => {
    const { rows } = await database.superuser.query(
      `select 1 from derived_data_versions where corp_id = $1 and fingerprint = 'older'`,
      [corp_id],
    )
    return rows.length > 0
  }
  const milliseconds: number[] = []
  const codes = new Set<number>()
  const beganMs = performance.now()
  // A minute of a large rebuild shows as much as all of it.
  for (let n = 0; (n < 50 || (await isOutdated())) && performance.now() < beganMs + 60_000; n++) {
    const writtenMs = performance.now()
    const response = await fetch(`${server.url}/api/v5/entity/user/create`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ corp_id, email: `new${n}@example.com` }),
    })
    codes.add(((await response.json()) as { code: number }).code)
    milliseconds.push(performance.now() - writtenMs)
  }
  const isDone = !(await isOutdated())
  const lastedS = ((performance.now() - beganMs) / 1000).toFixed(0)
  await server.stop()
  milliseconds.sort((a, b) => a - b)
  const at = (share: number) => milliseconds[Math.floor(share * (milliseconds.length - 1))]!.toFixed(0)
  console.log(
    `start with outdated data of ${people} people: ${server.ms.toFixed(0)} ms; ` +
      `rebuild ${isDone ? 'done' : 'not done'} after ${lastedS} s; ${milliseconds.length} writes during it: median ${at(0.5)} ms, slowest ${at(1)} ms`,
  )
  expect(server.ms).toBeLessThan(longestMs)
  expect([...codes]).toEqual([0])
})
