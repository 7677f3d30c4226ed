import { afterAll, beforeAll, test } from 'vitest'
import { type Counter, openCounter } from '../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../test/harness/server.ts'
import { newId } from './contract/new-id.ts'
import { createPayment } from './orders/payments/create-payment.ts'
import { createTagGroup } from './tag-groups/create-tag-group.ts'
import { assignUserTag } from './user-tags/assign-user-tag.ts'
import { createUser } from './users/create-user.ts'
let server: TestServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())
test('rates', { timeout: 600_000 }, async () => {
  const count = 1500
  const orders: string[] = []
  await Promise.all(Array.from({ length: 16 }, async () => { while (orders.length < 3000) orders.push((await school.order()).order_id) }))
  const users: string[] = []
  await Promise.all(Array.from({ length: 32 }, async () => { while (users.length < 1500) users.push((await school.call(createUser, { email: `${newId()}@example.com` })).data.user_id) }))
  const g = (await school.call(createTagGroup, { name: 'x', variable_name: 'x', description: 'x', attribute: 'number', category: 'x' })).data.tags_group_id
  let m = 0
  const works = {
    'user/create': () => school.call(createUser, { area_code: '86', mobile: String(13000000000 + m++) }),
    'tags/assign': () => school.call(assignUserTag, { tags_group_id: g, user_id: users[m++ % users.length], value: String(m) }),
    'payment': () => school.call(createPayment, { order_id: orders[m++ % orders.length], price: 1 }),
  }
  for (const [name, work] of Object.entries(works)) {
    const rates: Record<string, number[]> = { on: [], off: [] }
    for (let round = 0; round < 10; round++) {
      for (const how of round % 2 ? ['on', 'off'] : ['off', 'on']) {
        ;(globalThis as any).noAudit = how === 'off'
        const n0 = name === 'payment' ? 300 : count
        let n = 0
        const began = performance.now()
        await Promise.all(Array.from({ length: 64 }, async () => { while (n++ < n0) { const a = await work(); if (a.code) console.log(a.code, a.msg) } }))
        rates[how]!.push(n0 / (performance.now() - began) * 1000)
      }
    }
    const median = (v: number[]) => Math.round(v.toSorted((a, b) => a - b)[Math.floor(v.length / 2)]!)
    console.log(name, 'off', median(rates.off!), 'on', median(rates.on!), 'ratio', (median(rates.on!) / median(rates.off!)).toFixed(3), 'pairwise', rates.on!.map((r, i) => (r / rates.off![i]!).toFixed(2)).join(' '))
  }
})
