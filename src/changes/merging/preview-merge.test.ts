import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../../../test/harness/expect-success.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createOrder } from '../../orders/create-order.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { claimUser } from '../../people/users/claims/claim-user.ts'
import { createUser } from '../../people/users/create-user.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { mergeUsers } from './merge-users.ts'
import { previewMerge } from './preview-merge.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const newUser = async (mobile: string) =>
  (await ok(school.call(createUser, { area_code: '86', mobile }))).user_id as string

test('the preview shows the survivor exactly as the merge leaves it', async () => {
  const [user_id, merged_user_id] = [await newUser('13800000001'), await newUser('13800000002')]
  await ok(school.call(updateUser, { user_id, name: 'Mei', city: 'Wuxi' }))
  await ok(school.call(updateUser, { user_id: merged_user_id, name: 'Mei Lin', company_name: 'Harbour' }))
  await ok(school.call(updateEmail, { user_id: merged_user_id, email: 'mei@example.com' }))
  await ok(school.call(claimUser, { user_id: merged_user_id, owner_id: 'anna' }))
  await ok(school.call(importLead, { user_id: merged_user_id, owner_ids: ['li'] }))
  await ok(school.call(importLead, { user_id }))
  const order = { currency: 'CNY', listed_price: 1000, installment_count: 1, type: 'course' }
  await ok(school.call(createOrder, { ...order, user_id: merged_user_id }))
  for (const name of ['one', 'two']) {
    const group = { name, variable_name: name, description: name, attribute: 'string', category: 'c' }
    const { tags_group_id } = await ok(school.call(createTagGroup, group))
    await ok(school.call(assignUserTag, { user_id: merged_user_id, tags_group_id, value: 'merged' }))
    if (name === 'one') await ok(school.call(assignUserTag, { user_id, tags_group_id, value: 'own' }))
  }
  const pair = { user_id, merged_user_id }
  const { survivor, merged, after, obstacles } = await ok(school.call(previewMerge, pair))
  expect(obstacles).toEqual([])
  expect(survivor).toMatchObject({ name: 'Mei', holder_id: null, leads: 1, orders: 0 })
  expect(merged).toMatchObject({ name: 'Mei Lin', holder_id: 'anna', leads: 1, orders: 1 })
  expect(after).toMatchObject({
    ...{ name: 'Mei', city: 'Wuxi', company_name: 'Harbour', email: 'mei@example.com' },
    ...{ mobile: '13800000001', backup_mobile: '13800000002', holder_id: 'anna', leads: 2, orders: 1 },
  })
  expect(after.tags.map(({ value }: { value: string }) => value).sort()).toEqual(['merged', 'own'])
  await ok(school.call(mergeUsers, pair))
  const other = await newUser('13800000003')
  const { survivor: now } = await ok(school.call(previewMerge, { user_id, merged_user_id: other }))
  expect(now).toEqual(after)
})

test('two ids of one person are refused, and an unknown id is not found', async () => {
  const [user_id, merged_user_id] = [await newUser('13800000004'), await newUser('13800000005')]
  await ok(school.call(mergeUsers, { user_id, merged_user_id }))
  expect((await school.call(previewMerge, { user_id, merged_user_id })).code).toBe(40002)
  expect((await school.call(previewMerge, { user_id, merged_user_id: 'nobody' })).code).toBe(40401)
})
