import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStatement } from '../../test/harness/bank-lines.ts'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { createUser } from '../people/users/create-user.ts'

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

test('every command that changes something writes an entry with its operating-system user', async () => {
  const { corp_id } = school
  const org = ['--org', corp_id]
  const email = ['--email', 'a@staff.example']
  const { app_id } = await matricula('account', 'create', '--name', 'Till', ...org)
  const { endpoint_id } = await matricula('webhook', 'create', ...org, '--url', 'https://one.example.com/')
  const oidc = [
    '--issuer',
    'https://id.example.edu',
    '--client-id',
    'x',
    '--client-secret-file',
    join(folder, 'secret'),
  ]
  await writeFile(join(folder, 'secret'), 'client-secret')
  const { lineIds } = await sendStatement(school.run, [{ price: 1 }])
  const line_id = lineIds[0]!
  const commands: [words: string[], record: string][] = [
    [['org', 'create', '--name', 'Branch', '--corp-id', 'branch'], 'organizations'],
    [['org', 'update', corp_id, '--name', 'School of Song'], 'organizations'],
    [['org', 'rename', corp_id, '--name', 'School of Birds'], 'organizations'],
    [['org', 'suspend', corp_id, '--reason', 'Not paid'], 'organizations'],
    [['org', 'resume', corp_id, '--reason', 'Paid'], 'organizations'],
    [['org', 'quota', corp_id, '--rows', '1000000'], 'quotas'],
    [['org', 'claims', corp_id, '--most-held', '3'], 'claim_rules'],
    [['org', 'counsellors', corp_id, '--discount', '500', '--record-payments', 'yes'], 'counsellor_rules'],
    [['org', 'refunds', corp_id, '--limits', 'CNY=5'], 'money_limits'],
    [['org', 'oidc', 'set', corp_id, ...oidc, '--no-check'], 'sign_in_providers'],
    [['org', 'oidc', 'remove', corp_id], 'sign_in_providers'],
    [['org', 'domain', 'verify', ...org, '--domain', 'school.example'], 'verified_domains'],
    [['org', 'domain', 'remove', ...org, '--domain', 'school.example'], 'sign_in_domains'],
    [['account', 'limit', app_id, '60'], 'accounts'],
    [['account', 'update', app_id, '--sign-money'], 'accounts'],
    [['account', 'grant', app_id, '--org', 'branch'], 'accounts'],
    [['account', 'revoke', app_id, '--org', 'branch'], 'accounts'],
    [['account', 'rotate-secret', app_id, '--keep-old', '1d'], 'accounts'],
    [['account', 'end-old-secret', app_id], 'accounts'],
    [['account', 'disable', app_id], 'accounts'],
    [['staff', 'invite', ...org, ...email, '--name', 'A', '--role', 'viewer'], 'staff'],
    [['staff', 'invite', ...org, '--email', 'b@staff.example', '--name', 'B', '--role', 'admin'], 'staff'],
    [['staff', 'role', ...org, ...email, '--role', 'finance'], 'staff'],
    [['staff', 'reset', ...email], 'staff'],
    [['staff', 'disable', ...email], 'staff'],
    [['finance', 'close', ...org, '--until', '2024-01-31'], 'closings'],
    [['finance', 'bank', 'add-account', 'Bank', ...org], 'bank_accounts'],
    [['finance', 'bank', 'line', 'ignore', line_id, ...org, '--reason', 'Own'], 'statement_matches'],
    [
      ['finance', 'reverse-closing', ...org, '--until', '2024-01-31', '--reason', 'Too early'],
      'approval_requests',
    ],
    [['events', 'retention', ...org, '--days', '30'], 'organizations'],
    [['events', 'trigger', 'order.created', ...org], 'test_events'],
    [['webhook', 'create', ...org, '--url', 'https://hooks.example.com/'], 'webhook_endpoints'],
    [['webhook', 'update', endpoint_id, ...org, '--pause'], 'webhook_endpoints'],
    [['webhook', 'enable', endpoint_id, ...org], 'webhook_endpoints'],
    [['webhook', 'rotate', endpoint_id, ...org], 'webhook_endpoints'],
    [['webhook', 'ping', endpoint_id, ...org], 'webhook_endpoints'],
    [['webhook', 'remove', endpoint_id, ...org], 'webhook_endpoints'],
    [['privacy', 'retention', ...org, '--months', '6'], 'retention_rules'],
  ]
  const silent: string[] = []
  for (const [words, record] of commands) {
    const before = await entriesSince('')
    const done = await matricula(...words).catch((error: Error) => ({ refused: error.message }))
    const after = await entriesSince(before.at(-1)?.entry_id ?? '')
    const told = after.filter(
      ({ operation, record_type }) =>
        operation === `matricula ${words.slice(0, 2).join(' ')}` && record_type.startsWith(record),
    )
    if (told.length === 0) silent.push(`${words.slice(0, 3).join(' ')}: ${JSON.stringify([done, after])}`)
    for (const { actor_kind, actor_id } of after)
      expect([actor_kind, actor_id]).toEqual(['system', userInfo().username])
  }
  expect(silent).toEqual([])
})

interface Entry {
  entry_id: string
  operation: string
  record_type: string
  actor_kind: string
  actor_id: string
}

async function entriesSince(entry_id: string): Promise<Entry[]> {
  const { rows } = await database.superuser.query(
    'select entry_id, operation, record_type, actor_kind, actor_id from audit_entries where entry_id > $1 order by entry_id',
    [entry_id],
  )
  return rows
}

test('a person is exported and erased; the audit names the actor and is intact', async () => {
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
  const lifted = await matricula('privacy', 'lift', ...org, '--email', 'Wren@birds.example')
  expect(lifted).toEqual({ user_ids: [user_id], contacts: 1 })
  expect((await matricula('privacy', 'erasures', ...org)).erasures).toMatchObject([
    { user_id, contacts: 1, is_complete: true, lifted_by: userInfo().username },
  ])
  const list = join(folder, 'erasures.ndjson')
  await matricula('privacy', 'export-erasures', '--out', list)
  const applied = await matricula('privacy', 'apply-erasures', '--file', list)
  expect(applied).toEqual({ erased: [], failed: [], contacts: 0 })
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
    { operation: 'matricula privacy lift', action: 'changed', record_type: 'erasure_tombstones' },
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
