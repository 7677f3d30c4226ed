import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { writeBook } from '../../../test/support/sheets.ts'
import { maintainOnce } from '../../maintenance.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { listLeads } from '../../people/leads/list-leads.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { listLeftAloneRecords, undoChanges } from '../undo/undo-changes.ts'
import { fetchLeadFile, listLeadFileRows, listLeadFiles } from './list-lead-files.ts'
import { commitLeadFile, planLeadFile } from './plan-lead-file.ts'
import { previewLeadFile } from './preview-lead-file.ts'
import { appendLeadFile, createLeadFile, discardLeadFile } from './upload-lead-file.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  folder = await mkdtemp(join(tmpdir(), 'matricula-upload-'))
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const text = 'mobile,name\n138 0013 8000,Mei\n13800138001,Li\nnobody,Wu\n13800138000,Mei\n'

async function upload(
  org: TestOrganization,
  content: string | Buffer = text,
  pieceBytes = 20,
  file_name = 'leads.csv',
) {
  const bytes = Buffer.from(content)
  const { data } = await org.call(createLeadFile, { file_name, bytes: bytes.length })
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = {
      import_id: data.import_id,
      start,
      content: bytes.subarray(start, start + pieceBytes).toString('base64'),
    }
    await org.call(appendLeadFile, piece)
    // A piece whose answer was lost is sent again.
    const again = await org.call(appendLeadFile, piece)
    expect(again.data).toEqual({ received: Math.min(start + pieceBytes, bytes.length), bytes: bytes.length })
  }
  return data.import_id as string
}

async function settled(org: TestOrganization, import_id: string, pauseMs = 10) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { data } = await org.call(fetchLeadFile, { import_id })
    if (data.state !== 'planning' && data.state !== 'committing') return data
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error('the import never ends')
}

const count = async (org: TestOrganization, table: string) => {
  const { rows } = await server.database.superuser.query(
    `select count(*)::int as records from ${table} where corp_id = $1`,
    [org.corp_id],
  )
  return rows[0].records as number
}

describe('a file of leads', () => {
  test('is uploaded, planned, committed and undone; the commit does what the plan says', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org)
    expect((await org.call(planLeadFile, { import_id })).data).toEqual({ import_id, state: 'planning' })
    const planned = await settled(org, import_id)
    const counts = { new_user: 2, known_user: 0, duplicate_entry: 0, duplicate_row: 1, reject: 1 }
    expect(planned).toMatchObject({ state: 'planned', row_count: 4, plan: counts, batch_id: '' })
    expect(await count(org, 'leads')).toBe(0)
    const { data: rejects } = await org.call(listLeadFileRows, { import_id, outcome: 'reject' })
    expect(rejects).toMatchObject({
      total: 1,
      list: [{ row: 4, reason: 'row 4, column mobile: is not a phone number', cells: ['nobody', 'Wu'] }],
    })
    expect((await org.call(listLeadFileRows, { import_id })).data.total).toBe(4)
    const { data: begun } = await org.call(commitLeadFile, { import_id })
    expect(begun).toMatchObject({ batch_id: import_id })
    expect(await settled(org, import_id)).toMatchObject({ state: 'done', result: counts })
    expect([await count(org, 'leads'), await count(org, 'users')]).toEqual([2, 2])
    const { data: imported } = await org.call(listLeadFileRows, { import_id, outcome: 'new_user' })
    const { rows: leads } = await server.database.superuser.query(
      'select lead_id, user_id from leads where corp_id = $1',
      [org.corp_id],
    )
    const links = imported.list.map(({ lead_id, user_id }: { lead_id: string; user_id: string }) => ({
      lead_id,
      user_id,
    }))
    expect(new Set(links)).toEqual(new Set(leads))
    expect((await org.call(commitLeadFile, { import_id })).data).toMatchObject({ state: 'done' })
    await org.call(importLead, { area_code: '86', mobile: '13800138001' })
    const { data: undo } = await org.call(undoChanges, { batch_id: import_id })
    expect(undo).toMatchObject({ is_complete: true, removed: 3, left_alone: 1 })
    expect(undo).toMatchObject({ removed_leads: 2, removed_users: 1, restored_users: 0 })
    expect((await org.call(listLeftAloneRecords, { batch_id: undo.batch_id })).data).toMatchObject({
      total: 1,
      list: [{ record_type: 'users', reason: 'others refer to it' }],
    })
    expect([await count(org, 'leads'), await count(org, 'users')]).toEqual([1, 1])
  })

  test('that is undone during its import ends, and the undo completes', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org)
    await org.call(planLeadFile, { import_id })
    await settled(org, import_id)
    await org.call(commitLeadFile, { import_id })
    await settled(org, import_id)
    // The state of a server that stored some rows and stopped.
    await server.database.superuser.query(
      `with stopped as (update lead_imports set state = 'committing', last_row = 2 where import_id = $1)
       update change_batches set is_complete = false where batch_id = $1`,
      [import_id],
    )
    const { data: undo } = await org.call(undoChanges, { batch_id: import_id })
    expect(undo).toMatchObject({ is_complete: true, removed_leads: 2, removed_users: 2, left_alone: 0 })
    const log = pino({ level: 'silent' })
    await maintainOnce(server.db, new Date(), log, AbortSignal.timeout(60_000), testKeyring)
    expect((await org.call(fetchLeadFile, { import_id })).data).toMatchObject({ state: 'done' })
    expect([await count(org, 'leads'), await count(org, 'users')]).toEqual([0, 0])
    // The undo of the undo restores a part. The same file then adds the rest.
    await org.call(undoChanges, { batch_id: undo.batch_id })
    const again = await upload(org)
    await org.call(planLeadFile, { import_id: again })
    await settled(org, again)
    expect((await org.call(commitLeadFile, { import_id: again })).code).toBe(0)
    expect((await settled(org, again)).result).toMatchObject({ duplicate_entry: 2 })
  })

  test('shows its header row and first rows, and is read again with another header row', async () => {
    const org = await openOrganization(server)
    const content = '开放日报名表,\n姓名,手机\n王小明,13800138000\n电话,姓名\n13800138001,李雷\n'
    const import_id = await upload(org, content)
    await org.call(planLeadFile, { import_id })
    expect(await settled(org, import_id)).toMatchObject({
      state: 'planned',
      header_row: 2,
      sheet: '',
      sheets: [],
    })
    const preview = async () => (await org.call(previewLeadFile, { import_id })).data
    const first_rows = [
      { row: 1, cells: ['开放日报名表', ''] },
      { row: 2, cells: ['姓名', '手机'] },
      { row: 3, cells: ['王小明', '13800138000'] },
      { row: 4, cells: ['电话', '姓名'] },
      { row: 5, cells: ['13800138001', '李雷'] },
    ]
    expect(await preview()).toEqual({ sheet: '', header_row: 2, first_rows })
    await org.call(planLeadFile, { import_id, header_row: 4 })
    expect(await settled(org, import_id)).toMatchObject({
      header_row: 4,
      row_count: 1,
      plan: { new_user: 1 },
    })
    // A refused file shows them too.
    await org.call(planLeadFile, { import_id, header_row: 1 })
    expect(await settled(org, import_id)).toMatchObject({
      state: 'refused',
      refusal_reason: 'missing_column',
    })
    expect(await preview()).toEqual({ sheet: '', header_row: 1, first_rows })
    await org.call(planLeadFile, { import_id, header_row: 2 })
    await settled(org, import_id)
    await org.call(commitLeadFile, { import_id })
    expect(await settled(org, import_id)).toMatchObject({ header_row: 2, refusal_reason: '' })
    expect((await preview()).first_rows).toEqual([])
  })

  test('offers its sheets, and its first visible one is read', async () => {
    const org = await openOrganization(server)
    const path = join(folder, 'sheets.xlsx')
    await writeBook(path, [
      { name: '字典', state: 'hidden', rows: [['来源'], ['抖音']] },
      { name: '十月', rows: [['手机'], ['13800138000']] },
      { name: '十一月', rows: [['名单'], ['手机'], ['13800138001'], ['13800138002']] },
    ])
    const import_id = await upload(org, await readFile(path), 100_000, 'sheets.xlsx')
    await org.call(planLeadFile, { import_id })
    const sheets = [
      { name: '字典', is_hidden: true, rows: 2 },
      { name: '十月', is_hidden: false, rows: 2 },
      { name: '十一月', is_hidden: false, rows: 4 },
    ]
    expect(await settled(org, import_id)).toMatchObject({ sheet: '十月', sheets, row_count: 1 })
    await org.call(planLeadFile, { import_id, sheet: '十一月' })
    expect(await settled(org, import_id)).toMatchObject({ sheet: '十一月', header_row: 2, row_count: 2 })
  })

  test.each([
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_workbook'],
    ['page.xls', Buffer.from('<html><table><tr><td>手机</td></tr></table></html>'), 'web_page'],
    ['text.xls', Buffer.from('手机\t姓名\n13800138000\t王小明\n'), ''],
  ])(
    'that is called %s is refused with the step that helps, or read',
    async (name, content, refusal_reason) => {
      const org = await openOrganization(server)
      const import_id = await upload(org, content, 1000, name)
      await org.call(planLeadFile, { import_id })
      const { state, refusal, ...shown } = await settled(org, import_id)
      expect(shown).toMatchObject({ refusal_reason })
      if (refusal_reason === '') expect(state).toBe('planned')
      else expect(refusal).toContain('save it as .xlsx or CSV')
    },
  )

  test('that cannot be read is refused with the reason, and is imported once its headers have meanings', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org, 'Kennung\ntel:13800138000\n')
    await org.call(planLeadFile, { import_id })
    expect(await settled(org, import_id)).toMatchObject({
      state: 'refused',
      refusal: expect.stringContaining('A column that identifies people is missing'),
      columns: [{ header: 'Kennung', column: '' }],
    })
    const early = await org.call(commitLeadFile, { import_id })
    expect(early.code).toBe(40904)
    await org.call(planLeadFile, { import_id, mapping: [{ header: 'Kennung', column: 'mobile' }] })
    expect(await settled(org, import_id)).toMatchObject({ state: 'planned', plan: { new_user: 1 } })
    await org.call(commitLeadFile, { import_id })
    expect(await settled(org, import_id)).toMatchObject({ state: 'done' })
    const next = await upload(org, 'Kennung\ntel:13800138009\n')
    await org.call(planLeadFile, { import_id: next })
    expect(await settled(org, next)).toMatchObject({ columns: [{ header: 'Kennung', column: 'mobile' }] })
  })

  test('that is refused names the parameter and step that would help', async () => {
    const org = await openOrganization(server)
    const refusalOf = async (content: string | Buffer, file_name: string) => {
      const import_id = await upload(org, content, 100, file_name)
      await org.call(planLeadFile, { import_id })
      return (await settled(org, import_id)).refusal
    }
    const again = 'Upload the file again and set'
    expect([
      await refusalOf(Buffer.from(text, 'utf16le'), 'leads.csv'),
      await refusalOf(Buffer.from('mobile\n\xff\xff\n', 'latin1'), 'leads.csv'),
      await refusalOf(text, 'leads'),
      await refusalOf('Kennung\n7\n', 'leads.csv'),
    ]).toEqual([
      `The file looks like UTF-16 without a byte order mark. Set encoding utf-16le or utf-16be.`,
      `The encoding of the file is neither UTF-8 nor UTF-16 nor GB 18030. Set encoding.`,
      `The format of the file cannot be recognised by its name. ${again} format csv or xlsx or ndjson.`,
      expect.stringMatching(/ Set mapping\.$/),
    ])
  })

  test('can be planned again once a plan is complete or refused', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org, 'Handynummer\n13800138000\n')
    for (let round = 0; round < 20; round++) {
      const mapping = [{ header: 'Handynummer', column: round % 3 === 0 ? 'city' : 'mobile' }]
      expect(await org.call(planLeadFile, { import_id, mapping })).toMatchObject({ code: 0 })
      const state = round % 3 === 0 ? 'refused' : 'planned'
      expect(await settled(org, import_id, 0)).toMatchObject({ state })
    }
  })

  test('gets each header and each value once: a contradiction is refused at its second part', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org, 'Handy,Quelle\n13800138000,Messe\n')
    const plan = (told: object) => org.call(planLeadFile, { import_id, ...told })
    const header = (column: string) => ({ header: 'Handy', column })
    const value = (stands_for: string, column = 'utm_source') => ({ column, value: 'Messe', stands_for })
    expect(await plan({ mapping: [header('mobile'), header('city')] })).toMatchObject({
      code: 40002,
      data: { errors: [{ param: 'mapping/1/column' }] },
    })
    expect(await plan({ values: [value('fair'), value('', 'utm_medium'), value('web')] })).toMatchObject({
      code: 40002,
      data: { errors: [{ param: 'values/2/stands_for' }] },
    })
    const mapping = [header('mobile'), { header: 'Quelle', column: 'utm_source' }, header('mobile')]
    expect(await plan({ mapping, values: [value('fair'), value('fair')] })).toMatchObject({ code: 0 })
    expect(await settled(org, import_id)).toMatchObject({ state: 'planned', plan: { new_user: 1 } })
  })

  test('that was imported before is not imported again', async () => {
    const org = await openOrganization(server)
    const [first, second] = [await upload(org), await upload(org)]
    for (const import_id of [first, second]) {
      await org.call(planLeadFile, { import_id })
      await settled(org, import_id)
    }
    await org.call(commitLeadFile, { import_id: first })
    await settled(org, first)
    const again = await org.call(commitLeadFile, { import_id: second })
    expect(again).toMatchObject({ code: 40901, data: { import_id: first } })
  })

  test('is committed once by concurrent calls, and can be imported again after an undo', async () => {
    const org = await openOrganization(server)
    const twins: string[] = []
    for (let n = 0; n < 8; n++) {
      const import_id = await upload(org, 'mobile\n13800138000\n')
      await org.call(planLeadFile, { import_id })
      await settled(org, import_id)
      twins.push(import_id)
    }
    const race = async () => {
      const answers = await Promise.all(twins.map((import_id) => org.call(commitLeadFile, { import_id })))
      const [taken, ...others] = twins.filter((_, n) => answers[n]!.code === 0)
      expect(others).toEqual([])
      for (const { code, data } of answers.filter(({ code }) => code !== 0))
        expect({ code, data }).toMatchObject({ code: 40901, data: { import_id: taken } })
      expect(await settled(org, taken!)).toMatchObject({ state: 'done', result: { new_user: 1 } })
      return taken!
    }
    const first = await race()
    expect((await org.call(undoChanges, { batch_id: first })).data).toMatchObject({ is_complete: true })
    twins.splice(twins.indexOf(first), 1)
    await race()
    expect(await count(org, 'leads')).toBe(1)
  })

  test('survives its server: another one continues the plan and the commit, once', async () => {
    const org = await openOrganization(server)
    const import_id = await upload(org)
    const { superuser } = server.database
    const log = pino({ level: 'silent' })
    const setState = (state: string, busy: string) =>
      superuser.query(
        `update lead_imports set state = $2, busy_until = now() + $3::interval where import_id = $1`,
        [import_id, state, busy],
      )
    await setState('planning', '1 minute')
    await maintainOnce(server.db, new Date(), log, AbortSignal.timeout(60_000), testKeyring)
    expect((await org.call(fetchLeadFile, { import_id })).data.state).toBe('planning')
    await setState('planning', '-1 second')
    const servers = [1, 2, 3].map(() =>
      maintainOnce(server.db, new Date(), log, AbortSignal.timeout(60_000), testKeyring),
    )
    await Promise.all(servers)
    expect(await settled(org, import_id)).toMatchObject({ state: 'planned', plan: { new_user: 2 } })
    await org.call(commitLeadFile, { import_id })
    await settled(org, import_id)
    // The state of a server that ended before its last write.
    await superuser.query(`update lead_imports set state = 'committing' where import_id = $1`, [import_id])
    await maintainOnce(server.db, new Date(), log, AbortSignal.timeout(60_000), testKeyring)
    expect(await settled(org, import_id)).toMatchObject({ state: 'done', result: { new_user: 2 } })
    expect(await count(org, 'leads')).toBe(2)
  })

  test('is corrected cell by cell before the commit; its people are found by the import', async () => {
    const org = await openOrganization(server)
    const text = '姓名,手机\n甲,1.39E+10\n乙,13900000071\n"丙,13900000072\n'
    const import_id = await upload(org, text)
    const plan = async (fixes?: object[]) => {
      expect(await org.call(planLeadFile, { import_id, ...(fixes && { fixes }) })).toMatchObject({ code: 0 })
      return settled(org, import_id)
    }
    expect((await plan()).plan).toMatchObject({ new_user: 1, reject: 2 })
    const { list } = (await org.call(listLeadFileRows, { import_id })).data
    expect(list).toMatchObject([
      { row: 2, cells: ['甲', '1.39E+10'], shown: [], faults: [{ cell: 1 }] },
      { row: 3, cells: ['乙', '13900000071'], shown: ['乙', '+86 13900000071'] },
      { row: 4, outcome: 'reject' },
    ])
    expect((await plan([{ row: 2, cell: 1, value: '139 0000 0070' }])).plan).toMatchObject({ new_user: 2 })
    const whole = [
      { row: 4, cell: 0, value: '丙' },
      { row: 4, cell: 1, value: '13900000072' },
    ]
    expect((await plan(whole)).plan).toMatchObject({ new_user: 3, reject: 0 })
    await org.call(commitLeadFile, { import_id })
    expect((await settled(org, import_id)).result).toMatchObject({ new_user: 3 })
    const names = (answer: { data: { list: { name: string }[] } }) => answer.data.list.map(({ name }) => name)
    expect(names(await org.call(listUsers, { import_id })).sort()).toEqual(['丙', '乙', '甲'].sort())
    const leads = (await org.call(listLeads)).data.list
    expect(leads).toMatchObject([{ import_id }, { import_id }, { import_id }])
    // Corrected cells are records now, and are stored nowhere else.
    const kept = `select options->'fixes' as fixes from lead_imports where import_id = $1`
    expect((await server.database.superuser.query(kept, [import_id])).rows).toEqual([{ fixes: null }])
    await org.call(undoChanges, { batch_id: import_id })
    for (const deadline = Date.now() + 60_000; (await org.call(listUsers, { import_id })).data.total > 0; )
      if (Date.now() > deadline) throw new Error('the undo never ends')
    const other = await upload(org, text)
    await org.call(planLeadFile, { import_id: other, fixes: [{ row: 2, cell: 1, value: '13900000070' }] })
    await settled(org, other)
    // Other headers are in another row: the corrections of the old rows no longer fit.
    await org.call(planLeadFile, { import_id: other, header_row: 3 })
    await settled(org, other)
    expect((await server.database.superuser.query(kept, [other])).rows).toEqual([{ fixes: null }])
  })

  test('accepts its pieces in order, up to its size', async () => {
    const org = await openOrganization(server)
    const { data } = await org.call(createLeadFile, { file_name: 'leads.csv', bytes: 6 })
    const { import_id } = data
    const append = (start: number, piece: string) =>
      org.call(appendLeadFile, { import_id, start, content: Buffer.from(piece).toString('base64') })
    expect(await append(3, 'abc')).toMatchObject({ code: 40002, data: { errors: [{ param: 'start' }] } })
    expect((await append(0, 'abc')).data).toEqual({ received: 3, bytes: 6 })
    expect(await append(3, 'abcd')).toMatchObject({ code: 40002, data: { errors: [{ param: 'content' }] } })
    expect((await org.call(planLeadFile, { import_id })).code).toBe(40904)
    for (const content of ['A', 'AAAAA', 'AAAA=', 'AA-_'])
      expect(await org.call(appendLeadFile, { import_id, start: 3, content })).toMatchObject({
        code: 40002,
        data: { errors: [{ param: 'content' }] },
      })
    expect((await append(3, 'def')).data).toEqual({ received: 6, bytes: 6 })
  })

  test('is discarded with all its data, until it is committed', async () => {
    const org = await openOrganization(server)
    const discard = (import_id: string) => org.call(discardLeadFile, { import_id })
    const { data: begun } = await org.call(createLeadFile, { file_name: 'leads.csv', bytes: 6 })
    const [unread, planned, committed] = [await upload(org, 'x\n1\n'), await upload(org), await upload(org)]
    for (const import_id of [unread, planned, committed]) {
      await org.call(planLeadFile, { import_id })
      await settled(org, import_id)
    }
    await org.call(commitLeadFile, { import_id: committed })
    await settled(org, committed)
    for (const import_id of [begun.import_id, unread, planned]) {
      expect(await discard(import_id)).toMatchObject({ code: 0, data: { import_id } })
      for (const gone of [discardLeadFile, fetchLeadFile, planLeadFile])
        expect((await org.call(gone, { import_id })).code).toBe(40417)
    }
    expect((await org.call(listLeadFiles)).data.list).toMatchObject([{ import_id: committed, state: 'done' }])
    const { superuser } = server.database
    for (const table of ['lead_import_pieces', 'lead_import_rows']) {
      const text = `select from ${table} where corp_id = $1 and import_id <> $2`
      expect((await superuser.query(text, [org.corp_id, committed])).rowCount).toBe(0)
    }
    for (const state of ['planning', 'committing', 'done']) {
      const text = `update lead_imports set state = $2, busy_until = now() + interval '1 day' where import_id = $1`
      await superuser.query(text, [committed, state])
      expect((await discard(committed)).code).toBe(40904)
    }
    const viewer = await hireStaff(server, org.corp_id, 'viewer')
    const counsellor = await hireStaff(server, org.corp_id, 'counsellor')
    const { data: another } = await org.call(createLeadFile, { file_name: 'leads.csv', bytes: 6 })
    expect((await viewer.call(discardLeadFile, another)).code).toBe(40303)
    expect((await counsellor.call(discardLeadFile, another)).code).toBe(0)
  })

  test('waits with at most forty-nine others', async () => {
    const org = await openOrganization(server)
    const create = () => org.call(createLeadFile, { file_name: 'leads.csv', bytes: 6 })
    for (let files = 0; files < 50; files++) expect((await create()).code).toBe(0)
    const refused = await create()
    expect(refused).toMatchObject({ code: 40904, msg: expect.stringContaining('Commit or discard') })
    const { list } = (await org.call(listLeadFiles)).data
    expect((await org.call(discardLeadFile, { import_id: list[0].import_id })).code).toBe(0)
    expect((await create()).code).toBe(0)
    expect((await create()).code).toBe(40904)
    const { superuser } = server.database
    await superuser.query(`update lead_imports set mtime = now() - interval '8 days' where corp_id = $1`, [
      org.corp_id,
    ])
    await maintainOnce(
      server.db,
      new Date(),
      pino({ level: 'silent' }),
      AbortSignal.timeout(60_000),
      testKeyring,
    )
    expect((await create()).code).toBe(0)
  })
})
