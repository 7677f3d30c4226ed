import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { type LeadOrganization, openLeads } from '../../../../test/support/lead-import.ts'
import { bulkUpdateUsers } from '../../../changes/bulk-edits/bulk-update.ts'
import { mergeUsers, unmergeUsers } from '../../../changes/merging/merge-users.ts'
import { listLeftAlone } from '../../../changes/undo/change-batch-store.ts'
import { createUser } from '../create-user.ts'
import { updateOwner } from '../update-owner.ts'
import { updatePool } from '../update-pool.ts'
import { claimUser, releaseUser } from './claim-user.ts'
import { changeClaimRules } from './manage-claim-rules.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

async function openSchool(most_held: number | null = null) {
  const org = await openLeads(database)
  if (most_held !== null) await changeClaimRules(database.owner, org.corp_id, { most_held })
  const ids: string[] = []
  for (const digit of [1, 2, 3, 4]) {
    const user = await org.call(createUser, { area_code: '86', mobile: `1380000000${digit}` })
    ids.push(user.user_id as string)
  }
  const edit = async (input: object) => (await org.call(bulkUpdateUsers, input)).batch_id as string
  return { org, ids, edit }
}

async function userOf(org: LeadOrganization, user_id: string) {
  const [user] = await org.query(`
    select pool, owner_ids, c.owner_id as holder_id
      from users u left join user_claims c using (corp_id, user_id)
     where u.corp_id = $corp and u.user_id = '${user_id}'`)
  return user
}

async function leftOf(org: LeadOrganization, batch_id: string) {
  const rows = await listLeftAlone(org.context.db, org.corp_id, batch_id, { limit: 100, offset: 0 })
  return rows.map(({ record_type, record_id, left_alone }) => ({ record_type, record_id, ...left_alone }))
}

describe('a user in the public pool', () => {
  test('gets the pool and claim of a claimed user that is merged into it, and loses both by the undo', async () => {
    const { org, ids } = await openSchool()
    const [user_id, merged_user_id] = ids as [string, string]
    await org.call(claimUser, { user_id: merged_user_id, owner_id: 'z' })
    const { merge_id } = await org.call(mergeUsers, { user_id, merged_user_id })
    expect(await userOf(org, user_id)).toEqual({ pool: 'alive', owner_ids: ['z'], holder_id: 'z' })
    await org.call(unmergeUsers, { merge_id })
    expect(await userOf(org, user_id)).toEqual({ pool: 'public', owner_ids: [], holder_id: null })
    expect(await userOf(org, merged_user_id)).toEqual({ pool: 'alive', owner_ids: ['z'], holder_id: 'z' })
  })
})

describe('an undo', () => {
  test('does not move a user that was claimed since', async () => {
    const { org, ids, edit } = await openSchool()
    const [user_id] = ids as [string]
    const batch_id = await edit({ user_ids: [user_id], pool: 'alive', add_owner_ids: ['y'] })
    await org.call(updatePool, { user_id, pool: 'public' })
    await org.call(claimUser, { user_id, owner_id: 'z' })
    const undo = await org.undo(batch_id)
    expect(await userOf(org, user_id)).toEqual({ pool: 'alive', owner_ids: ['z'], holder_id: 'z' })
    expect(await leftOf(org, undo.batch_id)).toEqual([
      { record_type: 'users', record_id: user_id, reason: 'was claimed since', members: ['pool'] },
    ])
  })

  test('does not remove an owner who holds the user now', async () => {
    const { org, ids, edit } = await openSchool()
    const [user_id] = ids as [string]
    const batch_id = await edit({ user_ids: [user_id], add_owner_ids: ['z'] })
    await org.call(claimUser, { user_id, owner_id: 'z' })
    const before = await org.records()
    const undo = await org.undo(batch_id)
    expect(await org.records()).toEqual(before)
    expect(await leftOf(org, undo.batch_id)).toEqual([
      { record_type: 'users', record_id: user_id, reason: 'was claimed since', members: ['owner_ids'] },
    ])
  })

  test('restores no claim on a user that is public now', async () => {
    const { org, ids, edit } = await openSchool()
    const [user_id] = ids as [string]
    await org.call(claimUser, { user_id, owner_id: 'z' })
    const batch_id = await edit({ user_ids: [user_id], remove_owner_ids: ['z'] })
    await org.call(updatePool, { user_id, pool: 'public' })
    const undo = await org.undo(batch_id)
    expect(await userOf(org, user_id)).toEqual({ pool: 'public', owner_ids: ['z'], holder_id: null })
    expect(await leftOf(org, undo.batch_id)).toContainEqual({
      ...{ record_type: 'user_claims', record_id: user_id, members: [] },
      reason: 'its owner cannot hold the user in its pool',
    })
  })

  test('restores at most as many claims as an owner may hold', async () => {
    const { org, ids, edit } = await openSchool(2)
    const [first, second, third] = ids as [string, string, string]
    for (const user_id of [first, second]) await org.call(claimUser, { user_id, owner_id: 'z' })
    const batch_id = await edit({ user_ids: [first, second], pool: 'public', remove_owner_ids: ['z'] })
    await org.call(claimUser, { user_id: third, owner_id: 'z' })
    const undo = await org.undo(batch_id)
    const users = await Promise.all(ids.map((user_id) => userOf(org, user_id)))
    expect(users.filter((user) => user!.holder_id === 'z')).toHaveLength(2)
    for (const user of users.slice(0, 2)) expect(user).toMatchObject({ pool: 'alive', owner_ids: ['z'] })
    expect(await leftOf(org, undo.batch_id)).toMatchObject([
      { record_type: 'user_claims', reason: 'its owner holds as many users as allowed' },
    ])
  })

  test('concurrent with claims of the same owner does not exceed the limit', async () => {
    for (let race = 0; race < 6; race++) {
      const { org, ids, edit } = await openSchool(1)
      const [first, second] = ids as [string, string]
      await org.call(claimUser, { user_id: first, owner_id: 'z' })
      const batch_id = await edit({ user_ids: [first], pool: 'public' })
      const claiming = org.call(claimUser, { user_id: second, owner_id: 'z' }).catch(refused)
      await Promise.all([org.undo(batch_id), claiming])
      const held = await org.query('select user_id from user_claims where corp_id = $corp')
      expect(held).toHaveLength(1)
    }
  })

  test('moves many users and undoes it exactly, over any number of transactions', async () => {
    const { org, edit } = await openSchool()
    const made = Array.from({ length: 300 }, (_, n) =>
      org.call(createUser, { area_code: '86', mobile: `139000${10_000 + n}` }),
    )
    const user_ids = (await Promise.all(made)).map(({ user_id }) => user_id as string)
    await Promise.all(user_ids.map((user_id, n) => org.call(claimUser, { user_id, owner_id: `z${n % 20}` })))
    const claimed = await org.records()
    const batch_id = await edit({ user_ids, pool: 'public' })
    const edited = await org.records()
    const undo = await org.undo(batch_id)
    expect(await org.records()).toEqual(claimed)
    const redo = await org.undo(undo.batch_id)
    expect(await org.records()).toEqual(edited)
    await org.undo(redo.batch_id)
    expect(await org.records()).toEqual(claimed)
  })
})

const user = fc.integer({ min: 0, max: 3 })
const owner = fc.constantFrom('x', 'y', 'z')
const pool = fc.constantFrom('public', 'alive', 'dead')
const owners = fc.constantFrom<string[]>([], ['x'], ['y', 'z'])
const step = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), user, owner }),
  fc.record({ kind: fc.constant('release' as const), user, owner }),
  fc.record({ kind: fc.constant('pool' as const), user, pool }),
  fc.record({ kind: fc.constant('owner' as const), user, owner, isAdded: fc.boolean() }),
  fc.record({
    kind: fc.constant('edit' as const),
    users: fc.uniqueArray(user, { minLength: 1 }),
    pool: fc.option(pool, { nil: undefined }),
    add_owner_ids: owners,
    remove_owner_ids: owners,
  }),
  fc.record({ kind: fc.constant('merge' as const), user, merged: user }),
  fc.record({ kind: fc.constant('undo' as const), back: fc.integer({ min: 0, max: 3 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('a held user is not public and has its holder as owner, and nobody holds too many, after any changes and undos', {
  timeout: 900_000,
}, async () => {
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: step }, stepOf('claim'), stepOf('undo')), {
    minLength: 4,
    maxLength: 25,
  })
  const property = fc.asyncProperty(steps, fc.constantFrom(null, 1, 2), async (played, most_held) => {
    const { org, ids } = await openSchool(most_held)
    const batches: string[] = []
    for (const one of played) {
      await playedBatch(org, ids, batches, one).then(
        (batch_id) => batch_id && batches.push(batch_id),
        refused,
      )
      await expectHeldRightly(org, most_held)
    }
  })
  await fc.assert(property, { numRuns: Number(process.env.MATRICULA_UNDO_RUNS ?? 6) })
})

function stepOf(kind: Step['kind']) {
  return { weight: 1, arbitrary: step.filter((one) => one.kind === kind) }
}

/** Applies one step. Returns its batch, if it is one. */
async function playedBatch(
  org: LeadOrganization,
  ids: string[],
  batches: string[],
  one: Step,
): Promise<string | undefined> {
  const user_id = 'user' in one ? ids[one.user] : undefined
  switch (one.kind) {
    case 'claim':
    case 'release':
      await org.call(one.kind === 'claim' ? claimUser : releaseUser, { user_id, owner_id: one.owner })
      return undefined
    case 'pool':
      await org.call(updatePool, { user_id, pool: one.pool })
      return undefined
    case 'owner': {
      const event_type = one.isAdded ? 'add' : 'remove'
      await org.call(updateOwner, { user_id, owner_id: one.owner, event_type })
      return undefined
    }
    case 'edit': {
      const { users, kind: _, remove_owner_ids, ...edit } = one
      const removed = remove_owner_ids.filter((id) => !edit.add_owner_ids.includes(id))
      const user_ids = users.map((n) => ids[n])
      const done = await org.call(bulkUpdateUsers, { ...edit, user_ids, remove_owner_ids: removed })
      return done.batch_id as string
    }
    case 'merge':
      return (await org.call(mergeUsers, { user_id, merged_user_id: ids[one.merged] })).merge_id as string
    case 'undo': {
      const batch_id = batches.at(-1 - one.back)
      return batch_id && (await org.undo(batch_id)).batch_id
    }
  }
}

async function expectHeldRightly(org: LeadOrganization, most_held: number | null): Promise<void> {
  const apart = await org.query(`
    select u.pool, u.owner_ids, c.owner_id as holder_id
      from users u join user_claims c using (corp_id, user_id)
     where u.corp_id = $corp and (u.pool = 'public' or not c.owner_id = any(u.owner_ids))`)
  expect(apart).toEqual([])
  const held = await org.query(
    'select owner_id, count(*)::int as held from user_claims where corp_id = $corp group by 1',
  )
  if (most_held !== null) for (const { held: users } of held) expect(users).toBeLessThanOrEqual(most_held)
}

function refused(error: { code?: number }): void {
  if (error.code === undefined || error.code < 40000) throw error
}
