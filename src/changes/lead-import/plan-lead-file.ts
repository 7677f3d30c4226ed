import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { requireOwnWork } from '../../people/users/reach.ts'
import { columns } from './columns.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { restartPlan } from './lead-import-store.ts'
import { lockLeadFile, refuseCommitted } from './lock-lead-file.ts'
import {
  faultOfMeaning,
  longestValue,
  mostMappedValues,
  type ValueColumn,
  type ValueMapping,
  valueColumns,
} from './value-mapping.ts'
import { workOnImport } from './work-on-import.ts'

/** Says what would become of the rows of an uploaded file. */
export const planLeadFile = endpoint({
  id: 'planLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/plan',
  group: 'Leads',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Plan the import of a file of leads',
  description:
    'Reads the file and says of every row what would become of it, and changes no user or lead. It goes on while ' +
    'nobody waits, on whichever server; leads/import/file/fetch tells how far it is. `mapping` says what headers stand ' +
    'for, `values` what values of columns stand for; both are remembered for files of the same header line once one is ' +
    'committed. A file can be planned again.',
  input: Type.Object({
    corp_id: OrganizationId,
    import_id: ImportId,
    mapping: Type.Optional(
      Type.Array(
        Type.Object({
          header: Type.String({ format: 'line', pattern: '\\S', maxLength: longest.name }),
          column: Type.String({ format: 'line', pattern: '\\S', maxLength: longest.id }),
        }),
        {
          maxItems: longest.listItems,
          description: `Headers and the columns that they stand for: ${Object.keys(columns).join(', ')}`,
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
            description: '"" is nothing',
          }),
        }),
        {
          maxItems: mostMappedValues,
          description: 'What values of the file stand for; left out: as it was told before, or remembered',
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
      corp_id: 'northgate',
      import_id: exampleImportId,
      mapping: [{ header: 'Handy', column: 'mobile' }],
    },
    data: { import_id: exampleImportId, state: 'planning' },
  },
  errors: ['leadImportNotFound', 'stateForbids'],

  async handle(context, { corp_id, import_id, mapping, values }) {
    const { db, now } = context
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      requireOwnWork(context, found)
      refuseCommitted(found)
      if (found.state === 'refused' && found.received < found.bytes)
        throw new ApiError('stateForbids', { msg: found.refusal!, allowed: ['leads/import/file/create'] })
      if (found.received < found.bytes)
        throw new ApiError('stateForbids', {
          msg: `Only ${found.received} of the ${found.bytes} bytes of the file have come.`,
          allowed: ['leads/import/file/append'],
        })
      const told = mapping && Object.fromEntries(mapping.map(({ header, column }) => [header, column]))
      const meanings = values ? mappingOf(values) : found.options.values
      if (found.state === 'planning' && found.busy_until !== null && found.busy_until > now) {
        if (isDeepStrictEqual([found.options.mapping, found.options.values], [told, meanings]))
          return { import_id, state: 'planning' }
        throw new ApiError('stateForbids', {
          msg: 'The file is being planned with another mapping.',
          allowed: ['leads/import/file/fetch'],
        })
      }
      await restartPlan(
        tx,
        corp_id,
        { import_id, options: { ...found.options, mapping: told, values: meanings } },
        now,
      )
      return { import_id, state: 'planning' }
    })
  },

  afterwards: (context, { import_id }) => workOnImport(context, import_id),
})

/** What is said again, and otherwise than before: nobody could tell which of the two is meant. */
function contradictionsIn(
  list: { said: string; meaning: string }[],
  paramAt: (at: number) => string,
): { param: string; reason: string }[] {
  const meanings = new Map<string, string>()
  return list.flatMap(({ said, meaning }, at) => {
    const before = meanings.get(said) ?? meaning
    meanings.set(said, before)
    return before === meaning
      ? []
      : [{ param: paramAt(at), reason: 'contradicts what an earlier item says of the same' }]
  })
}

function mappingOf(told: { column: ValueColumn; value: string; stands_for: string }[]): ValueMapping {
  const byColumn = Map.groupBy(told, ({ column }) => column)
  return Object.fromEntries(
    [...byColumn].map(([column, values]) => [
      column,
      Object.fromEntries(values.map(({ value, stands_for }) => [value.trim(), stands_for.trim()])),
    ]),
  )
}
