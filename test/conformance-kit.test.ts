import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htmlOf } from '../packages/conformance/src/reports/html.ts'
import { junitOf } from '../packages/conformance/src/reports/junit.ts'
import { countsOf, failureText } from '../packages/conformance/src/reports/text.ts'
import { allChecks } from '../packages/conformance/src/run.ts'
import { gaps } from '../packages/conformance/src/tables/gaps.ts'
import { operationTables } from '../packages/conformance/src/tables/operations.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { type BrokenServer, mutations, startBrokenServer } from './conformance-kit/broken-server.ts'
import { rows } from './conformance-kit/mutation.ts'
import { testKeyring } from './harness/keyring.ts'
import type { Credentials } from './harness/server.ts'

let broken: BrokenServer
/** Of an account that may erase people. */
let account: Credentials

beforeAll(async () => {
  broken = await startBrokenServer()
  const { sample, database } = broken.server
  const permissions = ['read', 'write', 'finance', 'admin']
  account = await createAccount(
    database.owner,
    testKeyring,
    { name: 'Kit', corp_ids: [sample.corp_id], permissions },
    new Date(),
  )
})
afterAll(() => broken?.close())

test('this server passes every check, and the kit removes the people that it created', async () => {
  const report = await broken.run(undefined, {}, account)
  const failures = report.results.filter(({ state }) => state === 'failed')
  expect(failures.map(failureText).join('\n')).toEqual('')
  expect(countsOf(report)).toEqual({ passed: allChecks().length, failed: 0, skipped: 0 })
  expect(report.warnings).toEqual([])
  expect(new Set(report.left.map(({ kind }) => kind))).toEqual(new Set(['tag group']))
  const { rows } = await broken.server.database.superuser.query(
    `select (select count(*) from users where lower(email) like 'mconf-%')::int as users,
            (select count(*) from tag_groups where name like 'mconf-%' and is_active)::int as active_groups`,
  )
  expect(rows).toEqual([{ users: 0, active_groups: 0 }])
})

test('--read-only changes nothing, and still checks the orders', async () => {
  const before = await changes()
  const report = await broken.run(undefined, { readOnly: true })
  const { passed, failed } = countsOf(report)
  expect(report.results.filter(({ state }) => state === 'failed').map(failureText)).toEqual([])
  expect([failed, passed > 400, report.left]).toEqual([0, true, []])
  expect(await changes()).toEqual(before)
})

test('every row of the tables has a check, and every decided gap', () => {
  const checks = allChecks()
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  const ids = checks.map(({ id }) => id)
  for (const { path, request, data, rows } of operationTables) {
    const name = path.replace('/api/v5/', '').replace('entity/', '')
    const members =
      data === 'String' ? [`${name} data`] : Object.keys(data).map((member) => `${name} data ${member}`)
    const ofRows = Object.keys(rows?.fields ?? {}).map((member) => `${name} row ${member}`)
    for (const id of [`${name} envelope`, ...members, ...ofRows]) expect(ids).toContain(id)
    for (const [parameter, { required }] of Object.entries(request))
      if (required) expect(ids).toContain(`${name} parameter ${parameter} left out`)
  }
  const checked = new Set(checks.map(({ gap }) => gap))
  checked.delete(undefined)
  const decided = gaps.filter(({ state }) => state === 'decided').map(({ id }) => id)
  expect([...checked].toSorted()).toEqual(decided.toSorted())
  // The interface leaves no gap at the first level.
  expect(checks.filter(({ level, gap }) => (level === 'interface') === (gap !== undefined))).toEqual([])
})

describe('the kit finds a server that differs in one thing', () => {
  // test:system runs all mutations.
  const some = mutations.filter((_, index) => index % 20 === 0)

  test.each(some)('$title', async ({ mutation }) => {
    expect(countsOf(await broken.run(mutation)).failed).toBeGreaterThan(0)
  })
})

test('a failure shows the row, the call without secrets, and the expected and actual value, in every report', async () => {
  const report = await broken.run(
    {
      ...{ what: 'no currency', of: 'order/list', only: 'order/list row currency' },
      ...rows((row) => {
        delete row.currency
      }),
    },
    {},
    account,
  )
  const [text, junit, html] = [report.results.map(failureText).join('\n'), junitOf(report), htmlOf(report)]
  for (const shown of [text, junit, html]) {
    expect(shown).toContain('order/list row currency')
    expect(shown).toContain('currency: String')
    expect(shown).toContain('no such member')
    expect(shown).toMatch(/curl .*order\/list\?/)
    expect(shown).toContain('Bearer ***')
    expect(shown).not.toContain(account.user_api_secret)
  }
  expect(junit).toMatch(/<testsuite name="interface" tests="1" failures="1" errors="0" skipped="0"/)
  expect(html).toContain('Gaps of the interface')
  expect(
    await readFile(join(import.meta.dirname, '../packages/conformance/package.json'), 'utf8'),
  ).not.toContain('"dependencies"')
})

/** Entries of the audit that are about records. */
async function changes(): Promise<number> {
  const { rows } = await broken.server.database.superuser.query(
    'select count(*)::int as count from audit_entries where corp_id = $1',
    [broken.server.sample.corp_id],
  )
  return rows[0]!.count
}
