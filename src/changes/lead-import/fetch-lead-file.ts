import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleImportId, ImportId, importData, LeadImportData } from './import-fields.ts'
import { findShownImport } from './lead-import-store.ts'

/** Shows the progress and the result of the import of a lead file. */
export const fetchLeadFile = endpoint({
  id: 'fetchLeadFile',
  method: 'GET',
  path: '/api/v5/entity/leads/import/file/fetch',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the progress, plan and result of a lead file',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: LeadImportData,
  example: {
    input: { corp_id: 'northgate', import_id: exampleImportId },
    data: {
      import_id: exampleImportId,
      batch_id: exampleImportId,
      file_name: 'open-day.csv',
      state: 'done',
      refusal: '',
      bytes: 1830,
      received: 1830,
      format: 'csv',
      encoding: 'utf-8',
      row_count: 40,
      last_row: 41,
      columns: [
        { header: '手机', column: 'mobile', suggestion: '' },
        { header: 'Companny', column: '', suggestion: 'company_name' },
      ],
      plan: { new_user: 30, known_user: 6, duplicate_entry: 2, duplicate_row: 1, reject: 1, erased: 0 },
      result: { new_user: 30, known_user: 6, duplicate_entry: 2, duplicate_row: 1, reject: 1, erased: 0 },
      ctime: '2026-11-15 09:30:00',
      mtime: '2026-11-15 09:30:04',
    },
  },
  errors: ['leadImportNotFound'],

  async handle({ db, organization }, { import_id }) {
    const found = await findShownImport(db, organization, import_id)
    if (!found) throw new ApiError('leadImportNotFound')
    return importData(found)
  },
})
