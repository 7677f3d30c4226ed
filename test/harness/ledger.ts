import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import type { Endpoint, OrganizationContext, OrganizationEndpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { RenderedJson } from '../../src/contract/rendered-json.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { createCursors } from '../../src/search/cursors.ts'
import type { TestDatabase } from './database.ts'
import { testKeyring } from './keyring.ts'
import type { Answer, Credentials, TestServer } from './server.ts'

export interface TestLedger {
  corp_id: string
  user_id: string
  /** Runs an operation on the organization without a server, now or at the given later moment. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape.
  run(endpoint: unknown, input?: Record<string, unknown>, now?: Date): Promise<any>
  /** The same as another account, such as a second approver. */
  runAs(app_id: string, ...given: Parameters<TestLedger['run']>): ReturnType<TestLedger['run']>
  /** Creates an order of the user; by default 3 instalments of 100.00 CNY. */
  order(input?: Record<string, unknown>): Promise<{ order_id: string; sub_order_ids: string[] }>
}

/** An organization with one user, whose orders are created, paid and refunded by the operations of the ledger. */
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
  const runAs: TestLedger['runAs'] = async (app_id, endpoint, input = {}, now) => {
    if (now) await moveClock(database, corp_id, now)
    const permissions = ['read', 'write', 'finance']
    const account = { app_id, permissions } as OrganizationContext['account']
    const cursors = createCursors()
    const context: OrganizationContext = {
      db,
      organization,
      account,
      now: now ?? new Date(),
      newId,
      cursors,
      role: undefined,
      reach: 'everyone',
      keyring: testKeyring,
    }
    const data = await (endpoint as OrganizationEndpoint).handle(context, { corp_id, ...input })
    return data instanceof RenderedJson ? JSON.parse(String(data)).data : data
  }
  const run: TestLedger['run'] = (...given) => runAs('tester', ...given)
  return {
    corp_id,
    user_id,
    run,
    runAs,
    order: (input = {}) =>
      run(createOrder, { user_id, currency: 'CNY', listed_price: 30_000, installment_count: 3, ...input }),
  }
}

/** The ledger uses the database's clock and never goes back, so its clock is advanced to a later moment. */
async function moveClock(database: TestDatabase, corp_id: string, to: Date): Promise<void> {
  await database.superuser.query(
    `insert into ledger_clocks as clock (corp_id, instant_us) values ($1, $2)
     on conflict (corp_id) do update set instant_us = greatest(clock.instant_us, excluded.instant_us)`,
    [corp_id, to.getTime() * 1000],
  )
}

export interface Counter {
  corp_id: string
  user_id: string
  /** The token of an account with every permission in this organization only. */
  account: Credentials
  token: string
  call(endpoint: Endpoint, input?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>
  /** The bytes of a response. */
  bytes(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string }>
  /** Creates an order over HTTP; by default 3 instalments of 100.00 CNY. */
  order(input?: Record<string, unknown>): Promise<{ order_id: string; sub_order_ids: string[] }>
}

/** An organization with one user, behind a server. */
export async function openCounter(server: TestServer, time_zone = 'UTC'): Promise<Counter> {
  const { owner } = server.database
  const { corp_id } = await createOrganization(owner, { name: 'School', time_zone }, new Date())
  const account = await createAccount(owner, testKeyring, { name: 'Tester', corp_ids: [corp_id] }, new Date())
  const token = await server.tokenOf(account)
  const call: Counter['call'] = (endpoint, input = {}, headers) =>
    server.call(endpoint, { corp_id, ...input }, { token, headers })
  const made = await call(createUser, { area_code: '86', mobile: '13800138000' })
  const { user_id } = made.data
  return {
    corp_id,
    user_id,
    account,
    token,
    call,
    async bytes(endpoint, input, headers) {
      const response = await fetch(`${server.url}${endpoint.path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
        body: JSON.stringify({ corp_id, ...input }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async order(input = {}) {
      const plan = { user_id, currency: 'CNY', listed_price: 30_000, installment_count: 3, ...input }
      const { code, msg, data } = await call(createOrder, plan)
      if (code !== 0) throw new Error(`no order: ${code} ${msg}`)
      return data
    },
  }
}

/** The number of responses by code. */
export function codesOf(answers: { code: number }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

export function atOnce<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => work(n)))
}
