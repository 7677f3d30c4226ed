import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { type Answer, startTestServer, type TestServer } from '../../test/harness/server.ts'
import { matchStatementLines } from '../finance/match-statement-lines.ts'
import { appendLeadFile } from '../lead-import/append-lead-file.ts'
import { commitLeadFile } from '../lead-import/commit-lead-file.ts'
import { createLeadFile } from '../lead-import/create-lead-file.ts'
import { fetchLeadFile } from '../lead-import/fetch-lead-file.ts'
import { planLeadFile } from '../lead-import/plan-lead-file.ts'
import { createAccount } from '../organizations/manage-accounts.ts'
import { createUser } from '../users/create-user.ts'
import { updateUser } from '../users/update-user.ts'
import { eraseUser } from './erase-user.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

async function ok(answer: Promise<Answer>) {
  const { code, msg, data } = await answer
  expect({ code, msg }).toEqual({ code: 0, msg: 'success' })
  return data
}

const adminOf = async ({ corp_id }: TestOrganization) => {
  const wanted = { name: 'Administrator', corp_ids: [corp_id], permissions: ['read', 'write', 'admin'] }
  return server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
}

async function erase(org: TestOrganization, user_id: string) {
  const input = { corp_id: org.corp_id, user_id, reason: 'Asked for it' }
  return ok(server.call(eraseUser, input, { token: await adminOf(org) }))
}

async function upload(org: TestOrganization, content: string | Buffer, file_name = 'fair.csv') {
  const file = Buffer.from(content)
  const { import_id } = await ok(org.call(createLeadFile, { file_name, bytes: file.length }))
  await ok(org.call(appendLeadFile, { import_id, start: 0, content: file.toString('base64') }))
  return import_id as string
}

async function settled(org: TestOrganization, import_id: string) {
  for (;;) {
    const data = await ok(org.call(fetchLeadFile, { import_id }))
    if (data.state !== 'planning' && data.state !== 'committing') return data
    await pause(20)
  }
}

async function planned(org: TestOrganization, content: string | Buffer, file_name?: string) {
  const import_id = await upload(org, content, file_name)
  await ok(org.call(planLeadFile, { import_id }))
  expect(await settled(org, import_id)).toMatchObject({ state: 'planned' })
  return import_id
}

const query = async (org: TestOrganization, text: string) =>
  (await server.database.superuser.query(text.replaceAll('CORP', `'${org.corp_id}'`))).rows

const wang = { area_code: '86', mobile: '18877766655' }

test('a file that was planned before an erasure does not bring the person back', async () => {
  const org = await openOrganization(server)
  const { user_id } = await ok(org.call(createUser, wang))
  const rows = [
    'mobile,name',
    '188-7776-6655,Wang Fang',
    ...Array.from({ length: 40 }, (_, n) => `139001390${10 + n},Li`),
  ]
  const import_id = await planned(org, rows.join('\n'))
  await erase(org, user_id)
  await org.call(commitLeadFile, { import_id })
  await settled(org, import_id)
  expect(await query(org, `select 1 from users where corp_id = CORP and mobile = '18877766655'`)).toEqual([])
  expect(
    await query(org, `select 1 from leads where corp_id = CORP and fields->>'mobile' = '18877766655'`),
  ).toEqual([])
})

test('nothing of an erased person stays in files that wait for their commit', async () => {
  const org = await openOrganization(server)
  const { user_id } = await ok(org.call(createUser, wang))
  await planned(org, 'mobile,name\n+86 188 7776 6655,Wang Fang\n')
  await upload(org, 'mobile,name\n１８８７７７６６６５５,Wang Fang\n')
  await erase(org, user_id)
  expect(
    await query(org, `select encode(bytes, 'escape') from lead_import_pieces where corp_id = CORP`),
  ).toEqual([])
})

test('lines of statements that name an erased person say nothing any more, however the name and the number are written', async () => {
  const org = await openOrganization(server)
  const { user_id } = await ok(org.call(createUser, wang))
  await ok(org.call(updateUser, { user_id, name: '王 小芳' }))
  const texts = [
    '王小芳 学费',
    '王　小芳',
    'from 188 7776 6655',
    'from +86-188-7776-6655',
    '１８８７７７６６６５５',
    'tel 008618877766655',
  ]
  const lines = texts.map((description, n) => ({
    value_date: '2026-11-01',
    price: 100 + n,
    currency: 'CNY',
    description,
  }))
  const other = { value_date: '2026-11-02', price: 7, currency: 'CNY', description: '李小龙 13900139000' }
  await ok(org.call(matchStatementLines, { lines: [...lines, other] }))
  await erase(org, user_id)
  expect(
    await query(
      org,
      `select description from statement_lines where corp_id = CORP and description is not null`,
    ),
  ).toEqual([{ description: other.description }])
})
