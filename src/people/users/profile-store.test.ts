import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { newId } from '../../contract/new-id.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { importLead } from '../leads/import-leads.ts'
import { createUser } from './create-user.ts'
import { fetchProfile } from './fetch-profile.ts'
import { findProfile } from './profile-store.ts'
import { updateUser } from './update-user.ts'

let database: TestDatabase
let org: LeadOrganization
beforeAll(async () => {
  database = await createTestDatabase()
  org = await openLeads(database)
})
afterAll(() => database.drop())

const profileOf = (user_id: unknown) => org.call(fetchProfile, { user_id })

async function expectAsRebuilt(): Promise<void> {
  const { profile_read_model: kept } = await org.records()
  await rebuildDerivedData(org.context.db, org.corp_id)
  expect((await org.records()).profile_read_model).toEqual(kept)
}

test('concurrent writes of a user and its leads leave a profile with both', async () => {
  const rename = (user_id: unknown) => [updateUser, { user_id, name: 'Ann' }] as const
  const touch = (user_id: unknown) => [importLead, { user_id, utm_source: 'fair' }] as const
  for (const [first, second] of [
    [rename, touch],
    [touch, rename],
    [touch, touch],
  ] as const) {
    const { user_id } = await org.call(createUser, { email: `${newId()}@example.com` })
    let following: Promise<unknown> = Promise.resolve()
    await org.context.db.transaction(async (tx) => {
      const [endpoint, input] = first(user_id)
      await endpoint.handle({ ...org.context, db: tx }, { corp_id: org.corp_id, ...input } as never)
      const [other, along] = second(user_id)
      following = org.call(other, along)
      while ((await database.lockWaits()) === 0) await pause(5)
    })
    await following
  }
  await expectAsRebuilt()
})

test('a profile that is missing, or of other code or another zone, is rendered from the data', async () => {
  const { user_id } = await org.call(createUser, { area_code: '86', mobile: '13800138000' })
  await org.call(importLead, { user_id, utm_source: 'fair' })
  const stored = await profileOf(user_id)
  await org.query(`delete from profile_read_model where corp_id = $corp`)
  expect(await profileOf(user_id)).toEqual(stored)
  await rebuildDerivedData(org.context.db, org.corp_id)
  await org.query(`update profile_read_model set renderer = 'older', profile = '{}' where corp_id = $corp`)
  expect(await profileOf(user_id)).toEqual(stored)
  await rebuildDerivedData(org.context.db, org.corp_id)
  const { corp_id } = org
  const seen = async (time_zone: string) =>
    JSON.parse((await findProfile(org.context.db, { corp_id, time_zone }, user_id as string))!.profile)
      .first_touch.time
  expect(await seen('Asia/Shanghai')).not.toBe(await seen('America/New_York'))
})
