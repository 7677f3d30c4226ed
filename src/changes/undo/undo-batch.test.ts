import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { expectCounted, type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import {
  edit,
  editPeople,
  expectFoundAsRebuilt,
  importRows,
  mobileOf,
  person,
  userOf,
} from '../../../test/support/undo.ts'
import { newId } from '../../contract/new-id.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { createUser } from '../../people/users/create-user.ts'
import { updateOwner } from '../../people/users/update-owner.ts'
import { updatePool } from '../../people/users/update-pool.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { listLeftAlone } from './change-batch-store.ts'
import { countingMembers } from './record-images.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
})
afterAll(async () => {
  await folder?.remove()
  await database?.drop()
})

const csv = (...lines: string[]) => folder.file('leads.csv', lines.join('\n'))
async function leftAlone(org: LeadOrganization, batch_id: string) {
  return listLeftAlone(org.context.db, org.corp_id, batch_id, { limit: 100, offset: 0 })
}

describe('the undo of an import', () => {
  test('restores every record exactly, and can be undone itself', async () => {
    const org = await openLeads(database)
    await org.call(importLead, { area_code: '86', mobile: mobileOf(1), city: 'Wuxi', owner_ids: ['anna'] })
    await org.call(createUser, { area_code: '86', mobile: mobileOf(2) })
    const before = await org.records()
    const file = await csv(
      'mobile,name,company,owners',
      `${mobileOf(1)},Mei,Harbour,li;anna`,
      `${mobileOf(2)},Li,,`,
      `${mobileOf(3)},Wu,Dock,`,
      `${mobileOf(3)},Wu again,,anna`,
    )
    const { batch_id } = await org.import(file)
    const imported = await org.records()
    expect(imported).not.toEqual(before)
    const undo = await org.undo(batch_id!)
    expect(undo).toMatchObject({ is_complete: true, counts: { removed: 5, restored: 2, left_alone: 0 } })
    expect(await org.records()).toEqual(before)
    const redo = await org.undo(undo.batch_id)
    expect(await org.records()).toEqual(imported)
    await org.undo(redo.batch_id)
    expect(await org.records()).toEqual(before)
  })

  test('is not repeated', async () => {
    const org = await openLeads(database)
    const { batch_id } = await org.import(await csv('mobile', mobileOf(1)))
    const { batch_id: undo_id } = await org.undo(batch_id!)
    await expect(org.undo(batch_id!)).rejects.toMatchObject({
      code: 40904,
      details: { extra: { batch_id: undo_id } },
    })
    await org.undo(undo_id)
    await org.undo(batch_id!)
    expect(await userOf(org, 1)).toBeUndefined()
  })

  test('does not restore members that others have changed, and reports them', async () => {
    const org = await openLeads(database)
    await org.call(createUser, { area_code: '86', mobile: mobileOf(1) })
    const user_id = await userOf(org, 1)
    const { batch_id } = await org.import(
      await csv('mobile,name,company,owners', `${mobileOf(1)},Mei,Harbour,li`, `${mobileOf(2)},Wu,,`),
    )
    const wu = await userOf(org, 2)
    await org.query(`update users set name = 'Mei Lin', version = version + 1 where user_id = '${user_id}'`)
    await org.call(updateOwner, { user_id, owner_id: 'anna', event_type: 'add' })
    await org.call(updatePool, { user_id: wu, pool: 'alive' })
    const undo = await org.undo(batch_id!)
    expect(
      await org.query(`select name, company_name, owner_ids from users where user_id = '${user_id}'`),
    ).toEqual([{ name: 'Mei Lin', company_name: null, owner_ids: ['anna'] }])
    expect(await org.query(`select name, pool from users where user_id = '${wu}'`)).toEqual([
      { name: 'Wu', pool: 'alive' },
    ])
    expect(await org.query('select lead_id from leads where corp_id = $corp')).toEqual([])
    const left = await leftAlone(org, undo.batch_id)
    expect(left).toHaveLength(2)
    expect(left).toContainEqual({
      record_type: 'users',
      record_id: user_id,
      left_alone: { reason: 'was changed since', members: ['name'] },
    })
    expect(left).toContainEqual({
      record_type: 'users',
      record_id: wu,
      left_alone: { reason: 'was changed since', members: [] },
    })
  })

  test('keeps a user that has a later lead', async () => {
    const org = await openLeads(database)
    const { batch_id } = await org.import(await csv('mobile', mobileOf(1), mobileOf(2)))
    await org.call(importLead, { area_code: '86', mobile: mobileOf(1) })
    const undo = await org.undo(batch_id!)
    expect(await org.query('select mobile from users where corp_id = $corp')).toEqual([
      { mobile: mobileOf(1) },
    ])
    expect(await leftAlone(org, undo.batch_id)).toMatchObject([
      { left_alone: { reason: 'others refer to it' } },
    ])
  })

  test('does not restore a record whose unique value another record has now', async () => {
    const org = await openLeads(database)
    const { batch_id } = await org.import(
      await csv('mobile,entry_id', `${mobileOf(1)},a`, `${mobileOf(2)},b`),
    )
    const undo = await org.undo(batch_id!)
    await org.call(createUser, { area_code: '86', mobile: mobileOf(1) })
    const mine = await userOf(org, 1)
    const redo = await org.undo(undo.batch_id)
    expect(await userOf(org, 1)).toBe(mine)
    expect(await userOf(org, 2)).toBeDefined()
    expect(await org.query('select entry_id from leads where corp_id = $corp')).toEqual([{ entry_id: 'b' }])
    expect((await leftAlone(org, redo.batch_id)).map(({ record_type }) => record_type).sort()).toEqual([
      'leads',
      'users',
    ])
  })
})

test('every second batch of a series of undos is in force, so that the first one can be undone again', async () => {
  const org = await openLeads(database)
  const { user_id } = await org.call(createUser, { area_code: '86', mobile: mobileOf(1) })
  const corrected = await org.call(updateEmail, { user_id, email: 'a@example.com' })
  const emailOf = async () => (await org.query('select email from users where corp_id = $corp'))[0]
  const first = corrected.batch_id as string
  let last = first
  for (const email of [null, 'a@example.com', null, 'a@example.com', null, 'a@example.com']) {
    const { batch_id } = await org.undo(last)
    expect(await emailOf()).toEqual({ email })
    last = batch_id
  }
  await org.undo(first)
  expect(await emailOf()).toEqual({ email: null })
})

test('a batch of another organization looks exactly like a missing one', async () => {
  const [own, other] = [await openLeads(database), await openLeads(database)]
  const { batch_id } = await own.import(await csv('mobile', mobileOf(1)))
  const foreign = await other.undo(batch_id!).catch((error) => error)
  const missing = await other.undo(newId()).catch((error) => error)
  expect(foreign).toMatchObject({ code: 40416 })
  expect(foreign).toEqual(missing)
})

/** Random changes of people between an import and its undo. */
const otherWrite = fc.record({
  kind: fc.constantFrom('pool', 'owner', 'remove owner', 'email', 'lead', 'tag'),
  person: fc.integer({ min: 0, max: 5 }),
  text: fc.constantFrom('a', 'b', 'c'),
})
test('import, bulk edit and undo are exact over random data with other writers in between', {
  timeout: 900_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.array(person, { maxLength: 4 }),
    fc.oneof(fc.array(person, { minLength: 1, maxLength: 8 }), edit),
    fc.array(otherWrite, { maxLength: 6 }),
    fc.array(otherWrite, { maxLength: 6 }),
    async (known, batch, earlier, writes) => {
      const org = await openLeads(database)
      const group = await org.call(createTagGroup, {
        ...{ name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' },
      })
      for (const { person, name, owners } of known)
        await org.call(importLead, {
          ...{ area_code: '86', mobile: mobileOf(person), name: name || undefined },
          owner_ids: owners ? owners.split(';') : [],
        })
      const tags_group_id = group.tags_group_id as string
      for (const write of earlier) await writeAsOther(org, write, tags_group_id)
      const before = await byId(org)
      const recordsBefore = await org.records()
      const batch_id = Array.isArray(batch)
        ? await importRows(org, folder, batch)
        : await editPeople(org, batch, tags_group_id)
      if (!batch_id) return
      const imported = await byId(org)
      for (const write of writes) await writeAsOther(org, write, tags_group_id)
      const written = await byId(org)
      const recordsBeforeUndo = await org.records()
      const [counted, history] = [await org.counted(), await org.history()]
      const undo = await org.undo(batch_id)
      const countedSince = await org.counted()
      await expectCounted(org, counted, countedSince)
      const undone = await byId(org)
      expectGrown(history, await org.history(), undone)
      const left = new Set((await leftAlone(org, undo.batch_id)).map(({ record_id }) => record_id))
      const referred = new Set(
        [...undone.values()].flatMap((record) => (record.table === 'users' ? [] : [record.user_id])),
      )
      for (const [id, now] of new Map([...before, ...imported, ...written, ...undone])) {
        const [was, made, touched, is] = [before.get(id), imported.get(id), written.get(id), undone.get(id)]
        const isTouched = JSON.stringify(made) !== JSON.stringify(touched)
        const mustStay = now.table === 'users' && !was && referred.has(id)
        if (isTouched && made && JSON.stringify(was) !== JSON.stringify(made)) expect(left).toContain(id)
        if (!isTouched && !mustStay) expect(contentOf(is)).toEqual(contentOf(was))
        if (!made || JSON.stringify(was) === JSON.stringify(made)) expect(is).toEqual(touched)
        if (was && isTouched) expectMembers(is!, was, made!, touched!)
      }
      if (writes.length === 0) expect(await org.records()).toEqual(recordsBefore)
      await expectFoundAsRebuilt(org)
      await org.undo(undo.batch_id)
      expect(await org.records()).toEqual(recordsBeforeUndo)
      await expectCounted(org, countedSince, await org.counted())
    },
  )
  await fc.assert(property, { numRuns: Number(process.env.MATRICULA_UNDO_RUNS ?? 12) })
})

type StoredRecord = Record<string, unknown> & { table: string; user_id: string }

async function byId(org: LeadOrganization): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>()
  for (const [table, key] of [
    ['users', 'user_id'],
    ['leads', 'lead_id'],
    ['user_tags', 'entity_id'],
  ] as const) {
    const rows = await org.query(`select to_jsonb(t) as record from ${table} t where corp_id = $corp`)
    for (const { record } of rows as { record: Record<string, string> }[])
      found.set(record[key]!, { ...record, table } as StoredRecord)
  }
  return found
}

/** The history continues: an undo removes nothing from it, unless the user is removed. */
function expectGrown(before: string[], after: string[], records: Map<string, StoredRecord>): void {
  const stays = before.filter((event) => records.has(JSON.parse(event).user_id))
  expect(after).toEqual(expect.arrayContaining(stays))
}

/** All members but those that count changes. */
function contentOf(record: StoredRecord | undefined) {
  const members = Object.entries(record ?? {}).filter(([name]) => !countingMembers.includes(name))
  return Object.fromEntries(members)
}

/** A member that only the import changed is restored; one that others changed stays. Owners are compared one by one. */
function expectMembers(is: StoredRecord, was: StoredRecord, made: StoredRecord, touched: StoredRecord): void {
  for (const name of Object.keys(was)) {
    if (countingMembers.includes(name)) continue
    if (name === 'owner_ids') {
      const [old, left, now] = [was, made, touched].map((record) => record.owner_ids as string[])
      const removed = old!.filter((owner) => !left!.includes(owner) && !now!.includes(owner))
      const added = left!.filter((owner) => !old!.includes(owner))
      expect(is.owner_ids).toEqual([...removed, ...now!.filter((owner) => !added.includes(owner))])
      continue
    }
    const isOthers = JSON.stringify(made[name]) !== JSON.stringify(touched[name])
    expect(is[name]).toEqual(isOthers ? touched[name] : was[name])
  }
}

async function writeAsOther(
  org: LeadOrganization,
  { kind, person, text }: { kind: string; person: number; text: string },
  tags_group_id: string,
): Promise<void> {
  const user_id = await userOf(org, person)
  if (!user_id) return
  const inputs: Record<string, [unknown, object]> = {
    pool: [updatePool, { user_id, pool: text === 'a' ? 'alive' : 'dead' }],
    owner: [updateOwner, { user_id, owner_id: text, event_type: 'add' }],
    'remove owner': [updateOwner, { user_id, owner_id: text, event_type: 'remove' }],
    email: [updateEmail, { user_id, email: `${text}${person}@example.com` }],
    lead: [importLead, { area_code: '86', mobile: mobileOf(person), city: text, course_code: text }],
    tag: [assignUserTag, { user_id, tags_group_id, value: text }],
  }
  const [endpoint, input] = inputs[kind]!
  await org.call(endpoint, input)
}
