import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LeadDesk, openLeadDesk, openLeads } from '../../../test/support/lead-import.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { erasePerson } from '../erasure/erase-person.ts'

let desk: LeadDesk
let { database, folder } = {} as LeadDesk
beforeAll(async () => {
  desk = await openLeadDesk()
  ;({ database, folder } = desk)
})
afterAll(() => desk?.close())

const csv = (...lines: string[]) => folder.file('leads.csv', lines.join('\n'))

const header = '姓名,手机,备用电话,邮箱,微信号,生日,咨询日期,备注,标签,外部编号'
const row =
  '林梅,13900000034,010-62780000,mei@example.com,mei_lin88,1990-02-03,2026-01-05 10:30,想读在职,水平=B2;VIP,crm-7'

async function withGroups(own: Awaited<ReturnType<typeof openLeads>>) {
  for (const [name, attribute] of [
    ['水平', 'string'],
    ['VIP', 'define'],
  ])
    await own.call(createTagGroup, { name, attribute, variable_name: name, description: '', category: 'c' })
}

describe('the fields of a row', () => {
  test('are stored in their records, and an undo removes them all', async () => {
    const own = await openLeads(database)
    await withGroups(own)
    const before = await own.records()
    const report = await own.import(await csv(header, row))
    expect(report).toMatchObject({
      rows: { total: 1, new_user: 1 },
      unknown_columns: [],
      guessed_columns: {},
    })
    expect(
      await own.query(`
        select name, area_code, mobile, backup_area_code, backup_mobile, email, wechat_id, external_id, attributes
          from users where corp_id = $corp`),
    ).toEqual([
      {
        ...{ name: '林梅', area_code: '86', mobile: '13900000034' },
        ...{ backup_area_code: '86', backup_mobile: '1062780000', email: 'mei@example.com' },
        ...{ wechat_id: 'mei_lin88', external_id: 'crm-7', attributes: { birthday: '1990-02-03' } },
      },
    ])
    const asked = new Date('2026-01-05T10:30:00Z')
    expect(await own.query('select ctime from leads where corp_id = $corp')).toEqual([{ ctime: asked }])
    expect(
      await own.query('select content, ctime, is_open from user_follow_ups where corp_id = $corp'),
    ).toEqual([{ content: '想读在职', ctime: asked, is_open: false }])
    expect(
      await own.query(`
        select g.name, t.define_value, t.string_value from user_tags t
          join tag_groups g on g.corp_id = t.corp_id and g.entity_id = t.tags_group_id
         where t.corp_id = $corp order by g.name`),
    ).toEqual([
      { name: 'VIP', define_value: true, string_value: null },
      { name: '水平', define_value: null, string_value: 'B2' },
    ])
    await own.undo(report.batch_id!)
    expect(await own.records()).toEqual(before)
  })

  test('fill blanks of a known person and overwrite nothing', async () => {
    const own = await openLeads(database)
    await withGroups(own)
    await own.import(await csv('手机,姓名,微信号,标签', '13900000034,林梅,first_id,水平=A1'))
    const before = await own.records()
    const report = await own.import(await csv(header, row))
    expect(report.rows).toMatchObject({ known_user: 1 })
    const [user] = await own.query(
      'select wechat_id, external_id, email, attributes from users where corp_id = $corp',
    )
    expect(user).toEqual({
      ...{ wechat_id: 'first_id', external_id: 'crm-7', email: 'mei@example.com' },
      attributes: { birthday: '1990-02-03' },
    })
    const tags = `select coalesce(string_value, define_value::text) as value from user_tags where corp_id = $corp order by 1`
    expect(await own.query(tags)).toEqual([{ value: 'A1' }, { value: 'true' }])
    await own.undo(report.batch_id!)
    expect(await own.records()).toEqual(before)
  })

  test('identify a person by an e-mail address alone, once', async () => {
    const own = await openLeads(database)
    const file = await csv(
      'First Name,Last Name,Email',
      'Mei,Lin,mei@example.com',
      'Mei,Lin,MEI@example.com',
      'Mei,Lin,',
    )
    const planned = await own.import(file, { dryRun: true })
    expect(planned.rows).toMatchObject({ new_user: 1, known_user: 1, reject: 1 })
    expect(planned.first_rejects[0]!.reason).toBe(
      'row 4, column Email: is empty: a row needs a mobile number or an e-mail address',
    )
    expect((await own.import(file)).rows).toEqual(planned.rows)
    expect(await own.query('select first_name, last_name, mobile from users where corp_id = $corp')).toEqual([
      { first_name: 'Mei', last_name: 'Lin', mobile: null },
    ])
  })

  test('are removed by an erasure, and the same e-mail address is recognised', async () => {
    const own = await openLeads(database)
    await withGroups(own)
    await own.import(await csv(header, row))
    const [{ user_id }] = (await own.query('select user_id from users where corp_id = $corp')) as [
      { user_id: string },
    ]
    await erasePerson({ ...own.context }, user_id, 'asked')
    for (const table of [
      'users',
      'leads',
      'user_follow_ups',
      'user_tags',
      'audit_personal',
      'lead_import_rows',
    ])
      for (const word of ['mei_lin88', 'crm-7', '想读在职', 'mei@example.com', '1062780000', '1990-02-03'])
        expect(
          await own.query(
            `select 1 as found from ${table} t where corp_id = $corp and to_jsonb(t)::text like '%${word}%'`,
          ),
        ).toEqual([])
    const again = await own.import(await csv('邮箱,姓名', 'mei@example.com,林梅'))
    expect(again.rows).toMatchObject({ erased: 1, new_user: 0 })
  })
})

describe('two phone columns', () => {
  test('are the first and the second phone; either can be ignored', async () => {
    const own = await openLeads(database)
    const report = await own.import(await csv('电话,手机,姓名', '021-62780000,13900000035,A'))
    expect(report).toMatchObject({ rows: { new_user: 1 }, guessed_columns: { 电话: 80 } })
    const numbers = 'select mobile, backup_mobile from users where corp_id = $corp order by mobile'
    expect(await own.query(numbers)).toEqual([{ mobile: '13900000035', backup_mobile: '2162780000' }])
    const ignored = await openLeads(database)
    await ignored.import(await csv('电话,手机,姓名', '021-62780000,13900000035,A'), {
      mapping: { 电话: 'ignore' },
    })
    expect(await ignored.query(numbers)).toEqual([{ mobile: '13900000035', backup_mobile: null }])
  })
})

test('a name alone never makes a column an id', async () => {
  const own = await openLeads(database)
  const report = await own.import(await csv('Country,ad_id,User,手机', 'China,7,mei,13900000036'), {
    dryRun: true,
  })
  expect(report).toMatchObject({ rows: { new_user: 1 }, unknown_columns: ['Country', 'ad_id', 'User'] })
})

describe('a file of a known source', () => {
  test('of Facebook lead ads keeps time, campaign and answers', async () => {
    const own = await openLeads(database)
    const file = await csv(
      'id,created_time,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,form_id,form_name,is_organic,platform,何时开始？,full_name,phone_number,email',
      'l:101,2026-05-01T09:30:00+08:00,ag:1,Ad A,as:2,Set B,c:3,Autumn,f:4,Form,false,ig,明年春天,Mei Lin,p:+8613900000037,mei@example.com',
    )
    expect(await own.import(file)).toMatchObject({
      preset: 'facebook',
      rows: { new_user: 1 },
      unknown_columns: [],
    })
    expect(await own.query('select entry_id, ctime, fields from leads where corp_id = $corp')).toMatchObject([
      {
        ...{ entry_id: 'l:101', ctime: new Date('2026-05-01T01:30:00Z') },
        fields: {
          ...{ campaign: 'Autumn', utm_source: 'ig', utm_medium: 'Set B', utm_term: 'Ad A' },
          ...{ form1_name: '何时开始？', form1_value: '明年春天', mobile: '13900000037' },
        },
      },
    ])
  })

  test.each([
    [
      'ocean_engine',
      '线索ID,创建时间,广告主ID,广告计划名称,姓名,电话号码,微信号',
      '7,2026/5/1 9:30,1,计划A,梅,13900000038,wx_mei',
    ],
    [
      'xiaohongshu',
      '留资时间,笔记标题,计划名称,手机号,微信号,姓名',
      '2026-05-01 09:30:00,笔记,计划A,13900000038,wx_mei,梅',
    ],
  ])('of %s keeps time, plan and WeChat id', async (preset, headers, cells) => {
    const own = await openLeads(database)
    expect(await own.import(await csv(headers, cells))).toMatchObject({ preset, rows: { new_user: 1 } })
    expect(
      await own.query(`
        select l.ctime, l.fields->>'campaign' as campaign, u.wechat_id, u.name
          from leads l join users u using (corp_id, user_id) where l.corp_id = $corp`),
    ).toEqual([
      { ctime: new Date('2026-05-01T09:30:00Z'), campaign: '计划A', wechat_id: 'wx_mei', name: '梅' },
    ])
  })

  test.each([
    [
      'hubspot',
      'Record ID,First Name,Last Name,Email,Phone Number,Lifecycle Stage',
      '1,Mei,Lin,m@example.com,13900000039,Lead',
    ],
    [
      'google_contacts',
      'First Name,Last Name,E-mail 1 - Value,Phone 1 - Value',
      'Mei,Lin,m@example.com,139 0000 0039',
    ],
    [
      'salesforce',
      'First Name,Last Name,Company / Account,Email,Mobile,Lead Source',
      'Mei,Lin,A,m@example.com,13900000039,Web',
    ],
  ])('of %s has people with names and contacts', async (preset, headers, cells) => {
    const own = await openLeads(database)
    expect(await own.import(await csv(headers, cells))).toMatchObject({ preset, rows: { new_user: 1 } })
    expect(
      await own.query('select first_name, last_name, email, mobile from users where corp_id = $corp'),
    ).toEqual([{ first_name: 'Mei', last_name: 'Lin', email: 'm@example.com', mobile: '13900000039' }])
  })
})
