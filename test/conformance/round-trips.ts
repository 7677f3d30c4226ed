import { expect, test } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { createTagGroup } from '../../src/people/tag-groups/change-tag-groups.ts'
import { listTagGroups } from '../../src/people/tag-groups/list-tag-groups.ts'
import { assignUserTag, listUserTags } from '../../src/people/user-tags/assign-user-tag.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { fetchProfile } from '../../src/people/users/fetch-profile.ts'
import type { Stage } from './stage.ts'
import { validInput } from './valid-inputs.ts'

const texts = {
  Chinese: '上海交大高级金融学院',
  'rare Chinese': '𠮷野家㐀䶵',
  emoji: '👩🏽‍🎓 graduated 🎉',
  'right to left': 'شهادة الثانوية',
  'letters with marks, composed and not': 'é e\u0301 ü u\u0308',
  'quotes and escapes': `'"\\n%s $1 {} <b>&amp;</b>; drop table users; --`,
  'spaces around': '  kept  ',
  'invisible characters': 'a\u200bb\ufeffc',
  'the longest name': '名'.repeat(200),
}

/** Only long texts may hold these. */
const severalLines = {
  'line breaks': 'one\r\ntwo\tthree\u2028four',
  'control characters': 'a\u0001b\u007fc\u001b[0m',
}

/** Values are returned unchanged. */
export function testRoundTrips(stage: Stage): void {
  test.each(Object.entries(texts))('%s come back from tag groups as they were sent', async (_, text) => {
    const category = `category ${newId()}`.slice(0, 60)
    const input = { ...validInput(createTagGroup, stage.school), name: text, description: text, category }
    const created = await stage.server.call(createTagGroup, input)
    const query = { corp_id: stage.school.corp_id, category, start_index: 0, step: 10 }
    const { data } = await stage.server.call(listTagGroups, query)
    expect(created.data.name).toBe(text)
    expect(data).toMatchObject({ total: 1, rows: [{ name: text, description: text, category }] })
  })

  test.each(Object.entries(severalLines))('%s come back from descriptions', async (_, description) => {
    const category = `category ${newId()}`.slice(0, 60)
    await stage.server.call(createTagGroup, {
      ...validInput(createTagGroup, stage.school),
      description,
      category,
    })
    const query = { corp_id: stage.school.corp_id, category, start_index: 0, step: 10 }
    expect((await stage.server.call(listTagGroups, query)).data).toMatchObject({ rows: [{ description }] })
  })

  test.each(Object.entries(texts))('%s find their category again', async (_, text) => {
    const category = `${newId()}${text}`.slice(0, 200).toWellFormed()
    await stage.server.call(createTagGroup, { ...validInput(createTagGroup, stage.school), category })
    const query = { corp_id: stage.school.corp_id, category, start_index: 0, step: 10 }
    expect((await stage.server.call(listTagGroups, query)).data).toMatchObject({
      total: 1,
      rows: [{ category }],
    })
  })

  test.each(Object.entries(texts))('%s come from an imported lead to the profile', async (_, text) => {
    const { school, server } = stage
    const { corp_id, area_code, mobile } = validInput(importLead, school)
    const details = { company_name: text, job_title: text, department: text, city: text }
    const lead = { corp_id, area_code, mobile, name: text, ...details }
    expect((await server.call(importLead, lead)).code).toBe(0)
    const { data: user } = await server.call(createUser, { corp_id, area_code, mobile })
    expect(user.is_user_exists).toBe(true)
    const { data } = await server.call(fetchProfile, { corp_id, user_id: user.user_id })
    expect(data).toMatchObject({ name: text, area_code, mobile, ...details })
  })

  test.each(Object.entries({ ...texts, ...severalLines }))(
    '%s come back from the tags of a user',
    async (_, value) => {
      const { corp_id, user_id } = stage.school
      const group = { ...validInput(createTagGroup, stage.school), attribute: 'string' }
      const { tags_group_id } = (await stage.server.call(createTagGroup, group)).data
      await stage.server.call(assignUserTag, { corp_id, user_id, tags_group_id, value })
      const { data } = await stage.server.call(listUserTags, { corp_id, user_id })
      const row = data.rows.find((tag: { tags_group_id: string }) => tag.tags_group_id === tags_group_id)
      expect(row.string_value).toBe(value)
    },
  )
}
