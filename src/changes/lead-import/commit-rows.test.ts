import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { waitUntil } from '../../../test/harness/process.ts'
import { openLeads } from '../../../test/support/lead-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { openDatabase } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { importLeads } from '../../people/leads/import-leads.ts'
import { createUser } from '../../people/users/create-user.ts'
import { importLeadFile } from './import-lead-file.ts'

/** Rows are stored in batches, and a batch starts during the one before it. */
const batch = 500

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
})
afterAll(async () => {
  await folder?.remove()
  await database?.drop()
})

test('people with a number of the batch before, or similar to its people, are found as in a sequential import', async () => {
  const org = await openLeads(database)
  const alone = await openLeads(database)
  // The third batch has a row with the number of a person whose number was changed.
  const rows = Array.from({ length: 2 * batch + 10 }, (_, n) => ({
    ...{ mobile: mobileOf(n), name: `Person ${n}`, company: 'Harbour', entry: `e${n}` },
    ...(n >= batch && n % 100 === 3 && { mobile: mobileOf(n - batch) }),
    ...(n >= batch && n % 100 === 53 && { name: `Person ${n - batch}` }),
  }))
  const lines = rows.map(({ mobile, name, company, entry }) => [mobile, name, company, entry].join(','))
  const file = await folder.file('leads.csv', ['mobile,name,company,entry_id', ...lines].join('\n'))
  const planned = await org.import(file, { dryRun: true })
  const report = await org.import(file)
  expect(report.rows).toEqual(planned.rows)
  const leads = rows.map(({ mobile, name, company, entry }) => ({
    ...{ area_code: '86', mobile, name, company_name: company, entry_id: entry },
  }))
  for (let start = 0; start < leads.length; start += 50)
    await alone.call(importLeads, { leads: leads.slice(start, start + 50) })
  const seen = (one: typeof org) =>
    Promise.all([
      one.query(`select mobile, name, company_name from users where corp_id = $corp order by mobile`),
      one.query(
        `select l.entry_id, u.mobile from leads l join users u using (corp_id, user_id) where corp_id = $corp
          order by l.entry_id`,
      ),
      one.query(
        `select a.mobile as one, b.mobile as other, d.score, d.reasons from user_duplicates d
           join users a on a.corp_id = d.corp_id and a.user_id = d.user_id
           join users b on b.corp_id = d.corp_id and b.user_id = d.other_user_id
          where d.corp_id = $corp order by least(a.mobile, b.mobile), greatest(a.mobile, b.mobile)`,
      ),
    ])
  const [users, stored, pairs] = await seen(org)
  const wanted = await seen(alone)
  expect(users).toEqual(wanted[0])
  expect(stored).toEqual(wanted[1])
  const unordered = (all: Record<string, unknown>[]) =>
    all.map(({ one, other, ...rest }) => ({ ...rest, both: [one, other].toSorted() }))
  expect(rows.length - users.length).toBe(batch / 100)
  expect(pairs).toHaveLength(batch / 100)
  expect(unordered(pairs)).toEqual(unordered(wanted[2]!))
  const before = await org.records()
  await rebuildDerivedData(org.context.db, org.corp_id)
  expect(await org.records()).toEqual(before)
})

test('a batch that blocks a lock or connection of the batch before it rolls back and retries', async () => {
  const org = await openLeads(database)
  const { user_id } = await org.call(createUser, { area_code: '86', mobile: mobileOf(0) })
  const lines = Array.from({ length: 2 * batch }, (_, n) => `${mobileOf(n)},Person ${n}`)
  const file = await folder.file('ring.csv', ['mobile,name', ...lines].join('\n'))
  let importing: Promise<unknown> = Promise.resolve()
  // Locks a person that the first batch needs, and then needs a person that the second has created.
  await org.context.db.transaction(async (tx) => {
    await tx.query(sql`
      select user_id from users where corp_id = ${org.corp_id} and user_id = ${user_id as string} for update`)
    importing = org.import(file)
    expect(await waitUntil(async () => (await database.lockWaits()) >= 1, 20_000)).toBe(true)
    await pause(500)
    await org.call(createUser, { area_code: '86', mobile: mobileOf(batch + 1) })
    tx.note({ record_type: 'users', record_id: user_id as string, action: 'changed' })
  })
  expect(await importing).toMatchObject({ rows: { new_user: 2 * batch - 2, known_user: 2, reject: 0 } })
  const [count] = await org.query('select count(*)::int as users from users where corp_id = $corp')
  expect(count).toEqual({ users: 2 * batch })
})

test('without a second connection, the second batch follows the first', async () => {
  const org = await openLeads(database)
  const narrow = openDatabase({ ...database.appOptions, max: 2, longestWaitMs: 1200 })
  try {
    const lines = Array.from({ length: 4 * batch }, (_, n) => `${mobileOf(n % (2 * batch))},Person ${n}`)
    const file = await folder.file('narrow.csv', ['mobile,name', ...lines].join('\n'))
    const context = { ...org.context, db: narrow.of(org.corp_id) }
    expect(await importLeadFile(context, file, {})).toMatchObject({
      rows: { new_user: 2 * batch, known_user: 2 * batch, reject: 0 },
    })
  } finally {
    await narrow.close()
  }
})

function mobileOf(n: number): string {
  return `138${String(n).padStart(8, '0')}`
}
