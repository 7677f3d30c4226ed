import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { ownSql as sql } from '../../test/harness/own-sql.ts'
import { findPasskeys } from '../access/staff/passkeys/passkey-store.ts'
import { findAccountsByAddress } from '../access/staff/staff-store.ts'
import { credentialScope } from './credential-scope.ts'
import { type Database, openDatabase } from './database.ts'
import type { QueryMode } from './query-mode.ts'
import { raw } from './sql.ts'
import { tenantTables } from './tables.ts'

let database: TestDatabase
const [e, l] = ['school-e', 'school-l']
const [shared, ofL] = [`O'Neill.Ünal@Staff.example`, 'only@l.example']

beforeAll(async () => {
  database = await createTestDatabase()
  const run = (text: string, values: unknown[]) => database.superuser.query(text, values)
  for (const corp_id of [e, l]) {
    await run(`insert into organizations (corp_id, name, ctime, mtime) values ($1, $1, now(), now())`, [
      corp_id,
    ])
    const people = corp_id === l ? [shared, ofL] : [shared]
    for (const email of people) {
      const row = [corp_id, email]
      await run(
        `insert into staff (corp_id, staff_id, email, name, role, ctime, mtime) values ($1, $2, $2, $1, 'admin', now(), now())`,
        row,
      )
      await run(
        `insert into staff_sessions (corp_id, session_hash, staff_id, is_vouched, ctime, seen_at, confirmed_at)
         values ($1, $2, $2, false, now(), now(), now())`,
        row,
      )
      await run(
        `insert into staff_links (corp_id, link_hash, staff_id, purpose, expires_at, ctime)
         values ($1, $2, $2, 'password', now(), now())`,
        row,
      )
      await run(
        `insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime)
         values ($1, case when $2 = $3 then 'shared' else 'own' end, $2, 'x', 'x', 0, '{}', now())`,
        [...row, shared],
      )
    }
    await run(`insert into spent_tickets (corp_id, ticket_hash, ends_at) values ($1, 'x', now())`, [corp_id])
    await run(
      `insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails, ctime, mtime)
       values ($1, 'x', 'x', 'x', 'x', array[$1 || '.example'], false, now(), now())`,
      [corp_id],
    )
    await run(
      `insert into access_grants (corp_id, account_id, granted_by, at) values ($1, 'x', 'y', now())`,
      [corp_id],
    )
  }
})
afterAll(() => database?.drop())

const identityTables = [
  ...['staff', 'staff_sessions', 'staff_links', 'staff_passkeys', 'spent_tickets', 'sign_in_providers'],
  'access_grants',
]

/** Every way in which statements can be sent. */
describe.each<[string, QueryMode, string]>([
  ['prepared', { prepared: true, sharded: false }, 'matricula_app'],
  ['unnamed', { prepared: false, sharded: false, role: 'matricula_app' }, 'postgres'],
  ['sharded', { prepared: true, sharded: true }, 'matricula_app'],
])('statements that are %s', (_, queryMode, user) => {
  let db: Database
  beforeAll(() => {
    const { host, port } = inject('postgres')
    db = openDatabase({ host, port, user, database: database.name, max: 2, queryMode })
  })
  afterAll(() => db?.close())

  /** The organizations of the rows that a handle sees, by table; tables of which it sees none are left out. */
  async function seenBy(scope: string): Promise<Record<string, string[]>> {
    const seen: Record<string, string[]> = {}
    for (const table of tenantTables) {
      const rows = await db
        .of(scope)
        .query<{ corp_id: string }>(sql`select corp_id from ${raw(table)} order by corp_id`)
      if (rows.length > 0) seen[table] = rows.map(({ corp_id }) => corp_id)
    }
    return seen
  }

  test('see every identity table of their organization, and of no other', async () => {
    const ofE = await seenBy(e!)
    expect(Object.keys(ofE).sort()).toEqual(identityTables.toSorted())
    for (const corp_ids of Object.values(ofE)) expect(new Set(corp_ids)).toEqual(new Set([e]))
  })

  test('see nothing without an organization, or with an incomplete scope', async () => {
    for (const scope of ['', '\u001f', '\u001faddress\u001f', '\u001fpasskey\u001f', '\u001fdomain\u001f'])
      expect(await seenBy(scope), JSON.stringify(scope)).toEqual({})
  })

  test('that are bound to an address see its accounts and nothing else', async () => {
    expect(await seenBy(credentialScope('address', shared!))).toEqual({ staff: [e, l] })
    expect(await seenBy(credentialScope('address', ofL!.toUpperCase()))).toEqual({ staff: [l] })
    expect(await seenBy(credentialScope('address', '%@l.example'))).toEqual({})
    expect(await seenBy(credentialScope('address', 'nobody@l.example'))).toEqual({})
    const found = await findAccountsByAddress(db.of, shared!.toLowerCase())
    expect(found.map(({ corp_id, staff_id }) => [corp_id, staff_id])).toEqual([
      [e, shared],
      [l, shared],
    ])
  })

  test('that are bound to a passkey see its rows and nothing else', async () => {
    expect(await seenBy(credentialScope('passkey', 'shared'))).toEqual({ staff_passkeys: [e, l] })
    expect(await seenBy(credentialScope('passkey', 'own'))).toEqual({ staff_passkeys: [l] })
    expect(await seenBy(credentialScope('passkey', 'OWN'))).toEqual({})
    expect((await findPasskeys(db.of, 'own')).map(({ staff_id }) => staff_id)).toEqual([ofL])
  })

  test('that are bound to a domain see nothing of organizations that only name it', async () => {
    expect(await seenBy(credentialScope('domain', `${l}.example`))).toEqual({})
  })

  test('that are bound to a credential write nothing', async () => {
    const refused = { code: '42501' }
    const address = db.of(credentialScope('address', shared!))
    expect(await address.query(sql`update staff set name = 'changed' returning staff_id`)).toEqual([])
    expect(await address.query(sql`select 1 from staff for update`)).toEqual([])
    await expect(
      address.query(
        sql`insert into staff (corp_id, staff_id, email, name, ctime, mtime) values (${l}, 'intruder', ${shared}, 'x', now(), now())`,
      ),
    ).rejects.toMatchObject(refused)
    const passkey = db.of(credentialScope('passkey', 'shared'))
    expect(await passkey.query(sql`update staff_passkeys set counter = 9 returning corp_id`)).toEqual([])
    expect(await passkey.query(sql`delete from staff_passkeys returning corp_id`)).toEqual([])
  })
})
