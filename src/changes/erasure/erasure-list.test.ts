import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { openImport } from '../../../test/support/order-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { createKeyring, type Keyring } from '../../access/organizations/keyring.ts'
import { countSecretsByKey } from '../../access/organizations/sealing-keys.ts'
import { programAccount } from '../../contract/caller.ts'
import { newId } from '../../contract/new-id.ts'
import { openDatabase, type Queryable } from '../../database/database.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createUser } from '../../people/users/create-user.ts'
import type { Person } from '../../people/users/user-plan.ts'
import { applyErasures } from './apply-erasures.ts'
import { erasePerson } from './erase-person.ts'
import { appendLines, readLists } from './erasure-list.ts'
import { createErasureList, finishErasures } from './finish-erasures.ts'
import { liftOne } from './lift-erasure.ts'
import { isErasedSinceRead } from './recognise-erased.ts'
import { resealRegisters } from './reseal-registers.ts'
import { findRegister, type Register } from './tombstone-store.ts'

let database: TestDatabase
let folder: string
const files = await openFolder()
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-list-'))
})
afterAll(async () => {
  await database.drop()
  await files.remove()
  await rm(folder, { recursive: true, force: true })
})

const wang = { area_code: '86', mobile: '18877766655' }
const [older, newer] = [randomBytes(32), randomBytes(32)]
const keyring = createKeyring([older])

async function openErasing() {
  const school = await openLeads(database)
  const context = { ...school.context, keyring, account: programAccount('admin', 'Admin') }
  const file = join(folder, `${school.corp_id}.ndjson`)
  const list = createErasureList(async () => [file])
  return { school, context, file, list }
}

async function make(school: LeadOrganization, person: object): Promise<string> {
  return (await school.call(createUser, person)).user_id as string
}

const erase = (context: Parameters<typeof erasePerson>[0], user_id: string) =>
  erasePerson({ ...context, now: new Date() }, user_id, 'Asked for it', { mayOwe: true })

test('a list has ids and keyed hashes, is written once per event, and survives a truncated line', async () => {
  const { school, context, file, list } = await openErasing()
  const user_id = await make(school, wang)
  await erase(context, user_id)
  for (const each of [list, createErasureList(async () => [file]), list])
    await each.publish(context.db, school.corp_id)
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(wang.mobile)
  const kinds = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kind)
  expect(new Set(kinds)).toEqual(new Set(['key', 'person', 'contact']))
  // A power cut during a write. Another server continues.
  await appendFile(file, '{"kind":"person","corp_id":"')
  await liftOne({ ...context, now: new Date() }, wang)
  await createErasureList(async () => [file]).publish(context.db, school.corp_id)
  await createErasureList(async () => [file]).publish(context.db, school.corp_id)
  const listed = (await readLists([file])).get(school.corp_id)!
  expect([...listed.people.keys()]).toEqual([user_id])
  expect([...listed.contacts.values()].map(({ lifted_by }) => lifted_by)).toEqual(['admin', 'admin'])
  expect((await readFile(file, 'utf8')).match(/"kind":"key"/g)).toHaveLength(1)
})

/** The same school in an earlier state, as a backup restores it. */
async function forgetErasures({ school }: { school: LeadOrganization }): Promise<void> {
  for (const table of ['erased_users', 'erasure_tombstones', 'erasure_registers'])
    await database.superuser.query(`delete from ${table} where corp_id = $1`, [school.corp_id])
}

test.each([
  ['with the master key', keyring],
  ['without it, until a server starts', undefined],
])('a list erases again whom an older database brings back, %s', async (_, at: Keyring | undefined) => {
  const one = await openErasing()
  const { school, context, file, list } = one
  const { corp_id } = school
  const [user_id, returned, other] = [
    await make(school, wang),
    await make(school, { email: 'back@birds.example' }),
    await make(school, { area_code: '86', mobile: '13900139000' }),
  ]
  await school.call(importLead, { user_id, name: 'Wang Fang', form1_value: 'x' })
  const [before] = await school.query(`select json_agg(u) as users from users u where corp_id = $corp`)
  const never = newId()
  await erase(context, user_id)
  await erase(context, returned)
  await liftOne({ ...context, now: new Date() }, { email: 'back@birds.example' })
  await list.publish(context.db, corp_id)
  // A person who was created and erased after the backup.
  const at2 = new Date().toISOString()
  await appendLines(file, [{ kind: 'person', corp_id, user_id: never, person_id: never, at: at2 }])
  // The database generates email_key.
  for (const { email_key: _key, ...row } of before!.users as Record<string, unknown>[])
    await database.superuser.query(
      `insert into users (${Object.keys(row)}) select ${Object.keys(row)} from json_populate_record(null::users, $1)
       on conflict do nothing`,
      [JSON.stringify(row)],
    )
  await forgetErasures(one)
  await school.query(`
    insert into bank_accounts (corp_id, account_id, name, provider, currency, opening_price, ctime)
    values ($corp, 'bank', 'Bank', '', 'CNY', 0, now())`)
  await school.query(`
    insert into bank_statements (corp_id, statement_id, account_id, name, opening_price, closing_price, ctime)
    values ($corp, 'november', 'bank', 'November', 0, 1, now())`)
  await school.query(`
    insert into statement_lines (corp_id, line_id, statement_id, number, provider, description, price, currency, value_date, ctime)
    values ($corp, 'line', 'november', 1, '', 'from 188 7776 6655', 1, 'CNY', '2026-11-01', now())`)

  const applied = await applyErasures(database.owner, await readLists([file]), at)
  expect(applied.failed).toEqual([])
  expect(applied.erased.map((each) => each.user_id).sort()).toEqual([user_id, returned].sort())
  expect(await school.query(`select user_id from users where corp_id = $corp`)).toEqual([{ user_id: other }])
  const again = await applyErasures(database.owner, await readLists([file]), at)
  expect(again).toEqual({ erased: [], failed: [], contacts: 0 })

  await finishErasures({ ...context, now: new Date() })
  expect(await school.query(`select description from statement_lines where corp_id = $corp`)).toEqual([
    { description: null },
  ])
  const rows = 'area_code,mobile,user_id\n86,18877766655,\n'
  const leads = await school
    .import(await files.file('leads.csv', rows), { dryRun: true })
    .catch((error) => error)
  // Test support has another keyring, which cannot open the key: nothing is imported unchecked.
  expect(leads).toBeInstanceOf(Error)
  school.context.keyring = keyring
  expect(await school.import(await files.file('leads.csv', rows), { dryRun: true })).toMatchObject({
    rows: { erased: 1, new_user: 0 },
    first_erased: [{ row: 2, outcome: 'erased', reason: expect.stringContaining(user_id) }],
  })
})

test('a person who is merged in the older database is named, and does not count as erased', async () => {
  const one = await openErasing()
  const { school, file } = one
  const [survivor, merged] = [await make(school, wang), newId()]
  await database.superuser.query(
    `insert into merged_users (corp_id, merged_user_id, user_id, merge_id) values ($1, $2, $3, 'm')`,
    [school.corp_id, merged, survivor],
  )
  const at = new Date().toISOString()
  await appendLines(file, [
    { kind: 'person', corp_id: school.corp_id, user_id: merged, person_id: merged, at },
  ])
  const applied = await applyErasures(database.owner, await readLists([file]), keyring)
  expect(applied).toMatchObject({
    erased: [],
    failed: [{ user_id: merged, reason: `is merged into ${survivor}: unmerge and erase again` }],
  })
})

test('after resealing with a new master key, tombstones recognise the same people', async () => {
  const { school, context } = await openErasing()
  await erase(context, await make(school, wang))
  const [between, after] = [createKeyring([newer, older]), createKeyring([newer])]
  const newest = after.newestKeyId
  expect([...(await countSecretsByKey(database.owner)).keys()]).not.toContain(newest)
  await resealRegisters(database.owner, between, newest)
  expect(await resealRegisters(database.owner, between, newest)).toBe(0)
  expect([...(await countSecretsByKey(database.owner)).keys()]).toEqual([newest])
  school.context.keyring = after
  const file = await files.file('leads.csv', 'mobile\n18877766655\n')
  expect(await school.import(file, { dryRun: true })).toMatchObject({ rows: { erased: 1 } })
})

test('a file imports no orders of an erased person, by number, address or id', async () => {
  const org = await openImport(database)
  const account = programAccount('admin', 'Admin')
  const header = 'external_id,area_code,mobile,email,currency,listed_price'
  const file = await files.file('orders.csv', `${header}\no-1,86,18877766655,wang@birds.example,CNY,100\n`)
  expect((await org.import(file)).rows).toMatchObject({ create: 1 })
  const [{ user_id }] = (await org.query(`select user_id from users where corp_id = $corp`)) as [
    { user_id: string },
  ]
  await erasePerson({ ...org.context, account }, user_id, 'Asked for it', { mayOwe: true })
  const again = await files.file(
    'again.csv',
    `${header},user_id\no-1,86,18877766655,,CNY,100,\no-2,86,018877766655,,CNY,100,\n` +
      `o-3,,,WANG@birds.example,CNY,100,\no-4,,,,CNY,100,${user_id}\no-5,86,13900139000,,CNY,100,\n`,
  )
  const report = await org.import(again)
  expect(report.rows).toMatchObject({ create: 1, erased: 4, reject: 0 })
  expect(report.first_erased.map(({ row }) => row)).toEqual([2, 3, 4, 5])
  expect(report.first_erased[0]!.reason).toContain(user_id)
  expect(report.rejects_file).toBeNull()
  expect(
    await org.query(
      `select 1 from users where corp_id = $corp and (mobile = '18877766655' or email is not null)`,
    ),
  ).toEqual([])
})

test('an import that commits either precedes an erasure, which waits, or finds it', async () => {
  const { school, context } = await openErasing()
  const { corp_id } = school
  const [user_id, next] = [await make(school, wang), await make(school, { email: 'next@birds.example' })]
  await erase(context, await make(school, { email: 'before@birds.example' }))
  const isMeanwhile = (tx: Queryable, register: Register | undefined, person: Person) =>
    isErasedSinceRead({ ...context, db: tx }, register, [person])
  await context.db.transaction(async (tx) => {
    const register = await findRegister(tx, corp_id)
    await erase(context, user_id)
    expect(await isMeanwhile(tx, register, { email: 'next@birds.example' })).toBe(false)
    expect(await isMeanwhile(tx, register, wang)).toBe(true)
  })
  let erasing: Promise<unknown> | undefined
  await context.db.transaction(async (tx) => {
    const register = await findRegister(tx, corp_id)
    expect(await isMeanwhile(tx, register, { email: 'next@birds.example' })).toBe(false)
    erasing = erase(context, next)
    while ((await database.lockWaits()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(
      await school.query(`select 1 from users where corp_id = $corp and user_id = '${next}'`),
    ).toHaveLength(1)
  })
  await erasing
  expect(await school.query(`select 1 from users where corp_id = $corp and user_id = '${next}'`)).toEqual([])
})

test('a concurrent import and erasure, in either order, leave the person erased', async () => {
  const { school, context } = await openErasing()
  school.context.keyring = keyring
  const second = openDatabase(database.appOptions)
  for (let round = 0; round < 6; round++) {
    const mobile = `1887776${String(1000 + round)}`
    const user_id = await make(school, { area_code: '86', mobile })
    const rows = Array.from({ length: 40 }, (_, n) => `1390013${1000 + 40 * round + n},Li`)
    const file = await files.file('race.csv', ['mobile,name', ...rows, `${mobile},Wang`].join('\n'))
    const imported = school.import(file)
    await new Promise((resolve) => setTimeout(resolve, 15 * round))
    await erase({ ...context, db: second.of(school.corp_id) }, user_id)
    await imported
    expect(
      await school.query(`select 1 from users where corp_id = $corp and mobile = '${mobile}'
                          union all select 1 from leads where corp_id = $corp and fields->>'mobile' = '${mobile}'`),
    ).toEqual([])
  }
  await second.close()
})
