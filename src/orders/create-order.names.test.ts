import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { mergeUsers, unmergeUsers } from '../changes/merging/merge-users.ts'
import { rebuildDerivedData } from '../derived/derived-data.ts'
import { createUser } from '../people/users/create-user.ts'
import { updateUser } from '../people/users/update-user.ts'
import { createOrder } from './create-order.ts'
import { searchOrders } from './listing/search-orders.ts'

const runs = Number(process.env.MATRICULA_LISTS ?? 12)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const names = ['', '王小明', '王芳', '林梅', 'Zoë Wang', 'Wei Lin']
const letters = ['王', '林', 'w', 'wa', 'z', 'zo', 'li', '梅']
/** Name prefixes as `nameFacets` derives them: one or two letters of a word. */
const isCalled = (name: string, letter: string) =>
  name
    .toLowerCase()
    .split(' ')
    .some((word) => word.startsWith(letter))

test('orders are found by the current names of their users after any changes', {
  timeout: 600_000,
}, async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('order' as const), user: fc.nat(3) }),
    fc.record({ do: fc.constant('name' as const), user: fc.nat(3), name: fc.constantFrom(...names) }),
    fc.record({ do: fc.constant('merge' as const), user: fc.nat(3), other: fc.nat(3) }),
    fc.record({ do: fc.constant('unmerge' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const school = await openLedger(database)
      const { people, orders } = await live(school, steps)
      for (const letter of letters) {
        const { total, list } = await school.run(searchOrders, { q: letter, page_size: 100 })
        const wanted = orders.filter(({ user }) => isCalled(people[user]!.name, letter))
        expect(list.map(({ order_id }: { order_id: string }) => order_id).sort(), letter).toEqual(
          wanted.map(({ order_id }) => order_id).sort(),
        )
        expect(total).toBe(wanted.length)
      }
      const on = database.app.of(school.corp_id)
      expect((await rebuildDerivedData(on, school.corp_id)).orders?.wasRight).toBe(true)
      expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
    }),
    { numRuns: runs },
  )
})

test('an order that is created during a rename of its user is found by the final name', {
  timeout: 120_000,
}, async () => {
  const school = await openLedger(database)
  const { user_id } = school
  const order = { user_id, currency: 'CNY', listed_price: 100, installment_count: 1 }
  for (let round = 0; round < 12; round++)
    await Promise.all([
      school.run(createOrder, order),
      school.run(updateUser, { user_id, name: round % 2 === 0 ? '王芳' : '林梅' }),
      school.run(createOrder, order),
    ])
  expect((await school.run(searchOrders, { q: '林' })).total).toBe(24)
  expect((await school.run(searchOrders, { q: '王' })).total).toBe(0)
  const on = database.app.of(school.corp_id)
  expect((await rebuildDerivedData(on, school.corp_id)).orders?.wasRight).toBe(true)
})

type Step =
  | { do: 'order'; user: number }
  | { do: 'name'; user: number; name: string }
  | { do: 'merge'; user: number; other: number }
  | { do: 'unmerge' }

/** Applies the steps to four people. Steps of a merged person are skipped until the merge is undone. */
async function live(school: TestLedger, steps: Step[]) {
  const people: { user_id: string; name: string; isMerged: boolean }[] = []
  for (let n = 0; n < 4; n++) {
    const { user_id } = await school.run(createUser, { area_code: '86', mobile: `1380013800${n}` })
    people.push({ user_id, name: '', isMerged: false })
  }
  const orders: { order_id: string; user: number }[] = []
  const merges: (() => Promise<void>)[] = []
  for (const step of steps) {
    if (step.do === 'unmerge') {
      await merges.pop()?.()
      continue
    }
    const one = people[step.user]!
    if (one.isMerged) continue
    const { user_id } = one
    if (step.do === 'order') {
      const wanted = { user_id, currency: 'CNY', listed_price: 100, installment_count: 1 }
      orders.push({ order_id: (await school.run(createOrder, wanted)).order_id, user: step.user })
    } else if (step.do === 'name') {
      await school.run(updateUser, { user_id, name: step.name })
      one.name = step.name
    } else {
      const other = people[step.other]!
      if (step.user === step.other || other.isMerged) continue
      const { merge_id } = await school.run(mergeUsers, { user_id, merged_user_id: other.user_id })
      const moved = orders.filter(({ user }) => user === step.other)
      const isFilled = one.name === '' && other.name !== ''
      if (isFilled) one.name = other.name
      for (const order of moved) order.user = step.user
      other.isMerged = true
      const filledName = one.name
      merges.push(async () => {
        await school.run(unmergeUsers, { merge_id })
        for (const order of moved) order.user = step.other
        other.isMerged = false
        // A name that was changed since is kept.
        if (isFilled && one.name === filledName) one.name = ''
      })
    }
  }
  return { people, orders }
}
