import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import { type Database, openDatabase, type Queryable } from '../src/database/database.ts'
import { storeLead } from '../src/people/leads/store-leads.ts'
import { findOrMakeUser } from '../src/people/users/find-or-make-users.ts'
import { attemptsOf } from './harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { openImport } from './support/order-import.ts'
import { openFolder } from './support/sheets.ts'

/** Finding, creating and completing users, in every way. */
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function openSchool(): Promise<string> {
  const corp_id = newId()
  await database.superuser.query(
    `insert into organizations (corp_id, name, ctime, mtime) values ($1, 'School', now(), now())`,
    [corp_id],
  )
  return corp_id
}

const read = async (text: string, corp_id: string) =>
  (await database.superuser.query(text, [corp_id])).rows as Record<string, unknown>[]
const newUser = (user_id = newId()) => ({
  user_id,
  pool: 'public',
  now: new Date(),
  app_id: 'test',
  reach: 'everyone' as const,
})

interface Lead {
  /** One of the initial users, or nobody. */
  user: number | undefined
  number: number | undefined
  name: string | undefined
  city: string | undefined
  owners: string[]
  entry: number | undefined
}
interface Creation {
  number?: number
  email?: string
}
type Call = { id: string } & ({ lead: Lead } | { creation: Creation })

const mobileOf = (number: number) => `1380000000${number}`

/** A model of the rules for users and leads, over plain lists, one call at a time. */
class Model {
  readonly leads: { lead_id: string; user_id: string; entry_id: string | null; content: string }[] = []
  readonly users: {
    user_id: string
    mobile: string | null
    email: string | null
    name: string | null
    city: string | null
    owner_ids: string[]
  }[] = []

  create({ number, email }: Creation, user_id: string): unknown {
    const found = this.users.find((user) =>
      number === undefined
        ? user.email?.toLowerCase() === email?.toLowerCase()
        : user.mobile === mobileOf(number),
    )
    if (found) return { user_id: found.user_id, isMade: false }
    const mobile = number === undefined ? null : mobileOf(number)
    this.users.push({ user_id, mobile, email: email ?? null, name: null, city: null, owner_ids: [] })
    return { user_id, isMade: true }
  }

  lead({ user, number, name, city, owners, entry }: Lead, lead_id: string): unknown {
    const content = JSON.stringify([user, number, name, city, owners])
    const entry_id = entry === undefined ? null : `entry-${entry}`
    const earlier = this.leads.find((lead) => entry_id !== null && lead.entry_id === entry_id)
    if (earlier) {
      const { lead_id, user_id } = earlier
      return earlier.content === content ? { lead_id, user_id } : 40901
    }
    const mobile = number === undefined ? null : mobileOf(number)
    const holder = this.users.find((each) => mobile !== null && each.mobile === mobile)
    let found = user === undefined ? holder : this.users.find(({ user_id }) => user_id === `user-${user}`)
    if (user !== undefined && !found) return 40401
    if (holder && holder !== found) return 40901
    if (!found) {
      found = {
        user_id: `made-${lead_id}`,
        mobile,
        email: null,
        name: null,
        city: null,
        owner_ids: [],
      }
      this.users.push(found)
    }
    found.mobile ??= mobile
    found.name ??= name ?? null
    found.city ??= city ?? null
    found.owner_ids.push(...owners.filter((owner) => !found.owner_ids.includes(owner)))
    const { user_id } = found
    this.leads.push({ lead_id, user_id, entry_id, content })
    return { lead_id, user_id }
  }
}

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const number = fc.nat(4)
const lead = fc
  .record({
    // Users 0 to 2 exist, 3 does not.
    user: optional(fc.nat(3)),
    number: optional(number),
    name: optional(fc.constantFrom('Ann', '林')),
    city: optional(fc.constantFrom('上海', 'Lyon')),
    owners: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    entry: optional(fc.nat(3)),
  })
  .filter(({ user, number }) => user !== undefined || number !== undefined)
const creation = fc.oneof(
  number.map((number): Creation => ({ number })),
  fc.constantFrom('ann@example.com', 'ANN@example.com', 'bo@example.com').map((email) => ({ email })),
)
/** Leads, or creations, that wait together. */
const batch = fc.oneof(
  fc.array(
    lead.map((lead) => ({ lead })),
    { minLength: 1, maxLength: 30 },
  ),
  fc.array(
    creation.map((creation) => ({ creation })),
    { minLength: 1, maxLength: 10 },
  ),
)

test('batches of leads and creations have exactly the results of sequential calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      const corp_id = await openSchool()
      const on = database.app.of(corp_id)
      const model = new Model()
      const start: Creation[] = [{ number: 0 }, { email: 'Ann@Example.com' }, { number: 2 }]
      const call = async (sent: Call): Promise<unknown> => {
        if ('creation' in sent) {
          const { number, email } = sent.creation
          const contact = number === undefined ? { email } : { area_code: '86', mobile: mobileOf(number) }
          const made = await findOrMakeUser(on, corp_id, { person: contact, newUser: newUser(sent.id) })
          return { user_id: made.user.user_id, isMade: made.isMade }
        }
        const { user, number, name, city, owners, entry } = sent.lead
        const outcome = await storeLead(on, corp_id, {
          ...{ lead_id: sent.id, app_id: 'test', entry_id: entry === undefined ? null : `entry-${entry}` },
          fields: {
            user_id: user?.toString(),
            mobile: number?.toString(),
            name,
            city,
            owner_ids: owners,
          },
          person: {
            ...(user !== undefined && { user_id: `user-${user}` }),
            ...(number !== undefined && { area_code: '86', mobile: mobileOf(number) }),
            name,
            city,
            owner_ids: owners,
          },
          newUser: newUser(`made-${sent.id}`),
        })
        if (outcome instanceof Error) return outcome.code
        return { lead_id: outcome.lead_id, user_id: outcome.user_id }
      }
      const expected = (sent: Call) =>
        'lead' in sent ? model.lead(sent.lead, sent.id) : model.create(sent.creation, sent.id)
      const first = start.map((creation, index): Call => ({ id: `user-${index}`, creation }))
      const all: Call[][] = [first, ...batches.map((each) => each.map((sent) => ({ ...sent, id: newId() })))]
      for (const calls of all) {
        const answers = await Promise.all(calls.map(call))
        expect(answers).toEqual(calls.map(expected))
      }
      const byId = (a: { user_id: string }, b: { user_id: string }) => (a.user_id < b.user_id ? -1 : 1)
      const users = await read(
        'select user_id, mobile, email, name, city, owner_ids from users where corp_id = $1',
        corp_id,
      )
      expect(users.sort(byId as never)).toEqual(model.users.sort(byId))
      const leads = await read('select lead_id, user_id, entry_id from leads where corp_id = $1', corp_id)
      const stored = model.leads.map(({ content, ...row }) => row)
      expect(new Set(leads.map((row) => JSON.stringify(row)))).toEqual(
        new Set(stored.map((row) => JSON.stringify(row))),
      )
    }),
    { numRuns: attemptsOf('MATRICULA_LISTS', 30) },
  )
})

/** A second server: a separate module instance with its own batches and connections. */
async function secondServer(): Promise<{ db: Database; storeLead: typeof storeLead }> {
  vi.resetModules()
  const own = await import('../src/people/leads/store-leads.ts')
  const { openDatabase: openOther } = await import('../src/database/database.ts')
  expect(own.storeLead).not.toBe(storeLead)
  const { host, port } = inject('postgres')
  const db = openOther({ host, port, user: 'matricula_app', database: database.name, max: 6 })
  return { db, storeLead: own.storeLead }
}

const leadOf = (n: number, entry_id: string | null, owner: string) => ({
  ...{ lead_id: newId(), app_id: 'race', entry_id, fields: { form1_value: String(n) } },
  person: { area_code: '86', mobile: String(13_900_000_000 + n), name: `Name of ${n}`, owner_ids: [owner] },
  newUser: newUser(),
})

describe('two servers at once', () => {
  let other: Awaited<ReturnType<typeof secondServer>>
  beforeAll(async () => {
    other = await secondServer()
  })
  afterAll(() => other.db.close())

  test('with the same new people in opposite order make each once, and lose no lead and no owner', async () => {
    for (let round = 0; round < 8; round++) {
      const corp_id = await openSchool()
      const people = Array.from({ length: 40 }, (_, n) => n)
      const send = (store: typeof storeLead, db: Database, owner: string, order: number[]) =>
        order.map((n) => store(db.of(corp_id), corp_id, leadOf(n, null, owner)))
      const outcomes = await Promise.all([
        ...send(storeLead, database.app, 'first', people),
        ...send(other.storeLead, other.db, 'second', people.toReversed()),
      ])
      expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([])
      const users = await read('select mobile, name, owner_ids from users where corp_id = $1', corp_id)
      expect(users).toHaveLength(people.length)
      for (const { mobile, name, owner_ids } of users) {
        expect(name).toBe(`Name of ${Number(mobile) - 13_900_000_000}`)
        expect([...(owner_ids as string[])].sort()).toEqual(['first', 'second'])
      }
      expect(await read('select lead_id from leads where corp_id = $1', corp_id)).toHaveLength(80)
    }
  })

  test('that fill the same users in opposite order never deadlock', async () => {
    const corp_id = await openSchool()
    const { host, port } = inject('postgres')
    const pools = [0, 1].map(() =>
      openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 4 }),
    )
    const people = Array.from({ length: 60 }, (_, n) => n)
    const send = (store: typeof storeLead, db: Database, owner: string, order: number[]) =>
      Promise.all(order.map((n) => store(db.of(corp_id), corp_id, leadOf(n, null, owner))))
    await send(storeLead, pools[0]!, 'first of all', people)
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        send(storeLead, pools[0]!, `first ${round}`, people),
        send(other.storeLead, pools[1]!, `second ${round}`, people.toReversed()),
      ])
    }
    // Connections report their counters when they end.
    await Promise.all(pools.map((db) => db.close()))
    const users = await read('select owner_ids from users where corp_id = $1', corp_id)
    for (const { owner_ids } of users) expect(new Set(owner_ids as string[]).size).toBe(21)
    const [{ deadlocks } = {}] = await read(
      'select deadlocks::int from pg_stat_database where datname = current_database() and $1::text is not null',
      corp_id,
    )
    expect(deadlocks).toBe(0)
  })

  test('in separate transactions create one user, and every transaction succeeds', async () => {
    const corp_id = await openSchool()
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        [database.app, other.db][n % 2]!.of(corp_id).transaction((tx) =>
          findOrMakeUser(tx, corp_id, {
            person: { email: ['Ann@example.com', 'ann@example.com'][n % 2]!, owner_ids: [`owner-${n}`] },
            newUser: newUser(),
          }),
        ),
      ),
    )
    expect(made.filter(({ isMade }) => isMade)).toHaveLength(1)
    const users = await read('select user_id, owner_ids from users where corp_id = $1', corp_id)
    expect(users).toHaveLength(1)
    expect(new Set(made.map(({ user }) => user.user_id))).toEqual(new Set([users[0]!.user_id]))
    expect((users[0]!.owner_ids as string[]).length).toBe(40)
  })

  test('with the same entries for different people leave one lead per entry, and no user without a lead', async () => {
    const corp_id = await openSchool()
    const entries = Array.from({ length: 30 }, (_, n) => `entry-${n}`)
    const outcomes = await Promise.all([
      ...entries.map((entry, n) => storeLead(database.app.of(corp_id), corp_id, leadOf(n, entry, 'a'))),
      ...entries
        .toReversed()
        .map((entry, n) => other.storeLead(other.db.of(corp_id), corp_id, leadOf(100 + n, entry, 'b'))),
    ])
    expect(outcomes.filter((outcome) => 'lead_id' in outcome)).toHaveLength(30)
    expect(outcomes.flatMap((outcome) => (outcome instanceof Error ? [outcome.code] : []))).toEqual(
      Array.from({ length: 30 }, () => 40901),
    )
    const [count] = await read(
      `select count(*)::int as users, count(distinct l.user_id)::int as named, count(distinct entry_id)::int as entries
         from users u left join leads l on l.corp_id = u.corp_id and l.user_id = u.user_id where u.corp_id = $1`,
      corp_id,
    )
    expect(count).toEqual({ users: 30, named: 30, entries: 30 })
  })
})

test('blanks that another writer fills between reading and storing a user stay, and owners are added to the current ones', async () => {
  const corp_id = await openSchool()
  const on = database.app.of(corp_id)
  const contact = { area_code: '86', mobile: '13700000000' }
  await findOrMakeUser(on, corp_id, { person: contact, newUser: newUser() })
  const interrupted: Queryable = {
    ...on,
    async transaction(work) {
      await read(
        `update users set name = 'Earlier', owner_ids = '{b,x}', version = version + 1
          where corp_id = $1 and name is null`,
        corp_id,
      )
      return on.transaction(work)
    },
  }
  const person = { ...contact, name: 'Later', city: 'Lyon', owner_ids: ['a', 'b'] }
  await findOrMakeUser(interrupted, corp_id, { person, newUser: newUser() })
  expect(await read('select name, city, owner_ids from users where corp_id = $1', corp_id)).toEqual([
    { name: 'Earlier', city: 'Lyon', owner_ids: ['b', 'x', 'a'] },
  ])
})

test('a concurrent import of orders and leads of the same new people creates each person once', async () => {
  const folder = await openFolder()
  const org = await openImport(database)
  const lines = Array.from({ length: 60 }, (_, n) => `O-${n},86,${13_900_000_000 + (n % 20)},Buyer,CNY,100`)
  const header = 'external_id,area_code,mobile,name,currency,listed_price'
  const file = await folder.file('orders.csv', `${[header, ...lines].join('\n')}\n`)
  const on = database.app.of(org.corp_id)
  const importing = org.import(file)
  const leads: Promise<unknown>[] = []
  for (let round = 0; round < 10; round++) {
    for (let n = 0; n < 20; n++) leads.push(storeLead(on, org.corp_id, leadOf(n, null, `owner-${round}`)))
    await leads.at(-1)
  }
  expect((await importing).rows).toMatchObject({ total: 60, create: 60, reject: 0 })
  const outcomes = await Promise.all(leads)
  await folder.remove()
  expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([])
  const [count] = await org.query(`
    select count(*)::int as users, (select count(distinct user_id)::int from orders where corp_id = $corp) as buyers,
           min(cardinality(owner_ids)) as fewest_owners from users where corp_id = $corp`)
  expect(count).toEqual({ users: 20, buyers: 20, fewest_owners: 10 })
})
