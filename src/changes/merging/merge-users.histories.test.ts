import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { seedOfRun } from '../../../test/harness/seed.ts'
import { expectCounted, type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { createMergeModel, type MergeModel, type Refusal } from '../../../test/support/merge-model.ts'
import { expectFoundAsRebuilt, mobileOf } from '../../../test/support/undo.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { ApiError } from '../../contract/errors.ts'
import { createOrder } from '../../orders/create-order.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { bulkUpdateUsers } from '../bulk-edits/bulk-update.ts'
import { updateEmail, updateMobile } from '../contacts/update-contact.ts'
import { listLeftAlone } from '../undo/change-batch-store.ts'
import { mergeUsers, unmergeUsers } from './merge-users.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const order = { currency: 'CNY', listed_price: 1000, installment_count: 2, type: 'course' }
const index = fc.nat(1000)
const text = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('lead', 'order', 'follow-up'), at: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tag'), at: index, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create'), at: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('name', 'company_name'), at: index, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('email', 'mobile'), at: index, other: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('owner', 'pool'), at: index, text }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('merge'), at: index, other: index }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('undo'), at: index }) },
)
type Step = { kind: string; at: number; other?: number; text?: string }

test('merges, unmerges and undos in any order have the result of a model, or are refused as in the model', {
  timeout: 3_600_000,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
    const org = await openLeads(database)
    const world = await openWorld(org)
    let counted = await org.counted()
    for (const each of steps) {
      await play(world, each)
      await expectModel(world)
      const now = await org.counted()
      await expectCounted(org, counted, now)
      counted = now
    }
    await expectFoundAsRebuilt(org)
    expect((await checkLedger(database.owner, org.corp_id)).discrepancies).toEqual([])
  })
  await fc.assert(property, { numRuns: attemptsOf('MATRICULA_MERGE_HISTORIES', 12), seed: seedOfRun() })
})

interface World {
  org: LeadOrganization
  model: MergeModel
  /** Every user that ever was, also merged ones. */
  ids: string[]
  tags_group_id: string
}

async function openWorld(org: LeadOrganization): Promise<World> {
  const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
  const { tags_group_id } = await org.call(createTagGroup, group)
  const world = { org, model: createMergeModel(), ids: [], tags_group_id: tags_group_id as string }
  for (const person of [0, 1, 2, 3]) await create(world, person)
  return world
}

async function create({ org, model, ids }: World, person: number): Promise<void> {
  const mobile = mobileOf(person)
  const known = model.holderOf('mobile', mobile, '')
  const made = await org.call(createUser, { area_code: '86', mobile })
  expect(made).toMatchObject(known ? { user_id: known, is_user_exists: true } : { is_user_exists: false })
  if (known) return
  const id = made.user_id as string
  ids.push(id)
  const blank = { name: null, company_name: null, backup_mobile: null, email: null }
  model.users.set(id, { ...blank, mobile, pool: 'public', owner_ids: [], token: model.next() })
}

async function play(world: World, { kind, at, other = 0, text = '' }: Step): Promise<void> {
  const { org, model, ids, tags_group_id } = world
  const named = ids[at % ids.length]!
  const user_id = model.rootOf(named)
  const own = async (endpoint: unknown, input: object, key: string) =>
    model.homes.set((await org.call(endpoint, { user_id, ...input }))[key] as string, user_id)
  switch (kind) {
    case 'lead':
      return void (await own(importLead, { course_code: 'x' }, 'lead_id'))
    case 'order':
      return void (await own(createOrder, order, 'order_id'))
    case 'follow-up':
      return void (await own(createFollowUp, { content: 'x' }, 'follow_up_id'))
    case 'tag': {
      const id = (await org.call(assignUserTag, { user_id, tags_group_id, value: text })) as unknown as string
      return void model.tags.set(id, { user: user_id, value: text, token: model.next() })
    }
    case 'create':
      return create(world, at % 9)
    case 'name':
    case 'company_name':
      await org.call(updateUser, { user_id, [kind]: text })
      if (model.users.get(user_id)![kind] !== text) model.change(user_id, { [kind]: text })
      return
    case 'email':
      return correct(world, user_id, { email: `${'abcde'[other % 5]}@example.com` })
    case 'mobile':
      return correct(world, user_id, { mobile: mobileOf(other % 9) })
    case 'owner':
    case 'pool':
      return editTwo(world, [user_id, model.rootOf(ids[(at + 1) % ids.length]!)], kind, text)
    case 'merge':
      return merge(world, named, ids[other % ids.length]!)
    case 'undo':
      return undo(world, at)
  }
}

async function correct(
  { org, model }: World,
  user_id: string,
  contact: { email: string } | { mobile: string },
): Promise<void> {
  const [name, value] = Object.entries(contact)[0] as ['email' | 'mobile', string]
  const user = model.users.get(user_id)!
  const holder = model.holderOf(name, value, user_id)
  const endpoint = name === 'email' ? updateEmail : updateMobile
  const input = { user_id, ...contact, ...(name === 'mobile' && { area_code: '86' }) }
  const answer = await tried(() => org.call(endpoint, input))
  if (user[name] === value) return expect(answer).toMatchObject({ batch_id: '' })
  if (holder) return expect(answer).toMatchObject({ code: 40901, details: { extra: { user_id: holder } } })
  const { batch_id } = answer as { batch_id: string }
  model.batches.set(batch_id, { users: [model.change(user_id, contact)], tags: [] })
}

async function editTwo({ org, model }: World, userIds: string[], kind: string, text: string): Promise<void> {
  const users = [...new Set(userIds)]
  const pool = text === 'a' ? 'alive' : 'dead'
  const edit =
    kind === 'pool' ? { pool } : text === 'c' ? { remove_owner_ids: ['a'] } : { add_owner_ids: [text] }
  const { batch_id } = await org.call(bulkUpdateUsers, { user_ids: users, ...edit })
  const changes = users.flatMap((id) => {
    const { owner_ids: owners, ...user } = model.users.get(id)!
    const without = owners.filter((owner) => owner !== 'a')
    const owner_ids = text === 'c' ? without : owners.includes(text) ? owners : [...owners, text]
    const set = kind === 'pool' ? { pool } : { owner_ids }
    const isSame = kind === 'pool' ? user.pool === pool : String(owner_ids) === String(owners)
    return isSame ? [] : [model.change(id, set)]
  })
  expect(batch_id === '').toBe(changes.length === 0)
  if (changes.length > 0) model.batches.set(batch_id as string, { users: changes, tags: [] })
}

async function merge({ org, model }: World, user_id: string, merged_user_id: string): Promise<void> {
  if (user_id === merged_user_id) return
  const [survivor, merged] = [model.rootOf(user_id), model.rootOf(merged_user_id)]
  const answer = await tried(() => org.call(mergeUsers, { user_id, merged_user_id }))
  if (survivor === merged) return expect(answer).toMatchObject({ code: 40002 })
  expect(answer).toMatchObject({ user_id: survivor })
  model.merge((answer as { merge_id: string }).merge_id, survivor, merged)
}

async function undo({ org, model }: World, at: number): Promise<void> {
  const [batch_id, batch] = [...model.batches][at % model.batches.size] ?? []
  if (batch_id === undefined) return
  const isMerge = batch?.merge && !batch.undoes && at % 2 === 0
  const answer = await tried<unknown>(() =>
    isMerge ? org.call(unmergeUsers, { merge_id: batch_id }) : org.undo(batch_id),
  )
  const undo_id = answer instanceof ApiError ? '' : (answer as { batch_id: string }).batch_id
  const expected = model.undo(batch_id, undo_id)
  if ('refusal' in expected) return expectRefusal(answer, expected.refusal)
  expect(answer).not.toBeInstanceOf(ApiError)
  const left = await listLeftAlone(org.context.db, org.corp_id, undo_id, { limit: 100, offset: 0 })
  expect(new Set(left.map(({ record_id }) => record_id))).toEqual(expected.left)
  for (const { left_alone } of left) expect(left_alone.reason).not.toBe('')
}

function expectRefusal(answer: unknown, { code, ...extra }: Refusal): void {
  expect(answer).toMatchObject({ code, ...(extra.reason && { details: { extra } }) })
}

async function tried<T>(work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

async function expectModel({ org, model }: World): Promise<void> {
  const [users, aliases, tags, records] = await Promise.all([
    org.query(`select user_id, name, company_name, mobile, backup_mobile, email, pool, owner_ids
                 from users where corp_id = $corp`),
    org.query(
      'select merged_user_id, user_id, merge_id, mobile, email from merged_users where corp_id = $corp',
    ),
    org.query('select entity_id, user_id, string_value from user_tags where corp_id = $corp'),
    org.query(`select lead_id as id, user_id from leads where corp_id = $corp
               union all select order_id, user_id from orders where corp_id = $corp
               union all select follow_up_id, user_id from user_follow_ups where corp_id = $corp`),
  ])
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(sorted(users)).toEqual(
    sorted(
      [...model.users].map(([user_id, user]) => {
        const { name, company_name, mobile, backup_mobile, email, pool, owner_ids } = user
        return { user_id, name, company_name, mobile, backup_mobile, email, pool, owner_ids }
      }),
    ),
  )
  expect(sorted(aliases)).toEqual(
    sorted(
      [...model.aliases].map(([merged_user_id, { merge_id, mobile, email }]) => {
        return { merged_user_id, user_id: model.rootOf(merged_user_id), merge_id, mobile, email }
      }),
    ),
  )
  expect(sorted(tags)).toEqual(
    sorted(
      [...model.tags].map(([entity_id, { user, value }]) => {
        return { entity_id, user_id: user, string_value: value }
      }),
    ),
  )
  expect(sorted(records)).toEqual(
    sorted([...model.homes].map(([id, home]) => ({ id, user_id: model.rootOf(home) }))),
  )
}
