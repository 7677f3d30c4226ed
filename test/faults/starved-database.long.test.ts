import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAudit } from '../../src/access/audit/verify-audit.ts'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase } from '../../src/database/database.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { cleanUp, postmasterOf, settledDataDir, startService } from '../harness/process.ts'
import { childrenOf, isRunning } from '../harness/processes.ts'
import { callAsSample, type TimedAnswer } from '../harness/sample-caller.ts'

/** 30 in `npm run test:faults`. */
const seconds = attemptsOf('MATRICULA_STARVED_SECONDS', 3)
/** A shared machine is sometimes slow: only the long run, which has the machine for itself, checks durations. */
const slack = process.env.MATRICULA_STARVED_SECONDS ? 1 : 10
const longestAnswerMs = 2000 * slack
const longestRecoveryMs = 3000 * slack

/** A service with its own PostgreSQL, and a caller. */
type Stage = Awaited<ReturnType<typeof openStage>>

async function openStage(under?: string[]) {
  const dataDir = await settledDataDir()
  const settings = { MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn', MATRICULA_WORKERS: '2' }
  const service = startService(settings, undefined, under)
  await service.ready
  const postgres = await borrowEmbeddedPostgres({ dataDir })
  const superuser = { ...postgres.owner, user: 'postgres' }
  const sample = await callAsSample(dataDir)
  const acknowledged: string[] = []
  return {
    dataDir,
    log: service.stderr,

    async connectAsSuperuser(): Promise<pg.Client> {
      const client = new pg.Client(superuser)
      client.on('error', () => undefined)
      await client.connect()
      return client
    },

    async createUser(): Promise<TimedAnswer> {
      const answer = await sample.post('entity/user/create', { email: `${newId()}@example.com` })
      if (answer.code === 0) acknowledged.push(answer.data.user_id)
      return answer
    },

    listOrders: () => sample.get('entity/order/list', { page_size: '1' }),

    /** No acknowledged write is lost, and the books balance. */
    async close(): Promise<void> {
      const db = openDatabase(superuser)
      const { rows } = await db.pool.query('select 1 from users where user_id = any($1)', [acknowledged])
      const lost = acknowledged.length - rows.length
      noteAttempts('writes acknowledged during the fault', acknowledged.length, lost)
      expect(lost).toBe(0)
      expect(await checkLedger(db)).toMatchObject({ total: 0 })
      expect(await verifyAudit(db)).toMatchObject({ total: 0 })
      await db.close()
      await postgres.stop()
    },
  }
}

let stage: Stage
let admin: pg.Client
beforeAll(async () => {
  stage = await openStage()
  admin = await stage.connectAsSuperuser()
})
afterAll(async () => {
  await admin?.end()
  await cleanUp()
})

/** Calls of many kinds during the fault, each answered in time, with success or 503. */
async function askMeanwhile(on: Stage, what: string, relieve: () => unknown): Promise<void> {
  const calls: Promise<TimedAnswer>[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(250))
    calls.push(...Array.from({ length: 12 }, (_, n) => (n % 2 ? on.createUser() : on.listOrders())))
  const answers = await Promise.all(calls)
  await relieve()
  const recoveredMs = await healthyAgainAfter(on)
  const refused = answers.filter(({ code }) => code !== 0)
  const slowestMs = Math.max(...answers.map(({ ms }) => ms))
  const wrong = answers.filter(
    ({ ms, status, code, retryAfter }) =>
      ms > longestAnswerMs || (code !== 0 && (status !== 503 || code !== 50301 || !retryAfter)),
  )
  const remark = `${refused.length} refused, slowest ${Math.round(slowestMs)} ms, healthy after ${Math.round(recoveredMs)} ms`
  noteAttempts(`calls while ${what}`, answers.length, wrong.length, remark)
  expect(wrong, on.log().slice(-3000)).toEqual([])
  expect(refused.length, remark).toBeGreaterThan(0)
}

async function healthyAgainAfter(on: Stage): Promise<number> {
  const beganMs = performance.now()
  for (;;) {
    const both = await Promise.all([on.createUser(), on.listOrders()])
    const ms = performance.now() - beganMs
    if (both.every(({ code }) => code === 0)) return ms
    if (ms > longestRecoveryMs) throw new Error('never came back')
  }
}

test('a frozen database refuses all calls in time, and they succeed once it responds again', async () => {
  const postmaster = postmasterOf(stage.dataDir)!
  const stopped = [postmaster, ...childrenOf(postmaster)]
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  const thaw = () => {
    for (const pid of stopped.toReversed()) if (isRunning(pid)) process.kill(pid, 'SIGCONT')
  }
  await askMeanwhile(stage, 'the database is frozen', thaw).finally(thaw)
})

test('if every connection waits for a lock, all calls are refused in time', async () => {
  await admin.query('begin')
  await admin.query('lock table users, orders, order_read_model, list_counts in access exclusive mode')
  const unlock = () => admin.query('rollback')
  await askMeanwhile(stage, 'every connection waits', unlock).finally(unlock)
})

test('if other clients hold all connections, all calls are refused in time', async () => {
  const held: pg.Client[] = []
  const ofService = `from pg_stat_activity where usename = 'matricula_app'`
  const isServed = async () => (await admin.query(`select 1 ${ofService}`)).rows.length > 0
  for (let round = 0; round === 0 || (round < 50 && (await isServed())); round++) {
    await admin.query(`select pg_terminate_backend(pid) ${ofService}`)
    for (;;) {
      const client = await stage.connectAsSuperuser().catch(() => undefined)
      if (!client) break
      held.push(client)
    }
  }
  const release = () => Promise.all(held.map((client) => client.end()))
  await askMeanwhile(stage, 'all connections are taken', release).finally(release)
})

test('none of these faults has lost a write', () => stage.close())

/** Files that may not grow fail as they do on a disk that is full. Larger than a piece of PostgreSQL's log, which must not. */
const smallFiles = ['sh', '-c', 'ulimit -f 34816 && exec "$@"', 'sh']

test.runIf(process.platform !== 'win32')(
  'where the disk is full, writes are refused, and go on once there is room',
  async () => {
    const full = await openStage(smallFiles)
    const owner = await full.connectAsSuperuser()
    await owner.query('alter table users set (autovacuum_enabled = false)')
    // Uncompressed length.
    await owner.query('alter table users alter column name set storage external')
    const fill = (rows: number, name: string) =>
      owner.query(`
        insert into users (corp_id, user_id, name, pool, ctime, mtime)
        select (select min(corp_id) from organizations), 'filler-' || gen_random_uuid(), ${name}, 'public', now(), now()
          from generate_series(1, ${rows})`)
    // Large ones first, then small ones into what is left between them.
    for (const name of ['repeat(md5(random()::text), 50)', 'repeat(md5(random()::text), 8)', 'null'])
      for (const rows of [2000, 100, 1]) {
        let isFull = false
        for (let n = 0; n < 40 && !isFull; n++)
          await fill(rows, name).catch(() => {
            isFull = true
          })
        expect(isFull, `${rows} at a time`).toBe(true)
      }
    await askMeanwhile(full, 'the disk is full', async () => {
      await owner.query(`delete from users where user_id like 'filler-%'`)
      await owner.query('vacuum users')
    })
    await owner.end()
    await full.close()
  },
)
