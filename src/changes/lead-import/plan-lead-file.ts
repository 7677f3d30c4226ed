import { isDeepStrictEqual } from 'node:util'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import { ignoredColumn } from '../../files/map-columns.ts'
import { anybodysLead } from '../../people/leads/lead-fields.ts'
import { requireOwnWork } from '../../people/users/reach.ts'
import { insertBatch } from '../undo/change-batch-store.ts'
import { lockLeadFile, refuseCommitted } from './commit-rows.ts'
import { exampleImportId, ImportId, readingOptions, readingParameters } from './import-fields.ts'
import { columns } from './lead-columns.ts'
import { findSameImport, restartPlan, startCommit } from './lead-import-store.ts'
import { countFixes, mergedFixes, mostFixes } from './row-fixes.ts'
import {
  faultOfMeaning,
  longestValue,
  mostMappedValues,
  type ValueColumn,
  type ValueMapping,
  valueColumns,
} from './value-mapping.ts'
import { workOnImport } from './work-on-import.ts'

/** Plans the import of an uploaded file. */
export const planLeadFile = endpoint({
  id: 'planLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/plan',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Plan the import of a lead file',
  description:
    'Reads the file and plans the outcome of every row, without changing users or leads. The plan runs in the background ' +
    'on any server; leads/import/file/fetch shows its progress. `mapping` maps headers to columns, `values` maps values to ' +
    'their meanings. Columns without a mapping are found by the source of the file, by their headers, and by their ' +
    'values. Rows with an unknown course, owner or tag, or with a number that looks like that of another country, are ' +
    'rejected until `values` has its meaning. A commit remembers both for files with the same headers in any order. ' +
    '`sheet`, `header_row` and `encoding` are found, or as given before; leads/import/file/preview shows the first ' +
    'rows. `fixes` corrects cells of rejected rows. A file can be planned again.',
  input: Type.Object({
    corp_id: OrganizationId,
    import_id: ImportId,
    ...readingParameters,
    mapping: Type.Optional(
      Type.Array(
        Type.Object({
          header: Type.String({ format: 'line', pattern: '\\S', maxLength: longest.name }),
          column: Type.String({ format: 'line', pattern: '\\S', maxLength: longest.id }),
        }),
        {
          maxItems: longest.listItems,
          description: `Headers and their columns: ${Object.keys(columns).join(', ')}; ${ignoredColumn}: not imported`,
        },
      ),
    ),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          column: oneOf(valueColumns),
          value: Type.String({ format: 'line', pattern: '\\S', maxLength: longestValue }),
          stands_for: Type.String({
            format: 'line',
            maxLength: longest.shortText,
            description: '"" is no value',
          }),
        }),
        {
          maxItems: mostMappedValues,
          description: 'Meanings of values of the file; default: as given before, or as remembered',
        },
      ),
    ),
    fixes: Type.Optional(
      Type.Array(
        Type.Object({
          row: Type.Integer({ minimum: 1, description: 'Number of the row, as in a spreadsheet' }),
          cell: Type.Integer({ minimum: 0, maximum: 999, description: 'Index of the cell, from 0' }),
          value: Type.String({ format: 'text', maxLength: longest.longText }),
        }),
        {
          maxItems: mostFixes,
          description:
            'Corrected cells of rows, added to those given before; another sheet or header row removes them',
        },
      ),
    ),
  }),
  rules: ({ mapping = [], values = [] }) => [
    ...contradictionsIn(
      mapping.map(({ header, column }) => ({ said: header, meaning: column })),
      (at) => `mapping/${at}/column`,
    ),
    ...values.flatMap(({ column, stands_for }, at) => {
      const reason = faultOfMeaning(column, stands_for)
      return reason === undefined ? [] : [{ param: `values/${at}/stands_for`, reason }]
    }),
    ...contradictionsIn(
      values.map(({ column, value, stands_for }) => ({
        said: `${column} ${value.trim()}`,
        meaning: stands_for.trim(),
      })),
      (at) => `values/${at}/stands_for`,
    ),
  ],
  data: Type.Object({ import_id: ImportId, state: Type.String() }),
  example: {
    input: {
      corp_id: 'lakeside',
      import_id: exampleImportId,
      mapping: [{ header: 'mobile', column: 'mobile' }],
    },
    data: { import_id: exampleImportId, state: 'planning' },
  },
  errors: ['leadImportNotFound', 'stateForbids'],

  async handle(context, { corp_id, import_id, mapping, values, fixes, ...given }) {
    const { db, now } = context
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      requireOwnWork(context, found)
      refuseCommitted(found)
      if (found.state === 'refused' && found.received < found.bytes)
        throw new ApiError('stateForbids', {
          msg: found.refusal ?? '',
          allowed: ['leads/import/file/create'],
        })
      if (found.received < found.bytes)
        throw new ApiError('stateForbids', {
          msg: `Only ${found.received} of the ${found.bytes} bytes of the file were received.`,
          allowed: ['leads/import/file/append'],
        })
      const columnsOf = mapping && Object.fromEntries(mapping.map(({ header, column }) => [header, column]))
      const meanings = values ? mappingOf(values) : found.options.values
      const reading = readingOptions(given, found.options)
      const isSameTable =
        reading.sheet === found.options.sheet && reading.headerRow === found.options.headerRow
      const corrected = mergedFixes(isSameTable ? found.options.fixes : undefined, fixes)
      if (countFixes(corrected) > mostFixes)
        throw invalid('fixes', 'is too long: correct the file itself and upload it again')
      const options = {
        ...found.options,
        ...reading,
        mapping: columnsOf,
        values: meanings,
        fixes: corrected,
      }
      if (found.state === 'planning' && found.busy_until !== null && found.busy_until > now) {
        if (isDeepStrictEqual(defined(found.options), defined(options)))
          return { import_id, state: 'planning' }
        throw new ApiError('stateForbids', {
          msg: 'The file is being planned with another mapping.',
          allowed: ['leads/import/file/fetch'],
        })
      }
      await restartPlan(tx, corp_id, { import_id, options }, now)
      return { import_id, state: 'planning' }
    })
  },

  afterwards: (context, { import_id }) => workOnImport(context, import_id),
})

/** Without the members that JSON leaves out. */
function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** Values that are given twice with different meanings. */
function contradictionsIn(
  list: { said: string; meaning: string }[],
  paramAt: (at: number) => string,
): { param: string; reason: string }[] {
  const meanings = new Map<string, string>()
  return list.flatMap(({ said, meaning }, at) => {
    const before = meanings.get(said) ?? meaning
    meanings.set(said, before)
    return before === meaning ? [] : [{ param: paramAt(at), reason: 'contradicts an earlier item' }]
  })
}

function mappingOf(given: { column: ValueColumn; value: string; stands_for: string }[]): ValueMapping {
  const byColumn = Map.groupBy(given, ({ column }) => column)
  return Object.fromEntries(
    [...byColumn].map(([column, values]) => [
      column,
      Object.fromEntries(values.map(({ value, stands_for }) => [value.trim(), stands_for.trim()])),
    ]),
  )
}

/** Imports the rows of a planned file. */
export const commitLeadFile = endpoint({
  id: 'commitLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/commit',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Commit the import of a lead file',
  description:
    'Imports each row of a planned file once, also after a crash of browser or server. The import runs in the background; ' +
    'leads/import/file/fetch shows its progress. changes/undo undoes the batch.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    import_id: ImportId,
    batch_id: described(Id, 'The batch to undo with changes/undo'),
    state: Type.String(),
  }),
  example: {
    input: { corp_id: 'lakeside', import_id: exampleImportId },
    data: { import_id: exampleImportId, batch_id: exampleImportId, state: 'committing' },
  },
  errors: ['leadImportNotFound', 'stateForbids', 'taken'],

  async handle(context, { corp_id, import_id }) {
    const { db, account, now } = context
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      requireOwnWork(context, found)
      const { state } = found
      const answer = { import_id, batch_id: import_id }
      if (state === 'committing' || state === 'done') return { ...answer, state }
      if (state !== 'planned')
        throw new ApiError('stateForbids', {
          msg: 'The file is not planned yet.',
          allowed: ['leads/import/file/plan'],
        })
      const same = await findSameImport(tx, corp_id, found.content_hash ?? '')
      if (same)
        throw taken('import_id', 'has the content of a file that was imported already', {
          import_id: same.import_id,
        })
      await insertBatch(
        tx,
        corp_id,
        { batch_id: import_id, kind: 'lead_import', executor_id: account.app_id },
        now,
      )
      await startCommit(tx, corp_id, import_id, now)
      return { ...answer, state: 'committing' }
    })
  },

  afterwards: (context, { import_id }) => workOnImport(context, import_id),
})
