import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hireStaff, openTab, type TestColleague } from '../../test/harness/staff.ts'
import { enterByLink } from '../access/staff/enter-by-link.ts'
import { grantSupport, revokeSupport } from '../access/staff/support/manage-support.ts'

let server: TestServer
let school: TestOrganization
let admin: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
})
afterAll(() => server?.close())

const matricula = (...words: string[]) =>
  callCli(words, {
    ...server.database.settings,
    MATRICULA_KEY: masterKeyText,
    MATRICULA_PUBLIC_URL: 'https://school.example',
  })

test('support link prints a link only during a grant of the school, and audits it', async () => {
  const email = 'kim@operator.example'
  const link = () => matricula('support', 'link', '--org', school.corp_id, '--email', email, '--json')
  expect((await link()).stderr).toContain('granted no access')
  const { grant_id } = (await admin.call(grantSupport, { email, name: 'Kim', hours: 1 })).data
  expect(JSON.parse((await matricula('support', 'list', '--json')).stdout).grants).toMatchObject([{ email }])
  const made = JSON.parse((await link()).stdout)
  expect(made.link).toMatch(/^https:\/\/school\.example\/enter#/)
  const { rows } = await server.database.superuser.query(
    `select actor_kind, record_id from audit_entries where operation = 'matricula support link'`,
  )
  expect(rows).toEqual([{ actor_kind: 'system', record_id: grant_id }])
  const tab = openTab(server)
  expect((await tab.call(enterByLink, { link: made.link.split('#')[1] })).code).toBe(0)
  await admin.call(revokeSupport, { grant_id })
  expect((await link()).code).toBe(1)
  expect((await matricula('support', 'list')).stdout).toContain('No school lets support in')
})
