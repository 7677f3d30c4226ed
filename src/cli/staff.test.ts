import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hire, openTab, password } from '../../test/harness/staff.ts'
import { createSession, fetchSession } from '../access/staff/create-session.ts'
import { choosePassword } from '../access/staff/enter-by-link.ts'
import { newId } from '../contract/new-id.ts'

let server: TestServer
let one: TestOrganization
let two: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  one = await openOrganization(server)
  two = await openOrganization(server)
})
afterAll(() => server?.close())

const matricula = (...words: string[]) =>
  callCli(words, { ...server.database.settings, MATRICULA_KEY: masterKeyText })

test('staff disable, enable and reset need --org if an address has accounts in several schools', async () => {
  const email = `${newId()}@example.com`
  const [first, second] = [
    await hire(server, 'viewer', one.corp_id, email),
    await hire(server, 'viewer', two.corp_id, email),
  ]
  for (const command of ['disable', 'enable', 'reset']) {
    const refused = await matricula('staff', command, '--email', email)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`${[one.corp_id, two.corp_id].sort().join(', ')}. Choose one with --org`)
  }
  expect((await matricula('staff', 'disable', '--org', one.corp_id, '--email', email)).code).toBe(0)
  expect((await first.tab.call(fetchSession)).code).toBe(40107)
  expect((await second.tab.call(fetchSession)).code).toBe(0)
  const refused = await matricula('staff', 'reset', '--org', one.corp_id, '--email', email)
  expect(refused.stderr).toContain('The operator has disabled this account')
  await matricula('staff', 'enable', '--org', one.corp_id, '--email', email)
  const reset = await matricula('staff', 'reset', '--org', one.corp_id, '--email', email, '--json')
  const { link } = JSON.parse(reset.stdout)
  const chosen = await openTab(server).call(choosePassword, { link, password })
  expect(chosen.data.organization.corp_id).toBe(one.corp_id)
  expect((await second.tab.call(fetchSession)).code).toBe(0)
})

test('without --org, the only account of an address is used, and the last administrator stays', async () => {
  const { corp_id } = await openOrganization(server)
  const { email, tab } = await hire(server, 'admin', corp_id)
  const refused = await matricula('staff', 'disable', '--email', email.toUpperCase())
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('needs an administrator who can sign in')
  expect((await tab.call(fetchSession)).code).toBe(0)
  await hire(server, 'admin', corp_id)
  expect((await matricula('staff', 'disable', '--email', email.toUpperCase())).code).toBe(0)
  expect((await tab.call(fetchSession)).code).toBe(40107)
  const nobody = await matricula('staff', 'disable', '--email', 'nobody@example.com')
  expect(nobody.stderr).toContain('No member of staff has this address.')
})

test('audit list shows the operator failed sign-ins by the hash of the address', async () => {
  const { email } = await hire(server, 'viewer', one.corp_id)
  await openTab(server).call(createSession, { email, password: 'a wrong one' })
  const record_id = createHash('sha256').update(email).digest('hex')
  const list = async () => {
    const { stdout } = await matricula('audit', 'list', '--org', 'none', '--record', record_id, '--json')
    return JSON.parse(stdout).entries
  }
  await expect
    .poll(list, { timeout: 20_000 })
    .toMatchObject([
      { operation: 'createSession', record_type: 'failed_sign_ins', record_id, address: '127.0.0.1' },
    ])
})
