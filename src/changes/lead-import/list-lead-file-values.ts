import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, NullableString, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { findCourseNames } from '../../orders/offerings/offering-store.ts'
import '../../access/staff/console-context.ts'
import { listColleagues } from '../../access/staff/staff-store.ts'
import { pageParameters } from '../../contract/paging.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { findFoundValues } from './lead-import-store.ts'
import { listLeadFileRows } from './list-lead-files.ts'
import { readYesOrNo } from './read-lead-row.ts'
import type { FoundValues, ValueColumn, ValueMapping } from './value-mapping.ts'

const Value = namedObject('LeadFileValue', {
  value: described(Type.String(), 'The value in the file'),
  rows: Type.Integer({ description: 'Number of rows with this value' }),
  stands_for: described(NullableString, 'The meaning given to it; "" is no value, null is the value itself'),
  understood: described(Type.String(), 'The name of the course or owner, yes or no, or the text'),
  is_known: Type.Boolean({
    description: 'False if there is no such course or owner, or if it is neither yes nor no',
  }),
  suggestion: described(Type.String(), 'A similar known value; "" if there is none'),
})
type Value = Static<typeof Value>

const kinds = ['course', 'owner', 'yes_no', 'text'] as const
type Kind = (typeof kinds)[number]

/** The values found in the columns whose values have a meaning. */
export const listLeadFileValues = endpoint({
  id: 'listLeadFileValues',
  method: 'GET',
  path: '/api/v5/entity/leads/import/file/values',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the values of a lead file and their meanings',
  description:
    'The values of channel, campaign, course, owner and yes/no columns. Most frequent first, at most 50 per column. ' +
    'leads/import/file/plan accepts their meanings.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    columns: Type.Array(
      namedObject('LeadFileValues', {
        column: Type.String(),
        header: Type.String(),
        kind: oneOf(kinds),
        distinct: Type.Integer({ description: 'Number of different values; 1000 means at least 1000' }),
        others: Type.Integer({ description: 'Number of rows with a value that is not listed' }),
        list: Type.Array(Value),
      }),
    ),
  }),
  example: {
    input: { corp_id: 'northgate', import_id: exampleImportId },
    data: {
      columns: [
        {
          column: 'course_code',
          header: '意向课程',
          distinct: 1,
          others: 0,
          kind: 'course',
          list: [
            {
              value: 'Executive MBA',
              rows: 40,
              stands_for: 'EMBA-24S',
              understood: 'Executive MBA',
              is_known: true,
              suggestion: '',
            },
          ],
        },
      ],
    },
  },
  errors: ['leadImportNotFound'],

  async handle(context, { corp_id, import_id }) {
    const found = await findFoundValues(context.db, corp_id, import_id)
    if (!found) throw new ApiError('leadImportNotFound')
    const readers = await readersOf(context)
    return {
      columns: found.values.map((each) => shownValues(each, found.meanings, readers[kindOf(each.column)])),
    }
  },
})

const kindByColumn: Partial<Record<ValueColumn, Kind>> = {
  course_code: 'course',
  owner_ids: 'owner',
  oid: 'owner',
  is_corporate_training: 'yes_no',
}

function kindOf(column: ValueColumn): Kind {
  return kindByColumn[column] ?? 'text'
}

/** The meaning of a text. */
type Reader = (text: string) => Pick<Value, 'understood' | 'is_known' | 'suggestion'>

async function readersOf(context: OrganizationContext): Promise<Record<Kind, Reader>> {
  const { db, organization, role } = context
  const courses = await findCourseNames(db, organization.corp_id)
  // Staff know each other by name; programs know them by id.
  const staff = role === undefined ? [] : await listColleagues(db, organization.corp_id)
  const people = staff.map(({ staff_id, name, email }) => ({ id: staff_id, name, also: [email] }))
  return {
    course: byName(courses.map(({ course_code, name }) => ({ id: course_code, name, also: [] }))),
    owner: role === undefined ? asItself : byName(people),
    yes_no(text) {
      const answer = readYesOrNo(text)
      const understood = answer === undefined ? '' : answer ? 'yes' : 'no'
      return { understood, is_known: answer !== undefined, suggestion: '' }
    },
    text: asItself,
  }
}

const asItself: Reader = (text) => ({ understood: text, is_known: true, suggestion: '' })

/** Finds a person by id or, failing that, by a name that only one person has. */
function byName(records: { id: string; name: string; also: string[] }[]): Reader {
  const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
  return (text) => {
    const known = records.find(({ id }) => id === text)
    if (known) return { understood: known.name, is_known: true, suggestion: '' }
    const [only, ...others] = records.filter(({ id, name, also }) =>
      [id, name, ...also].some((each) => plain(each) === plain(text)),
    )
    return { understood: '', is_known: false, suggestion: (others.length === 0 && only?.id) || '' }
  }
}

function shownValues({ column, list, ...found }: FoundValues, meanings: ValueMapping, read: Reader) {
  const mapping = meanings[column] ?? {}
  return {
    column,
    kind: kindOf(column),
    ...found,
    list: list.map(({ value, rows }): Value => {
      const stands_for = Object.hasOwn(mapping, value) ? (mapping[value] ?? null) : null
      if (stands_for === '')
        return { value, rows, stands_for, understood: '', is_known: true, suggestion: '' }
      return { value, rows, stands_for, ...read(stands_for ?? value) }
    }),
  }
}

/** Exports rejected rows for a file. The audit records the export. */
export const exportRejectedRows = endpoint({
  id: 'exportRejectedRows',
  method: 'GET',
  path: '/api/v5/console/lead-file/rejects',
  group: 'Console',
  permission: 'read',
  guard: { effect: 'discloses', people: 'none' },
  summary: 'Export the rejected rows of a lead file',
  description: 'The same rows as leads/import/file/rows. The audit records the export.',
  discloses: { action: 'exported', record_type: 'lead_imports', recordId: ({ import_id }) => import_id },
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId, ...pageParameters }),
  data: listLeadFileRows.data,
  example: {
    input: { corp_id: 'northgate', import_id: exampleImportId },
    data: listLeadFileRows.example.data,
  },
  errors: ['leadImportNotFound'],

  async handle(context, input) {
    return listLeadFileRows.handle(context, { ...input, outcome: 'reject' })
  },
})
