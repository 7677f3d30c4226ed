import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { findOrganizations } from '../access/organizations/organization-store.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import { createCursors } from '../search/cursors.ts'
import { makeOrder } from './make-orders.ts'

let database: TestDatabase
let school: TestLedger
let organization: OrganizationContext['organization']

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  organization = (await findOrganizations(database.app.shared, [school.corp_id]))[0]!
})
afterAll(async () => {
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
  await database.drop()
})

/** One caller among many. */
function make(request_id: string, input: Record<string, unknown>, listed_price = 30_000) {
  const { corp_id, user_id } = school
  const account = { app_id: `app of ${request_id}` } as OrganizationContext['account']
  const origin = {
    ...{ actor_kind: 'account' as const, actor_id: account.app_id, address: '127.0.0.1' },
    ...{ operation: 'createOrder', request_id },
  }
  const db = database.app.of(corp_id, origin)
  const context = {
    db,
    organization,
    account,
    now: new Date(),
    newId,
    cursors: createCursors(),
    role: undefined,
    reach: 'everyone' as const,
    keyring: testKeyring,
  }
  return makeOrder(context, { corp_id, user_id, currency: 'CNY', listed_price, ...input } as never)
}

async function transactions(): Promise<number> {
  const { rows } = await database.superuser.query(
    'select count(distinct xmin::text)::int as n from orders where corp_id = $1',
    [school.corp_id],
  )
  return rows[0].n
}

test('concurrent creations share a transaction, each with its own author', async () => {
  const before = await transactions()
  const callers = Array.from({ length: 12 }, (_, n) => `request-${n}`)
  const made = await Promise.all(callers.map((caller) => make(caller, { external_id: caller })))
  expect(new Set(made.map(({ order_id }) => order_id)).size).toBe(12)
  expect((await transactions()) - before).toBeLessThan(12)
  const { rows } = await database.superuser.query(
    `select v.order_id, v.executor_id, e.actor_id, e.request_id, o.external_id
       from order_versions v
       join orders o on o.corp_id = v.corp_id and o.order_id = v.order_id
       join audit_entries e on e.corp_id = v.corp_id and e.record_id = v.order_id and e.version = v.version
      where v.corp_id = $1 and v.order_id = any($2)`,
    [school.corp_id, made.map(({ order_id }) => order_id)],
  )
  expect(rows).toHaveLength(12)
  for (const { executor_id, actor_id, request_id, external_id } of rows) {
    expect(request_id).toBe(external_id)
    expect([executor_id, actor_id]).toEqual([`app of ${external_id}`, `app of ${external_id}`])
  }
})

test('a refusal affects its own creation only', async () => {
  const [good, nobody, priceless] = await Promise.allSettled([
    make('good', {}),
    make('nobody', { user_id: 'nobody' }),
    make('priceless', { listed_price: undefined }),
  ])
  expect(good.status).toBe('fulfilled')
  expect(nobody).toMatchObject({ reason: { code: 40401 } })
  expect(priceless).toMatchObject({ reason: { details: { errors: [{ param: 'listed_price' }] } } })
})

test('one external_id is one order, with any number of concurrent creations', async () => {
  const same = Array.from({ length: 6 }, (_, n) => make(`same-${n}`, { external_id: 'checkout-1' }))
  const other = make('other', { external_id: 'checkout-1' }, 40_000)
  const [made, [refused]] = await Promise.all([Promise.all(same), Promise.allSettled([other])])
  expect(new Set(made.map(({ order_id }) => order_id)).size).toBe(1)
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 40901 } })
})
