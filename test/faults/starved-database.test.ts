import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAudit } from '../../src/audit/verify-audit.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase } from '../../src/database/database.ts'
import { borrowEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts'
import { checkLedger } from '../../src/finance/check-ledger.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import {
  cleanUp,
  postmasterOf,
  type ServiceProcess,
  settledDataDir,
  startService,
} from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'
import { callAsSample, type SampleCaller, type TimedAnswer } from '../harness/sample-caller.ts'

/** 30 in `npm run test:faults`. */
const seconds = attemptsOf('MATRICULA_STARVED_SECONDS', 3)
/** A machine that other tests share is slow at times: only the long run, which has it to itself, goes by the clock. */
const slack = process.env.MATRICULA_STARVED_SECONDS ? 1 : 10
const longestAnswerMs = 2000 * slack
const longestRecoveryMs = 3000 * slack

let dataDir: string
let service: ServiceProcess
let sample: SampleCaller
let admin: pg.Client
let borrowed: Awaited<ReturnType<typeof borrowEmbeddedPostgres>>
const acknowledged: string[] = []

beforeAll(async () => {
  dataDir = await settledDataDir()
  service = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn', MATRICULA_WORKERS: '2' })
  await service.ready
  sample = await callAsSample(dataDir)
  borrowed = await borrowEmbeddedPostgres({ dataDir })
  admin = await connectAsSuperuser()
})
afterAll(async () => {
  await admin?.end()
  await borrowed?.stop()
  await cleanUp()
})

async function connectAsSuperuser(): Promise<pg.Client> {
  const client = new pg.Client({ ...borrowed.owner, user: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Everything of PostgreSQL: the first process and those it has started. */
function processesOfPostgres(): number[] {
  const postmaster = postmasterOf(dataDir)!
  return [postmaster, ...childrenOf(postmaster)]
}

async function createUser(): Promise<TimedAnswer> {
  const answer = await sample.post('entity/user/create', { email: `${newId()}@example.com` })
  if (answer.code === 0) acknowledged.push(answer.data.user_id)
  return answer
}

const listOrders = () => sample.get('entity/order/list', { page_size: '1' })

/** Calls from all sides for as long as the database is in need, each of which is answered soon, with what it wanted or 503. */
async function askMeanwhile(what: string, relieve: () => Promise<void> | void): Promise<TimedAnswer[]> {
  const calls: Promise<TimedAnswer>[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(250))
    calls.push(...Array.from({ length: 12 }, (_, n) => (n % 2 ? createUser() : listOrders())))
  const answers = await Promise.all(calls)
  await relieve()
  const relievedAtMs = performance.now()
  for (let healthy = 0; healthy < 2; ) {
    const both = await Promise.all([createUser(), listOrders()])
    healthy = both.every(({ code }) => code === 0) ? healthy + 1 : 0
    if (performance.now() - relievedAtMs > longestRecoveryMs) throw new Error('never came back')
  }
  const recoveredMs = performance.now() - relievedAtMs
  const refused = answers.filter(({ code }) => code !== 0)
  const slowestMs = Math.max(...answers.map(({ ms }) => ms))
  const wrong = answers.filter(
    ({ ms, status, code, retryAfter }) =>
      ms > longestAnswerMs || (code !== 0 && (status !== 503 || code !== 50301 || !retryAfter)),
  )
  const remark = `${refused.length} refused, slowest ${Math.round(slowestMs)} ms, healthy after ${Math.round(recoveredMs)} ms`
  noteAttempts(`calls while ${what}`, answers.length, wrong.length, remark)
  expect(wrong, service.stderr().slice(-3000)).toEqual([])
  expect(refused.length, remark).toBeGreaterThan(0)
  return answers
}

test('a database that is frozen refuses everybody soon, and goes on once it thaws', async () => {
  const stopped = processesOfPostgres()
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  const thaw = () => stopped.toReversed().forEach((pid) => void process.kill(pid, 'SIGCONT'))
  try {
    await askMeanwhile('the database is frozen', thaw)
  } finally {
    thaw()
  }
})

test('where every connection waits for a lock, everybody is told soon', async () => {
  await admin.query('begin')
  await admin.query('lock table users, orders, order_read_model, list_counts in access exclusive mode')
  try {
    await askMeanwhile('every connection waits', async () => void (await admin.query('rollback')))
  } finally {
    await admin.query('rollback')
  }
})

test('where others hold all connections that there may be, the service goes on with those it has, or says so', async () => {
  const held: pg.Client[] = []
  const countOwn = async () =>
    (await admin.query(`select count(*)::int as n from pg_stat_activity where usename = 'matricula_app'`))
      .rows[0].n as number
  try {
    for (let round = 0; round < 50 && (round === 0 || (await countOwn()) > 0); round++) {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'matricula_app'`,
      )
      for (;;) {
        const client = await connectAsSuperuser().catch(() => undefined)
        if (!client) break
        held.push(client)
      }
    }
    await askMeanwhile('all connections are taken', async () => {
      await Promise.all(held.map((client) => client.end()))
    })
  } finally {
    await Promise.allSettled(held.map((client) => client.end()))
  }
})

const canLimitFiles = process.platform === 'linux' && has('prlimit')

/** Files that may not grow fail as they do on a disk that is full. */
test.runIf(canLimitFiles)(
  'where the disk is full, writes are refused, and go on once there is room',
  async () => {
    // Larger than a piece of the log, which would end PostgreSQL.
    await admin.query(`
    insert into users (corp_id, user_id, name, pool, ctime, mtime)
    select (select min(corp_id) from organizations), 'filler-' || n, repeat(md5(n::text), 16), 'public', now(), now()
      from generate_series(1, 40000) n`)
    const { rows } = await admin.query(`select pg_relation_size('users')::int as bytes`)
    const limit = (bytes: string) => {
      for (const pid of processesOfPostgres())
        execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`], { stdio: 'ignore' })
    }
    limit(String(rows[0].bytes + 1000))
    try {
      await askMeanwhile('the disk is full', () => limit('unlimited'))
    } finally {
      limit('unlimited')
    }
  },
)

test('nothing that was acknowledged meanwhile is lost, and the books agree', async () => {
  const { rows } = await admin.query('select user_id from users where user_id = any($1)', [acknowledged])
  expect(rows).toHaveLength(acknowledged.length)
  const db = openDatabase(borrowed.owner)
  expect(await checkLedger(db)).toMatchObject({ total: 0 })
  expect(await verifyAudit(db)).toMatchObject({ total: 0 })
  await db.close()
  noteAttempts('writes acknowledged meanwhile', acknowledged.length, acknowledged.length - rows.length)
})

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
