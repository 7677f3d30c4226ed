import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, linkFor, openTab, password } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { confirmSession } from './confirm-session.ts'
import { createSession, endSession } from './create-session.ts'
import { choosePassword } from './enter-by-link.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

interface Entry {
  actor_id: string
  operation: string
  action: string
  record_type: string
  record_id: string
  address: string
}

async function entriesOf(corp_id: string, staff_id: string): Promise<Entry[]> {
  const { rows } = await server.database.superuser.query(
    `select * from audit_entries where corp_id = $1 and record_id = $2
        and record_type in ('staff_sessions', 'failed_sign_ins') order by at, entry_id`,
    [corp_id, staff_id],
  )
  return rows
}
const tellings = (entries: Entry[]) =>
  entries.map(({ action, record_type, operation }) => `${action} ${record_type} ${operation}`)

test('signing in and out is audited in the school of the account only', async () => {
  const [school, second] = [await openOrganization(server), await openOrganization(server)]
  const { email, staff_id } = await hire(server, 'viewer', school.corp_id)
  const there = await hire(server, 'viewer', second.corp_id, email)
  const before = await entriesOf(second.corp_id, there.staff_id)
  const tab = openTab(server)
  const link = await linkFor(server, { corp_id: school.corp_id, staff_id })
  await tab.call(choosePassword, { link, password })
  await tab.call(createSession, { email, password, corp_id: school.corp_id })
  await tab.call(endSession, { everywhere: true })
  const here = await entriesOf(school.corp_id, staff_id)
  expect(tellings(here)).toEqual([
    'made staff_sessions choosePassword',
    'made staff_sessions createSession',
    'removed staff_sessions endSession',
  ])
  for (const { actor_id, address } of here)
    expect({ actor_id, address }).toEqual({ actor_id: staff_id, address: '127.0.0.1' })
  expect(await entriesOf(second.corp_id, there.staff_id)).toEqual(before)
})

test('until a school is named, only the operator sees a failed sign-in, without the typed password', async () => {
  const { corp_id } = await openOrganization(server)
  const { tab, email, staff_id } = await hire(server, 'viewer', corp_id)
  const typed = `wrong ${newId()}`
  const hash = createHash('sha256').update(email).digest('hex')
  const unknown = `${newId()}@nobody.example`
  const fail = async (input: object) =>
    expect((await openTab(server).call(createSession, { password: typed, ...input })).code).toBe(40108)
  await fail({ email: email.toUpperCase() })
  await expect
    .poll(async () => tellings(await entriesOf('', hash)))
    .toEqual(['made failed_sign_ins createSession'])
  expect(await entriesOf(corp_id, staff_id)).toEqual([])

  await fail({ email, corp_id })
  expect((await tab.call(confirmSession, { password: typed })).code).toBe(40108)
  await fail({ email: unknown })
  await fail({ email: unknown, corp_id })
  await expect
    .poll(async () => tellings(await entriesOf(corp_id, staff_id)))
    .toEqual(['made failed_sign_ins createSession', 'made failed_sign_ins confirmSession'])
  const { rows } = await server.database.superuser.query(
    `select e.record_id from audit_entries e left join audit_personal p using (corp_id, person_id, entry_id)
      where e::text like $1 or p.content like $1 or e::text ilike $2 or e.record_type = 'failed_sign_ins' and e.corp_id = ''`,
    [`%${typed}%`, `%${email}%`],
  )
  expect(rows).toEqual([{ record_id: hash }])
})
