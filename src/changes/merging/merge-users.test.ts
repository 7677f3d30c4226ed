import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf } from '../../../test/harness/ledger.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { expectCounted, type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { createOrder } from '../../orders/create-order.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { listOrders } from '../../orders/listing/list-orders.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { fetchLead } from '../../people/leads/fetch-lead.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { claimUser } from '../../people/users/claims/claim-user.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchProfile } from '../../people/users/fetch-profile.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { updateOwner } from '../../people/users/update-owner.ts'
import { updatePool } from '../../people/users/update-pool.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { undoChanges } from '../undo/undo-changes.ts'
import { mergeUsers, unmergeUsers } from './merge-users.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

const mobileOf = (person: number) => `1380000000${person}`
const order = { currency: 'CNY', listed_price: 1000, installment_count: 2, type: 'course' }

describe('a user that was merged', () => {
  let org: TestOrganization
  let ids: string[]
  let merge_id: string
  beforeAll(async () => {
    org = await openOrganization(server)
    const users = [1, 2, 3].map((person) =>
      org.call(createUser, { area_code: '86', mobile: mobileOf(person) }),
    )
    ids = (await Promise.all(users)).map(({ data }) => data.user_id)
    await org.call(updateEmail, { user_id: ids[1], email: 'Mei@Example.com' })
    const made = await org.call(createOrder, { ...order, user_id: ids[1] })
    await org.call(createPayment, { order_id: made.data.order_id, price: 500 })
    merge_id = (await org.call(mergeUsers, { user_id: ids[0], merged_user_id: ids[1] })).data.merge_id
  })

  test('answers as the survivor, by id, number and address', async () => {
    const { data } = await org.call(fetchProfile, { user_id: ids[1] })
    expect(data).toMatchObject({ user_id: ids[0], mobile: mobileOf(1) })
    await org.call(updateOwner, { user_id: ids[1], owner_id: 'anna', event_type: 'add' })
    const { data: byNumber } = await org.call(createUser, { area_code: '86', mobile: mobileOf(2) })
    expect(byNumber).toEqual({ user_id: ids[0], is_user_exists: true })
    const { data: byAddress } = await org.call(createUser, { email: 'mei@example.com' })
    expect(byAddress).toEqual({ user_id: ids[0], is_user_exists: true })
    expect((await org.call(importLead, { user_id: ids[1], name: 'Mei' })).code).toBe(0)
    expect((await org.call(updateEmail, { user_id: ids[2], email: 'mei@example.com' })).code).toBe(40901)
  })

  test('gives its orders to the survivor, in every list, with the same amounts', async () => {
    const { data: orders } = await org.call(listOrders)
    expect(orders.list).toMatchObject([{ user_id: ids[0], total_price: 1000, paid_price: 500 }])
    const { data: rows } = await org.call(listFinancialRows)
    expect(rows.list.map((row: { user_id: string }) => row.user_id)).toEqual([ids[0], ids[0]])
    const { data } = await org.call(fetchOrder, { order_id: orders.list[0].entity_id })
    expect(data).toMatchObject({ user_id: ids[0], paid_price: 500 })
    expect((await checkLedger(server.database.owner, org.corp_id)).discrepancies).toEqual([])
  })

  test('follows the survivor into a further merge, and returns from it', async () => {
    const further = await org.call(mergeUsers, { user_id: ids[2], merged_user_id: ids[0] })
    expect((await org.call(fetchProfile, { user_id: ids[1] })).data.user_id).toBe(ids[2])
    expect((await org.call(unmergeUsers, { merge_id: further.data.merge_id })).data.left_alone).toBe(0)
    expect((await org.call(fetchProfile, { user_id: ids[1] })).data.user_id).toBe(ids[0])
  })

  test('returns without contacts that another user has now', async () => {
    await org.call(updateEmail, { user_id: ids[0], email: 'MEI@example.com' })
    await org.call(unmergeUsers, { merge_id })
    expect((await org.call(fetchProfile, { user_id: ids[1] })).data).toMatchObject({
      user_id: ids[1],
      mobile: mobileOf(2),
    })
    const { data } = await org.call(createUser, { email: 'mei@example.com' })
    expect(data).toEqual({ user_id: ids[0], is_user_exists: true })
    expect((await org.call(unmergeUsers, { merge_id })).code).toBe(40904)
  })
})

describe('a pair', () => {
  const openPair = async () => {
    const org = await openOrganization(server)
    const made = [1, 2].map((person) => org.call(createUser, { area_code: '86', mobile: mobileOf(person) }))
    const [a, b] = (await Promise.all(made)).map(({ data }) => data.user_id as string)
    return { org, a: a!, b: b! }
  }
  const mergesOf = async ({ corp_id }: TestOrganization) => {
    const { rows } = await server.database.superuser.query(
      `select batch_id from change_batches where corp_id = $1 and kind = 'user_merge'`,
      [corp_id],
    )
    return rows.length
  }

  test('that was merged cannot be merged the other way round', async () => {
    const { org, a, b } = await openPair()
    await org.call(mergeUsers, { user_id: a, merged_user_id: b })
    const before = (await org.call(fetchProfile, { user_id: a })).data
    const answer = await org.call(mergeUsers, { user_id: b, merged_user_id: a })
    expect(answer).toMatchObject({ code: 40002, data: { errors: [{ param: 'merged_user_id' }] } })
    expect((await org.call(fetchProfile, { user_id: b })).data).toEqual(before)
    expect(await mergesOf(org)).toBe(1)
  })

  test('in a chain is unmerged from its end: the refusal of an earlier merge names the later one', async () => {
    const { org, a, b } = await openPair()
    const { user_id: c } = (await org.call(createUser, { area_code: '86', mobile: mobileOf(3) })).data
    const { lead_id } = (await org.call(importLead, { user_id: b })).data
    const first = await org.call(mergeUsers, { user_id: a, merged_user_id: b })
    const second = await org.call(mergeUsers, { user_id: c, merged_user_id: a })
    const { merge_id } = second.data
    for (const early of [
      await org.call(unmergeUsers, { merge_id: first.data.merge_id }),
      await org.call(undoChanges, { batch_id: first.data.merge_id }),
    ])
      expect(early).toMatchObject({
        code: 40904,
        data: { reason: 'unmerge_first', merge_id, merged_user_id: a, user_id: c },
      })
    expect((await org.call(unmergeUsers, { merge_id })).data.left_alone).toBe(0)
    expect((await org.call(unmergeUsers, { merge_id: first.data.merge_id })).data.left_alone).toBe(0)
    for (const user_id of [a, b, c])
      expect((await org.call(fetchProfile, { user_id })).data.user_id).toBe(user_id)
    expect((await org.call(fetchLead, { lead_id })).data.user_id).toBe(b)
    expect((await org.call(mergeUsers, { user_id: c, merged_user_id: b })).code).toBe(0)
  })

  test('that was merged again cannot be unmerged by the undo of an earlier merge', async () => {
    const { org, a, b } = await openPair()
    const merge = { user_id: a, merged_user_id: b }
    const first = await org.call(mergeUsers, merge)
    const undo = await org.call(unmergeUsers, { merge_id: first.data.merge_id })
    const second = await org.call(mergeUsers, merge)
    // The second merge prevents both the undo of the first one and its repetition.
    const repeated = await org.call(undoChanges, { batch_id: undo.data.batch_id })
    const { merge_id } = second.data
    expect(repeated).toMatchObject({ code: 40904, data: { reason: 'unmerge_first', merge_id } })
    expect((await org.call(unmergeUsers, { merge_id: first.data.merge_id })).code).toBe(40904)
    expect((await org.call(fetchProfile, { user_id: b })).data.user_id).toBe(a)
    expect((await org.call(unmergeUsers, { merge_id: second.data.merge_id })).code).toBe(0)
    expect((await org.call(mergeUsers, merge)).code).toBe(0)
  })

  test('with a concurrent merge of one of them waits, and its survivor is merged', async () => {
    for (let race = 0; race < 6; race++) {
      const { org, a, b } = await openPair()
      const { user_id: c } = (await org.call(createUser, { area_code: '86', mobile: mobileOf(3) })).data
      const answers = await Promise.all([
        org.call(mergeUsers, { user_id: a, merged_user_id: b }),
        org.call(mergeUsers, { user_id: c, merged_user_id: b }),
      ])
      expect(codesOf(answers)).toEqual({ 0: 2 })
      const found = await Promise.all(
        [a, b, c].map(async (user_id) => (await org.call(fetchProfile, { user_id })).data.user_id),
      )
      expect(new Set(found).size).toBe(1)
    }
  })

  test('can be named by earlier merged ids, in either parameter', async () => {
    const { org, a, b } = await openPair()
    const more = [3, 4].map((person) => org.call(createUser, { area_code: '86', mobile: mobileOf(person) }))
    const [c, d] = (await Promise.all(more)).map(({ data }) => data.user_id as string)
    await org.call(mergeUsers, { user_id: a, merged_user_id: b })
    await org.call(mergeUsers, { user_id: c, merged_user_id: d })
    const answer = await org.call(mergeUsers, { user_id: b, merged_user_id: d })
    expect(answer.data.user_id).toBe(a)
    expect((await org.call(fetchProfile, { user_id: d })).data.user_id).toBe(a)
  })

  test('that was unmerged is not merged again by an undo if one of them has a new record', async () => {
    const { org, a, b } = await openPair()
    const merge = { user_id: a, merged_user_id: b }
    const { merge_id } = (await org.call(mergeUsers, merge)).data
    const { batch_id } = (await org.call(unmergeUsers, { merge_id })).data
    await org.call(importLead, { user_id: b })
    const refused = await org.call(undoChanges, { batch_id })
    expect(refused).toMatchObject({ code: 40904, data: { reason: 'merge_again' } })
    expect((await org.call(fetchProfile, { user_id: b })).data.user_id).toBe(b)
    expect((await org.call(mergeUsers, merge)).code).toBe(0)
  })

  test('that two people merge crosswise at the same time is merged once, and the second call is refused', async () => {
    for (let race = 0; race < 8; race++) {
      const { org, a, b } = await openPair()
      const answers = await Promise.all([
        org.call(mergeUsers, { user_id: a, merged_user_id: b }),
        org.call(mergeUsers, { user_id: b, merged_user_id: a }),
      ])
      expect(codesOf(answers)).toEqual({ 0: 1, 40002: 1 })
      expect(await mergesOf(org)).toBe(1)
    }
  })
})

/** Random people, and random changes by others between a merge and its undo. */
const write = fc.record({
  kind: fc.constantFrom('lead', 'tag', 'owner', 'pool', 'email', 'order', 'payment', 'follow-up', 'claim'),
  person: fc.integer({ min: 1, max: 3 }),
  text: fc.constantFrom('a', 'b', 'c'),
})

test('merge and unmerge are exact over random data with other writers in between', {
  timeout: 900_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.array(write, { maxLength: 12 }),
    fc.array(write, { maxLength: 6 }),
    async (earlier, between) => {
      const org = await openLeads(server.database)
      const group = await org.call(createTagGroup, {
        ...{ name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' },
      })
      const ids: string[] = ['']
      for (const person of [1, 2, 3]) {
        const user = await org.call(createUser, { area_code: '86', mobile: mobileOf(person) })
        ids.push(user.user_id as string)
      }
      const play = async (
        { kind, person, text }: { kind: string; person: number; text: string },
        isMerged: boolean,
      ) => {
        const user_id = ids[isMerged && person === 2 ? 1 : person]!
        await writeOf(org, user_id, group.tags_group_id as string, `${text}${person}`)[kind]!().catch(refused)
      }
      for (const one of earlier) await play(one, false)
      const [before, totals] = [await state(org), await amounts(org)]
      const counted = await org.counted()
      const { merge_id } = await org.call(mergeUsers, { user_id: ids[1], merged_user_id: ids[2] })
      expect(await amounts(org)).toEqual(totals)
      const merged = await state(org)
      await expectCounted(org, counted, await org.counted())
      expect(merged.users!.some((user) => user.includes(ids[2]!))).toBe(false)
      for (const one of between) await play(one, true)
      const [touched, newTotals] = [await state(org), await amounts(org)]
      const countedThen = await org.counted()
      const undo = await org.call(unmergeUsers, { merge_id })
      const undone = await state(org)
      expect(await amounts(org)).toEqual(newTotals)
      if (between.length === 0) expect(undone).toEqual(before)
      expectWhoseItIs(ids, before, merged, touched, undone)
      await expectConsistent(org)
      const countedSince = await org.counted()
      await expectCounted(org, countedThen, countedSince)
      await org.undo(undo.batch_id as string)
      expect(await state(org)).toEqual(touched)
      await expectCounted(org, countedSince, await org.counted())
    },
  )
  await fc.assert(property, { numRuns: Number(process.env.MATRICULA_UNDO_RUNS ?? 8) })
})

function refused(error: { code?: number }): void {
  if (error.code === undefined || error.code < 40000) throw error
}

function writeOf(org: LeadOrganization, user_id: string, tags_group_id: string, text: string) {
  const calls: Record<string, () => Promise<unknown>> = {
    lead: () => org.call(importLead, { user_id, name: text, course_code: text }),
    tag: () => org.call(assignUserTag, { user_id, tags_group_id, value: text }),
    owner: () => org.call(updateOwner, { user_id, owner_id: text, event_type: 'add' }),
    pool: () => org.call(updatePool, { user_id, pool: 'alive' }),
    email: () => org.call(updateEmail, { user_id, email: `${text}@example.com` }),
    order: () => org.call(createOrder, { ...order, user_id }),
    payment: async () => {
      const [found] = await org.query(
        `select order_id from orders where corp_id = $corp and user_id = '${user_id}'`,
      )
      if (found) await org.call(createPayment, { order_id: found.order_id, price: 10 })
    },
    'follow-up': () => org.call(createFollowUp, { user_id, content: text }),
    claim: () => org.call(claimUser, { user_id, owner_id: text }),
  }
  return calls
}

/** Every record and the history of users without undos. Of orders only the user, since their history continues. */
async function state(org: LeadOrganization): Promise<Record<string, string[]>> {
  const orders = await org.query(
    'select order_id, user_id from orders where corp_id = $corp order by order_id',
  )
  return {
    ...(await org.records()),
    user_events: (await org.history()).filter((event) => !event.includes('"undone"')),
    orders: orders.map(({ order_id, user_id }) => `${order_id} ${user_id}`),
  }
}

async function amounts(org: LeadOrganization) {
  return org.query(`
    select (select json_agg(json_build_array(order_id, status, total_price) order by order_id)
              from orders where corp_id = $corp) as orders,
           (select json_agg(json_build_array(p.order_id, p.price) order by payment_id)
              from payments p where corp_id = $corp) as payments,
           (select json_agg(json_build_array(list, time, status, span, rows) order by list, time, status, span)
              from list_counts where corp_id = $corp and time = 'ctime' and rows <> 0) as counts`)
}

/** New records stay with the survivor. Records of the merged user return to it, unless others have changed them. */
function expectWhoseItIs(
  ids: string[],
  before: Record<string, string[]>,
  merged: Record<string, string[]>,
  touched: Record<string, string[]>,
  undone: Record<string, string[]>,
): void {
  for (const table of ['leads', 'user_follow_ups', 'orders']) {
    const isNew = (record: string) => !merged[table]!.some((one) => idOf(one, table) === idOf(record, table))
    const came = touched[table]!.filter(isNew)
    for (const record of came) expect(undone[table]).toContain(record)
    const old = undone[table]!.filter((record) => !isNew(record))
    expect(old).toEqual(before[table])
  }
  const third = (records: string[]) => records.filter((record) => record.includes(ids[3]!))
  for (const table of ['users', 'user_tags', 'user_events', 'user_claims'])
    expect(third(undone[table]!)).toEqual(third(touched[table]!))
  expect(undone.merged_users).toEqual([])
}

function idOf(record: string, table: string): string {
  const key = { leads: 'lead_id', user_follow_ups: 'follow_up_id' }[table]
  return key ? JSON.parse(record)[key] : record.split(' ')[0]!
}

async function expectConsistent(org: LeadOrganization): Promise<void> {
  const kept = await org.records()
  await rebuildDerivedData(org.context.db, org.corp_id)
  expect(await org.records()).toEqual(kept)
  expect((await checkLedger(server.database.owner, org.corp_id)).discrepancies).toEqual([])
}
