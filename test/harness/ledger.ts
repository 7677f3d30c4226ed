import type { OrganizationContext, OrganizationEndpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createOrder } from '../../src/ledger/create-order.ts'
import { createOrganization } from '../../src/organizations/manage-organizations.ts'
import type { TestDatabase } from './database.ts'

export interface TestLedger {
  corp_id: string
  user_id: string
  /** Runs an operation on the organization, without a server. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  run(endpoint: unknown, input?: Record<string, unknown>): Promise<any>
  /** Makes an order of the user; 3 instalments of 100.00 CNY unless told otherwise. */
  order(input?: Record<string, unknown>): Promise<{ order_id: string; sub_order_ids: string[] }>
}

/** An organization with one user, whose orders are made, paid and refunded by the ledger's own operations. */
export async function openLedger(
  database: TestDatabase,
  time_zone = 'UTC',
  user: Record<string, string> = {},
): Promise<TestLedger> {
  const corp_id = newId()
  const user_id = newId()
  const organization = await createOrganization(
    database.owner,
    { corp_id, name: 'School', time_zone },
    new Date(),
  )
  const columns = { name: 'Somebody', pool: 'public', ...user }
  await database.superuser.query(
    `insert into users (corp_id, user_id, ctime, mtime, ${Object.keys(columns).join(', ')})
     values ($1, $2, now(), now(), ${Object.keys(columns).map((_, index) => `$${index + 3}`)})`,
    [corp_id, user_id, ...Object.values(columns)],
  )
  const db = database.app.of(corp_id)
  const run: TestLedger['run'] = (endpoint, input = {}) => {
    const account = { app_id: 'tester' } as OrganizationContext['account']
    const context: OrganizationContext = { db, organization, account, now: new Date(), newId }
    return (endpoint as OrganizationEndpoint).handle(context, { corp_id, ...input })
  }
  return {
    corp_id,
    user_id,
    run,
    order: (input = {}) =>
      run(createOrder, { user_id, currency: 'CNY', listed_price: 30_000, installment_count: 3, ...input }),
  }
}
