import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { expectCounted, type LeadOrganization, openLeads } from '../../../test/support/lead-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import {
  edit,
  editPeople,
  expectFoundAsRebuilt,
  importRows,
  person,
  userOf,
} from '../../../test/support/undo.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { mergeUsers } from '../merging/merge-users.ts'

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

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ rows: fc.array(person, { minLength: 1, maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ edit }) },
  { weight: 1, arbitrary: fc.record({ merge: fc.tuple(fc.nat(5), fc.nat(5)) }) },
  { weight: 5, arbitrary: fc.constantFrom('undo' as const, 'redo' as const) },
)

test('batches that are undone and redone, last first, restore everything, and versions only grow', {
  timeout: 900_000,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
    const org = await openLeads(database)
    const group = await org.call(createTagGroup, {
      ...{ name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' },
    })
    const done: { batch_id: string; before: object }[] = []
    const undone: { batch_id: string; undo_id: string; before: object; after: object }[] = []
    for (const each of steps) {
      const [before, counted] = [await org.records(), await org.counted()]
      if (each === 'undo') {
        const last = done.pop()
        if (!last) continue
        const undo = await org.undo(last.batch_id)
        expect(undo.counts).toMatchObject({ left_alone: 0 })
        expect(await org.records()).toEqual(last.before)
        undone.push({ ...last, undo_id: undo.batch_id, after: before })
      } else if (each === 'redo') {
        const last = undone.pop()
        if (!last) continue
        const redo = await org.undo(last.undo_id)
        expect(redo.counts).toMatchObject({ left_alone: 0 })
        expect(await org.records()).toEqual(last.after)
        done.push(last)
      } else {
        const batch_id = await runBatch(org, each, group.tags_group_id as string)
        if (!batch_id) continue
        done.push({ batch_id, before })
        undone.length = 0
      }
      await expectCounted(org, counted, await org.counted())
    }
    await expectFoundAsRebuilt(org)
  })
  await fc.assert(property, { numRuns: Number(process.env.MATRICULA_UNDO_RUNS ?? 8) })
})

async function runBatch(
  org: LeadOrganization,
  each: Exclude<typeof step extends fc.Arbitrary<infer Step> ? Step : never, string>,
  tags_group_id: string,
): Promise<string> {
  if ('rows' in each) return importRows(org, folder, each.rows)
  if ('edit' in each) return editPeople(org, each.edit, tags_group_id)
  const [user_id, merged_user_id] = [await userOf(org, each.merge[0]), await userOf(org, each.merge[1])]
  if (!user_id || !merged_user_id || user_id === merged_user_id) return ''
  return (await org.call(mergeUsers, { user_id, merged_user_id })).merge_id as string
}
