import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { type LeadDesk, openLeadDesk, openLeads } from '../../../test/support/lead-import.ts'
import { writeXlsx } from '../../../test/support/sheets.ts'

let desk: LeadDesk
let { database, folder, org } = {} as LeadDesk
beforeAll(async () => {
  desk = await openLeadDesk()
  ;({ database, folder, org } = desk)
})
afterAll(() => desk?.close())

const none = { new_user: 0, known_user: 0, duplicate_entry: 0, duplicate_row: 0, reject: 0, erased: 0 }
const csv = (...lines: string[]) => folder.file('leads.csv', lines.join('\n'))

describe('a row becomes a lead', () => {
  test('by headers in Chinese or English, in any format', async () => {
    const chinese = await csv('姓名,手机号码,公司,意向课程,负责人', '林梅,13800138001,港口物流,EMBA,anna;li')
    const english = await folder.file(
      'leads.ndjson',
      JSON.stringify({
        Name: '林梅',
        'Phone number': '+86 138-0013-8002',
        Company: '港口物流',
        owners: ['anna', 'li'],
      }),
    )
    const sheet = await writeXlsx(join(folder.folder, 'leads.xlsx'), [
      ['Full Name', 'Cell', 'company'],
      ['林梅', 13800138003, '港口物流'],
    ])
    for (const file of [chinese, english, sheet])
      expect(await org.import(file)).toMatchObject({ rows: { total: 1, new_user: 1 }, unknown_columns: [] })
    const users = await org.query(
      `select name, area_code, mobile, company_name from users where corp_id = $corp order by mobile`,
    )
    const mei = { name: '林梅', area_code: '86', company_name: '港口物流' }
    expect(users).toEqual(['1', '2', '3'].map((digit) => ({ ...mei, mobile: `1380013800${digit}` })))
  })

  test('in the country of the organization, if the number has no calling code', async () => {
    const british = await openLeads(database, { country: 'GB' })
    await british.import(await csv('mobile', '07911 123456', '+86 13800138000'))
    expect(
      await british.query('select area_code, mobile from users where corp_id = $corp order by area_code'),
    ).toEqual([
      { area_code: '44', mobile: '7911123456' },
      { area_code: '86', mobile: '13800138000' },
    ])
  })

  test('and dry run and import report the same outcomes', async () => {
    const own = await openLeads(database)
    await own.import(await csv('mobile,entry_id', '13900000001,known', '13900000001,other'))
    const file = await csv(
      'mobile,entry_id,name',
      '13900000002,,Mei',
      '13900000001,,Li',
      '13900000001,known,',
      '139-0000-0002,,Mei',
      '13900000002,,Mei Lin',
      'nobody,,Wu',
      '13900000003,other,',
      '13900000004,twice,A',
      '13900000004,twice,B',
    )
    const outcomes = `${file}.outcomes`
    const planned = await own.import(file, { dryRun: true, outcomes })
    const told = (await readFile(outcomes, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(told.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['new_user', 'known_user', 'duplicate_entry', 'duplicate_row', 'known_user', 'reject', 'reject'],
      ...['new_user', 'reject'],
    ])
    expect(told.map(({ reason }: { reason: string | null }) => reason).filter(Boolean)).toEqual([
      expect.stringContaining('is the lead '),
      'repeats row 2',
      'row 7, column mobile: is not a phone number',
      'row 8, column entry_id: belongs to a lead with other content',
      'row 10, column entry_id: is in row 9 already, with other content',
    ])
    const committed = await own.import(file)
    expect(planned).toMatchObject({ dry_run: true, batch_id: null, rejects_file: null })
    expect(committed.rows).toEqual(planned.rows)
    expect(await own.query('select count(*)::int as leads from leads where corp_id = $corp')).toEqual([
      { leads: 6 },
    ])
  })
})

describe('a file is imported once', () => {
  test('and a second call returns the first import', async () => {
    const own = await openLeads(database)
    const file = await csv('mobile,name', '13700000001,A', '13700000002,B', 'x,C')
    const first = await own.import(file)
    const before = await own.records()
    const second = await own.import(file)
    expect(second).toMatchObject({ batch_id: first.batch_id, was_imported: true, rows: first.rows })
    expect(await own.records()).toEqual(before)
  })

  test('and rows of another file with the same content are the same entries', async () => {
    const own = await openLeads(database)
    await own.import(await csv('mobile,name', '13700000001,A'))
    const more = await own.import(await csv('手机,姓名', '+8613700000001,A', '13700000002,B'))
    expect(more.rows).toMatchObject({ duplicate_entry: 1, new_user: 1 })
  })

  test('by the first of two concurrent callers', async () => {
    const own = await openLeads(database)
    const total = 1700
    const lines = Array.from({ length: total }, (_, n) => `138${String(n).padStart(8, '0')}`)
    const file = await csv('mobile', ...lines)
    const first = await own.import(file)
    await own.query(`update lead_imports set state = 'committing', last_row = 0, result = '${JSON.stringify(none)}'
                      where corp_id = $corp`)
    const [a, b] = await Promise.allSettled([own.import(file), own.import(file)])
    // The later caller finds a completed import.
    const refused = [a, b].filter((one) => one.status === 'rejected')
    expect(refused.length).toBeLessThan(2)
    for (const { reason } of refused) expect(reason.message).toBe('Another process is importing this file.')
    expect(await own.import(file)).toMatchObject({
      batch_id: first.batch_id,
      rows: { total, duplicate_entry: total },
    })
  })

  test('by any number of concurrent callers', async () => {
    const own = await openLeads(database)
    const file = await csv('mobile', '13700000001')
    await Promise.allSettled(Array.from({ length: 8 }, () => own.import(file)))
    expect(await own.query('select state from lead_imports where corp_id = $corp')).toHaveLength(1)
    expect(await own.import(file)).toMatchObject({ was_imported: true, rows: { new_user: 1 } })
  })

  test('and can be imported again after an undo', async () => {
    const own = await openLeads(database)
    const file = await csv('mobile', '13700000001')
    const first = await own.import(file)
    await own.undo(first.batch_id!)
    const second = await own.import(file)
    expect(second).toMatchObject({ was_imported: false, rows: { new_user: 1 } })
    expect(second.batch_id).not.toBe(first.batch_id)
  })
})

describe('rejected rows', () => {
  test('name the column and the reason in a file that can be corrected and imported', async () => {
    const own = await openLeads(database)
    const file = await csv('Mobil,姓名', '=1+2,Mei', '13700000009,Li', '137,Wu')
    const map = { Mobil: 'mobile' }
    const { rejects_file, rows } = await own.import(file, { mapping: map })
    expect(rows).toMatchObject({ new_user: 1, reject: 2 })
    const text = await readFile(rejects_file!, 'utf8')
    expect(text).toContain('"row 2, column Mobil: is not a phone number"')
    const corrected = await folder.file(
      'corrected.csv',
      text.replace(/.*Mei/, '13700000007,Mei').replace('137,Wu', '13700000008,Wu'),
    )
    const second = await own.import(corrected)
    expect(second).toMatchObject({
      rows: { new_user: 2, reject: 0 },
      mapping_from: 'memory',
      rejects_file: null,
    })
  })
})

describe('columns', () => {
  test('are guessed by names and values; a mapping is remembered for these headers in any order', async () => {
    const own = await openLeads(database)
    const nobody = 'A column that identifies people is missing'
    const file = await csv('Kennung,Companny', '070-1,A')
    await expect(own.import(file)).rejects.toThrow(nobody)
    const dry = await own.import(file, { dryRun: true, mapping: { Kennung: 'mobile' } })
    expect(dry).toMatchObject({ unknown_columns: [], guessed_columns: { Companny: 60 } })
    await expect(own.import(file)).rejects.toThrow(nobody)
    const guessed = await csv('Erreichbar,Companny', '13700000010,A')
    expect(await own.import(guessed)).toMatchObject({
      rows: { new_user: 1 },
      guessed_columns: { Erreichbar: 70, Companny: 60 },
    })
    await own.import(await csv('Kennung,Companny', '13700000011,A'), {
      mapping: { Kennung: 'mobile', Companny: 'ignore' },
    })
    const next = await csv('Companny,Kennung', 'B,13700000012')
    expect(await own.import(next)).toMatchObject({ mapping_from: 'memory', rows: { new_user: 1 } })
    expect(
      await own.query(`select company_name from users where corp_id = $corp and mobile = '13700000012'`),
    ).toEqual([{ company_name: null }])
  })
})

test('with any characters in a file, its valid rows are imported and each invalid row is rejected alone', async () => {
  const odd = fc.oneof(
    fc.constantFrom('\0', 'A\0', '\ud800', 'B\udfff', '\u2028', '\u001b[2J'),
    fc.string({ unit: 'binary' }),
  )
  const row = fc.record({ name: odd, company: odd, utm_channel: odd, course: odd })
  let mobile = 13_700_000_000
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), odd, async (rows, header) => {
      const told = [...rows, { name: 'Sound' }].map((each) => ({
        mobile: `${mobile++}`,
        ...each,
        [`x${header}`]: '1',
      }))
      const file = await folder.file('leads.ndjson', told.map((each) => JSON.stringify(each)).join('\n'))
      const report = await org.import(file)
      const { new_user, known_user, reject, total } = report.rows
      expect(report.rows).toMatchObject({ total: told.length })
      expect(new_user + known_user + reject).toBe(total)
      expect(new_user).toBeGreaterThan(0)
      expect((await org.import(file)).was_imported).toBe(true)
    }),
    { numRuns: attemptsOf('MATRICULA_LEAD_FILES', 6) },
  )
})
