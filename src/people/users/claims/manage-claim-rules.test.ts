import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../../test/harness/staff.ts'
import { bulkUpdateUsers } from '../../../changes/bulk-edits/bulk-update.ts'
import { updateEmail } from '../../../changes/contacts/update-contact.ts'
import { commitLeadFile, planLeadFile } from '../../../changes/lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../../../changes/lead-import/upload-lead-file.ts'
import { mergeUsers, unmergeUsers } from '../../../changes/merging/merge-users.ts'
import { undoChanges } from '../../../changes/undo/undo-changes.ts'
import { createTagGroup } from '../../tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../user-tags/assign-user-tag.ts'
import { createUser } from '../create-user.ts'
import { fetchContact } from '../fetch-contact.ts'
import { fetchUser } from '../fetch-profile.ts'
import { createFollowUp } from '../follow-ups/follow-ups.ts'
import { updateOwner } from '../update-owner.ts'
import { updatePool } from '../update-pool.ts'
import { updateUser } from '../update-user.ts'
import { claimUser, releaseUser } from './claim-user.ts'
import { changeClaimRules } from './manage-claim-rules.ts'

/** Ways for a counsellor to reach people without a claim. Claims are counted and limited by the organization. */

let server: TestServer
let school: TestOrganization
let counsellor: TestColleague
let colleague: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())
beforeEach(async () => {
  school = await openOrganization(server)
  await changeClaimRules(server.database.owner, school.corp_id, { most_held: 2, most_per_day: 5 })
  counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  colleague = await hireStaff(server, school.corp_id, 'counsellor')
})

let nextMobile = 13_100_000_000
async function publicPerson(): Promise<string> {
  return (await school.call(createUser, { area_code: '86', mobile: String(nextMobile++) })).data.user_id
}
async function claimedPerson(by = counsellor): Promise<string> {
  const user_id = await publicPerson()
  expect(await claim(user_id, by)).toBe(0)
  return user_id
}
const claim = async (user_id: string, by = counsellor) =>
  (await by.call(claimUser, { user_id, owner_id: by.staff_id })).code
const release = async (user_id: string) =>
  (await counsellor.call(releaseUser, { user_id, owner_id: counsellor.staff_id })).code
const reveal = async (user_id: string) =>
  (await counsellor.call(fetchContact, { user_id, contact_type: 'mobile' })).code
const person = async (user_id: string) => {
  const { pool, owner_ids, version } = (await school.call(fetchUser, { user_id })).data
  return { pool, owner_ids, version }
}

const unclaimed = { code: 40303, data: { reason: 'unclaimed' } }
const notYours = { code: 40303, data: { reason: 'not_yours' } }

describe('a person of the public pool', () => {
  test('is revealed only to a counsellor who has claimed them, for any number of calls', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, publicPerson))
    const answers = await Promise.all(
      people.map((user_id) => counsellor.call(fetchContact, { user_id, contact_type: 'mobile' })),
    )
    for (const answer of answers) expect(answer).toMatchObject(unclaimed)
    expect(await claim(people[0]!)).toBe(0)
    expect(await reveal(people[0]!)).toBe(0)
    await release(people[0]!)
    expect(await reveal(people[0]!)).toBe(40303)
  })

  test('cannot be merged with own people, in either direction', async () => {
    const [own, free] = [await claimedPerson(), await publicPerson()]
    const before = await person(free)
    const merges = [
      { user_id: own, merged_user_id: free },
      { user_id: free, merged_user_id: own },
      { user_id: free, merged_user_id: await publicPerson() },
    ]
    for (const pair of merges) expect(await counsellor.call(mergeUsers, pair)).toMatchObject(unclaimed)
    expect(await person(free)).toEqual(before)
  })

  test('cannot be changed by a counsellor before the claim, one by one or in bulk', async () => {
    const user_id = await publicPerson()
    const group = { name: 'Interest', variable_name: 'interest', attribute: 'string', category: 'c' }
    const { entity_id } = (await school.call(createTagGroup, { ...group, description: 'x', type: 'custom' }))
      .data
    const before = await person(user_id)
    const calls = [
      counsellor.call(updatePool, { user_id, pool: 'alive' }),
      counsellor.call(updatePool, { user_id, pool: 'dead' }),
      counsellor.call(bulkUpdateUsers, { user_ids: [user_id], pool: 'alive' }),
      counsellor.call(updateOwner, { user_id, owner_id: counsellor.staff_id, event_type: 'add' }),
      counsellor.call(updateUser, { user_id, name: 'Another name' }),
      counsellor.call(updateEmail, { user_id, email: 'a@b.example' }),
      counsellor.call(createFollowUp, { user_id, content: 'Called' }),
      counsellor.call(assignUserTag, { user_id, tags_group_id: entity_id ?? 'x', value: 'x' }),
    ]
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(unclaimed)
    expect(await person(user_id)).toEqual(before)
  })

  test('leaves the pool by a claim only, also for a counsellor who is an owner', async () => {
    const user_id = await publicPerson()
    await school.call(updateOwner, { user_id, owner_id: counsellor.staff_id, event_type: 'add' })
    expect(await reveal(user_id)).toBe(0)
    expect(await counsellor.call(updatePool, { user_id, pool: 'alive' })).toMatchObject(unclaimed)
    const bulk = { user_ids: [user_id], pool: 'alive' }
    expect(await counsellor.call(bulkUpdateUsers, bulk)).toMatchObject(unclaimed)
    expect(await claim(user_id)).toBe(0)
    expect((await person(user_id)).pool).toBe('alive')
  })
})

describe('a claimed person', () => {
  test.each([
    [
      'one by one',
      (user_ids: string[], pool: string) =>
        Promise.all(user_ids.map((user_id) => counsellor.call(updatePool, { user_id, pool }))),
    ],
    [
      'in bulk',
      async (user_ids: string[], pool: string) => [
        await counsellor.call(bulkUpdateUsers, { user_ids, pool }),
      ],
    ],
  ])('still counts as held after a move to another pool %s', async (_, move) => {
    const held = [await claimedPerson(), await claimedPerson()]
    for (const answer of await move(held, 'dead')) expect(answer.code).toBe(0)
    expect(await claim(await publicPerson())).toBe(40904)
    for (const answer of await move(held, 'alive')) expect(answer.code).toBe(0)
    expect(await claim(await publicPerson())).toBe(40904)
  })

  test.each([
    ['one by one', updatePool, (user_id: string) => ({ user_id, pool: 'public' })],
    ['in bulk', bulkUpdateUsers, (user_id: string) => ({ user_ids: [user_id], pool: 'public' })],
  ])('is let go of by a move to the public pool %s', async (_, operation, input) => {
    const user_id = await claimedPerson()
    expect((await counsellor.call(operation, input(user_id))).code).toBe(0)
    expect(await person(user_id)).toMatchObject({ pool: 'public', owner_ids: [] })
    expect(await reveal(user_id)).toBe(40303)
    expect(await claim(user_id, colleague)).toBe(0)
  })

  test('of a colleague stays out of reach', async () => {
    const user_id = await claimedPerson(colleague)
    const own = await claimedPerson()
    const before = await person(user_id)
    const calls = [
      counsellor.call(fetchContact, { user_id, contact_type: 'mobile' }),
      counsellor.call(updatePool, { user_id, pool: 'public' }),
      counsellor.call(bulkUpdateUsers, { user_ids: [user_id], pool: 'public' }),
      counsellor.call(updateOwner, { user_id, owner_id: colleague.staff_id, event_type: 'remove' }),
      counsellor.call(releaseUser, { user_id, owner_id: counsellor.staff_id }),
    ]
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(notYours)
    const merge = await counsellor.call(mergeUsers, { user_id: own, merged_user_id: user_id })
    expect(merge).toMatchObject({ code: 40303, data: { reason: 'some_not_yours' } })
    expect(await person(user_id)).toEqual(before)
  })
})

describe('an undo', () => {
  test('does not return a released person to a counsellor', async () => {
    const user_id = await claimedPerson()
    const edit = { user_ids: [user_id], remove_owner_ids: [counsellor.staff_id] }
    const { batch_id } = (await counsellor.call(bulkUpdateUsers, edit)).data
    const before = await person(user_id)
    expect(before.owner_ids).toEqual([])
    expect(await counsellor.call(undoChanges, { batch_id })).toMatchObject(notYours)
    expect(await person(user_id)).toEqual(before)
    // A program may undo it, since it may reach everyone.
    expect((await school.call(undoChanges, { batch_id })).code).toBe(0)
    expect((await person(user_id)).owner_ids).toEqual([counsellor.staff_id])
  })

  test('of a merge is refused to a counsellor who no longer owns the survivor', async () => {
    const [user_id, merged_user_id] = [await claimedPerson(), await claimedPerson()]
    const { merge_id } = (await counsellor.call(mergeUsers, { user_id, merged_user_id })).data
    await release(user_id)
    expect(await counsellor.call(unmergeUsers, { merge_id })).toMatchObject(unclaimed)
    expect(await counsellor.call(undoChanges, { batch_id: merge_id })).toMatchObject(unclaimed)
    expect(await claim(user_id, colleague)).toBe(0)
    const before = await person(user_id)
    expect(await counsellor.call(unmergeUsers, { merge_id })).toMatchObject(notYours)
    expect(await person(user_id)).toEqual(before)
  })

  test('of changes to own people still works', async () => {
    const user_id = await claimedPerson()
    const before = (await person(user_id)).owner_ids
    const edit = { user_ids: [user_id], add_owner_ids: [colleague.staff_id] }
    const { batch_id } = (await counsellor.call(bulkUpdateUsers, edit)).data
    expect((await counsellor.call(undoChanges, { batch_id })).code).toBe(0)
    expect((await person(user_id)).owner_ids).toEqual(before)
    const merged_user_id = await claimedPerson()
    const { merge_id } = (await counsellor.call(mergeUsers, { user_id, merged_user_id })).data
    expect((await counsellor.call(unmergeUsers, { merge_id })).code).toBe(0)
  })
})

test('no counsellor continues the lead file of another person, whose rows may name owners', async () => {
  const admin = await hireStaff(server, school.corp_id, 'admin')
  const user_id = await publicPerson()
  const content = Buffer.from(`mobile,owner\n${nextMobile - 1},Somebody\n`)
  const { import_id } = (await admin.call(createLeadFile, { file_name: 'a.csv', bytes: content.length })).data
  const piece = { import_id, start: 0, content: content.toString('base64') }
  expect((await counsellor.call(appendLeadFile, piece)).code).toBe(40303)
  await admin.call(appendLeadFile, piece)
  const values = [{ column: 'owner_ids', value: 'Somebody', stands_for: counsellor.staff_id }]
  expect((await counsellor.call(planLeadFile, { import_id, values })).code).toBe(40303)
  expect((await counsellor.call(commitLeadFile, { import_id })).code).toBe(40303)
  expect((await person(user_id)).owner_ids).toEqual([])
})
