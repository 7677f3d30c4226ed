import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../test/harness/staff.ts'
import { createExport } from '../backoffice/finance/exports/create-export.ts'
import { fetchExport } from '../backoffice/finance/exports/fetch-export.ts'
import { catalogue } from '../endpoints.ts'
import { listUsers } from '../people/users/list-users.ts'

let server: TestServer
let school: TestOrganization
let admin: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
})
afterAll(() => server.close())

/** The headers of a GET with a session, and whether the page that causes it is ours. */
const requests: [headers: Record<string, string>, isOurs: boolean][] = [
  [{ 'Sec-Fetch-Site': 'same-origin' }, true],
  // The person typed the address, or opened a bookmark.
  [{ 'Sec-Fetch-Site': 'none' }, true],
  [{ 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }, false],
  [{ 'Sec-Fetch-Site': 'same-site' }, false],
  [{ 'Sec-Fetch-Site': '' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'OURS' }, false],
  [{ Origin: 'OURS' }, true],
  [{ Origin: 'null' }, false],
  [{ Origin: 'https://evil.example' }, false],
  [{ Origin: 'OURS.evil.example' }, false],
  // Neither header: a program, or a page that fetches from an address without TLS.
  [{}, true],
  // A navigation without TLS, from any page.
  [{ Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, false],
  [{ Accept: 'text/html,*/*;q=0.8', 'Sec-Fetch-Site': 'none' }, true],
]

test('a page of another site can call no GET operation with the session', async () => {
  const reads = catalogue.filter(
    ({ method, scope, group }) => method === 'GET' && (scope !== 'public' || group === 'Console'),
  )
  expect(reads.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['fetchContact', 'exportUser', 'listAudit', 'checkSignInProvider']),
  )
  for (const { path } of reads) {
    for (const [named, isOurs] of requests) {
      const { code, status } = await server.send(path, {
        headers: { Cookie: admin.headers.Cookie!, ...ours(named) },
      })
      const refused = { code: 40305, status: 403 }
      if (isOurs) expect({ code, status }, `${path} ${JSON.stringify(named)}`).not.toEqual(refused)
      else expect({ code, status }, `${path} ${JSON.stringify(named)}`).toEqual(refused)
    }
  }
})

test('a token works from every site: no browser adds it by itself', async () => {
  const headers = { Authorization: `Bearer ${school.token}`, 'Sec-Fetch-Site': 'cross-site' }
  const { code } = await server.send(`${listUsers.path}?corp_id=${school.corp_id}`, { headers })
  expect(code).toBe(0)
})

test('a link on another site opens a page', async () => {
  const headers = {
    ...{ Cookie: admin.headers.Cookie!, Accept: 'text/html' },
    ...{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
  }
  const response = await fetch(`${server.url}/today`, { headers })
  // 503 is the page that waits for the build of the console.
  expect([200, 503]).toContain(response.status)
  expect(response.headers.get('content-type')).toContain('text/html')
})

test('the audit names no colleague for an export file that another site asks for', async () => {
  const { export_id } = (await admin.call(createExport, { what: 'payments', format: 'csv' })).data
  const fetched = async () => (await admin.call(fetchExport, { export_id })).data
  await expect.poll(async () => (await fetched()).state, { timeout: 30_000 }).toBe('done')
  const { download } = await fetched()
  const takeFrom = async (site: string) => {
    const headers = { Cookie: admin.headers.Cookie!, 'Sec-Fetch-Site': site }
    expect((await fetch(`${server.url}${download}`, { headers })).status).toBe(200)
    const { rows } = await server.database.superuser.query<{ actor_id: string }>(
      `delete from audit_entries where corp_id = $1 and operation = 'downloadExport' returning actor_id`,
      [school.corp_id],
    )
    return rows.map(({ actor_id }) => actor_id)
  }
  expect(await takeFrom('same-origin')).toEqual([admin.staff_id])
  expect(await takeFrom('cross-site')).toEqual([''])
})

function ours(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', server.url)]),
  )
}
