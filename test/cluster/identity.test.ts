import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSession, fetchSession } from '../../src/access/staff/create-session.ts'
import { findPasskeys, insertPasskey } from '../../src/access/staff/passkeys/passkey-store.ts'
import { noteSpent } from '../../src/access/staff/session-store.ts'
import { findAccountsByAddress } from '../../src/access/staff/staff-store.ts'
import { newId } from '../../src/contract/new-id.ts'
import { credentialScope } from '../../src/database/credential-scope.ts'
import { openOrganization } from '../harness/organization.ts'
import { ownSql as sql } from '../harness/own-sql.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, openTab, password } from '../harness/staff.ts'

/** Enough that every node holds some. */
const schools = 8

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

test('an address and a passkey find only their accounts, on every node; sign-in asks for the school', async () => {
  const { db } = server
  const email = `${newId()}@example.com`
  const corpIds: string[] = []
  for (let n = 0; n < schools; n++) {
    const { corp_id } = await openOrganization(server)
    const { staff_id } = await hire(server, 'viewer', corp_id, email)
    await hire(server, 'viewer', corp_id)
    const passkey = { credential_id: 'shared', name: 'x', public_key: Buffer.from('x'), counter: 0 }
    const made = { ...passkey, corp_id, staff_id, transports: [], ctime: new Date() }
    expect(await insertPasskey(db.of(corp_id), made)).toBe(true)
    const ticket = { ticket_hash: 'once', ends_at: new Date(Date.now() + 60_000) }
    expect(await noteSpent(db.of(corp_id), corp_id, ticket, new Date())).toBe(true)
    expect(await noteSpent(db.of(corp_id), corp_id, ticket, new Date())).toBe(false)
    corpIds.push(corp_id)
  }
  corpIds.sort()
  const found = await findAccountsByAddress(db.of, email.toUpperCase())
  expect(found.map(({ corp_id }) => corp_id)).toEqual(corpIds)
  expect((await findPasskeys(db.of, 'shared')).map(({ corp_id }) => corp_id)).toEqual(corpIds)
  const everybody = sql`select corp_id from staff`
  expect(await db.shared.query(everybody)).toEqual([])
  expect(await db.of(credentialScope('address', email)).query(everybody)).toHaveLength(schools)
  expect(await db.of(credentialScope('passkey', 'shared')).query(everybody)).toEqual([])
  expect(await db.of(corpIds[0]!).query(everybody)).toEqual([
    { corp_id: corpIds[0] },
    { corp_id: corpIds[0] },
  ])

  const tab = openTab(server)
  const { data } = await tab.call(createSession, { email, password })
  expect(data.schools.map((each: { corp_id: string }) => each.corp_id)).toEqual(corpIds)
  expect((await tab.call(createSession, { email, password, corp_id: corpIds[3] })).code).toBe(0)
  expect((await tab.call(fetchSession)).data.organization.corp_id).toBe(corpIds[3])
})
