import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { mergeUsers, unmergeUsers } from '../../changes/merging/merge-users.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { createOrder } from '../../orders/create-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './list-users.ts'
import { orderFilters } from './user-facets.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

let mobiles = 13_700_000_000
const newUser = async (): Promise<string> =>
  (await school.call(createUser, { area_code: '86', mobile: String(mobiles++) })).data.user_id

type Step = { who: number; what: 'order' | 'pay' | 'pay all' | 'cancel' | 'merge' | 'unmerge' }

/** The results of lists, and the rows of the tables. */
async function seen() {
  const found: Record<string, string[]> = {}
  for (const order_status of orderFilters) {
    const { total, list } = (await school.call(listUsers, { order_status, page_size: 1000 })).data
    expect(list).toHaveLength(total)
    found[order_status] = list.map(({ user_id }: { user_id: string }) => user_id).sort()
  }
  return found
}

async function expected() {
  const { rows } = await server.database.superuser.query<{ user_id: string; statuses: string[] | null }>(
    `select u.user_id, (select array_agg(distinct o.status) from orders o
                         where o.corp_id = u.corp_id and o.user_id = u.user_id and not o.is_deleted) as statuses
       from users u where u.corp_id = $1 order by u.user_id`,
    [school.corp_id],
  )
  const having = (status: string) => (row: (typeof rows)[number]) =>
    status === 'none' ? row.statuses === null : row.statuses?.includes(status)
  const ids = (status: string) => rows.filter(having(status)).map(({ user_id }) => user_id)
  return Object.fromEntries([...orderStatuses, 'none'].map((status) => [status, ids(status).sort()]))
}

test('users are found by the statuses of their orders after any change, and after a rebuild', async () => {
  const what = fc.constantFrom<Step['what']>('order', 'order', 'pay', 'pay all', 'cancel', 'merge', 'unmerge')
  const steps = fc.array(fc.record({ who: fc.nat(3), what }), { minLength: 3, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const users = [await newUser(), await newUser(), await newUser(), await newUser()]
      const orders: string[][] = [[], [], [], []]
      const merges: string[] = []
      for (const { who, what } of steps) {
        const [user_id, order_id] = [users[who]!, orders[who]!.at(-1)]
        if (what === 'order') {
          const order = { user_id, currency: 'CNY', listed_price: 300, type: 'other' }
          const { code, data } = await school.call(createOrder, order)
          if (code !== 40401) orders[who]!.push(data.order_id)
        } else if (what === 'merge') {
          const input = { user_id: users[(who + 1) % 4], merged_user_id: user_id }
          const { code, data } = await school.call(mergeUsers, input)
          if (code === 0) merges.push(data.merge_id)
        } else if (what === 'unmerge') {
          const merge_id = merges.pop()
          if (merge_id) await school.call(unmergeUsers, { merge_id })
        } else if (order_id !== undefined && what === 'cancel') {
          await school.call(updateStatus, { order_id, status: 'canceled', reason: 'Test' })
        } else if (order_id !== undefined) {
          const price = what === 'pay' ? 100 : 300
          await school.call(createPayment, { order_id, price, currency: 'CNY' })
        }
      }
      const truth = await expected()
      expect(await seen()).toEqual(truth)
      await rebuildDerivedData(server.db.of(school.corp_id), school.corp_id)
      expect(await seen()).toEqual(truth)
    }),
    { numRuns: 8 },
  )
})
