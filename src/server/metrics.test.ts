import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAllMetrics } from '../../test/harness/all-metrics.ts'
import { lintMetrics } from '../../test/harness/metrics-lint.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { addCalls, storeMeasure } from '../access/organizations/usage-store.ts'
import { fetchUser } from '../people/users/fetch-profile.ts'
import { updateUser } from '../people/users/update-user.ts'
import { createInstallationMetrics, replicaLags } from './installation-metrics.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('sample', { metricsSchools: 5 })
})
afterAll(() => server?.close())

const replicas = { lagsMs: () => [250, Number.POSITIVE_INFINITY] }

test('the metrics follow the rules of Prometheus', async () => {
  const { corp_id } = server.sample
  const now = new Date()
  const day = now.toISOString().slice(0, 10)
  await addCalls(server.db.of(corp_id), corp_id, { day, program_calls: 3, staff_calls: 4 }, now)
  const measure = { measured_at: now, next_at: now, rows: { users: 2, orders: 5 }, bytes: 4096 }
  await storeMeasure(server.db.of(corp_id), corp_id, measure)
  const text = await readAllMetrics(server.url)
  expect(text).toContain('matricula_requests_total')
  expect(lintMetrics(text)).toEqual([])
  const promtool = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  if (!promtool.error) expect(promtool).toMatchObject({ status: 0, stderr: '' })
  const lines = text.split('\n')
  expect(lines).toContain(`matricula_school_calls_total{corp_id="${corp_id}",caller="program"} 3`)
  expect(lines).toContain(`matricula_school_rows{corp_id="${corp_id}"} 7`)
  expect(lines).toContain(`matricula_school_bytes{corp_id="${corp_id}"} 4096`)
  const { rows } = await server.database.superuser.query('select count(*)::integer as n from audit_waiting')
  expect(lines).toContain(`matricula_audit_backlog_entries ${rows[0].n}`)
  expect(lines).toContain('matricula_unfinished_work{kind="export"} 0')
  expect(lines).toContain('matricula_lock_waiting_sessions 0')
})

test('schools have no metrics of their own where there are more than the setting allows', async () => {
  const read = (mostSchools: number) =>
    createInstallationMetrics({ db: server.db, now: () => new Date(), mostSchools })()
  expect(await read(1)).toContain('matricula_school_rows{')
  const text = await read(0)
  expect(text).not.toContain('corp_id=')
  expect(text).toContain('matricula_schools{state="active"} 1')
})

test('waits and round trips are measured: connections, turns, locks, batches', async () => {
  const { corp_id } = server.sample
  const { rows } = await server.database.superuser.query(
    'select user_id from users where corp_id = $1 limit 1',
    [corp_id],
  )
  const [{ user_id }] = rows
  const count = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const read = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`matricula_${series} `))
          ?.split(' ')[1],
      )
    return {
      connections: read('connection_wait_seconds_count'),
      turns: read('turn_wait_seconds_count'),
      locks: read('round_trip_seconds_count{kind="lock"}'),
      others: read('round_trip_seconds_count{kind="other"}'),
    }
  }
  const before = await count()
  expect((await server.call(updateUser, { corp_id, user_id, city: 'Lyon' })).code).toBe(0)
  const after = await count()
  expect(after.turns).toBe(before.turns + 1)
  expect(after.locks).toBeGreaterThan(before.locks)
  expect(after.connections).toBeGreaterThan(before.connections)
  expect(after.others).toBeGreaterThan(before.others)
  await server.call(fetchUser, { corp_id, user_id })
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(
    /^matricula_batch_calls_count\{kind="read"\} \d+$/m,
  )
})

describe('the check of the rules', () => {
  test.for([
    ['# HELP a_total x\n# TYPE a_total gauge\na_total 1', 'a_total: only a counter may end in _total'],
    ['# HELP a x\n# TYPE a counter\na 1', 'a: a counter must end in _total'],
    ['# TYPE a gauge\na 1', 'a: no help text'],
    [
      '# HELP a_milliseconds x\n# TYPE a_milliseconds gauge',
      'a_milliseconds: milliseconds is not a base unit',
    ],
    ['# HELP a_hours x\n# TYPE a_hours gauge', 'a_hours: hours is not a base unit'],
    ['# HELP a_ms x\n# TYPE a_ms gauge', 'a_ms: the name abbreviates a unit'],
    ['# HELP a_gauge x\n# TYPE a_gauge gauge', 'a_gauge: the name contains a metric type'],
    ['# HELP a x\n# TYPE a gauge\na{le="1"} 1', 'a: only a histogram may have the label le'],
    ['# HELP a x\n# TYPE a gauge\na{__b="1"} 1', 'a: the label __b is reserved'],
    ['# HELP a x\n# TYPE a gauge\na 1\na 2', 'a: a second sample with the labels '],
    [
      '# HELP a_count x\n# TYPE a_count gauge',
      'a_count: only a histogram or summary may end in _bucket, _count or _sum',
    ],
  ])('%j is refused', ([text, fault]) => {
    expect(lintMetrics(text!)).toContain(fault)
  })
})

test('the lag of each replica is a gauge; without replicas there is none', () => {
  const lines = replicaLags({ replicas }).split('\n')
  expect(lines).toContain('# TYPE matricula_replica_lag_seconds gauge')
  expect(lines).toContain('matricula_replica_lag_seconds{replica="1"} 0.25')
  expect(lines).toContain('matricula_replica_lag_seconds{replica="2"} +Inf')
  expect(replicaLags({})).toBe('')
})
