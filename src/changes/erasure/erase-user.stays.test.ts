import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { ok } from '../../../test/harness/expect-success.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { openSchool, type School } from '../../../test/support/erasure.ts'
import { openFolder, writeXlsx } from '../../../test/support/sheets.ts'
import { maintainOnce } from '../../maintenance.ts'
import { createOrder } from '../../orders/create-order.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchProfile } from '../../people/users/fetch-profile.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { fetchLeadFile, listLeadFileRows } from '../lead-import/list-lead-files.ts'
import { commitLeadFile, planLeadFile } from '../lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../lead-import/upload-lead-file.ts'
import { mergeUsers, unmergeUsers } from '../merging/merge-users.ts'
import { listLeftAloneRecords, undoChanges } from '../undo/undo-changes.ts'
import { eraseUser } from './erase-user.ts'
import { liftErasure } from './lift-erasure.ts'
import { listErasures } from './list-erasures.ts'

let server: TestServer
const folder = await openFolder()
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(async () => {
  await folder.remove()
  await server?.close()
})

const wang = { area_code: '86', mobile: '18877766655' }

/** The records of the school with the number, users and leads. */
const comeback = (school: School) =>
  school.query(`
    select 'user' as what from users where corp_id = CORP and mobile = '18877766655'
    union all select 'lead' from leads where corp_id = CORP and fields->>'mobile' = '18877766655'`)

test('a file that was planned before an erasure does not import the person again', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  const import_id = await school.plan('mobile,name\n188-7776-6655,Wang Fang\n13900139000,Li\n')
  await school.erase(user_id)
  expect((await school.call(commitLeadFile, { import_id })).code).toBe(40904)
  expect(await comeback(school)).toEqual([])
  expect(await ok(school.call(fetchLeadFile, { import_id }))).toMatchObject({
    state: 'refused',
    refusal: expect.stringContaining('holds a person who was erased'),
  })
  const again = await school.call(planLeadFile, { import_id })
  expect([again.code, again.msg]).toEqual([40904, expect.stringContaining('Upload the file again')])
})

test('a commit in progress skips the erased person, and names the row and the person', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  const import_id = await school.plan('mobile,name\n13900139000,Li\n188-7776-6655,Wang Fang\n')
  // The state of a commit that was interrupted before its first row.
  await server.database.superuser.query(
    `update lead_imports set state = 'committing', last_row = 0 where import_id = $1`,
    [import_id],
  )
  await school.administer(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true })
  await server.database.superuser.query(`update lead_imports set state = 'planned' where import_id = $1`, [
    import_id,
  ])
  const done = await school.commit(import_id)
  expect(done).toMatchObject({ state: 'done', result: { new_user: 1, erased: 1, reject: 0 } })
  expect(await comeback(school)).toEqual([])
  const { list } = await ok(school.call(listLeadFileRows, { import_id, outcome: 'erased' }))
  const today = new Date().toISOString().slice(0, 10)
  const reason = `belongs to a person who was erased on ${today} (${user_id}); an administrator can lift the erasure`
  expect(list).toEqual([
    {
      row: 3,
      outcome: 'erased',
      reason: `row 3, column mobile: ${reason}`,
      faults: [{ cell: 0, header: 'mobile', reason }],
      ...{ cells: [], shown: [], lead_id: '', user_id: '' },
    },
  ])
})

test('a later file is planned without the erased person, by every contact and by the id', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  const { user_id: other } = await ok(school.call(createUser, { area_code: '86', mobile: '18877766644' }))
  await ok(school.call(importLead, { user_id, area_code: '44', mobile: '7911123456' }))
  await ok(school.call(mergeUsers, { user_id, merged_user_id: other }))
  await school.erase(user_id)
  const rows = [
    ...['area_code,mobile,user_id', '86,188 7776 6655,', ',18877766644,', '44,07911 123456,'],
    ...[`,,${user_id}`, `,,${other}`, '1,4155550100,', ',13900139000,'],
  ]
  const import_id = await school.plan(rows.join('\n'))
  const { plan } = await ok(school.call(fetchLeadFile, { import_id }))
  expect(plan).toMatchObject({ erased: 5, new_user: 2, reject: 0 })
  // The plan stores the cells of the first rows to import, and none of the erased person.
  expect(
    await school.query(
      `select outcome from lead_import_rows where corp_id = CORP and cells->'cells' <> '[]'`,
    ),
  ).toEqual([{ outcome: 'new_user' }, { outcome: 'new_user' }])
})

test('files that wait for their commit hold no data of an erased person, in any format', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  await ok(school.call(updateEmail, { user_id, email: 'Wang@Birds.example' }))
  const sheet = async (rows: Parameters<typeof writeXlsx>[1], inline: boolean) =>
    readFile(await writeXlsx(`${folder.folder}/${inline}.xlsx`, rows, { inline }))
  const holding = [
    await school.plan('mobile,name\n+86 188 7776 6655,Wang Fang\n'),
    await school.upload('mobile,name\n１８８７７７６６６５５,Wang Fang\n'),
    await school.upload(Buffer.from('\ufeffmobile\n18877766655\n', 'utf16le')),
    await school.upload(await sheet([['mobile'], [18877766655]], false), 'a.xlsx'),
    await school.upload(await sheet([['note'], ['call wang@birds.example']], true), 'b.xlsx'),
    await school.upload(`{"mobile": "\\u0031887776 6655"}\n`, 'c.ndjson'),
    await school.upload('no workbook', 'd.xlsx'),
  ]
  const other = await school.plan('mobile,name\n13900139000,Wang Fang\n')
  await school.erase(user_id)
  const kept = await school.query(`select import_id from lead_import_pieces where corp_id = CORP`)
  expect(kept).toEqual([{ import_id: other }])
  for (const import_id of holding)
    expect(await ok(school.call(fetchLeadFile, { import_id }))).toMatchObject({
      state: 'refused',
      received: 0,
    })
  expect(await school.commit(other)).toMatchObject({ state: 'done', result: { new_user: 1 } })
})

test('a file that is too large for the transaction is searched right after the erasure', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  const others = Array.from({ length: 1600 }, (_, n) => `1390013${1000 + n},${'far away '.repeat(350)}`)
  const large = await school.upload(['mobile,name', ...others, '188 7776 6655,Wang Fang'].join('\n'))
  await school.erase(user_id)
  expect(await ok(school.call(fetchLeadFile, { import_id: large }))).toMatchObject({
    state: 'refused',
    received: 0,
  })
})

test('an erasure is complete only once aborted uploads are removed too', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  const half = Buffer.from('mobile\n18877766655\n')
  const { import_id } = await ok(school.call(createLeadFile, { file_name: 'half.csv', bytes: 100 }))
  await ok(school.call(appendLeadFile, { import_id, start: 0, content: half.toString('base64') }))
  await ok(school.administer(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true }))
  const maintain = (now: Date) =>
    maintainOnce(server.db, now, pino({ level: 'silent' }), new AbortController().signal, testKeyring)
  const isComplete = async () => (await ok(school.administer(listErasures))).list[0].is_complete
  await maintain(new Date())
  expect(await isComplete()).toBe(false)
  await maintain(new Date(Date.now() + 11 * 60_000))
  expect(await isComplete()).toBe(true)
  expect(await school.query(`select 1 from lead_import_pieces where corp_id = CORP`)).toEqual([])
})

test('texts of statement lines that name an erased person are removed, in any spelling of name and number', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  await ok(school.call(updateUser, { user_id, name: '王 小芳' }))
  const texts = [
    ...['王小芳 学费', '王　小芳', 'from 188 7776 6655', 'from +86-188-7776-6655', '１８８７７７６６６５５'],
    ...['tel 008618877766655', '小芳 王'],
  ]
  const lines = texts.map((description, n) => ({ price: 100 + n, description }))
  const other = { price: 7, description: '李小龙 13900139000' }
  await sendStatement((operation, input) => ok(school.call(operation, input)), [...lines, other])
  await school.erase(user_id)
  expect(
    await school.query(
      `select description from statement_lines where corp_id = CORP and description is not null`,
    ),
  ).toEqual([{ description: other.description }])
})

test('changes from before an erasure cannot be undone for the person: neither an import nor a merge', async () => {
  const school = await openSchool(server)
  const { batch_id } = await school.commit(await school.plan('mobile,name\n18877766655,Wang Fang\n'))
  const [{ user_id }] = (await school.query(`select user_id from users where corp_id = CORP`)) as [
    { user_id: string },
  ]
  const { user_id: merged_user_id } = await ok(school.call(createUser, { email: 'wang@birds.example' }))
  await ok(school.call(createOrder, { user_id: merged_user_id, listed_price: 100 }))
  const { merge_id } = await ok(school.call(mergeUsers, { user_id, merged_user_id }))
  await school.erase(user_id)
  const unmerged = await ok(school.call(unmergeUsers, { merge_id }))
  const undone = await ok(school.call(undoChanges, { batch_id }))
  for (const id of [unmerged.batch_id, undone.batch_id]) {
    await ok(school.call(listLeftAloneRecords, { batch_id: id }))
    await ok(school.call(undoChanges, { batch_id: id }))
  }
  expect(await comeback(school)).toEqual([])
  expect(await school.query(`select 1 from users where corp_id = CORP and email is not null`)).toEqual([])
  expect(await ok(school.call(fetchProfile, { user_id }))).toMatchObject({ name: '', mobile: '' })
})

test('an administrator lifts the erasure of a returned person, by any contact and in this school only', async () => {
  const [school, next] = [await openSchool(server), await openSchool(server)]
  for (const each of [school, next]) {
    const { user_id } = await ok(each.call(createUser, wang))
    await ok(each.call(updateEmail, { user_id, email: 'wang@birds.example' }))
    await each.erase(user_id)
  }
  const hashes = await server.database.superuser.query(
    `select contact_hash from erasure_tombstones where corp_id = any($1)`,
    [[school.corp_id, next.corp_id]],
  )
  expect(new Set(hashes.rows.map(({ contact_hash }) => contact_hash)).size).toBe(hashes.rowCount)
  expect((await school.call(liftErasure, wang)).code).toBe(40303)
  expect((await school.administer(liftErasure, { area_code: '86', mobile: '1887776665' })).code).toBe(40429)
  const lifted = await ok(school.administer(liftErasure, { email: 'WANG@birds.example' }))
  expect(lifted).toMatchObject({ contacts: 2 })
  expect((await school.administer(liftErasure, wang)).code).toBe(40429)
  const { list } = await ok(school.administer(listErasures))
  expect(list).toMatchObject([
    { user_id: lifted.user_ids[0], contacts: 2, lifted_by: expect.stringMatching(/./) },
  ])
  const counts = async (each: School) => {
    const import_id = await each.plan('mobile,name\n18877766655,Wang Fang\n')
    return (await ok(each.call(fetchLeadFile, { import_id }))).plan
  }
  expect(await counts(school)).toMatchObject({ new_user: 1, erased: 0 })
  expect(await counts(next)).toMatchObject({ new_user: 0, erased: 1 })
})

test('an erased person who writes again is a new person, and can be erased again', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  await school.erase(user_id)
  const again = await ok(school.call(createUser, wang))
  expect(again).toMatchObject({ is_user_exists: false })
  await ok(school.call(importLead, { ...wang, name: 'Wang Fang' }))
  expect(await comeback(school)).toEqual([{ what: 'user' }, { what: 'lead' }])
  await school.erase(again.user_id)
  expect(await comeback(school)).toEqual([])
})

test('data that a program adds again under the id of an erased person is erased again', async () => {
  const school = await openSchool(server)
  const { user_id } = await ok(school.call(createUser, wang))
  await ok(school.call(createOrder, { user_id, listed_price: 100 }))
  await school.erase(user_id)
  await ok(school.call(importLead, { user_id, ...wang, name: 'Wang Fang' }))
  expect(await comeback(school)).toEqual([{ what: 'user' }, { what: 'lead' }])
  await school.erase(user_id)
  expect(await comeback(school)).toEqual([])
  expect(await ok(school.call(fetchProfile, { user_id }))).toMatchObject({ name: '' })
})
