import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Name, OrganizationId, oneOf, optionalLine } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import { formats } from '../../files/row-source.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { countOpenImports, insertImport } from './lead-import-store.ts'

/** Enough for a million rows. */
const mostBytes = 256 * 1024 * 1024
/** The most uncommitted files of an organization. */
const mostOpen = 50

/** Starts the upload of a lead file. */
export const createLeadFile = endpoint({
  id: 'createLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/create',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Start the upload of a lead file',
  description:
    'The steps of an import: create, append the pieces, plan, commit. Each step can be repeated. Files that are not ' +
    'committed are deleted after a week, or at once by leads/import/file/discard.',
  input: Type.Object({
    corp_id: OrganizationId,
    file_name: described(Name, 'Name of the file; its ending tells the format'),
    bytes: Type.Integer({ minimum: 1, maximum: mostBytes, description: 'Size of the file' }),
    format: Type.Optional(oneOf(formats, 'Format; default: by the file name')),
    encoding: optionalLine(longest.id, 'Text encoding; default: detected'),
    sheet: optionalLine(longest.name, 'Sheet of a workbook; default: the first'),
  }),
  data: Type.Object({ import_id: ImportId }),
  example: {
    input: { corp_id: 'northgate', file_name: 'open-day.csv', bytes: 1830 },
    data: { import_id: exampleImportId },
  },
  errors: ['stateForbids'],

  async handle({ db, account, role, now, newId }, { corp_id, file_name, bytes, format, encoding, sheet }) {
    if ((await countOpenImports(db, corp_id)) >= mostOpen)
      throw new ApiError('stateForbids', {
        msg: `The organization has ${mostOpen} uncommitted files. Commit or discard some of them first.`,
        allowed: ['leads/import/file/commit', 'leads/import/file/discard'],
      })
    const import_id = newId()
    const options = { format, encoding: encoding || undefined, sheet: sheet || undefined, role }
    const made = { import_id, file_name, options, state: 'uploading' as const, bytes }
    await insertImport(db, corp_id, { ...made, executor_id: account.app_id }, now)
    return { import_id }
  },
})
