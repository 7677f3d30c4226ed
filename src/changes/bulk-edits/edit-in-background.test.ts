import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { expectFoundAsRebuilt } from '../../../test/support/undo.ts'
import { importLeads } from '../../people/leads/import-leads.ts'
import { fetchChanges } from '../undo/undo-changes.ts'
import { bulkUpdateUsers } from './bulk-update.ts'
import { finishEdit, resumeEdits, startEdit } from './edit-in-background.ts'

let database: TestDatabase
let org: LeadOrganization
beforeAll(async () => {
  database = await createTestDatabase()
  org = await openLeads(database)
  for (const start of [0, people / 2]) {
    const leads = Array.from({ length: people / 2 }, (_, n) => ({
      area_code: '86',
      mobile: String(13_800_000_000 + start + n),
      course_code: n % 100 === 0 ? 'rare' : 'usual',
    }))
    await org.call(importLeads, { leads })
  }
}, 120_000)
afterAll(() => database?.drop())

const people = 1_100

const countIn = async (pool: string) => {
  const [row] = await org.query(
    `select count(*)::int as users from users where corp_id = $corp and pool = '${pool}'`,
  )
  return row!.users
}
const batchOf = (batch_id: string) => org.call(fetchChanges, { batch_id })

test('an edit of more than a thousand is previewed, runs in the background, and is undone', async () => {
  const before = await org.records()
  const edit = { filter: { pool: 'public' }, pool: 'dead', add_owner_ids: ['anna'] }
  const preview = await org.call(bulkUpdateUsers, { ...edit, dry_run: true })
  expect(preview).toMatchObject({ batch_id: '', matched: people, changed: null, unchanged: null })
  expect(preview.list).toHaveLength(100)
  expect((preview.list as object[])[0]).toMatchObject({ pool: 'dead', owner_ids: ['anna'] })
  expect(await org.records()).toEqual(before)
  const started = await org.call(bulkUpdateUsers, edit)
  expect(started).toMatchObject({ is_complete: false, matched: people })
  const batch_id = started.batch_id as string
  expect(await batchOf(batch_id)).toMatchObject({ is_complete: false, remaining: people })
  await Promise.all([finishEdit(org.context, batch_id), finishEdit(org.context, batch_id)])
  expect(await countIn('dead')).toBe(people)
  expect(await batchOf(batch_id)).toMatchObject({ is_complete: true, changes: people, remaining: 0 })
  expect(await org.query('select number from bulk_edit_parts where corp_id = $corp')).toEqual([])
  const undo = await org.undo(batch_id)
  expect(undo.counts).toMatchObject({ restored: people, left_alone: 0 })
  expect(await org.records()).toEqual(before)
  await expectFoundAsRebuilt(org)
})

test('an edit of a stopped server is continued, and an undone one changes no further users', async () => {
  const left = await startEdit(org.context, { pool: 'alive' }, {})
  await resumeEdits(org.context, new Date(Date.now() + 60_000))
  expect(await countIn('alive')).toBe(people)
  await org.undo(left)
  const undone = await startEdit(org.context, { pool: 'alive' }, {})
  await org.undo(undone)
  await finishEdit(org.context, undone)
  expect(await countIn('alive')).toBe(0)
  expect(await batchOf(undone)).toMatchObject({ is_complete: true, changes: 0 })
})

test('up to a thousand matching users are changed at once; an unknown id is named', async () => {
  const edited = await org.call(bulkUpdateUsers, { filter: { course_code: 'rare' }, add_owner_ids: ['li'] })
  expect(edited).toMatchObject({ is_complete: true, matched: 12, changed: 12, unchanged: 0 })
  const { user_id } = (edited.list as { user_id: string }[])[0]!
  const named = await org.call(bulkUpdateUsers, { user_ids: [user_id, 'nobody'], add_owner_ids: ['wu'] })
  expect(named).toMatchObject({ changed: 1, missing: 1, missing_ids: ['nobody'] })
})

test('a counsellor edits own people only', async () => {
  const own = { owner_id: 'li', pool: 'public', includesPool: false }
  const context = { ...org.context, role: 'counsellor' as const, reach: own }
  const edited = await bulkUpdateUsers.handle(context, {
    corp_id: org.corp_id,
    filter: {},
    add_owner_ids: ['x'],
  })
  expect(edited).toMatchObject({ matched: 12, changed: 12 })
})
