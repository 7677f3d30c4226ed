import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText } from '../harness/keyring.ts'
import { cleanUp, startService } from '../harness/process.ts'

/** Seconds of each measurement: longer than the interval of maintenance. */
const seconds = Number(process.env.MATRICULA_DRILL_SECONDS ?? 40)
const counts = [1, 50, 500]
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await cleanUp()
  await database.drop()
})

/** Transactions of an idle server: each of its background statements is one. */
async function transactions(): Promise<number> {
  await database.superuser.query('select pg_stat_clear_snapshot()')
  const { rows } = await database.superuser.query(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = $1',
    [database.name],
  )
  return Number(rows[0].n)
}

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('1, 50 and 500 idle organizations cost the same', async () => {
  const settings = { ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_LOG_LEVEL: 'warn' }
  const measured: { organizations: number; perSecond: number; mb: number }[] = []
  let made = 0
  for (const organizations of counts) {
    for (; made < organizations; made++)
      await createOrganization(database.owner, { name: `School ${made}` }, new Date())
    // The first server links the entries of the new organizations.
    const first = startService(settings)
    await first.ready
    await pause(10_000)
    await first.stop()
    const service = startService(settings)
    await service.ready
    // The start builds the pages of the console and publishes heads.
    await pause(15_000)
    const before = await transactions()
    await pause(seconds * 1000)
    const perSecond = ((await transactions()) - before) / seconds
    measured.push({ organizations, perSecond, mb: residentMb(service.pid) })
    await service.stop()
  }
  console.table(measured)
  const [one, ...others] = measured
  for (const { perSecond, mb } of others) {
    expect(perSecond).toBeLessThan(one!.perSecond * 1.1)
    expect(mb).toBeLessThan(one!.mb * 1.1)
  }
}, 600_000)
