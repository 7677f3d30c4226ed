import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { createUser } from '../users/create-user.ts'

let database: TestDatabase
let school: TestLedger
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  folder = await mkdtemp(join(tmpdir(), 'matricula-audit-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function matricula(...words: string[]) {
  const settings = { ...database.settings, MATRICULA_KEY: masterKeyText }
  const { code, stdout, stderr } = await callCli([...words, '--json'], settings)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('a person is exported, erased and gone; whoever did it is in the audit, which is whole', async () => {
  const org = ['--org', school.corp_id]
  const { user_id } = await school.run(createUser, { email: 'wren@birds.example' })
  const out = join(folder, 'person.json')
  await matricula('privacy', 'export', ...org, '--user', user_id, '--out', out)
  expect(JSON.parse(await readFile(out, 'utf8')).records.user).toMatchObject([
    { email: 'wren@birds.example' },
  ])
  await matricula('privacy', 'retention', ...org, '--months', '6')
  expect(await matricula('privacy', 'sweep', ...org, '--dry-run')).toEqual({ users: [], erased: 0 })
  const erased = await matricula('privacy', 'erase', ...org, '--user', user_id, '--reason', 'Asked for it')
  expect(erased).toMatchObject({ user_id, orders: 0 })
  const { entries } = await matricula('audit', 'list', ...org, '--record', user_id)
  expect(entries).toMatchObject([
    { operation: 'maintenance', action: 'made', is_erased: true },
    {
      operation: 'matricula privacy export',
      action: 'exported',
      actor_kind: 'system',
      actor_id: userInfo().username,
    },
    { operation: 'matricula privacy erase', action: 'erased' },
  ])
  const file = join(folder, 'audit.csv')
  await matricula('audit', 'export', ...org, '--out', file)
  const csv = await readFile(file, 'utf8')
  expect(csv).toContain('retention_rules')
  expect(csv).not.toContain('wren')
  const report = await matricula('audit', 'verify', ...org)
  expect(report).toMatchObject({ total: 0 })
  expect(await matricula('audit', 'verify', ...org, '--head', report.chains[0].head)).toMatchObject({
    total: 0,
  })
})
