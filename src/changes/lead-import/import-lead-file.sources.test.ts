import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { table } from '../../../scripts/markdown-table.ts'
import { type LeadDesk, openLeadDesk, openLeads } from '../../../test/support/lead-import.ts'
import type { ExpectedLead, SourceFile } from '../../../test/support/source-files/source-file.ts'
import { sourceFiles } from '../../../test/support/source-files/source-files.ts'
import { inviteStaff } from '../../access/staff/manage-staff.ts'
import { newId } from '../../contract/new-id.ts'
import { FileRefused } from '../../files/row-source.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'

let desk: LeadDesk
beforeAll(async () => {
  desk = await openLeadDesk()
})
afterAll(() => desk?.close())

/** A school in Shanghai with three advisers, two courses and two tag groups. */
async function openSchool() {
  const school = await openLeads(desk.database, { time_zone: 'Asia/Shanghai' })
  const on = desk.database.owner.of(school.corp_id)
  for (const name of ['李雷', '韩梅梅', '王芳']) {
    const made = { staff_id: newId(), corp_id: school.corp_id, email: `${newId()}@example.com`, name }
    await inviteStaff(on, { ...made, role: 'counsellor' }, new Date())
  }
  for (const [course_code, name] of [
    ['EMBA', 'Executive MBA'],
    ['MF', '金融硕士'],
  ])
    await school.call(upsertCourse, { course_code, name, currency: 'CNY', listed_price: 1 })
  for (const [name, attribute] of [
    ['水平', 'string'],
    ['VIP', 'define'],
  ])
    await school.call(createTagGroup, {
      name,
      attribute,
      variable_name: name,
      description: '',
      category: 'c',
    })
  return school
}

/** The leads as stored, in the order of the rows, with their notes and tags. */
const storedLeads = `
  select jsonb_strip_nulls(jsonb_build_object(
    'name', u.name, 'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
    'mobile', u.area_code || ' ' || u.mobile, 'second', u.backup_area_code || ' ' || u.backup_mobile,
    'wechat', u.wechat_id, 'external_id', u.external_id, 'birthday', u.attributes->>'birthday',
    'time', case when l.ctime < now() - interval '1 day' then to_char(l.ctime at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') end,
    'notes', (select jsonb_agg(f.content) from user_follow_ups f where f.corp_id = $corp and f.user_id = u.user_id),
    'tags', (select jsonb_object_agg(g.name, coalesce(t.string_value, t.define_value::text))
               from user_tags t join tag_groups g on g.corp_id = $corp and g.entity_id = t.tags_group_id
              where t.corp_id = $corp and t.user_id = u.user_id),
    'owners', (select jsonb_agg(s.name order by o.at) from unnest(u.owner_ids) with ordinality o(id, at)
                 join staff s on s.corp_id = $corp and s.staff_id = o.id),
    'lead', l.fields - '{corp_id,import_id,name,area_code,mobile,email,user_id,owner_ids,first_name,last_name,backup_area_code,backup_mobile,wechat_id,external_id,birthday}'::text[])) as lead
  from leads l join users u on u.corp_id = $corp and u.user_id = l.user_id
  where l.corp_id = $corp`

/** In the form of the stored leads. Notes belong to a person, so all notes of one are compared together. */
function expectedLeads(leads: ExpectedLead[]): object[] {
  return leads.map(({ note: _, lead = {}, ...person }) => {
    const notes = leads.flatMap((other) => (other.mobile === person.mobile ? (other.note ?? []) : []))
    notes.sort()
    return { ...person, lead, ...(notes.length > 0 && { notes }) }
  })
}

const keyOf = (lead: object) => JSON.stringify(Object.entries(lead).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The number of values that the stored leads lack. */
function lostOf(expected: object[], stored: object[]): number {
  const rest = stored.flatMap((lead) => valuesIn(lead))
  return expected
    .flatMap((lead) => valuesIn(lead))
    .filter((value) => {
      const at = rest.indexOf(value)
      if (at >= 0) rest.splice(at, 1)
      return at < 0
    }).length
}

function valuesIn(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return [`${path}=${part}`]
  return Object.entries(part).flatMap(([name, value]) => valuesIn(value, `${path}.${name}`))
}

interface Result {
  file: SourceFile
  imported: number
  rejected: string[]
  repeated: number
  lost: number
  refused?: string
}
const results: Result[] = []

async function pathOf({ content, name }: SourceFile): Promise<string> {
  if (typeof content !== 'function') return desk.folder.file(name, content)
  const path = join(desk.folder.folder, `${results.length}-${name}`)
  await content(path)
  return path
}

describe('no value with a column is lost', () => {
  test.each(sourceFiles.map((file) => [`${file.source} (${file.name})`, file] as const))(
    '%s',
    async (_, file) => {
      const { leads = [], rejects = {}, repeats = 0, options, refused } = file
      const school = await openSchool()
      const path = await pathOf(file)
      const wanted = { ...options, role: 'admin' as const }
      if (refused !== undefined) {
        const error = await school.import(path, wanted).catch((error: unknown) => error)
        expect(error).toBeInstanceOf(FileRefused)
        expect((error as FileRefused).message).toContain(refused)
        results.push({
          file,
          imported: 0,
          rejected: [],
          repeated: 0,
          lost: 0,
          refused: (error as FileRefused).message,
        })
        return
      }
      const planned = await school.import(path, { ...wanted, dryRun: true })
      const report = await school.import(path, wanted)
      expect(report.rows).toEqual(planned.rows)
      const reasons = report.first_rejects.map(({ reason }) => reason ?? '')
      const faults = Object.entries(rejects)
      expect(reasons).toEqual(
        faults.map(([row, reason]) => expect.stringMatching(new RegExp(`^row ${row}, .*${escaped(reason)}`))),
      )
      const stored = (await school.query(storedLeads)).map(({ lead }) => lead as { notes?: string[] })
      for (const { notes } of stored) notes?.sort()
      const expected = expectedLeads(leads)
      const sorted = (list: object[]) => list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      expect(sorted(stored)).toEqual(sorted(expected))
      const { new_user, known_user, duplicate_row } = report.rows
      expect({ imported: new_user + known_user, duplicate_row }).toEqual({
        imported: leads.length,
        duplicate_row: repeats,
      })
      results.push({
        file,
        imported: leads.length,
        rejected: reasons,
        repeated: repeats,
        lost: lostOf(expected, stored),
      })
    },
  )
})

test('docs/lead-files.md has these results', async () => {
  const rows = results.map(({ file, imported, rejected, repeated, lost, refused }) => {
    const others = [...rejected, ...(repeated > 0 ? [`repeats an earlier row: ${repeated}`] : [])]
    const outcome = refused ?? others.join('; ')
    return [file.source, file.facts, `${imported}`, `${lost}`, `${rejected.length}`, outcome]
  })
  const head = ['Source', 'How its file is written', 'Imported', 'Lost values', 'Rejected', 'Reasons']
  await expect(`${introduction}\n${table(head, rows)}\n`).toMatchFileSnapshot('../../../docs/lead-files.md')
})

const introduction = `# Lead files of other systems

Written by \`src/changes/lead-import/import-lead-file.sources.test.ts\`, which makes these files from facts about their formats
(\`test/support/source-files\`), imports them, and compares every stored value with those of the file. \`vitest -u\` renews this page.

A value is lost if the file has it, the service has a place for it, and it was not stored. Rejected rows are kept with their
cells, to be fixed in the console or in the file of rejected rows. A refused file changes nothing; its reason has the step that helps.
`

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
