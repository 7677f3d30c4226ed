import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownSql as sql } from '../../test/harness/own-sql.ts'
import { waitFor, waitUntil } from '../../test/harness/process.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { openCluster } from '../postgres/postgres-cluster.ts'
import { type PostgresProcess, spawnPostgres } from '../postgres/postgres-process.ts'
import { shutDownPostmaster } from '../postgres/postmaster.ts'
import { openSocketFolder } from '../postgres/socket-folder.ts'
import { type Database, openDatabase, type Queryable } from './database.ts'
import { migrate } from './migrate.ts'
import { openReplicas, type Replicas } from './replicas.ts'

// A real streaming replica: a cold copy of the primary's files that follows it over its socket.
let folder: string
let primary: EmbeddedPostgres
let standby: PostgresProcess
let db: Database
let replicas: Replicas
let replicaHost: string
let superuser: Database
/** The messages of the log. */
const logged: string[] = []

const maxLagMs = 800

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-replica-'))
  const dataDir = join(folder, 'primary')
  const first = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await migrate(first.owner)
  await first.stop()
  // With owners and modes.
  await promisify(execFile)('cp', ['-a', dataDir, join(folder, 'replica')])

  primary = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  superuser = openDatabase({ ...primary.owner, user: 'postgres', max: 2 })
  // The replica runs as the owner of the primary's files, who must be able to open its socket.
  for (const path of [folder, dataDir, join(folder, 'replica')]) await chmod(path, 0o711)
  await appendFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'local replication all trust\n')
  await superuser.pool.query('select pg_reload_conf()')
  await startStandby()
  db = openDatabase({ ...primary.app, max: 4, application_name: 'the primary' })
  replicas = openReplicas(
    db,
    [{ ...primary.app, host: replicaHost, max: 2 }],
    maxLagMs,
    pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) }),
  )
  expect(await waitUntil(() => readsFromReplica(), 60_000)).toBe(true)
})

afterAll(async () => {
  await replicas?.close()
  await Promise.all([db?.close(), superuser?.close()])
  if (standby) await shutDownPostmaster(join(folder, 'replica', 'postgres'), standby.pid)
  await primary?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function startStandby(): Promise<void> {
  const cluster = await openCluster({ dataDir: join(folder, 'replica') })
  const signal = join(cluster.dir, 'standby.signal')
  await writeFile(signal, '')
  if (cluster.user) await chown(signal, cluster.user.uid, cluster.user.gid)
  const primary_conninfo = `host=${join(folder, 'primary', 'postgres')} port=5432 user=postgres`
  standby = await spawnPostgres(cluster, {
    fsync: 'off',
    primary_conninfo,
    wal_retrieve_retry_interval: '200ms',
  })
  replicaHost = (await openSocketFolder(cluster.dir)).host
}

const whoAnswers = sql`select pg_is_in_recovery() as is_replica`

async function readsFromReplica(on: Queryable = replicas.of('x')): Promise<boolean> {
  const [row] = await on.query<{ is_replica: boolean }>(whoAnswers)
  return row!.is_replica
}

async function write(corp_id: string): Promise<void> {
  await superuser.pool.query(
    `insert into organizations (corp_id, name, ctime, mtime) values ($1, 'x', now(), now())`,
    [corp_id],
  )
}

async function isSeen(corp_id: string): Promise<boolean> {
  const rows = await replicas.of('x').query(sql`select 1 as x from organizations where corp_id = ${corp_id}`)
  return rows.length === 1
}

test('reads go to the replica, with the same tenant isolation; transactions and everything else go to the primary', async () => {
  await waitFor(() => readsFromReplica())
  expect(await readsFromReplica(db.of('x'))).toBe(false)
  await replicas.of('x').transaction(async (tx) => expect(await readsFromReplica(tx)).toBe(false))
  const [row] = await replicas
    .of('own')
    .query<{ corp_id: string; role: string }>(
      sql`select current_setting('app.corp_id') as corp_id, current_user as role`,
    )
  expect(row).toEqual({ corp_id: 'own', role: 'matricula_app' })
})

test('no read is further behind than the bound, even if replay on the replica is paused', async () => {
  const replica = openDatabase({ ...primary.owner, host: replicaHost, user: 'postgres', max: 1 })
  await replica.pool.query('select pg_wal_replay_pause()')
  await write('while paused')
  await new Promise((done) => setTimeout(done, maxLagMs + 50))
  expect(await isSeen('while paused')).toBe(true)
  expect(await readsFromReplica()).toBe(false)
  expect(replicas.lagsMs()[0]).toBeGreaterThan(maxLagMs)
  const isBehind = 'the replica is behind: lists are read from the primary'
  await waitFor(async () => logged.includes(isBehind))
  await new Promise((done) => setTimeout(done, maxLagMs))
  expect(logged.filter((message) => message === isBehind)).toHaveLength(1)
  await replica.pool.query('select pg_wal_replay_resume()')
  expect(await waitUntil(() => readsFromReplica(), 60_000)).toBe(true)
  await waitFor(async () => logged.at(-1) === 'the replica is fresh: lists are read from it')
  expect(replicas.lagsMs()[0]).toBeLessThan(maxLagMs)
  expect(await isSeen('while paused')).toBe(true)
  await replica.close()
})

test('broken replication, which looks idle from the replica, is detected', async () => {
  const replica = openDatabase({ ...primary.owner, host: replicaHost, user: 'postgres', max: 1 })
  await replica.pool.query(`alter system set primary_slot_name = 'there_is_none'`)
  await replica.pool.query('select pg_reload_conf()')
  await waitUntil(async () => {
    const { rows } = await superuser.pool.query('select 1 from pg_stat_replication')
    return rows.length === 0
  }, 10_000)
  await write('while broken')
  await new Promise((done) => setTimeout(done, maxLagMs + 50))
  expect(await isSeen('while broken')).toBe(true)
  expect(await readsFromReplica()).toBe(false)
  await replica.pool.query('alter system reset primary_slot_name')
  await replica.pool.query('select pg_reload_conf()')
  expect(await waitUntil(() => readsFromReplica(), 60_000)).toBe(true)
  await replica.close()
})

test('if a replica dies, no read fails: the primary answers until it is back', async () => {
  await shutDownPostmaster(join(folder, 'replica', 'postgres'), standby.pid)
  for (let n = 0; n < 5; n++) expect(await readsFromReplica()).toBe(false)
  await startStandby()
  expect(await waitUntil(() => readsFromReplica(), 60_000)).toBe(true)
})

test('a database that is no replica is never read from', async () => {
  const impostor = openReplicas(db, [{ ...primary.app, max: 1 }], maxLagMs, pino({ level: 'silent' }))
  await new Promise((done) => setTimeout(done, maxLagMs))
  const standing = await impostor
    .of('x')
    .query(sql`select application_name from pg_stat_activity where pid = pg_backend_pid()`)
  expect(standing).toEqual([{ application_name: 'the primary' }])
  await impostor.close()
})
