import { copyFile, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { BoundSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { chooseBackup, listBackups } from '../../src/backup/backup-folder.ts'
import { keepBackupContinued } from '../../src/backup/keep-backup-continued.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { takeBackup } from '../../src/backup/take-backup.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { rebuildDerivedData } from '../../src/derived/derived-data.ts'
import { borrowEmbeddedPostgres, type EmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { newDataDir } from '../harness/data-folders.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startOnPort, waitFor } from '../harness/process.ts'
import { isNginxInstalled, startNginx, startProxy } from '../harness/proxy.ts'
import { expand, releaseWith } from '../harness/releases.ts'
import { type Renamed, startRenaming } from '../harness/renaming-load.ts'
import { obtainToken } from '../harness/server.ts'

/** Restarts of each server, people before the drill, and writes a second. */
const restarts = attemptsOf('MATRICULA_DRILL_RESTARTS', 5)
const peopleBefore = attemptsOf('MATRICULA_DRILL_PEOPLE', 20_000)
const writesPerSecond = attemptsOf('MATRICULA_DRILL_WRITES', 200)
const corp_id = 'northgate'

let base: string
let dataDir: string
let backups: string
let postgres: EmbeddedPostgres
let owner: Database
let superuser: pg.Client
let credentials: { app_id: string; user_api_secret: string }
const stopping = new AbortController()
let archiving: Promise<void>

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'matricula-drill-'))
  dataDir = await newDataDir()
  backups = join(base, 'backups')
  postgres = await borrowEmbeddedPostgres({ dataDir })
  await migrate(postgres.owner)
  owner = openDatabase({ ...postgres.owner, max: 4 })
  superuser = new pg.Client({ ...postgres.owner, user: 'postgres' })
  await superuser.connect()
  await createOrganization(owner, { corp_id, name: 'Northgate' }, new Date())
  const wanted = { name: 'Portal', corp_ids: [corp_id], rate_limit_per_minute: null }
  credentials = await createAccount(owner, testKeyring, wanted, new Date())
  await superuser.query(
    `insert into users (corp_id, user_id, email, name, pool, ctime, mtime)
     select $1, 'u' || lpad(n::text, 8, '0'), 'user' || n || '@example.com', 'Person ' || n, 'public',
            timestamptz '2020-01-01' + n * interval '1 minute', timestamptz '2020-01-01' + n * interval '1 minute'
       from generate_series(1, $2::integer) n`,
    [corp_id, peopleBefore],
  )
  await rebuildDerivedData(owner.of(corp_id), corp_id)
  const log = pino({ level: 'warn' })
  const { signal } = stopping
  archiving = keepBackupContinued({ dataDir, host: postgres.owner.host, log, intervalMs: 1000, signal })
}, 600_000)
afterAll(async () => {
  stopping.abort()
  await archiving
  await superuser?.end()
  await owner?.close()
  await postgres?.stop()
  await cleanUp()
  await rm(base, { recursive: true, force: true })
})

function start(port: BoundSocket, program?: string): ServiceProcess {
  const { host, database, user } = postgres.owner
  const settings = {
    DATABASE_URL: `postgres:///${database}?host=${encodeURIComponent(host)}&user=${user}`,
    MATRICULA_KEY: masterKeyText,
    MATRICULA_LOG_LEVEL: 'warn',
    MATRICULA_DRAIN_MS: '1000',
  }
  return startOnPort(port, settings, program)
}

test('under writes, a backup, a new organization, a rebuild, restarts and an upgrade lose, contradict and fail nothing', {
  timeout: 3_600_000,
}, async () => {
  const next = await releaseWith(join(base, 'next'), { '0002_nickname': expand })
  const sockets = [1, 2].map(() => new BoundSocket({ host: '127.0.0.1' }))
  const ports = sockets.map((socket) => socket.address().port)
  const services = sockets.map((socket) => start(socket))
  const urls = await Promise.all(services.map(({ ready }) => ready))
  const token = await obtainToken(urls[0]!, credentials)
  const proxy = await ((await isNginxInstalled()) ? startNginx(ports) : startProxy(ports, 'refusals'))
  const load = startRenaming({ url: proxy.url, token, corp_id }, writesPerSecond, 64)
  const restart = async (index: number, program?: string) => {
    expect(await services[index]!.stop()).toEqual({ code: 0, signal: null })
    const beganMs = performance.now()
    services[index] = start(sockets[index]!, program)
    await services[index]!.ready
    return performance.now() - beganMs
  }

  // Row 3: a backup that is continued while all of the following happens.
  await takeBackup(
    {
      ...{ dataDir, host: postgres.owner.host, into: backups, keyId: '', withKey: false },
      ...{ findHeads: async () => [], isContinued: true, keep: undefined },
    },
    () => {},
  )
  // Rows 2 and 6: new organizations and outdated data before each restart.
  const startsMs: number[] = []
  for (let n = 0; n < restarts; n++) {
    await createOrganization(owner, { corp_id: `new-${n}`, name: `New ${n}` }, new Date())
    await superuser.query(`update derived_data_versions set fingerprint = 'older' where corp_id = $1`, [
      corp_id,
    ])
    for (const index of services.keys()) startsMs.push(await restart(index))
  }
  // The check of a restored copy counts data that waits for its rebuild.
  await waitFor(async () => {
    const outdated = `select 1 from derived_data_versions where corp_id = $1 and fingerprint = 'older'`
    return (await superuser.query(outdated, [corp_id])).rowCount === 0
  })
  const midway = Date.now()
  await pause(1000)
  // Row 1: the servers are replaced by those of the next release, which adds to the schema.
  for (const index of services.keys()) startsMs.push(await restart(index, next))
  await pause(1000)
  const upgraded = Date.now()
  await pause(1000)
  const { people, failures, contradictions, writes, perSecond } = await load.stop()
  await proxy.close()
  for (const service of services) await service.stop()
  for (const socket of sockets) socket.close()
  // The log of these writes gets into the backup.
  stopping.abort()
  await archiving

  const found = await namesIn(superuser)
  const lost = [...people].filter(([id, { name }]) => found.get(id) !== name)
  noteAttempts('drill of an operator', writes, failures.length + contradictions.length + lost.length, '')
  console.log(
    `${writes} writes, ${perSecond.toFixed(0)} a second; ${startsMs.length} starts of ` +
      `${Math.min(...startsMs).toFixed(0)}–${Math.max(...startsMs).toFixed(0)} ms`,
  )
  expect({ failures, contradictions, lost }).toEqual({ failures: [], contradictions: [], lost: [] })
  expect(found.size).toBe(people.size + peopleBefore)

  await expectRestored(people, midway)
  await expectRestored(people, upgraded)
  await expectRefusedWithoutItsLog(people, upgraded)
})

const microseconds = (at: number) => new Date(at).toISOString().replace('Z', '000Z')

/** The restored copy has what was acknowledged before the instant, and nothing that began after it. */
async function expectRestored(people: Map<string, Renamed>, at: number, from = backups): Promise<void> {
  const to = await mkdtemp(join(base, 'restored-'))
  const until = microseconds(at)
  const backup = chooseBackup(await listBackups(from), from, until)
  const { check } = await restoreBackup({ backup, to, until, durable: false }, () => {})
  // Where the lost log ends, data may wait for its rebuild.
  expect(check).toMatchObject({ audit_breaches: 0, ...(from === backups && { discrepancies: 0 }) })
  const copy = await borrowEmbeddedPostgres({ dataDir: to })
  const client = new pg.Client({ ...copy.owner, user: 'postgres' })
  await client.connect()
  const found = await namesIn(client)
  await client.end()
  await copy.stop()
  const lost = [...people].filter(
    ([id, { name, acknowledgedAt }]) => acknowledgedAt < at && found.get(id) !== name,
  )
  const later = [...people].filter(([id, { begunAt }]) => begunAt > at && found.has(id))
  expect({ lost, later }).toEqual({ lost: [], later: [] })
  expect(found.size).toBeGreaterThan(peopleBefore)
}

/** Without the log from the file on that has the instant, restore names the instant that it reached, and that one works. */
async function expectRefusedWithoutItsLog(people: Map<string, Renamed>, at: number): Promise<void> {
  const until = microseconds(at)
  const whole = chooseBackup(await listBackups(backups), backups, until)
  const from = join(base, 'damaged')
  const folder = join(from, basename(whole.folder))
  await cp(whole.folder, folder, { recursive: true })
  // Later files were archived after the instant, too.
  const log = (await readdir(join(folder, 'wal'))).filter((file) => /^[0-9A-F]{24}$/.test(file)).sort()
  const times = await Promise.all(
    log.map(async (file) => (await stat(join(whole.folder, 'wal', file))).mtimeMs),
  )
  const first = times.findIndex((time) => time > at)
  expect(first).toBeGreaterThan(0)
  for (const file of log.slice(first)) await rm(join(folder, 'wal', file))
  await copyFile(join(whole.folder, 'archived.json'), join(folder, 'archived.json'))
  const backup = chooseBackup(await listBackups(from), from, until)
  const refusal: Error = await restoreBackup(
    { backup, to: join(base, 'refused'), until, durable: false },
    () => {},
  ).then(
    () => Promise.reject(new Error('The restore of a lost instant was not refused.')),
    (error) => error,
  )
  expect(refusal.message).toMatch(/is missing: the restore reached /)
  const [, reached = ''] = /the restore reached (\S+), not/.exec(refusal.message)!
  // The last change that was restored is somewhere in this millisecond.
  await expectRestored(people, Date.parse(reached), from)
}

/** The names of all people of the organization by id. */
async function namesIn(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ user_id: string; name: string }>(
    'select user_id, name from users where corp_id = $1',
    [corp_id],
  )
  return new Map(rows.map(({ user_id, name }) => [user_id, name]))
}
