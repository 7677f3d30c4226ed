import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Name, OrganizationId, oneOf, optionalLine } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { formats } from '../../files/row-source.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { countOpenImports, insertImport } from './lead-import-store.ts'

/** More than people upload; enough for a million rows. */
const mostBytes = 256 * 1024 * 1024
/** Files of an organization that were begun and not committed. */
const mostOpen = 50

/** Begins the upload of a file of leads. */
export const createLeadFile = endpoint({
  id: 'createLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/create',
  group: 'Leads',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Begin the upload of a file of leads',
  description:
    'A file goes in by steps: create, append its pieces, plan, commit. Each may be repeated. Files that are not ' +
    'committed are forgotten after a week, or at once by leads/import/file/discard.',
  input: Type.Object({
    corp_id: OrganizationId,
    file_name: described(Name, 'Name of the file; its ending tells the format'),
    bytes: Type.Integer({ minimum: 1, maximum: mostBytes, description: 'Size of the file' }),
    format: Type.Optional(oneOf(formats, 'Format, where the name does not tell it')),
    encoding: optionalLine(longest.id, 'Text encoding, where it should not be found out'),
    sheet: optionalLine(longest.name, 'Sheet of a workbook; the first one, unless it is named'),
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
        msg: `The organization has ${mostOpen} files that wait for their commit; commit or discard some of them first.`,
        allowed: ['leads/import/file/commit', 'leads/import/file/discard'],
      })
    const import_id = newId()
    const options = { format, encoding: encoding || undefined, sheet: sheet || undefined, role }
    const made = { import_id, file_name, options, state: 'uploading' as const, bytes }
    await insertImport(db, corp_id, { ...made, executor_id: account.app_id }, now)
    return { import_id }
  },
})
