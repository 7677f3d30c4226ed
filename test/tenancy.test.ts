import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../src/access/organizations/manage-organizations.ts'
import { closePeriod } from '../src/backoffice/finance/close-period.ts'
import { createContactHasher, newSealedKey, openKey } from '../src/changes/erasure/contact-hash.ts'
import type { Account, Organization } from '../src/contract/caller.ts'
import type { Endpoint, OrganizationEndpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase, type Queryable } from '../src/database/database.ts'
import { raw } from '../src/database/sql.ts'
import { surveyedTables, tenantTables, walledReferenceTables } from '../src/database/tables.ts'
import { rebuildDerivedData } from '../src/derived/derived-data.ts'
import { administration, endpoints } from '../src/endpoints.ts'
import { createCursors } from '../src/search/cursors.ts'
import { erasableTexts, insertOnlyTables } from './harness/append-only-tables.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { testKeyring } from './harness/keyring.ts'
import { projectPlainOrders } from './harness/orders.ts'
import { ownSql as sql } from './harness/own-sql.ts'
import { type Answer, startTestServer, type TestServer } from './harness/server.ts'
import { tapStatements } from './harness/statement-tap.ts'

/**
 * They have a corp_id but span organizations: organizations, deletions and grants. The key of verified domains begins with the domain,
 * so that each has one owner. Row-level security applies to them too, as a test below shows.
 */
const referenceTables = [
  'organizations',
  'organization_deletions',
  'account_organizations',
  ...walledReferenceTables,
]

/**
 * The rows that a handle sees in addition to those of an organization: those of its credential, before the
 * organization is known. Such a handle writes nothing.
 */
const bySetting = `current_setting('app.corp_id'::text, true)`
const credentialPolicies: Record<string, { sees: string; index: string }> = {
  staff: {
    sees: `((((chr(31) || 'address'::text) || chr(31)) || email_key) = lower(${bySetting}))`,
    index: 'staff_by_address',
  },
  staff_passkeys: {
    sees: `((((chr(31) || 'passkey'::text) || chr(31)) || credential_id) = ${bySetting})`,
    index: 'staff_passkeys_by_credential',
  },
}

describe('the schema', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  const rows = async (text: string) => (await database.superuser.query(text)).rows

  test('every table with a corp_id has forced row-level security for all commands, and is listed', async () => {
    const tables = await rows(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
             (select json_agg(json_build_object('command', p.polcmd, 'permissive', p.polpermissive, 'roles', p.polroles::int[],
                                                'sees', pg_get_expr(p.polqual, p.polrelid),
                                                'writes', pg_get_expr(p.polwithcheck, p.polrelid)))
                from pg_policy p where p.polrelid = c.oid and p.polname = 'organization') as policies,
             (select json_agg(json_build_object('command', p.polcmd, 'sees', pg_get_expr(p.polqual, p.polrelid),
                                                'writes', pg_get_expr(p.polwithcheck, p.polrelid)))
                from pg_policy p where p.polrelid = c.oid and p.polname <> 'organization') as others
        from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
         and a.attname = 'corp_id' and not a.attisdropped
       order by c.relname`)
    const tenant = tables.filter(({ name }) => !referenceTables.includes(name))
    expect(tenant.map(({ name }) => name)).toEqual([...tenantTables].sort())
    const sees = `(corp_id = current_setting('app.corp_id'::text, true))`
    // 0 means every role. Without its own check, the policy for reads also applies to writes.
    const policies = [{ command: '*', permissive: true, roles: [0], sees, writes: null }]
    for (const table of tenant) {
      const lookup = credentialPolicies[table.name]?.sees
      const others = [
        ...(lookup === undefined ? [] : [lookup]),
        ...(surveyedTables.includes(table.name) ? [`(${bySetting} = '*'::text)`] : []),
      ].map((sees) => ({ command: 'r', sees, writes: null }))
      expect({ ...table, others: table.others ?? [] }).toEqual({
        ...{ name: table.name, enabled: true, forced: true, policies, others },
      })
    }
  })

  test('the scope of surveys reads the tables of work only, and writes nothing', async () => {
    const sample = await createTestDatabase('sample')
    const on = sample.app.of('*')
    for (const table of tenantTables) {
      const { rows: stored } = await sample.superuser.query(`select 1 from ${table} limit 1`)
      const seen = await on.query(sql`select 1 as one from ${raw(table)} limit 1`)
      expect([table, seen.length]).toEqual([table, surveyedTables.includes(table) ? stored.length : 0])
    }
    for (const table of surveyedTables) {
      const changed = await on
        .query(sql`update ${raw(table)} set corp_id = corp_id returning 1 as one`)
        .catch(() => [])
      expect([table, changed.length]).toEqual([table, 0])
    }
    await sample.drop()
  })

  test('verified domains have row-level security; a handle bound to one domain sees that domain only', async () => {
    const policies = await rows(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, p.polcmd as command,
             pg_get_expr(p.polqual, p.polrelid) as sees, pg_get_expr(p.polwithcheck, p.polrelid) as writes
        from pg_class c join pg_policy p on p.polrelid = c.oid
       where c.relname in (${list(walledReferenceTables)}) order by p.polcmd`)
    const forced = { name: 'verified_domains', enabled: true, forced: true, writes: null }
    expect(policies).toEqual([
      { ...forced, command: '*', sees: `(corp_id = current_setting('app.corp_id'::text, true))` },
      {
        ...forced,
        command: 'r',
        sees: `((((chr(31) || 'domain'::text) || chr(31)) || domain) = current_setting('app.corp_id'::text, true))`,
      },
    ])
  })

  test('corp_id begins every key of a tenant table and is never null', async () => {
    const leading = await rows(`
      select c.relname as table, i.indexrelid::regclass::text as key,
             pg_get_indexdef(i.indexrelid, 1, true) as first
        from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relname in (${list(tenantTables)})`)
    expect(new Set(leading.map(({ table }) => table))).toEqual(new Set(tenantTables))
    const lookups = Object.values(credentialPolicies).map(({ index }) => index)
    expect(leading.filter(({ first, key }) => first !== 'corp_id' && !lookups.includes(key))).toEqual([])

    const foreign = await rows(`
      select k.conname as key, a.attname as first, f.attname as target, c.relname as table
        from pg_constraint k
        join pg_class c on c.oid = k.conrelid
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
       where k.contype = 'f' and c.relname in (${list(tenantTables)})`)
    expect(foreign.length).toBeGreaterThan(8)
    expect(foreign.filter(({ first, target }) => first !== 'corp_id' || target !== 'corp_id')).toEqual([])

    const nullable = await rows(`
      select c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid
       where a.attname = 'corp_id' and not a.attnotnull and c.relname in (${list(tenantTables)})`)
    expect(nullable).toEqual([])
  })

  test('the role of the server bypasses row-level security nowhere', async () => {
    const [role] = await rows(`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
             (select count(*)::int from pg_class where relowner = r.oid) as owned,
             has_schema_privilege('matricula_app', 'public', 'create') as creates
        from pg_roles r where rolname = 'matricula_app'`)
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      memberships: 0,
      owned: 0,
      creates: false,
    })
  })

  test('the role of the server deletes no accounts, and changes only what administrators change in the console', async () => {
    const granted = await rows(`
      select c.relname as table, array_agg(p order by p) as privileges
        from pg_class c
        cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and has_table_privilege('matricula_app', c.oid, p)
       group by c.relname`)
    const privileges = Object.fromEntries(granted.map((row) => [row.table, row.privileges.join(' ')]))
    expect(privileges).toMatchObject({
      schema_migrations: 'select',
      organizations: 'select',
      accounts: 'insert select',
      account_organizations: 'insert select',
    })
    const narrower: Record<string, string> = {
      ...Object.fromEntries(insertOnlyTables.map((table) => [table, 'insert select'])),
      ...withoutPrivilege,
    }
    for (const table of tenantTables)
      expect(privileges[table], table).toBe(narrower[table] ?? 'delete insert select update')
  })

  test('in facts it changes erasable texts only, and in organizations and accounts the columns of the console', async () => {
    const granted = await rows(`
      select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and not has_table_privilege('matricula_app', c.oid, 'update')
         and has_column_privilege('matricula_app', c.oid, a.attnum, 'update')
       group by c.relname`)
    expect(Object.fromEntries(granted.map(({ table, columns }) => [table, columns.sort()]))).toEqual({
      ...Object.fromEntries(Object.entries(erasableTexts).map(([table, names]) => [table, names.toSorted()])),
      organizations: ['country', 'currency', 'mtime', 'name', 'over_quota', 'pools', 'time_zone'],
      accounts: [
        ...['allowed_networks', 'expires_at', 'is_disabled', 'mtime', 'permissions', 'rate_limit_per_minute'],
        ...['signs_money', 'time_stamps', 'token_epoch'],
      ],
    })
  })
})

/**
 * Two organizations with similar records: the same mobiles, addresses, variable names and entries. The visible texts of
 * the other one contain OTHER, so that any leak is detected.
 */
describe('with the conditions of the statements disabled', () => {
  let server: TestServer
  let tap: { remove(): void }
  let own: School
  let other: School
  let token: string
  let otherBefore: string

  beforeAll(async () => {
    tap = tapStatements(withoutOrganizationChecks)
    server = await startTestServer('matricula', {
      publicUrl: new URL('http://localhost:8080'),
      sendsMail: true,
    })
    own = await makeSchool(server, 'OWN')
    other = await makeSchool(server, 'OTHER')
    const corp_ids = [own.corp_id, other.corp_id]
    const account = await createAccount(
      server.database.owner,
      testKeyring,
      { name: 'Both', corp_ids, permissions: ['read', 'write', 'finance', 'admin'] },
      new Date(),
    )
    token = await server.tokenOf(account)
    otherBefore = await fingerprintOf(other)
  })
  afterAll(async () => {
    await server.close()
    tap.remove()
  })

  test('the statements are really sent without them', () => {
    const text = withoutOrganizationChecks('where t.corp_id = $2 and s.corp_id = t.corp_id and a = $1')
    expect(text).toBe('where $2::text is distinct from chr(1) and true and a = $1')
  })

  test('every operation on records is called', () => {
    const tried = new Set(attemptsOn(other).map(({ id }) => id))
    const wanted = [...endpoints, ...administration].filter(({ scope }) => scope === 'organization')
    expect([...tried].sort()).toEqual(wanted.map(({ id }) => id).sort())
  })

  test('no operation of one organization sees or changes anything of the other', async () => {
    for (const attempt of attemptsOn(other)) {
      const answer = await call(attempt)
      expect(sightOf(answer), `${attempt.id} sees the other organization`).toBeUndefined()
      expect(await fingerprintOf(other), `${attempt.id} changes the other organization`).toBe(otherBefore)
      expect(answer.code, attempt.id).toBe(attempt.expected)
    }
  })

  test('shared contacts lead to the own user', async () => {
    const { data } = await call({ id: 'createUser', input: { area_code: '86', mobile: sharedMobile } })
    expect(data).toEqual({ user_id: own.user_id, is_user_exists: true })
    const byEmail = await call({ id: 'createUser', input: { email: sharedEmail } })
    expect(byEmail.data).toEqual({ user_id: own.user_id, is_user_exists: true })
  })

  test('a use case that confuses the organizations reaches no foreign row', async () => {
    for (const { id, input } of attemptsOn(other)) {
      const outcome = await handleConfused(id, { ...input, corp_id: other.corp_id })
      expect(JSON.stringify(outcome), id).not.toMatch(/OTHER/)
      expect(await fingerprintOf(other), id).toBe(otherBefore)
    }
  })

  test.each(tenantTables)('no statement reaches rows of the other organization in %s', async (table) => {
    const on = server.db.of(own.corp_id)
    const name = raw(table)
    const there = await server.database.superuser.query(`select 1 from ${table} where corp_id in ($1)`, [
      other.corp_id,
    ])
    expect(there.rowCount, 'the test needs a row to look for').toBeGreaterThan(0)
    const columns = await columnsOf(table)
    for (const handle of [on, within(on)]) {
      expect(await handle.query(sql`select corp_id from ${name} where corp_id <> ${own.corp_id}`)).toEqual([])
      // Nothing was moved or created there.
      const refused = { code: '42501' }
      for (const [privilege, change] of [
        [
          'update',
          sql`update ${name} set corp_id = corp_id where corp_id <> ${own.corp_id} returning corp_id`,
        ],
        ['delete', sql`delete from ${name} where corp_id <> ${own.corp_id} returning corp_id`],
      ] as const) {
        const granted = withoutPrivilege[table] ?? 'delete update'
        if (insertOnlyTables.includes(table) || !granted.includes(privilege))
          await expect(handle.query(change)).rejects.toMatchObject(refused)
        else expect(await handle.query(change)).toEqual([])
      }
      await expect(handle.query(sql`update ${name} set corp_id = (${other.corp_id})`)).rejects.toMatchObject(
        refused,
      )
      const copy = sql`
        insert into ${name} (${raw(columns.join())}) select ${raw(columns.map((column) => `(t.copy).${column}`).join())}
          from (select jsonb_populate_record(t, jsonb_build_object('corp_id', ${other.corp_id}::text)) as copy from ${name} t) t`
      if (!['users', 'merged_users'].includes(table))
        await expect(handle.query(copy)).rejects.toMatchObject(refused)
    }
    const user = sql`
      insert into users (corp_id, user_id, pool, ctime, mtime) values (${other.corp_id}, 'intruder', 'public', now(), now())`
    await expect(on.query(user)).rejects.toMatchObject({ code: '42501' })
    expect(await fingerprintOf(other)).toBe(otherBefore)
  })

  test('no statement reaches the verified domains of the other organization', async () => {
    const on = server.db.of(own.corp_id)
    const refused = { code: '42501' }
    for (const handle of [on, within(on)]) {
      for (const statement of [
        sql`select domain from verified_domains where corp_id <> ${own.corp_id}`,
        sql`delete from verified_domains where corp_id <> ${own.corp_id} returning domain`,
      ])
        expect(await handle.query(statement)).toEqual([])
      const move = sql`update verified_domains set corp_id = (${other.corp_id})`
      const give = sql`
        insert into verified_domains (domain, corp_id, verified_at, verified_by)
        values ('given', ${other.corp_id}, now(), 'dns')`
      for (const change of [move, give]) await expect(handle.query(change)).rejects.toMatchObject(refused)
      const take = sql`
        insert into verified_domains (domain, corp_id, verified_at, verified_by)
        values ('OTHER', ${own.corp_id}, now(), 'dns') on conflict (domain) do nothing returning corp_id`
      expect(await handle.query(take)).toEqual([])
    }
  })

  test('without row-level security the same operations reach the other organization', async () => {
    await setWall('disable')
    // Under isolation, the calls created own users with the other's numbers. Now only the other's can be found.
    const made = `corp_id = '${own.corp_id}' and user_id in (select user_id from users where mobile = '${other.mobile}')`
    await server.database.superuser.query(`delete from leads where ${made}`)
    await server.database.superuser.query(`delete from users where ${made}`)
    // The payment and the refund of a school are matched. These are open, so that the lists of open ones show something.
    await server.database.superuser.query(
      `insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, order_price, status, source,
                             completed_time, ctime)
       values ($1, 'open', $2, $3, 50, 'CNY', 50, 'success', 'console', now(), now())`,
      [other.corp_id, other.order_id, other.sub_order_id],
    )
    await server.database.superuser.query(
      `insert into refunds (corp_id, refund_id, order_id, price, returned_price, currency, completed_time, ctime)
       values ($1, 'open', $2, 50, 50, 'CNY', now(), now())`,
      [other.corp_id, other.order_id],
    )
    // An update moves the own register after the other one, so that a read without a filter finds the other one first.
    await server.database.superuser.query(
      `update erasure_registers set last_number = last_number where corp_id = '${own.corp_id}'`,
    )
    try {
      for (const attempt of attemptsOn(other)) {
        // Continues after its response, during the changes of the others.
        if (attempt.id === 'createExport') continue
        const before = await fingerprintOf(other)
        const answer = await call(attempt)
        const isSeen = sightOf(answer) !== undefined || answer.code !== attempt.expected
        const reached = isSeen || (await fingerprintOf(other)) !== before
        expect(reached, `${attempt.id} reaches the other organization`).toBe(
          !namingNothing.includes(attempt.id),
        )
      }
    } finally {
      await setWall('enable')
    }
  })

  function call({ id, input }: Omit<Attempt, 'expected'>): Promise<Answer> {
    return server.call(operation(id), { ...input, corp_id: own.corp_id }, { token })
  }

  /** Values that only the other organization has. */
  function sightOf({ data }: Answer): string | undefined {
    const text = JSON.stringify(data)
    return ['OTHER', other.corp_id, ...other.ids].find(
      (secret) => text.includes(secret) && !echoed(data, secret),
    )
  }

  /** Writes return the sent ids, which is no leak by itself. */
  function echoed(data: unknown, id: string): boolean {
    if (data === id) return true
    const { list = [], missing_ids = [] } = (data ?? {}) as {
      list?: { user_id?: string; outcome?: string }[]
      missing_ids?: string[]
    }
    if (missing_ids.includes(id)) return true
    return list.some(({ user_id, outcome }) => user_id === id && outcome === 'missing')
  }

  async function handleConfused(id: string, input: Record<string, unknown>): Promise<unknown> {
    const endpoint = operation(id) as OrganizationEndpoint
    const account = { app_id: 'confused', permissions: ['read', 'write', 'finance'] } as unknown as Account
    const db = server.db.of(own.corp_id)
    const organization: Organization = {
      ...own,
      name: 'Own',
      time_zone: 'UTC',
      currency: 'CNY',
      country: 'CN',
      is_suspended: false,
      over_quota: [],
      pools: ['alive', 'public'],
    }
    try {
      const context = {
        db,
        account,
        organization,
        cursors: createCursors(),
        now: new Date(),
        newId,
        role: undefined,
        reach: 'everyone' as const,
        keyring: testKeyring,
      }
      return await endpoint.handle(context, input as never)
    } catch (error) {
      return { failure: (error as Error).message }
    }
  }

  /** Written so that the tap does not change it: it must read one organization. */
  async function fingerprintOf(school: School): Promise<string> {
    const parts = tenantTables.map(
      (table) =>
        `select '${table}' as t, md5(string_agg(r::text, '|' order by r::text)) as rows from ${table} r where corp_id in ($1)`,
    )
    // Prepared under a name: planning it takes longer than running it.
    const statement = { name: 'fingerprint', text: parts.join(' union all '), values: [school.corp_id] }
    const { rows } = await server.database.superuser.query(statement)
    return JSON.stringify(rows)
  }

  /** The writable columns. */
  async function columnsOf(table: string): Promise<string[]> {
    const { rows } = await server.database.superuser.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    return rows.map(({ name }) => name)
  }

  async function setWall(how: 'enable' | 'disable'): Promise<void> {
    for (const table of tenantTables) {
      await server.database.superuser.query(`alter table ${table} ${how} row level security`)
    }
  }
})

describe('the organization of a statement', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    for (const corp_id of ['school-a', 'school-b']) {
      await createOrganization(database.owner, { corp_id, name: corp_id }, new Date())
      await insertUser(database.app.of(corp_id), corp_id, corp_id)
    }
  })
  afterAll(() => database.drop())

  test('is empty for the shared handle, which neither sees nor creates tenant rows', async () => {
    for (const table of tenantTables) {
      for (const on of [database.app.shared, within(database.app.shared), database.owner.shared]) {
        // Tables that are not of one organization have no corp_id.
        expect(await on.query(sql`select 1 from ${raw(table)} where corp_id <> ''`), table).toEqual([])
      }
    }
    await expect(insertUser(database.app.shared, 'school-a', 'x')).rejects.toMatchObject({ code: '42501' })
    await expect(insertUser(database.app.shared, '', 'x')).rejects.toMatchObject({
      code: expect.stringMatching(/42501|23503/),
    })
  })

  test('ends with the statement or the transaction, also after a failure', async () => {
    const { host, port } = inject('postgres')
    const single = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 1 })
    const whose = sql`select corp_id from users order by corp_id`
    const steps: ((on: Queryable) => Promise<unknown>)[] = [
      (on) => on.query(whose),
      (on) => on.transaction((tx) => tx.query(whose)),
      (on) => on.query(sql`select 1 / 0`),
      (on) => on.query(sql`select 'unprepared' from nowhere`),
      (on) => on.transaction((tx) => tx.query(sql`select 1 / 0`)),
      (on) =>
        on.transaction(async (tx) => {
          await tx.query(whose)
          throw new Error('given up')
        }),
      (on) => on.transaction(async (tx) => tx.query(sql`select 1 / 0`).catch(() => tx.query(whose))),
    ]
    for (let n = 0; n < 200; n++) {
      const corp_id = n % 2 === 0 ? 'school-a' : 'school-b'
      await steps[n % steps.length]!(single.of(corp_id)).catch(() => {})
      const raw = await single.pool.query(
        `select coalesce(current_setting('app.corp_id', true), '') as corp_id`,
      )
      expect(raw.rows, `after step ${n}`).toEqual([{ corp_id: '' }])
      expect(await single.shared.query(whose)).toEqual([])
      const next = n % 3 === 0 ? 'school-a' : 'school-b'
      expect(await single.of(next).query(whose)).toEqual([{ corp_id: next }])
    }
    await single.close()
  })

  test('is correct for any number of concurrent statements on few connections', async () => {
    const { host, port } = inject('postgres')
    const narrow = openDatabase({ host, port, user: 'matricula_app', database: database.name, max: 2 })
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const corp_id = n % 2 === 0 ? 'school-a' : 'school-b'
        const on = n % 5 === 0 ? within(narrow.of(corp_id)) : narrow.of(corp_id)
        return [corp_id, await on.query<{ corp_id: string }>(sql`select corp_id from users`)] as const
      }),
    )
    for (const [corp_id, rows] of seen) expect(rows).toEqual([{ corp_id }])
    await narrow.close()
  })
})

const sharedMobile = '13800138000'
const sharedEmail = 'shared@example.com'

interface School {
  corp_id: string
  user_id: string
  order_id: string
  sub_order_id: string
  payment_id: string
  tags_group_id: string
  course_id: string
  batch_id: string
  coupon_id: string
  lead_id: string
  refund_id: string
  transfer_id: string
  line_id: string
  second_id: string
  /** Of changes. */
  change_batch_id: string
  /** Of a file of leads. */
  import_id: string
  export_id: string
  document_id: string
  event_id: string
  endpoint_id: string
  mobile: string
  /** The id of an erased person. */
  erased_mobile: string
  entry_id: string
  /** Every id of its records. */
  ids: string[]
}

interface Attempt {
  id: string
  input: Record<string, unknown>
  /** The expected code if the other organization did not exist. */
  expected: number
}

/** No staff account is deleted, and neither links nor tickets change. */
const withoutPrivilege: Record<string, string> = {
  // Only the command line sets quotas.
  quotas: 'select',
  usage_measures: 'insert select update',
  archives: 'select',
  issuers: 'insert select update',
  events: 'delete insert select',
  due_notices: 'delete insert select',
  payment_requests: 'insert select update',
  document_series: 'insert select update',
  staff: 'insert select update',
  staff_links: 'delete insert select',
  spent_tickets: 'delete insert select',
}

/** They create independent records. */
const namingNothing = [
  'createTagGroup',
  'createLeadFile',
  'createBankAccount',
  'listEventTypes',
  'describeOrganization',
  'fetchUsage',
  'createWebhookEndpoint',
]

/** Every operation on records, with the ids of another school. */
function attemptsOn(school: School): Attempt[] {
  const { user_id, order_id, tags_group_id, mobile, entry_id } = school
  const group = {
    name: 'X',
    variable_name: `v${newId()}`,
    description: 'X',
    attribute: 'string',
    category: 'events',
  }
  return [
    { id: 'listTagGroups', input: { category: 'events', start_index: 0, step: 100 }, expected: 0 },
    { id: 'createTagGroup', input: group, expected: 0 },
    { id: 'updateTagGroup', input: { entity_id: tags_group_id, ...group }, expected: 40403 },
    { id: 'deactivateTagGroup', input: { entity_id: tags_group_id }, expected: 40403 },
    { id: 'activateTagGroup', input: { entity_id: tags_group_id }, expected: 40403 },
    { id: 'listUserTags', input: { user_id }, expected: 40401 },
    { id: 'fetchProfile', input: { user_id }, expected: 40401 },
    { id: 'fetchContact', input: { user_id, contact_type: 'email' }, expected: 40401 },
    { id: 'updateOwner', input: { user_id, owner_id: 'intruder', event_type: 'add' }, expected: 40401 },
    { id: 'updatePool', input: { user_id, pool: 'alive' }, expected: 40401 },
    { id: 'fetchOrder', input: { order_id }, expected: 40402 },
    { id: 'listOrders', input: { page_size: 100 }, expected: 0 },
    { id: 'listFinancialRows', input: { page_size: 100, time_range_type: 'modify' }, expected: 0 },
    { id: 'assignUserTag', input: { user_id, tags_group_id, value: 'intruder' }, expected: 40403 },
    { id: 'fetchUser', input: { user_id }, expected: 40401 },
    { id: 'updateUser', input: { user_id, city: 'Intruder' }, expected: 40401 },
    { id: 'updateEmail', input: { user_id, email: 'intruder@example.com' }, expected: 40401 },
    { id: 'updateMobile', input: { user_id, area_code: '86', mobile: '13900000099' }, expected: 40401 },
    { id: 'importLead', input: { area_code: '86', mobile, entry_id, name: 'Intruder' }, expected: 0 },
    { id: 'createUser', input: { area_code: '86', mobile }, expected: 0 },
    ...attemptsOnIntake(school),
    ...attemptsOnBank(school),
    ...attemptsOnLedger(school),
  ]
}

function attemptsOnIntake(school: School): Attempt[] {
  const { user_id, second_id, lead_id, mobile, entry_id, change_batch_id, import_id } = school
  return [
    {
      id: 'importLeads',
      input: { leads: [{ area_code: '86', mobile, entry_id: `${entry_id} too` }] },
      expected: 0,
    },
    { id: 'takeLead', input: { area_code: '86', mobile }, expected: 0 },
    { id: 'fetchLead', input: { lead_id }, expected: 40410 },
    { id: 'listLeads', input: { page_size: 100 }, expected: 0 },
    { id: 'listUsers', input: { page_size: 100 }, expected: 0 },
    { id: 'searchUsers', input: { q: 'OTHER' }, expected: 0 },
    { id: 'listDuplicates', input: { page_size: 100 }, expected: 0 },
    { id: 'listDuplicates', input: { user_id }, expected: 40401 },
    { id: 'claimUser', input: { user_id, owner_id: 'intruder' }, expected: 40401 },
    { id: 'releaseUser', input: { user_id, owner_id: 'intruder' }, expected: 40401 },
    { id: 'createFollowUp', input: { user_id, content: 'Intruder' }, expected: 40401 },
    { id: 'listFollowUps', input: { user_id }, expected: 40401 },
    { id: 'listUserHistory', input: { user_id }, expected: 40401 },
    { id: 'previewMerge', input: { user_id, merged_user_id: second_id }, expected: 40401 },
    { id: 'mergeUsers', input: { user_id, merged_user_id: second_id }, expected: 40401 },
    { id: 'unmergeUsers', input: { merge_id: change_batch_id }, expected: 40416 },
    { id: 'bulkUpdateUsers', input: { user_ids: [user_id], pool: 'dead', dry_run: false }, expected: 0 },
    { id: 'undoChanges', input: { batch_id: change_batch_id }, expected: 40416 },
    { id: 'fetchChanges', input: { batch_id: change_batch_id }, expected: 40416 },
    { id: 'listLeftAloneRecords', input: { batch_id: change_batch_id }, expected: 40416 },
    { id: 'createLeadFile', input: { file_name: 'intruder.csv', bytes: 9 }, expected: 0 },
    { id: 'appendLeadFile', input: { import_id, start: 0, content: 'aW50cnVkZXI=' }, expected: 40417 },
    { id: 'planLeadFile', input: { import_id }, expected: 40417 },
    { id: 'commitLeadFile', input: { import_id }, expected: 40417 },
    { id: 'fetchLeadFile', input: { import_id }, expected: 40417 },
    { id: 'listLeadFiles', input: {}, expected: 0 },
    { id: 'previewLeadFile', input: { import_id }, expected: 40417 },
    { id: 'listLeadFileRows', input: { import_id }, expected: 40417 },
    { id: 'listLeadFileValues', input: { import_id }, expected: 40417 },
    // It has no file that the others could reach.
    { id: 'discardLeadFile', input: { import_id }, expected: 40417 },
  ]
}

const year = new Date().getUTCFullYear()
const thisYear = { start_date: `${year}-01-01`, end_date: `${year}-12-31` }

/** The reversal of a closing, as it is stored. */
const exampleReversal = (mark: string) => ({
  ...{
    corp_id: mark,
    number: 999,
    previous_hash: '',
    closing_number: 998,
    until: '2019-12-31',
    reason: mark,
  },
  ...{ requested_by: mark, approved_by: mark, reversed_at: '2020-01-02T00:00:00.000000Z' },
})

/** The own organization has closed later days already. */
const othersClosing = '2020-01-31'

function attemptsOnLedger(school: School): Attempt[] {
  const { user_id, order_id, sub_order_id, payment_id, course_id, batch_id, coupon_id, endpoint_id } = school
  return [
    { id: 'closePeriod', input: { until: othersClosing }, expected: 40002 },
    { id: 'reverseClosing', input: { until: othersClosing, reason: 'Intruder' }, expected: 40002 },
    { id: 'listClosings', input: { page_size: 100 }, expected: 0 },
    { id: 'createExport', input: { what: 'payments', format: 'csv' }, expected: 0 },
    { id: 'fetchExport', input: { export_id: school.export_id }, expected: 40418 },
    { id: 'listExports', input: {}, expected: 0 },
    { id: 'issueDocument', input: { kind: 'receipt', subject_id: payment_id }, expected: 40406 },
    { id: 'issueDocument', input: { kind: 'invoice', subject_id: order_id }, expected: 40402 },
    {
      id: 'issueDocument',
      input: { kind: 'credit_note', subject_id: school.refund_id },
      expected: 40440,
    },
    { id: 'listDocuments', input: { page_size: 100 }, expected: 0 },
    { id: 'listDocuments', input: { order_id }, expected: 40402 },
    { id: 'listDocuments', input: { payer_id: order_id }, expected: 40442 },
    { id: 'listDocuments', input: { user_id }, expected: 40401 },
    { id: 'fetchDocument', input: { document_id: school.document_id }, expected: 40450 },
    { id: 'printDocument', input: { document_id: school.document_id }, expected: 40450 },
    { id: 'searchOrders', input: { page_size: 100 }, expected: 0 },
    { id: 'readFunnelNumbers', input: { ...thisYear, by: 'channel' }, expected: 0 },
    { id: 'listFunnelLeads', input: { ...thisYear, stage: 'leads', page_size: 100 }, expected: 0 },
    { id: 'readReceiptsNumbers', input: thisYear, expected: 0 },
    { id: 'listDebts', input: { currency: 'CNY', page_size: 100 }, expected: 0 },
    { id: 'listReceiptsRows', input: { ...thisYear, currency: 'CNY', page_size: 100 }, expected: 0 },
    { id: 'describeOrganization', input: {}, expected: 0 },
    { id: 'fetchUsage', input: {}, expected: 0 },
    { id: 'listEvents', input: { limit: 1000 }, expected: 0 },
    { id: 'fetchEvent', input: { event_id: school.event_id }, expected: 40470 },
    { id: 'listRecordEvents', input: { record_id: school.event_id }, expected: 0 },
    { id: 'listEventTypes', input: {}, expected: 0 },
    {
      id: 'createWebhookEndpoint',
      input: { url: `https://example.com/${newId()}`, types: ['*'] },
      expected: 0,
    },
    { id: 'listWebhookEndpoints', input: {}, expected: 0 },
    { id: 'updateWebhookEndpoint', input: { endpoint_id, types: ['*'] }, expected: 40471 },
    { id: 'rotateWebhookSecret', input: { endpoint_id }, expected: 40471 },
    { id: 'pingWebhookEndpoint', input: { endpoint_id }, expected: 40471 },
    { id: 'enableWebhookEndpoint', input: { endpoint_id }, expected: 40471 },
    { id: 'listWebhookDeliveries', input: { endpoint_id }, expected: 40471 },
    { id: 'fetchWebhookDelivery', input: { delivery_id: `${endpoint_id}-1` }, expected: 40472 },
    {
      id: 'replayWebhookDeliveries',
      input: { endpoint_id, delivery_id: `${endpoint_id}-1` },
      expected: 40472,
    },
    { id: 'replayWebhookDeliveries', input: { endpoint_id, all_dead: true }, expected: 40471 },
    { id: 'replayWebhookDeliveries', input: { endpoint_id, from_seq: 1, until_seq: 9 }, expected: 40471 },
    { id: 'removeWebhookEndpoint', input: { endpoint_id }, expected: 40471 },
    { id: 'listAudit', input: { page_size: 100 }, expected: 0 },
    { id: 'exportUser', input: { user_id }, expected: 40401 },
    { id: 'eraseUser', input: { user_id, reason: 'Intruder', confirm_debt: true }, expected: 40401 },
    { id: 'listErasures', input: { page_size: 100 }, expected: 0 },
    { id: 'liftErasure', input: { area_code: '86', mobile: school.erased_mobile }, expected: 40429 },
    { id: 'explainOrder', input: { order_id }, expected: 40402 },
    { id: 'listHistory', input: { order_id }, expected: 40402 },
    { id: 'createOrder', input: { user_id, listed_price: 100 }, expected: 40401 },
    { id: 'createPayment', input: { order_id, price: 1 }, expected: 40402 },
    { id: 'createRefund', input: { order_id, sub_order_id, price: 1, reason: 'Agreed' }, expected: 40402 },
    { id: 'listApprovals', input: { page_size: 100 }, expected: 0 },
    { id: 'approveRequest', input: { request_id: order_id }, expected: 40423 },
    { id: 'declineRequest', input: { request_id: order_id }, expected: 40423 },
    { id: 'voidPayment', input: { payment_id, reason: 'Intruder' }, expected: 40406 },
    { id: 'applyPayment', input: { payment_id, order_id }, expected: 40402 },
    { id: 'unapplyPayment', input: { payment_id, order_id }, expected: 40402 },
    {
      id: 'transferMoney',
      input: { from_order_id: order_id, to_order_id: 'another', price: 1, reason: 'Intruder' },
      expected: 40402,
    },
    { id: 'writeOffOrder', input: { order_id, reason: 'Intruder' }, expected: 40402 },
    { id: 'movePayment', input: { payment_id, to_order_id: order_id, reason: 'Intruder' }, expected: 40406 },
    { id: 'reverseRefund', input: { refund_id: school.refund_id, reason: 'Intruder' }, expected: 40440 },
    { id: 'reverseVoid', input: { payment_id, reason: 'Intruder' }, expected: 40406 },
    {
      id: 'reverseTransfer',
      input: { transfer_id: school.transfer_id, reason: 'Intruder' },
      expected: 40441,
    },
    { id: 'reverseWriteOff', input: { order_id, reason: 'Intruder' }, expected: 40402 },
    { id: 'listOrderMoney', input: { order_id }, expected: 40402 },
    { id: 'requestPayment', input: { order_id }, expected: 40402 },
    { id: 'listPaymentRequests', input: { page_size: 100 }, expected: 0 },
    { id: 'listPaymentRequests', input: { order_id }, expected: 40402 },
    {
      id: 'mailPaymentRequest',
      input: { payment_request_id: school.document_id, token: 'a'.repeat(32) },
      expected: 40451,
    },
    { id: 'revokePaymentRequest', input: { payment_request_id: school.document_id }, expected: 40451 },
    { id: 'listPayments', input: { page_size: 100 }, expected: 0 },
    ...attemptsOnPayers(school),
    { id: 'listRefunds', input: { page_size: 100 }, expected: 0 },
    { id: 'ageDebts', input: { page_size: 100 }, expected: 0 },
    { id: 'explainFigure', input: { figure: 'paid_price', page_size: 100 }, expected: 0 },
    { id: 'explainFigure', input: { figure: 'paid_price', order_id }, expected: 40402 },
    { id: 'createRemark', input: { order_id, content: 'Intruder' }, expected: 40402 },
    { id: 'updateOrder', input: { order_id, version: 1, contract_id: 'intruder' }, expected: 40402 },
    { id: 'updateStatus', input: { order_id, status: 'locked' }, expected: 40402 },
    { id: 'listCourses', input: { page_size: 100 }, expected: 0 },
    { id: 'listBatches', input: { page_size: 100 }, expected: 0 },
    { id: 'listCoupons', input: { page_size: 100 }, expected: 0 },
    { id: 'upsertCourse', input: { course_id, name: 'Intruder' }, expected: 40407 },
    { id: 'upsertBatch', input: { batch_id, name: 'Intruder' }, expected: 40408 },
    { id: 'upsertCoupon', input: { coupon_id, version: 1, description: 'Intruder' }, expected: 40409 },
  ]
}

/** A payer of a school has the id of its order. */
function attemptsOnPayers({ order_id: payer_id, payment_id, user_id }: School): Attempt[] {
  return [
    { id: 'createPayer', input: { name: 'Intruder', user_id }, expected: 40401 },
    { id: 'updatePayer', input: { payer_id, name: 'Intruder' }, expected: 40442 },
    { id: 'listPayers', input: { page_size: 100 }, expected: 0 },
    { id: 'fetchPayer', input: { payer_id }, expected: 40442 },
    { id: 'fetchPayerContact', input: { payer_id, contact_type: 'mobile' }, expected: 40442 },
    { id: 'assignPayer', input: { payment_id, payer_id }, expected: 40442 },
    { id: 'assignPayer', input: { payment_id }, expected: 40406 },
    { id: 'erasePayer', input: { payer_id, reason: 'Intruder', confirm_debt: true }, expected: 40442 },
    { id: 'recordReceipt', input: { payer_id, price: 1 }, expected: 40442 },
    {
      id: 'recordReceipt',
      input: { payer_name: 'X', price: 1, allocations: [{ order_id: payer_id, price: 1 }] },
      expected: 40402,
    },
    { id: 'listUnallocated', input: { payer_id }, expected: 40442 },
    { id: 'fetchPayerStatement', input: { payer_id }, expected: 40442 },
    { id: 'exportPayerStatement', input: { payer_id }, expected: 40442 },
    { id: 'agePayers', input: { page_size: 100 }, expected: 0 },
    { id: 'listCashUps', input: { page_size: 100 }, expected: 0 },
    { id: 'fetchTakings', input: { clerk_id: 'shared', day: '2024-03-11' }, expected: 0 },
    { id: 'createCashUp', input: { clerk_id: 'shared', day: '2024-03-11', lines: [] }, expected: 0 },
  ]
}

/** Bank account, statement and line of a school share one id. */
function attemptsOnBank({ line_id, payment_id }: School): Attempt[] {
  const [account_id, statement_id, line_ids] = [line_id, line_id, [line_id]]
  const balance = { opening_price: 0, closing_price: 0 }
  const since = { start_date: '2000-01-01' }
  const lines = [{ value_date: '2026-01-05', price: 1 }]
  return [
    { id: 'createBankAccount', input: { name: `intruder-${newId()}` }, expected: 0 },
    { id: 'listBankAccounts', input: {}, expected: 0 },
    { id: 'openStatement', input: { account_id, name: 'intruder', ...balance }, expected: 40430 },
    { id: 'appendStatementLines', input: { statement_id, first_number: 9, lines }, expected: 40431 },
    { id: 'listStatements', input: { account_id }, expected: 40430 },
    { id: 'listBankLines', input: { page_size: 100 }, expected: 0 },
    { id: 'listBankLines', input: { statement_id }, expected: 40431 },
    { id: 'matchBankLines', input: { line_ids, payment_ids: [payment_id] }, expected: 40002 },
    {
      id: 'transferBankLines',
      input: { line_id: `out-${line_id}`, other_line_id: line_id },
      expected: 40002,
    },
    { id: 'createStatementFile', input: { account_id, file_name: 'x.csv', bytes: 1 }, expected: 40430 },
    { id: 'appendStatementFile', input: { file_id: line_id, start: 0, content: 'eA==' }, expected: 40432 },
    { id: 'importStatementFile', input: { file_id: line_id }, expected: 40432 },
    { id: 'ignoreBankLines', input: { line_ids, reason: 'Intruder' }, expected: 40002 },
    { id: 'unmatchBankLines', input: { line_ids }, expected: 40002 },
    { id: 'listUnmatchedPayments', input: { end_date: '2099-12-31', ...since }, expected: 0 },
    { id: 'listUnmatchedRefunds', input: {}, expected: 0 },
    { id: 'confirmCertainMatches', input: { statement_id }, expected: 40431 },
  ]
}

function operation(id: string): Endpoint {
  return [...endpoints, ...administration].find((endpoint) => endpoint.id === id)!
}

/** One row in every tenant table, marked; its user has the contacts that both schools know, a second one its own. */
async function makeSchool(server: TestServer, mark: string): Promise<School> {
  const id = () => `${mark.toLowerCase()}${newId()}`
  const [corp_id, user_id, second_id, order_id, tags_group_id, sub_order_id, payment_id, lead_id] =
    Array.from({ length: 8 }, id) as [string, string, string, string, string, string, string, string]
  const [course_id, batch_id, coupon_id, refund_id, transfer_id, line_id] = Array.from({ length: 6 }, id) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [mobile, entry_id] = mark === 'OWN' ? ['13900139001', 'entry-1'] : ['13900139002', 'entry-2']
  await createOrganization(server.database.owner, { corp_id, name: mark }, new Date())
  const run = (text: string, values: unknown[] = []) =>
    server.database.superuser.query(text.replaceAll('CORP', `'${corp_id}'`).replaceAll('MARK', mark), values)
  await run(
    `insert into users (corp_id, user_id, name, area_code, mobile, email, company_name, pool, ctime, mtime)
     values (CORP, $1, 'MARK', '86', $2, $3, 'MARK', 'public', now(), now()),
            (CORP, $4, 'MARK', '86', $5, null, 'MARK', 'public', now(), now())`,
    [user_id, sharedMobile, sharedEmail, second_id, mobile],
  )
  await run(
    `insert into tag_groups (corp_id, entity_id, name, variable_name, description, attribute, category, type, ctime, mtime)
     values (CORP, $1, 'MARK', 'shared', 'MARK', 'string', 'events', 'custom', now(), now())`,
    [tags_group_id],
  )
  await run(
    `insert into user_tags (corp_id, entity_id, user_id, tags_group_id, attribute, string_value, source, executor_id, ctime, mtime)
     values (CORP, $1, $2, $3, 'string', 'MARK', 'open_api', 'MARK', now(), now())`,
    [id(), user_id, tags_group_id],
  )
  await run(
    `insert into leads (corp_id, lead_id, user_id, entry_id, app_id, fields, ctime)
     values (CORP, $1, $2, 'shared', 'MARK', '{"name": "MARK", "utm_source": "MARK"}', now()),
            (CORP, $3, $2, $4, 'MARK', '{}', now())`,
    [lead_id, user_id, id(), entry_id],
  )
  await run(
    `insert into orders (corp_id, order_id, user_id, external_id, type, source, status, currency, listed_price,
                         discounted_price, total_price, course_code, user_copy, ctime, mtime)
     values (CORP, $1, $2, 'shared', 'course', 'open_api', 'pending', 'CNY', 100, 100, 100, 'MARK', '{"name": "MARK"}', now(), now())`,
    [order_id, user_id],
  )
  await run(
    `insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, ctime, mtime)
     values (CORP, $1, $2, 1, 'full', 'pending', 'CNY', 100, now(), now())`,
    [sub_order_id, order_id],
  )
  await run(
    `insert into payers (corp_id, payer_id, kind, name, remarks, ctime, mtime)
     values (CORP, $1, 'other', 'MARK', 'MARK', now(), now())`,
    [order_id],
  )
  await run(
    `insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, order_price, status, source,
                           charge_id, comments, completed_time, ctime)
     values (CORP, $1, $2, $3, 50, 'CNY', 50, 'success', 'console', 'shared', 'MARK', now(), now())`,
    [payment_id, order_id, sub_order_id],
  )
  await run(
    `insert into receipts (corp_id, payment_id, order_id, year, number, token, at) values (CORP, $1, $2, 2026, 1, 'MARK', now())`,
    [payment_id, order_id],
  )
  await run(
    `insert into refunds (corp_id, refund_id, order_id, sub_order_id, payment_id, price, returned_price, currency, reason,
                          completed_time, ctime)
     values (CORP, $1, $2, $3, $4, 10, 10, 'CNY', 'MARK', now(), now())`,
    [refund_id, order_id, sub_order_id, payment_id],
  )
  await run(
    `insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
     values (CORP, $1, $2, $3, 50, now(), 'MARK')`,
    [payment_id, order_id, sub_order_id],
  )
  await run(
    `insert into payment_voids (corp_id, payment_id, order_id, price, reason, at) values (CORP, $1, $2, 1, 'MARK', now())`,
    [payment_id, order_id],
  )
  await run(
    `insert into payment_moves (corp_id, payment_id, to_payment_id, order_id, price, reason, at)
     values (CORP, $1, $1, $2, 1, 'MARK', now())`,
    [payment_id, order_id],
  )
  await run(
    `insert into refund_reversals (corp_id, refund_id, order_id, price, reason, at)
     values (CORP, $1, $2, 10, 'MARK', now())`,
    [refund_id, order_id],
  )
  await run(
    `insert into refund_allocations (corp_id, refund_id, payment_id, order_id, sub_order_id, price, at)
     values (CORP, $1, $2, $3, $4, 10, now())`,
    [refund_id, payment_id, order_id, sub_order_id],
  )
  for (const table of ['order_retentions', 'order_write_offs']) {
    const [column, value] =
      table === 'order_write_offs' ? [', sub_order_id', `, '${sub_order_id}'`] : ['', '']
    await run(
      `insert into ${table} (corp_id, order_id, price, reason, at${column}) values (CORP, $1, 1, 'MARK', now()${value})`,
      [order_id],
    )
  }
  await run(
    `insert into order_transfers (corp_id, transfer_id, from_order_id, to_order_id, price, reason, at)
     values (CORP, $1, $2, $2, 1, 'MARK', now())`,
    [transfer_id, order_id],
  )
  await run(
    `insert into order_remarks (corp_id, remark_id, order_id, content, executor_id, ctime)
     values (CORP, $1, $2, 'MARK', 'MARK', now())`,
    [id(), order_id],
  )
  await run(
    `insert into courses (corp_id, course_id, course_code, name, currency, listed_price, ctime, mtime)
     values (CORP, 'shared', 'shared', 'MARK', 'CNY', 100, now(), now()), (CORP, $1, 'MARK', 'MARK', 'CNY', 100, now(), now())`,
    [course_id],
  )
  await run(
    `insert into batches (corp_id, batch_id, course_id, name, ctime, mtime)
     values (CORP, 'shared', 'shared', 'MARK', now(), now()), (CORP, $1, $2, 'MARK', now(), now())`,
    [batch_id, course_id],
  )
  await run(
    `insert into coupons (corp_id, coupon_id, description, basis_points, ctime, mtime)
     values (CORP, 'shared', 'MARK', 500, now(), now()), (CORP, $1, 'MARK', 500, now(), now())`,
    [coupon_id],
  )
  await run(`insert into ledger_clocks (corp_id, instant_us) values (CORP, 0) on conflict do nothing`)
  await run(
    `insert into order_versions (corp_id, order_id, version, at, change, to_status, record)
     values (CORP, $1, 1, now(), 'create', 'pending', '{"name": "MARK"}')`,
    [order_id],
  )
  await run(
    `insert into ledger_chain (corp_id, seq, order_id, version, at, content_hash, hash)
     values (CORP, 1000, $1, 1, now(), 'MARK', 'MARK')`,
    [order_id],
  )
  await run(
    `insert into closings (corp_id, number, until, as_of, document, at)
     values (CORP, 1000, $1, '2020-02-01', $2, now()), (CORP, 998, '2019-12-31', '2020-01-01', $2, now())`,
    [
      mark === 'OWN' ? '2021-01-31' : othersClosing,
      JSON.stringify({ ...closePeriod.example.data, corp_id: mark }),
    ],
  )
  await run(
    `insert into closing_reversals (corp_id, number, closing_number, document, executor_id, at)
     values (CORP, 999, 998, $1, 'MARK', now())`,
    [JSON.stringify(exampleReversal(mark))],
  )
  await run(
    `insert into order_import_rows (corp_id, external_id, order_id, row_hash, members, imported_at)
     values (CORP, 'shared', $1, 'MARK', '{"remark": "MARK"}', now())`,
    [order_id],
  )
  await run(
    `insert into idempotency_keys (corp_id, app_id, key, body_hash, response, ctime)
     values (CORP, 'shared', 'shared', 'MARK', 'MARK', now())`,
  )
  await run(
    `insert into user_events (corp_id, user_id, version, at, event, executor_id, before, after)
     values (CORP, $1, 1, now(), 'pool_changed', 'MARK', '{}', '{"pool": "MARK"}')`,
    [user_id],
  )
  await run(
    `insert into user_follow_ups (corp_id, follow_up_id, user_id, content, executor_id, ctime)
     values (CORP, $1, $2, 'MARK', 'MARK', now())`,
    [id(), user_id],
  )
  await run(
    `insert into user_claims (corp_id, user_id, owner_id, claimed_at, active_at) values (CORP, $1, 'MARK', now(), now())`,
    [second_id],
  )
  await run(`insert into claim_days (corp_id, owner_id, day, claims) values (CORP, 'MARK', now()::date, 1)`)
  await run(`insert into reveal_hours (corp_id, staff_id, hour, reveals) values (CORP, 'MARK', now(), 1)`)
  await run(`insert into claim_rules (corp_id, most_held) values (CORP, 1000)`)
  await run(
    `insert into counsellor_rules (corp_id, discount_basis_points, records_payments) values (CORP, 10000, true)`,
  )
  await run(
    `insert into money_limits (corp_id, kind, currency, price, mtime) values (CORP, 'refund', 'CNY', 1000000000, now())`,
  )
  await run(
    `insert into approval_requests (corp_id, request_id, kind, order_id, price, currency, input, requested_by, at)
     select CORP, id, 'refund', $1, 1, 'CNY', '{"reason": "MARK"}', 'MARK', now() from unnest(array[$1, 'decided']) as id`,
    [order_id],
  )
  await run(
    `insert into approval_decisions (corp_id, request_id, outcome, reason, decided_by, at)
     values (CORP, 'decided', 'declined', 'MARK', 'MARK', now())`,
  )
  await run(
    `insert into limit_requests (corp_id, request_id, kind, before, wanted, requested_by, acting_for, at)
     select CORP, id, 'refund', '{"CNY": 1000000000}', '{}', 'MARK', '{MARK}', now() from unnest(array[$1, 'decided']) as id`,
    [order_id],
  )
  await run(
    `insert into limit_decisions (corp_id, request_id, outcome, decided_by, at)
     values (CORP, 'decided', 'declined', 'MARK', now())`,
  )
  await run(
    `insert into console_views (corp_id, view_id, staff_id, screen, name, filters, ctime, mtime)
     values (CORP, 'MARK', 'MARK', 'people', 'MARK', 'MARK', now(), now())`,
  )
  await server.db.of(corp_id).transaction((tx) => projectPlainOrders(tx, corp_id, [order_id]))
  await rebuildDerivedData(server.db.of(corp_id), corp_id)
  await run(
    `insert into cash_ups (corp_id, cash_up_id, clerk_id, day, entry, reason, at)
     values (CORP, $1, 'shared', $2, 1, 'MARK', now())`,
    [line_id, mark === 'OWN' ? '2024-03-10' : '2024-03-11'],
  )
  await run(
    `insert into cash_up_lines (corp_id, cash_up_id, method, currency, payments, taken_price, returned_price, counted_price)
     values (CORP, $1, 'MARK', 'CNY', 1, 1, 0, 1)`,
    [line_id],
  )
  await run(
    `insert into bank_accounts (corp_id, account_id, name, provider, currency, opening_price, ctime)
     values (CORP, $1, 'MARK', 'MARK', 'CNY', 0, now()), (CORP, $2, 'MARK 2', 'MARK', 'CNY', 0, now())`,
    [line_id, `out-${line_id}`],
  )
  await run(
    `insert into bank_statements (corp_id, statement_id, account_id, name, opening_price, closing_price, ctime)
     values (CORP, $1, $1, 'MARK', 0, 100, now()), (CORP, $2, $2, 'MARK', 0, -100, now())`,
    [line_id, `out-${line_id}`],
  )
  await run(
    `insert into completed_statements (corp_id, statement_id, from_date, until_date, at)
     values (CORP, $1, '2024-03-11', '2024-03-11', now())`,
    [line_id],
  )
  await run(
    `insert into bank_files (corp_id, file_id, account_id, file_name, bytes, received, state, ctime, mtime)
     values (CORP, $1, $1, 'MARK', 4, 4, 'uploading', now(), now())`,
    [line_id],
  )
  await run(
    `insert into bank_file_pieces (corp_id, file_id, start, bytes) values (CORP, $1, 0, convert_to('MARK', 'UTF8'))`,
    [line_id],
  )
  await run(
    `insert into statement_lines (corp_id, line_id, statement_id, number, provider, description, price, currency, value_date, ctime)
     values (CORP, $1, $1, 1, 'MARK', 'MARK', 100, 'CNY', '2024-03-11', now())`,
    [line_id],
  )
  await run(
    `insert into statement_line_states (corp_id, line_id, account_id, statement_id, state, value_date, price)
     values (CORP, $1, $1, $1, 'open', '2024-03-11', 100)`,
    [line_id],
  )
  await run(
    `insert into statement_lines (corp_id, line_id, statement_id, number, provider, description, price, currency, value_date, ctime)
     values (CORP, $1, $1, 1, 'MARK', 'MARK', -100, 'CNY', '2024-03-11', now())`,
    [`out-${line_id}`],
  )
  await run(
    `insert into statement_line_states (corp_id, line_id, account_id, statement_id, state, value_date, price)
     values (CORP, $1, $1, $1, 'open', '2024-03-11', -100)`,
    [`out-${line_id}`],
  )
  await run(
    `insert into statement_sums (corp_id, statement_id, account_id, state, is_incoming, lines, price)
     values (CORP, $1, $1, 'open', true, 1, 100), (CORP, $2, $2, 'open', false, 1, -100)`,
    [line_id, `out-${line_id}`],
  )
  await run(
    `insert into statement_matches (corp_id, match_id, line_id, payment_id, price, rule, reason, at)
     values (CORP, $1, $1, $2, 100, 'by_hand', 'MARK', now())`,
    [line_id, payment_id],
  )
  await run(`insert into statement_match_undos (corp_id, match_id, at) values (CORP, 'MARK', now())`)
  const [change_batch_id, import_id] = [id(), id()] as [string, string]
  await run(
    `insert into change_batches (corp_id, batch_id, kind, root_kind, executor_id, is_complete, records, ctime, mtime)
     values (CORP, $1, 'user_merge', 'user_merge', 'MARK', true, 1, now(), now())`,
    [change_batch_id],
  )
  await run(
    `insert into bulk_edit_parts (corp_id, batch_id, number, user_ids) values (CORP, $1, 1, array['MARK'])`,
    [change_batch_id],
  )
  await run(
    `insert into change_batch_records (corp_id, batch_id, position, record_type, record_id, before, after)
     values (CORP, $1, 0, 'user', $2, '{"name": "MARK"}', '{"name": "MARK too"}')`,
    [change_batch_id, user_id],
  )
  await run(
    `insert into lead_imports (corp_id, import_id, file_name, state, bytes, received, executor_id, ctime, mtime)
     values (CORP, $1, 'MARK.csv', 'planned', 4, 4, 'MARK', now(), now())`,
    [import_id],
  )
  await run(
    `insert into lead_import_pieces (corp_id, import_id, start, bytes) values (CORP, $1, 0, 'MARK')`,
    [import_id],
  )
  await run(
    `insert into lead_import_rows (corp_id, import_id, row, outcome, reason) values (CORP, $1, 2, 'reject', 'MARK')`,
    [import_id],
  )
  await run(
    `insert into column_mappings (corp_id, header_hash, mapping, mtime) values (CORP, 'MARK', '{"MARK": "name"}', now())`,
  )
  await run(
    `insert into merged_users (corp_id, merged_user_id, user_id, merge_id) values (CORP, 'MARK', $1, $2)`,
    [user_id, change_batch_id],
  )
  const export_id = id()
  await run(
    `insert into finance_exports (corp_id, export_id, what, format, as_of, state, token, executor_id, ctime)
     values (CORP, $1, 'payments', 'csv', now(), 'done', 'MARK', 'MARK', now())`,
    [export_id],
  )
  await run(
    `insert into finance_export_pieces (corp_id, export_id, seq, content) values (CORP, $1, 1, 'MARK')`,
    [export_id],
  )
  await run(
    `insert into facet_slices (corp_id, list, facet, day, slice) values (CORP, 'users', 'MARK', '2026-01-01', 0)`,
  )
  await run(`insert into search_postings (corp_id, key, segment, members) values (CORP, 'MARK', 0, '')`)
  await run(`insert into modified_records (corp_id, list, id, time) values (CORP, 'users', $1, now())`, [
    user_id,
  ])
  const event_id = id()
  await run(`insert into event_feeds (corp_id, epoch, length, linked) values (CORP, '0', 1, 0)`)
  await run(
    `insert into events (corp_id, seq, event_id, type, at, record_type, record_id, changed, related, actor_kind, actor_id)
     values (CORP, 1, $1, 'ping', now(), 'MARK', $1, '["MARK"]', '{"user_id": "MARK"}', 'account', 'MARK')`,
    [event_id],
  )
  await run(
    `insert into due_notices (corp_id, kind, record_id, at) values (CORP, 'follow_up.due', 'MARK', now())`,
  )
  const endpoint_id = id()
  await run(
    `insert into webhook_endpoints (corp_id, endpoint_id, url, types, description, is_enabled, version, ctime, mtime)
     values (CORP, $1, 'https://example.com/MARK', '{*}', 'MARK', true, 1, now(), now())`,
    [endpoint_id],
  )
  await run(
    `insert into webhook_secrets (corp_id, endpoint_id, secret_id, secret_box, secret_key_id, ctime)
     values (CORP, $1, 'MARK', 'MARK', 'MARK', now())`,
    [endpoint_id],
  )
  await run(`insert into webhook_cursors (corp_id, endpoint_id, seq) values (CORP, $1, 1)`, [endpoint_id])
  await run(
    `insert into webhook_deliveries (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at, ctime, mtime)
     values (CORP, $1, 1, $2, 'ping', 'dead', 1, 1, now(), now(), now())`,
    [endpoint_id, event_id],
  )
  await run(
    `insert into webhook_attempts (corp_id, endpoint_id, seq, attempt, at, duration_ms, error, response)
     values (CORP, $1, 1, 1, now(), 1, 'timeout', 'MARK')`,
    [endpoint_id],
  )
  const document_id = id()
  await run(`insert into document_series (corp_id, kind, year, number) values (CORP, 'invoice', 2026, 1)`)
  await run(
    `insert into documents (corp_id, document_id, kind, year, number, subject_id, order_id, price, currency, content,
                            personal, token, executor_id, at)
     values (CORP, $1, 'invoice', 2026, 1, $2, $2, 100, 'CNY', '{"issuer": {"legal_name": "MARK"}}', '{"payer": "MARK"}',
             'MARK', 'MARK', now())`,
    [document_id, order_id],
  )
  await run(
    `insert into payment_references (corp_id, reference, order_id, ctime) values (CORP, 'MARK', $1, now())`,
    [order_id],
  )
  await run(
    `insert into payment_requests (corp_id, payment_request_id, order_id, token_hash, price, currency, held_price, note,
                                   expires_at, ctime)
     values (CORP, $1, $2, encode(sha256(repeat('a', 32)::bytea), 'hex'), 100, 'CNY', 0, 'MARK', now() + interval '1 day', now())`,
    [document_id, order_id],
  )
  await run(
    `insert into issuers (corp_id, legal_name, address, tax_number, bank_name, bank_account_name, bank_account_number,
                          bank_code, logo_id, mtime)
     values (CORP, 'MARK', 'MARK', 'MARK', 'MARK', 'MARK', 'MARK', 'MARK', 'MARK', now())`,
  )
  await run(
    `insert into issuer_logos (corp_id, logo_id, type, content, ctime) values (CORP, 'MARK', 'image/png', 'MARK', now())`,
  )
  await run(
    `insert into audit_entries (corp_id, entry_id, actor_kind, actor_id, operation, action, record_type, record_id)
     values (CORP, 'MARK', 'account', 'MARK', 'MARK', 'made', 'MARK', 'MARK')`,
  )
  await run(
    `insert into audit_personal (corp_id, person_id, entry_id, salt, content) values (CORP, 'MARK', 'MARK', 'MARK', 'MARK')`,
  )
  await run(
    `insert into audit_links (corp_id, seq, entry_id, content_hash, hash) values (CORP, 1, 'MARK', 'MARK', 'MARK')`,
  )
  await run(`insert into audit_heads (corp_id, head, length) values (CORP, 'MARK', 1) on conflict do nothing`)
  await run(`insert into audit_waiting (corp_id, entry_id) values (CORP, 'MARK')`)
  await run(
    `insert into verified_heads (corp_id, chain, secret_box, secret_key_id) values (CORP, 'audit', '', 'MARK')`,
  )
  await run(
    `insert into archives (corp_id, archive_id, kind, made_at, older_than, rows, sha256)
     values (CORP, 'MARK', 'changes', now(), now(), 0, '')`,
  )
  await run(
    `insert into erased_users (corp_id, user_id, executor_id, reason, at) values (CORP, 'MARK', 'MARK', 'MARK', now())`,
  )
  const erased_mobile = mark === 'OWN' ? '13900139003' : '13900139004'
  const key = newSealedKey(testKeyring, corp_id)
  await run(`insert into erasure_registers (corp_id, secret_box, secret_key_id) values (CORP, $1, $2)`, [
    key.secret_box,
    key.secret_key_id,
  ])
  await run(
    `insert into erasure_tombstones (corp_id, contact_hash, kind, user_id, number, at) values (CORP, $1, 'mobile', 'MARK', 0, now())`,
    [createContactHasher(openKey(testKeyring, corp_id, key)).mobile('86', erased_mobile)],
  )
  await run(`insert into retention_rules (corp_id, lead_months) values (CORP, 1000)`)
  await run(
    `insert into usage_days (corp_id, day, program_calls, staff_calls, mtime) values (CORP, '2026-01-01', 1, 1, now())`,
  )
  await run(
    `insert into usage_measures (corp_id, measured_at, next_at, checked_at, rows, bytes)
     values (CORP, now(), now(), now(), '{"MARK": 1}', 0)`,
  )
  await run(`insert into quotas (corp_id, rows, mtime) values (CORP, 1000000000, now())`)
  await run(
    `insert into access_grants (corp_id, account_id, granted_by, at) values (CORP, 'MARK', 'MARK', now())`,
  )
  await run(
    `insert into staff (corp_id, staff_id, email, name, role, ctime, mtime)
     values (CORP, 'MARK', 'shared@staff.example', 'MARK', 'admin', now(), now())`,
  )
  await run(
    `insert into staff_sessions (corp_id, session_hash, staff_id, is_vouched, ctime, seen_at, confirmed_at)
     values (CORP, 'MARK', 'MARK', false, now(), now(), now())`,
  )
  await run(
    `insert into staff_links (corp_id, link_hash, staff_id, purpose, expires_at, ctime)
     values (CORP, 'MARK', 'MARK', 'password', now() + interval '1 day', now())`,
  )
  await run(
    `insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime)
     values (CORP, 'shared', 'MARK', 'MARK', 'MARK', 0, '{}', now())`,
  )
  await run(
    `insert into spent_tickets (corp_id, ticket_hash, ends_at) values (CORP, 'MARK', now() + interval '1 day')`,
  )
  await run(
    `insert into support_grants (corp_id, grant_id, email, name, role, granted_by, ctime, ends_at)
     values (CORP, 'MARK', 'MARK@operator.example', 'MARK', 'viewer', 'MARK', now(), now() + interval '1 day')`,
  )
  await run(
    `insert into support_sessions (corp_id, session_hash, grant_id, ctime, seen_at)
     values (CORP, 'MARK', 'MARK', now(), now())`,
  )
  await run(
    `insert into mails (corp_id, mail_id, kind, cause, record_type, record_id, language, secret_box, secret_key_id, state,
                        next_at, executor_id, ctime, mtime)
     values (CORP, 'MARK', 'invitation', 'MARK', 'staff', 'MARK', 'en', 'MARK', 'MARK', 'waiting', now(), 'MARK', now(), now())`,
  )
  await run(
    `insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails,
                                    ctime, mtime)
     values (CORP, 'https://MARK.example', 'MARK', 'MARK', 'MARK', '{staff.example}', false, now(), now())`,
  )
  await run(
    `insert into sign_in_domains (corp_id, domain, token, requested_at) values (CORP, 'MARK', 'MARK', now())`,
  )
  await run(
    `insert into verified_domains (domain, corp_id, verified_at, verified_by) values ('MARK', CORP, now(), 'dns')`,
  )
  const changes = { second_id, change_batch_id, import_id, export_id, document_id, event_id, endpoint_id }
  const offerings = { course_id, batch_id, coupon_id, refund_id, transfer_id, line_id, ...changes }
  const ids = [user_id, second_id, order_id, tags_group_id, sub_order_id, payment_id, lead_id]
  return {
    corp_id,
    user_id,
    order_id,
    sub_order_id,
    payment_id,
    tags_group_id,
    ...offerings,
    lead_id,
    mobile,
    erased_mobile,
    entry_id,
    ids: [...ids, ...Object.values(offerings)],
  }
}

/** Every comparison of an organization becomes true; the parameter stays, so that its type is still known. */
function withoutOrganizationChecks(text: string): string {
  return text
    .replaceAll(/(?:\w+\.)?corp_id = \$(\d+)/g, '$$$1::text is distinct from chr(1)')
    .replaceAll(/\w+\.corp_id = \w+\.corp_id/g, 'true')
}

function within(on: Queryable): Queryable {
  return { ...on, query: (statement) => on.transaction((tx) => tx.query(statement)) }
}

async function insertUser(on: Queryable, corp_id: string, user_id: string): Promise<void> {
  await on.query(sql`
    insert into users (corp_id, user_id, pool, ctime, mtime) values (${corp_id}, ${user_id}, 'public', now(), now())`)
}

function list(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
