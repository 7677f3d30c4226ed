import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, NullableString, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { pageParameters } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { findKnownValues, type KnownValues } from './known-values.ts'
import { readYesOrNo } from './lead-columns.ts'
import { findFoundValues } from './lead-import-store.ts'
import { listLeadFileRows } from './list-lead-files.ts'
import {
  type FoundValues,
  isTakenAsItIs,
  kindOf,
  matchOf,
  type ValueColumn,
  type ValueMapping,
  valueKinds,
} from './value-mapping.ts'

const Value = namedObject('LeadFileValue', {
  value: described(Type.String(), 'The value in the file'),
  rows: Type.Integer({ description: 'Number of rows with this value' }),
  stands_for: described(NullableString, 'The meaning given to it; "" is no value, null is the value itself'),
  understood: described(Type.String(), 'The name of the course, owner or tag group, yes or no, or the text'),
  is_known: Type.Boolean({
    description: 'False if there is no such course, owner or tag group, or if it is neither yes nor no',
  }),
  guessed: Type.Boolean({ description: 'Whether the meaning is a guess, by a name or a part of it' }),
  confidence: Type.Integer({ description: 'Confidence in percent; 0 for an unknown value' }),
  suggestion: described(Type.String(), 'The id of the guessed record; "" if there is none'),
})
type Value = Static<typeof Value>

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
    'The values of channel, campaign, course, owner, tag and yes/no columns. Of a column of numbers, the calling codes that ' +
    'numbers without one seem to have. Most frequent first, at most 50 per column. leads/import/file/plan accepts their ' +
    'meanings: rows with an unknown value are rejected until it has one.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    columns: Type.Array(
      namedObject('LeadFileValues', {
        column: Type.String(),
        header: Type.String(),
        kind: oneOf(valueKinds),
        distinct: Type.Integer({ description: 'Number of different values; 1000 means at least 1000' }),
        others: Type.Integer({ description: 'Number of rows with a value that is not listed' }),
        list: Type.Array(Value),
      }),
    ),
  }),
  example: {
    input: { corp_id: 'lakeside', import_id: exampleImportId },
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
              guessed: false,
              confidence: 100,
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
    const known = await findKnownValues(context, found.role)
    return { columns: found.values.map((each) => shownValues(each, found.meanings, known)) }
  },
})

/** The current meaning of a value, and its confidence. */
function readValue(
  column: ValueColumn,
  text: string,
  known: KnownValues,
): Pick<Value, 'understood' | 'is_known' | 'guessed' | 'confidence' | 'suggestion'> {
  const certain = { guessed: false, confidence: 100, suggestion: '' }
  const match = matchOf(column, text, known)
  if (match) {
    const { id, name, confidence } = match
    const guessed = confidence < 100
    return { understood: name, is_known: true, guessed, confidence, suggestion: guessed ? id : '' }
  }
  const kind = kindOf(column)
  const isKnown = isTakenAsItIs(column, text, known)
  if (kind === 'yes_no' && isKnown)
    return { ...certain, understood: readYesOrNo(text) ? 'yes' : 'no', is_known: true }
  if (isKnown) return { ...certain, understood: text, is_known: true }
  return { ...certain, understood: '', is_known: false, confidence: 0 }
}

function shownValues({ column, list, ...found }: FoundValues, meanings: ValueMapping, known: KnownValues) {
  const mapping = meanings[column] ?? {}
  return {
    column,
    kind: kindOf(column),
    ...found,
    list: list.map(({ value, rows }): Value => {
      const stands_for = Object.hasOwn(mapping, value) ? (mapping[value] ?? null) : null
      if (stands_for === null) return { value, rows, stands_for, ...readValue(column, value, known) }
      const read = stands_for === '' ? undefined : readValue(column, stands_for, known)
      const understood = read?.understood || stands_for
      // A person chose it.
      return {
        value,
        rows,
        stands_for,
        understood,
        is_known: true,
        guessed: false,
        confidence: 100,
        suggestion: '',
      }
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
  input: Type.Object({
    corp_id: OrganizationId,
    import_id: ImportId,
    language: listLeadFileRows.input.properties.language,
    ...pageParameters,
  }),
  data: listLeadFileRows.data,
  example: {
    input: { corp_id: 'lakeside', import_id: exampleImportId },
    data: listLeadFileRows.example.data,
  },
  errors: ['leadImportNotFound'],

  async handle(context, input) {
    return listLeadFileRows.handle(context, { ...input, outcome: 'reject' })
  },
})
