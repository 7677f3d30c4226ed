import fc from 'fast-check'
import { expect } from 'vitest'
import { bulkUpdateUsers } from '../../src/changes/bulk-edits/bulk-update.ts'
import { rebuildDerivedData } from '../../src/derived/derived-data.ts'
import type { LeadOrganization } from './lead-import.ts'
import type { openFolder } from './sheets.ts'

export const mobileOf = (person: number) => `1380000000${person}`
export const userOf = async (org: LeadOrganization, person: number) => {
  const rows = await org.query(
    `select user_id from users where corp_id = $corp and mobile = '${mobileOf(person)}'`,
  )
  return rows[0]?.user_id as string | undefined
}

/** A row of an import. */
export const person = fc.record({
  person: fc.integer({ min: 0, max: 5 }),
  name: fc.constantFrom('', 'Mei', 'Li'),
  company: fc.constantFrom('', 'Harbour'),
  owners: fc.constantFrom('', 'a', 'b;c'),
  course: fc.constantFrom('', 'a', 'b'),
})

/** An edit of many users. */
export const edit = fc.record({
  people: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
  pool: fc.constantFrom(undefined, 'alive', 'dead'),
  add_owner_ids: fc.constantFrom([], ['a', 'c'], ['d']),
  remove_owner_ids: fc.constantFrom([], ['b']),
  value: fc.constantFrom(undefined, 'a', 'z'),
})

export async function importRows(
  org: LeadOrganization,
  folder: Awaited<ReturnType<typeof openFolder>>,
  rows: Record<string, unknown>[],
): Promise<string> {
  const lines = rows.map((row) =>
    [mobileOf(row.person as number), row.name, row.company, row.owners, row.course].join(),
  )
  const file = await folder.file('leads.csv', ['mobile,name,company,owners,course', ...lines].join('\n'))
  return (await org.import(file)).batch_id!
}

export async function editPeople(
  org: LeadOrganization,
  { people, value, ...edit }: { people: number[]; value: string | undefined },
  tags_group_id: string,
): Promise<string> {
  const user_ids = (await Promise.all(people.map((person) => userOf(org, person)))).filter(
    (id) => id !== undefined,
  )
  if (user_ids.length === 0) return ''
  const tags = value === undefined ? [] : [{ tags_group_id, value }]
  const planned = await org.call(bulkUpdateUsers, { user_ids, ...edit, tags, dry_run: true })
  const done = await org.call(bulkUpdateUsers, { user_ids, ...edit, tags })
  expect({ ...planned, batch_id: done.batch_id }).toEqual(done)
  return done.batch_id as string
}

/** The search index of users and leads equals a rebuilt one. */
export async function expectFoundAsRebuilt(org: LeadOrganization): Promise<void> {
  const { db } = org.context
  const counts = () =>
    org.query(`select list, facet, day, sum(rows)::int as rows from facet_counts where corp_id = $corp
                group by 1, 2, 3 having sum(rows) <> 0 order by 1, 2, 3`)
  const kept = { records: await org.records(), counts: await counts() }
  await rebuildDerivedData(db, org.corp_id)
  expect({ records: await org.records(), counts: await counts() }).toEqual(kept)
}
