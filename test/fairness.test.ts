import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueToken } from '../src/access/tokens/issue-token.ts'
import { signatureOf } from '../src/access/tokens/signature.ts'
import { endpoints } from '../src/endpoints.ts'
import { createRemark } from '../src/orders/create-remark.ts'
import { fetchProfile } from '../src/people/users/fetch-profile.ts'
import { representativesOf } from './conformance/representatives.ts'
import { type School, sampleSchool, stockOrders } from './conformance/school.ts'
import { validInput } from './conformance/valid-inputs.ts'
import { atOnce, type Counter, codesOf, openCounter } from './harness/ledger.ts'
import { waitFor } from './harness/process.ts'
import { type Answer, startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let school: School
beforeAll(async () => {
  server = await startTestServer()
  school = await sampleSchool(server)
  school.stock = await stockOrders(server, school, 50)
})
afterAll(() => server.close())

describe('while 400 writes of one organization wait for a lock', () => {
  let busy: Counter
  let writes: Promise<Answer>[]
  let order_id: string
  let unlock: () => Promise<void>

  beforeAll(async () => {
    busy = await openCounter(server)
    order_id = (await busy.order()).order_id
    unlock = await lockLedgerClock(busy.corp_id)
    writes = Array.from({ length: 400 }, (_, n) =>
      busy.call(createRemark, { order_id, content: `Remark ${n}` }),
    )
    // One group waits in the database, the others in the server.
    await untilSessionsWait(1)
  })

  const reads = endpoints.filter(({ method, scope }) => method === 'GET' && scope === 'organization')
  test.each(representativesOf(reads))(
    '$path answers another organization, fifty times at once',
    async (endpoint) => {
      const input = validInput(endpoint, school)
      const answers = await atOnce(50, () => server.call(endpoint, input))
      expect(codesOf(answers)).toEqual({ 0: 50 })
    },
  )

  test('all concurrent reads of another organization succeed', async () => {
    const calls = reads.map((endpoint) => server.call(endpoint, validInput(endpoint, school)))
    expect(codesOf(await Promise.all(calls))).toEqual({ 0: reads.length })
  })

  test('another organization writes', async () => {
    const other = await openCounter(server)
    expect((await other.order()).order_id).toBeTypeOf('string')
  })

  test('tokens are issued', async () => {
    const { app_id, user_api_secret } = server.sample
    const answers = await atOnce(20, (n) => {
      const time_stamp = String(2_000_000_000 + n)
      const signature = signatureOf(app_id, time_stamp, user_api_secret)
      return server.call(issueToken, { app_id, time_stamp, signature }, { token: null })
    })
    expect(codesOf(answers)).toEqual({ 0: 20 })
  })

  test('the organization itself reads', async () => {
    const answers = await atOnce(50, () => busy.call(fetchProfile, { user_id: busy.user_id }))
    expect(codesOf(answers)).toEqual({ 0: 50 })
  })

  test('each write ends, or is refused with 50301 and changes nothing', async () => {
    await unlock()
    const { 0: done, 50301: refused = 0 } = codesOf(await Promise.all(writes)) as Record<number, number>
    expect(done! + refused).toBe(400)
    const { rows } = await server.database.superuser.query(
      'select count(*)::int as remarks from order_remarks where corp_id = $1',
      [busy.corp_id],
    )
    expect(rows).toEqual([{ remarks: done }])
  })
})

test('while the writes of many organizations wait, another one reads', async () => {
  const busy = await Promise.all(Array.from({ length: 6 }, () => openCounter(server)))
  const orders = await Promise.all(busy.map((each) => each.order()))
  const unlocks: (() => Promise<void>)[] = []
  for (const { corp_id } of busy.slice(0, 3)) unlocks.push(await lockLedgerClock(corp_id))
  const writes = busy.flatMap((each, n) =>
    Array.from({ length: 20 }, () => each.call(createRemark, { ...orders[n], content: 'Remark' })),
  )
  await untilSessionsWait(3)
  const input = validInput(fetchProfile, school)
  const answers = await atOnce(50, () => server.call(fetchProfile, input))
  expect(codesOf(answers)).toEqual({ 0: 50 })
  for (const unlock of unlocks) await unlock()
  await Promise.all(writes)
})

/** Locks the row that every change of an order in the organization needs. */
async function lockLedgerClock(corp_id: string): Promise<() => Promise<void>> {
  const locker = await server.database.superuser.connect()
  await locker.query('begin')
  await locker.query('select instant_us from ledger_clocks where corp_id = $1 for update', [corp_id])
  return async () => {
    await locker.query('rollback')
    locker.release()
  }
}

async function untilSessionsWait(least: number): Promise<void> {
  await waitFor(async () => (await server.database.lockWaits()) >= least)
}
