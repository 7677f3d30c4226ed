import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { changeOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { beginSession } from '../../src/access/staff/sessions.ts'
import { issueDocument } from '../../src/backoffice/documents/issue-document.ts'
import { carriedTables } from '../../src/backup/schools/school-tables.ts'
import { eraseUser } from '../../src/changes/erasure/erase-user.ts'
import { fetchLeadFile } from '../../src/changes/lead-import/list-lead-files.ts'
import { planLeadFile } from '../../src/changes/lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../../src/changes/lead-import/upload-lead-file.ts'
import { mergeUsers } from '../../src/changes/merging/merge-users.ts'
import { importOrders } from '../../src/changes/order-import/import-orders.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { tenantTables } from '../../src/database/tables.ts'
import { rebuildLocalTimes } from '../../src/derived/derived-data.ts'
import { addEvents } from '../../src/events/add-events.ts'
import { createWebhookEndpoint } from '../../src/events/webhooks/create-endpoint.ts'
import { listOrders } from '../../src/orders/listing/list-orders.ts'
import { createPayer } from '../../src/orders/payers/create-payer.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { sendStatement } from '../harness/bank-lines.ts'
import { callCli } from '../harness/cli.ts'
import type { TestDatabase } from '../harness/database.ts'
import { ok } from '../harness/expect-success.ts'
import { importerOf } from '../harness/importer.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { openOrganization } from '../harness/organization.ts'
import { waitFor } from '../harness/process.ts'
import { type Answer, startTestServer, type TestServer } from '../harness/server.ts'
import { hireStaff, openTab } from '../harness/staff.ts'
import { compareSchools } from '../support/compare-schools.ts'
import { openFolder } from '../support/sheets.ts'
import { findTraces } from '../support/traces.ts'

/** People besides those of the sample; 20,000 in `npm run test:long`. */
const people = Number(process.env.MATRICULA_SCHOOL_PEOPLE ?? 300)
const idsPerOperation = people > 1000 ? 100 : 10

let old: TestServer
let target: TestServer
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  folder = await openFolder()
  old = await startTestServer('sample')
  target = await startTestServer('matricula')
})
afterAll(async () => {
  await folder?.remove()
  await old?.close()
  await target?.close()
})

async function matricula({ settings }: TestDatabase, ...words: string[]) {
  const { code, stdout, stderr } = await callCli([...words, '--json'], {
    ...settings,
    MATRICULA_KEY: masterKeyText,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const canaries = [
  'Zilpzalp canary school',
  'canary.wren@birds.example',
  'Girlitz Canaria',
  'moulting until Michaelmas',
  'canary-hooks.example',
]

/** Writes marked values to every place that accepts texts. Returns ids that no list names. */
async function sing(corp_id: string): Promise<Record<string, string[]>> {
  const token = await old.tokenOf(old.sample)
  const call = (endpoint: unknown, input: object) =>
    ok(old.call(endpoint as Endpoint, { corp_id, ...input }, { token }))
  const [school = '', email = '', name = '', words = '', host = ''] = canaries
  const { owner } = old.database
  await changeOrganization(owner, corp_id, { name: school }, new Date(), rebuildLocalTimes)
  await createAccount(owner, testKeyring, { name, corp_ids: [corp_id] }, new Date())
  const { user_id } = await call(createUser, { email })
  await call(importLead, { user_id, name, campaign: words })
  const { user_id: merged_user_id } = await call(createUser, { email: `other.${email}` })
  const { merge_id } = await call(mergeUsers, { user_id, merged_user_id })
  const { user_id: likely } = await call(createUser, { email: `likely.${email}` })
  const { user_id: gone } = await call(createUser, { email: `erased.${email}` })
  await call(createPayer, { kind: 'parent', name, remarks: words })
  await sendStatement(
    (endpoint, input) => call(endpoint, input),
    [{ price: 1, payer: name, description: words }],
  )
  const admin = await hireStaff(old, corp_id, 'admin')
  await ok(admin.call(eraseUser, { user_id: gone, reason: words }))
  const hook = { url: `https://${host}/`, types: ['*'], description: words }
  const { endpoint_id } = await ok(admin.call(createWebhookEndpoint, hook))
  await old.database.superuser.query(
    `insert into webhook_deliveries (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at, ctime, mtime)
     values ($1, $2, 1, 'e-1', 'ping', 'dead', 1, 1, now(), now(), now())`,
    [corp_id, endpoint_id],
  )
  const { list: orders } = await call(listOrders, { page_size: 1 })
  const { document_id } = await call(issueDocument, { kind: 'invoice', subject_id: orders[0].entity_id })
  const content = Buffer.from(`name,mobile,note\n${name},12,${words}\n`)
  const upload = { file_name: `${name}.csv`, bytes: content.length }
  const { import_id } = await ok(admin.call(createLeadFile, upload))
  await ok(admin.call(appendLeadFile, { import_id, start: 0, content: content.toString('base64') }))
  await ok(admin.call(planLeadFile, { import_id }))
  await waitFor(async () => (await ok(admin.call(fetchLeadFile, { import_id }))).state === 'planned')
  return {
    merged_user_id: [likely],
    batch_id: [merge_id],
    document_id: [document_id],
    import_id: [import_id],
  }
}

async function addPeople(corp_id: string): Promise<void> {
  const line = (n: number) =>
    `moved-${n},${13_100_000_000 + n},86,Student ${n},${1000 + n},CNY,${1 + (n % 3)},${n % 2 ? 1000 + n : ''},${n % 5 ? '' : 'Called'}`
  const header = 'external_id,mobile,area_code,name,listed_price,currency,installment_count,paid_price,remark'
  const lines = Array.from({ length: people }, (_, n) => line(n))
  const file = await folder.file('people.csv', [header, ...lines].join('\n'))
  const { rows } = await importOrders(await importerOf(old, corp_id), file, {})
  expect(rows.create).toBe(people)
}

/** A digest of the rows of each table, without columns that an import sets. */
async function digests({ superuser }: TestDatabase, corp_id: string, tables: readonly string[]) {
  const digest: Record<string, string> = {}
  for (const table of tables) {
    const except = {
      staff: ['password_hash'],
      event_feeds: ['epoch'],
      erasure_registers: ['secret_box', 'secret_key_id'],
    }
    const dropped = `- '{${((except as Record<string, string[]>)[table] ?? []).join(',')}}'::text[]`
    const { rows } = await superuser.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as digest
         from (select md5((to_jsonb(t) ${dropped})::text) as row from ${table} t where corp_id = $1) rows`,
      [corp_id],
    )
    digest[table] = rows[0].digest
  }
  return digest
}

/** Calls operations of the console as an administrator, and others as the account. */
async function asker(server: TestServer, corp_id: string, token: string, staff_id: string) {
  const on = server.database.owner.of(corp_id)
  const session = await on.transaction((tx) => beginSession(tx, { corp_id, staff_id }, {}, new Date()))
  const tab = openTab(server, session)
  return (endpoint: Endpoint, input: Record<string, unknown>): Promise<Answer> =>
    endpoint.group === 'Console' || endpoint.permission === 'admin'
      ? tab.call(endpoint, input)
      : server.call(endpoint, input, { token })
}

test(`a school with ${people} more people moves to another installation, and no data of it stays in the first`, {
  timeout: 7_200_000,
}, async () => {
  const { corp_id, app_id } = old.sample
  const other = await openOrganization(old)
  await ok(other.call(createUser, { email: 'stays@birds.example' }))
  const known = await sing(corp_id)
  await addPeople(corp_id)
  for (const each of [corp_id, other.corp_id]) {
    await linkEntries(old.database.owner, each)
    while ((await addEvents(old.db, each, 10)) > 0);
  }
  const carried = carriedTables.filter((table) => table !== 'accounts')
  const before = await digests(old.database, corp_id, carried)
  const kept = await digests(old.database, other.corp_id, tenantTables)

  const file = join(folder.folder, 'school.matricula')
  const written = await timed('export', () =>
    matricula(old.database, 'org', 'export', corp_id, '--out', file),
  )
  process.stdout.write(
    `${Object.values(written.rows as number[]).reduce((a, b) => a + b)} rows, ${written.bytes} bytes\n`,
  )
  const imported = await timed('import', () => matricula(target.database, 'org', 'import', file))
  expect(imported.accounts).toContain(app_id)
  const after = await digests(target.database, corp_id, carried)
  // The import has its own entry, and webhooks are paused.
  for (const table of ['audit_entries', 'audit_waiting', 'webhook_endpoints'])
    expect(Number.parseInt(after[table]!, 10)).toBe(
      Number.parseInt(before[table]!, 10) + (table.startsWith('audit') ? 1 : 0),
    )
  const same = ({
    audit_entries: _,
    audit_waiting: __,
    webhook_endpoints: ___,
    ...rest
  }: Record<string, string>) => rest
  expect(same(after)).toEqual(same(before))

  const rotated = await matricula(target.database, 'account', 'rotate-secret', app_id)
  const { rows: staff } = await old.database.superuser.query(
    `select staff_id from staff where corp_id = $1 and role = 'admin' and not is_disabled order by staff_id limit 1`,
    [corp_id],
  )
  const now = new Date()
  for (const server of [old, target]) server.setNow(now)
  const comparison = await timed('comparison', async () =>
    compareSchools(
      corp_id,
      await asker(old, corp_id, await old.tokenOf(old.sample), staff[0].staff_id),
      await asker(target, corp_id, await target.tokenOf(rotated), staff[0].staff_id),
      { idsPerOperation, known },
    ),
  )
  process.stdout.write(`${comparison.calls} calls of ${comparison.same.size} operations\n`)
  expect(comparison.differences).toEqual([])
  expect(comparison.unanswered).toEqual([])
  for (const server of [old, target]) server.setNow(undefined)

  expect(await findTraces(old.database, canaries)).not.toEqual([])
  await matricula(old.database, 'org', 'delete', corp_id, '--reason', 'It moved away', '--days', '0')
  const certificate = join(folder.folder, 'certificate.json')
  const deleted = await timed('deletion', () =>
    matricula(old.database, 'org', 'delete', corp_id, '--confirm', corp_id, '--certificate', certificate),
  )
  expect(deleted.rows.users).toBe(Number.parseInt(before.users!, 10))
  expect(await findTraces(old.database, canaries)).toEqual([])
  expect(await columnsWith(old.database, corp_id)).toEqual([
    'audit_entries.record_id',
    'organization_deletions.corp_id',
  ])
  expect(await digests(old.database, other.corp_id, tenantTables)).toEqual(kept)
  expect((await matricula(old.database, 'audit', 'verify')).total).toBe(0)
  expect((await matricula(target.database, 'finance', 'check')).total).toBe(0)
})

/** The columns that hold exactly this text, or name it in JSON. */
async function columnsWith({ superuser }: TestDatabase, text: string): Promise<string[]> {
  const { rows } = await superuser.query(`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb', 'ARRAY')`)
  const found: string[] = []
  for (const { table, column } of rows) {
    const { rowCount } = await superuser.query(
      `select 1 from "${table}" where "${column}"::text = $1 or "${column}"::text like '%"' || $1 || '"%' limit 1`,
      [text],
    )
    if (rowCount) found.push(`${table}.${column}`)
  }
  return found.sort()
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  process.stdout.write(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  return result
}
