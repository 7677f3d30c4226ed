import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { listLeads } from '../../people/leads/list-leads.ts'
import { listLeadFileValues } from './list-lead-file-values.ts'
import { fetchLeadFile, listLeadFileRows } from './list-lead-files.ts'
import { commitLeadFile, planLeadFile } from './plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from './upload-lead-file.ts'
import { createValueReader, withValues } from './value-mapping.ts'

let server: TestServer
let school: TestOrganization
let wang: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  wang = await hireStaff(server, school.corp_id, 'counsellor')
  const course = { course_code: 'EMBA', name: 'Executive MBA', currency: 'CNY', listed_price: 30_000 }
  await school.call(upsertCourse, course)
})
afterAll(() => server?.close())

async function settled(import_id: string, org = school) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { data } = await org.call(fetchLeadFile, { import_id })
    if (data.state !== 'planning' && data.state !== 'committing') return data
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the import never ends')
}

async function plan(import_id: string, more: object = {}, org = school) {
  expect(await org.call(planLeadFile, { import_id, ...more })).toMatchObject({ code: 0 })
  return settled(import_id, org)
}

/** Rows with new numbers in every file. */
async function upload(header: string, rows: string[], org = school): Promise<string> {
  const lines = rows.map((row) => `${mobiles++},${row}`)
  const content = Buffer.from([`mobile,${header}`, ...lines].join('\n'))
  const { import_id } = (await org.call(createLeadFile, { file_name: 'x.csv', bytes: content.length })).data
  await org.call(appendLeadFile, { import_id, start: 0, content: content.toString('base64') })
  return import_id
}
let mobiles = 13_500_000_000

const unmatched = () => undefined
const nothingKnown = {
  ...{ course: unmatched, owner: unmatched, tag: unmatched, groups: [] },
  ...{ hasCourses: false, takesOwnerIds: true },
}

const valuesOf = async (import_id: string) =>
  (await wang.call(listLeadFileValues, { import_id })).data.columns as {
    column: string
    distinct: number
    others: number
    list: { value: string; rows: number; [member: string]: unknown }[]
  }[]
const channelsOf = async (org = school) =>
  ((await org.call(listLeads, { page_size: 1000 })).data.list as { utm_channel: string }[]).map(
    ({ utm_channel }) => utm_channel,
  )

describe('the values of a file', () => {
  test('are listed with their meanings, the most frequent first', async () => {
    const rows = ['Baidu,EMBA,ja', 'Baidu,executive mba,yes', 'Fair,Nursing,否', 'Baidu,EMBA,']
    const import_id = await upload('渠道,课程,企业培训', rows)
    await plan(import_id)
    expect(await valuesOf(import_id)).toMatchObject([
      {
        ...{ column: 'utm_channel', header: '渠道', kind: 'text', distinct: 2, others: 0 },
        list: [
          { value: 'Baidu', rows: 3, understood: 'Baidu', is_known: true, stands_for: null },
          { value: 'Fair', rows: 1 },
        ],
      },
      {
        ...{ column: 'course_code', kind: 'course' },
        list: [
          { value: 'EMBA', rows: 2, understood: 'Executive MBA', is_known: true, suggestion: '' },
          {
            value: 'executive mba',
            understood: 'Executive MBA',
            guessed: true,
            confidence: 95,
            suggestion: 'EMBA',
          },
          { value: 'Nursing', is_known: false, guessed: false, suggestion: '' },
        ],
      },
      {
        ...{ column: 'is_corporate_training', kind: 'yes_no' },
        list: [
          { value: 'ja', is_known: false },
          { value: 'yes', is_known: true, understood: 'yes' },
          { value: '否', is_known: true, understood: 'no' },
        ],
      },
    ])
  })

  test('of owners are known by id, and guessed by name', async () => {
    const import_id = await upload('顾问', [`${wang.staff_id};A counsellor`, 'A counsellor'])
    await plan(import_id)
    const [owners] = await valuesOf(import_id)
    expect(owners!.list).toMatchObject([
      { value: 'A counsellor', rows: 2, is_known: true, guessed: true, suggestion: wang.staff_id },
      { value: wang.staff_id, rows: 1, is_known: true, understood: 'A counsellor' },
    ])
  })

  test('without a match wait for a meaning, and nothing unknown is stored', async () => {
    const import_id = await upload('顾问,课程', ['赵老师,EMBA', 'A counsellor,Nursing', ',EMBA'])
    expect(await plan(import_id)).toMatchObject({ plan: { new_user: 1, reject: 2 } })
    const { data } = await school.call(listLeadFileRows, { import_id, outcome: 'reject', language: 'zh' })
    expect(data.list).toMatchObject([
      {
        reason: '第 2 行：“顾问”没有叫“赵老师”的员工：请选择，或留空',
        faults: [{ cell: 1, header: '顾问' }],
      },
      { reason: '第 3 行：“课程”没有课程“Nursing”：请选择，或留空', faults: [{ cell: 2, header: '课程' }] },
    ])
    const values = [
      { column: 'owner_ids', value: '赵老师', stands_for: '' },
      { column: 'course_code', value: 'Nursing', stands_for: 'NURSING-1' },
    ]
    expect(await plan(import_id, { values })).toMatchObject({ plan: { new_user: 3, reject: 0 } })
    await school.call(commitLeadFile, { import_id })
    await settled(import_id)
    const { list } = (await school.call(listLeads, { page_size: 1000, course_code: 'NURSING-1' })).data
    expect(list).toMatchObject([{ owner_ids: [wang.staff_id] }])
  })

  test('are also the calling codes of numbers that look like those of another country', async () => {
    const org = await openOrganization(server)
    const content = Buffer.from('手机\n85291234568\n85291234569\n14155552699\n13900000034\n')
    const { import_id } = (await org.call(createLeadFile, { file_name: 'x.csv', bytes: content.length })).data
    await org.call(appendLeadFile, { import_id, start: 0, content: content.toString('base64') })
    expect(await plan(import_id, {}, org)).toMatchObject({ plan: { new_user: 1, reject: 3 } })
    const { columns } = (await org.call(listLeadFileValues, { import_id })).data
    expect(columns).toMatchObject([
      {
        ...{ column: 'mobile', header: '手机', kind: 'country', distinct: 2 },
        list: [
          { value: '852', rows: 2, is_known: false },
          { value: '1', rows: 1, is_known: false },
        ],
      },
    ])
    const values = [{ column: 'mobile', value: '852', stands_for: '852' }]
    expect(await plan(import_id, { values }, org)).toMatchObject({ plan: { new_user: 3, reject: 1 } })
  })

  test('are listed up to fifty per column, with the number of others; a long value is not stored', async () => {
    const many = Array.from({ length: 1200 }, (_, n) => `channel ${n}`)
    const import_id = await upload('channel', ['often', 'often', 'x'.repeat(300), ...many])
    await plan(import_id)
    const [found] = await valuesOf(import_id)
    expect(found).toMatchObject({ distinct: 1000, list: { length: 50 } })
    expect(found!.list[0]).toMatchObject({ value: 'often', rows: 2 })
    const listed = found!.list.reduce((sum, { rows }) => sum + rows, 0)
    expect(listed + found!.others).toBe(1203)
  })

  test('of another organization are not listed', async () => {
    const other = await openOrganization(server)
    const import_id = await upload('channel', ['a'])
    expect((await other.call(listLeadFileValues, { import_id })).code).toBe(
      (await other.call(listLeadFileValues, { import_id: newId() })).code,
    )
  })
})

describe('the meaning of values', () => {
  test('is planned and committed; a rejected row keeps its original values', async () => {
    const org = await openOrganization(server)
    const rows = ['Baidu PC,ja', 'baidu,yes', 'n/a,vielleicht']
    const import_id = await upload('channel,corporate', rows, org)
    expect(await plan(import_id, {}, org)).toMatchObject({ plan: { new_user: 1, reject: 2 } })
    const values = [
      { column: 'utm_channel', value: 'Baidu PC', stands_for: 'baidu' },
      { column: 'utm_channel', value: 'n/a', stands_for: '' },
      { column: 'is_corporate_training', value: 'ja', stands_for: 'yes' },
    ]
    expect(await plan(import_id, { values }, org)).toMatchObject({ plan: { new_user: 2, reject: 1 } })
    const { data } = await org.call(listLeadFileRows, { import_id, outcome: 'reject' })
    expect(data.list[0].cells.slice(1)).toEqual(['n/a', 'vielleicht'])
    const more = [...values, { column: 'is_corporate_training', value: 'vielleicht', stands_for: '' }]
    await plan(import_id, { values: more }, org)
    await org.call(commitLeadFile, { import_id })
    expect(await settled(import_id, org)).toMatchObject({ state: 'done', result: { new_user: 3, reject: 0 } })
    expect((await channelsOf(org)).sort()).toEqual(['', 'baidu', 'baidu'])
  })

  test('is kept when columns are mapped again, and remembered for the next file with the same headers', async () => {
    const org = await openOrganization(server)
    const header = 'Where,channel'
    const first = await upload(header, ['x,Baidu PC'], org)
    const values = [{ column: 'utm_channel', value: 'Baidu PC', stands_for: 'baidu' }]
    await plan(first, { values }, org)
    await plan(first, { mapping: [{ header: 'Where', column: 'city' }] }, org)
    await org.call(commitLeadFile, { import_id: first })
    await settled(first, org)
    const second = await upload(header, ['y,Baidu PC', 'z,Other'], org)
    await plan(second, {}, org)
    const { columns } = (await org.call(listLeadFileValues, { import_id: second })).data
    expect(columns[0].list[0]).toMatchObject({ value: 'Baidu PC', stands_for: 'baidu' })
    await org.call(commitLeadFile, { import_id: second })
    await settled(second, org)
    expect((await channelsOf(org)).sort()).toEqual(['Other', 'baidu', 'baidu'])
    const elsewhere = await openOrganization(server)
    const third = await upload(header, ['y,Baidu PC'], elsewhere)
    await plan(third, {}, elsewhere)
    await elsewhere.call(commitLeadFile, { import_id: third })
    await settled(third, elsewhere)
    expect(await channelsOf(elsewhere)).toEqual(['Baidu PC'])
  })

  test('must be valid for the column; nothing changes otherwise', async () => {
    const import_id = await upload('channel', ['a'])
    await plan(import_id)
    const value = { column: 'utm_channel', value: 'a', stands_for: 'b' }
    for (const bad of [
      { ...value, column: 'mobile' },
      { ...value, stands_for: 'x'.repeat(501) },
      { ...value, value: 'x'.repeat(101) },
      { column: 'is_corporate_training', value: 'a', stands_for: 'perhaps' },
    ])
      expect((await school.call(planLeadFile, { import_id, values: [bad] })).code).toBe(40002)
    const tooMany = Array.from({ length: 1001 }, (_, n) => ({ ...value, value: `${n}` }))
    expect((await school.call(planLeadFile, { import_id, values: tooMany })).code).toBe(40002)
    expect((await valuesOf(import_id))[0]!.list[0]).toMatchObject({ stands_for: null })
  })

  test('applies to the named values of the named column only', () => {
    const word = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text.trim() === text)
    const told = fc.array(fc.tuple(word, word)).map((pairs) => Object.fromEntries(pairs))
    fc.assert(
      fc.property(fc.array(word), told, (cells, mapping) => {
        const map = { names: ['utm_channel', 'city'] as const, unknown: [], suggestions: {}, guesses: {} }
        for (const cell of cells) {
          const row = { row: 2, cells: [cell, cell] }
          const meaningOf = createValueReader({ utm_channel: mapping }, nothingKnown)
          const after = withValues(row, { ...map, names: [...map.names] }, meaningOf).cells
          expect(after).toEqual([Object.hasOwn(mapping, cell) ? mapping[cell] : cell, cell])
          expect(row.cells).toEqual([cell, cell])
        }
      }),
    )
  })
})
