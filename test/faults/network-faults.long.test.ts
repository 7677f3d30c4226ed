import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyAudit } from '../../src/access/audit/verify-audit.ts'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { newId } from '../../src/contract/new-id.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { fetchProfile } from '../../src/people/users/fetch-profile.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { type DatabaseProxy, networkFaults, startDatabaseProxy } from '../harness/database-proxy.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { type Answer, startTestServer, type TestServer } from '../harness/server.ts'

const faults = attemptsOf('MATRICULA_NETWORK_FAULTS', 18)
const longestAnswerMs = 10_000

let proxy: DatabaseProxy
const opened: { server: TestServer; db: Database }[] = []

beforeAll(async () => {
  proxy = await startDatabaseProxy(inject('postgres'))
})
afterAll(async () => {
  for (const { server, db } of opened) {
    await server.close()
    await db.close()
  }
  await proxy?.close()
})

/** A server behind the proxy, with one school. */
async function openBehindProxy(queryTimeoutMs: number): Promise<{ server: TestServer; school: Counter }> {
  let db!: Database
  const server = await startTestServer('matricula', {}, ({ name }) => {
    const address = { host: '127.0.0.1', port: proxy.port, user: 'matricula_app', database: name }
    const limits = { query_timeout: queryTimeoutMs, connectionTimeoutMillis: queryTimeoutMs }
    db = openDatabase({ ...address, ...limits, max: 4, heartbeat: true })
    return db
  })
  opened.push({ server, db })
  // A machine that is busy for a second looks like a frozen database.
  for (let tries = 0; ; tries++) {
    const school = await openCounter(server).catch((error: Error) => error)
    if (!(school instanceof Error)) return { server, school }
    if (tries === 10) throw school
    await pause(500)
  }
}

interface Timed extends Answer {
  ms: number
}

async function timed(work: () => Promise<Answer>): Promise<Timed> {
  const began = performance.now()
  const answer = await work()
  return { ...answer, ms: performance.now() - began }
}

test('through network faults, calls end, nothing is done twice, and nothing acknowledged is lost', {
  timeout: 60_000 + faults * 10_000,
}, async () => {
  const { server, school } = await openBehindProxy(3000)
  const { order_id } = await school.order({ listed_price: 100_000_000 })
  const scandals: string[] = []
  const paid = new Map<string, string>()
  let unknown = 0
  for (let n = 0; n < faults; n++) {
    const fault = networkFaults[n % networkFaults.length]!
    const charge_id = `charge-${n}`
    const harmed = proxy.harmNext(fault)
    const pay = () => timed(() => school.call(createPayment, { order_id, price: 1, charge_id }))
    const first = await pay()
    await Promise.race([harmed, pause(1000)])
    for (let again = first, tries = 0; again.code !== 0; tries++) {
      unknown++
      if (again.status !== 503 || !again.headers.get('retry-after'))
        scandals.push(`${fault}: ${again.code} ${again.msg}`)
      if (again.ms > longestAnswerMs) scandals.push(`${fault}: took ${Math.round(again.ms)} ms`)
      if (tries > 20) throw new Error(`${fault}: never came back`)
      await pause(100)
      again = await pay()
      if (again.code === 0) paid.set(charge_id, again.data.payment_id)
    }
    if (first.code === 0) paid.set(charge_id, first.data.payment_id)
  }
  noteAttempts('network faults', faults, scandals.length, `${unknown} answered 503 and asked again`)
  expect(scandals).toEqual([])
  const { rows } = await server.database.superuser.query(
    'select charge_id, payment_id from payments where corp_id = $1 order by payment_id',
    [school.corp_id],
  )
  expect(new Map(rows.map((row) => [row.charge_id, row.payment_id]))).toEqual(paid)
  expect(rows).toHaveLength(faults)
  expect(await checkLedger(server.database.app, school.corp_id)).toMatchObject({ total: 0 })
  expect(await verifyAudit(server.database.app, school.corp_id)).toMatchObject({ total: 0 })
})

test('a connection that is lost before anything could be committed is retried without the caller', async () => {
  const { school } = await openBehindProxy(3000)
  const before = await school.call(createUser, { email: `${newId()}@example.com` })
  for (const fault of ['reset', 'cut before commit'] as const) {
    const harmed = proxy.harmNext(fault)
    const answer =
      fault === 'reset'
        ? await school.call(fetchProfile, { user_id: before.data.user_id })
        : await school.call(createUser, { email: `${newId()}@example.com` })
    await Promise.race([harmed, pause(5000).then(() => Promise.reject(new Error(`no ${fault}`)))])
    expect(answer.code, fault).toBe(fault === 'reset' ? 0 : 50301)
  }
})

test('a frozen database is 503 within two seconds for all, and all calls succeed once it responds again', {
  timeout: 60_000,
}, async () => {
  // Nothing but the heartbeat would end a call before the test.
  const { school } = await openBehindProxy(300_000)
  const user_id = school.user_id
  const ask = () => timed(() => school.call(fetchProfile, { user_id }))
  const write = () => timed(() => school.call(createUser, { email: `${newId()}@example.com` }))
  expect((await ask()).code).toBe(0)
  proxy.freeze()
  const answers: Timed[] = []
  for (let round = 0; round < 3; round++) {
    answers.push(...(await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? ask() : write())))))
    await pause(300)
  }
  proxy.thaw()
  for (const { status, code, headers } of answers) {
    expect({ status, code }).toEqual({ status: 503, code: 50301 })
    expect(headers.get('retry-after')).toMatch(/^[0-9]+$/)
  }
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const later = answers.slice(12).map(({ ms }) => ms)
  noteAttempts(
    'calls to a frozen database',
    answers.length,
    answers.filter(({ status }) => status !== 503).length,
    `slowest ${Math.round(slowest)} ms, then ${Math.round(Math.max(...later))} ms`,
  )
  const deadline = performance.now() + 30_000
  while ((await ask()).code !== 0) if (performance.now() > deadline) throw new Error('never came back')
  expect((await write()).code).toBe(0)
})
