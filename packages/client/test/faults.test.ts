import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf, noteAttempts, seededRandom } from '../../../test/harness/attempts.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { openClientSchool } from './client-of.ts'
import { type FaultProxy, faults, startFaultProxy } from './fault-proxy.ts'

/** 10,000 with `npm run test:long`. */
const calls = attemptsOf('MATRICULA_CLIENT_CALLS', 200)
const callers = 40
/** Longer than a call takes on a busy machine: only faults make calls late. */
const timeoutMs = 5000

let server: TestServer
let proxy: FaultProxy

beforeAll(async () => {
  server = await startTestServer('matricula')
  proxy = await startFaultProxy(server.url, timeoutMs + 500)
})
afterAll(async () => {
  await proxy?.close()
  await server?.close()
})

test('through 429, 503, resets, late and truncated answers, nothing is done twice and nothing is lost', {
  timeout: 120_000 + calls * 200,
}, async () => {
  const school = await openClientSchool(server)
  const direct = school.client()
  const { user_id } = await direct.users.create({ email: 'mei.lin@example.com' })
  const orderIds: string[] = []
  // A sub-order has places for 15 payments.
  while (orderIds.length < calls / 40)
    orderIds.push(
      (await direct.orders.create({ user_id, currency: 'CNY', listed_price: 100_000_000 })).order_id,
    )
  const m = school.client({ baseUrl: proxy.url, timeoutMs, retries: 100 })
  const random = seededRandom()
  proxy.choose = () => (random.below(3) === 0 ? random.pick(faults) : undefined)

  const done = { leads: new Set<string>(), payments: new Set<string>(), followUps: new Set<string>() }
  const steps = [
    // Each import makes a lead, each payment counts, each follow-up is another one: only the key tells repetitions.
    async (n: number) => done.leads.add((await m.leads.import({ user_id, form1_value: `${n}` })).lead_id),
    async (n: number) => {
      const order_id = orderIds[(n >> 2) % orderIds.length]!
      done.payments.add((await m.payments.create({ order_id, price: 1n })).payment_id)
    },
    async (n: number) =>
      done.followUps.add((await m.followUps.create({ user_id, content: `${n}` })).follow_up_id),
    async () => expect((await m.users.fetch({ user_id })).email).toBe('mei.lin@example.com'),
  ]
  let next = 0
  const work = async () => {
    for (let n = next++; n < calls; n = next++) await steps[n % steps.length]!(n)
  }
  await Promise.all(Array.from({ length: callers }, work))
  await proxy.settled()

  const listed = { leads: [] as string[], payments: [] as string[], followUps: [] as string[] }
  for await (const { lead_id } of direct.leads.iterate({ page_size: 50 })) listed.leads.push(lead_id)
  for await (const { payment_id } of direct.payments.iterate({ page_size: 50 }))
    listed.payments.push(payment_id)
  for await (const { follow_up_id } of direct.followUps.iterate({ user_id, page_size: 50 }))
    listed.followUps.push(follow_up_id)
  const quarter = Math.ceil(calls / 4)
  for (const kind of ['leads', 'payments', 'followUps'] as const) {
    expect(done[kind].size, kind).toBe(quarter)
    expect(listed[kind].toSorted(), kind).toEqual([...done[kind]].toSorted())
  }
  let paid = 0
  for await (const { paid_price } of direct.orders.iterate({ page_size: 100 })) paid += paid_price
  expect(paid).toBe(quarter)
  for (const fault of faults) expect(proxy.injected.get(fault), fault).toBeGreaterThan(0)
  const harmed = [...proxy.injected.values()].reduce((sum, count) => sum + count, 0)
  noteAttempts('calls of the client through faults', calls, 0, `${harmed} were harmed`)
})
