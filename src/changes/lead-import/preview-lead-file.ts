import { maskText } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { namedObject, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { findFirstRows, findImport } from './lead-import-store.ts'

/** The first rows of a lead file as they were read. */
export const previewLeadFile = endpoint({
  id: 'previewLeadFile',
  method: 'GET',
  path: '/api/v5/entity/leads/import/file/preview',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Preview the first rows of a lead file',
  description:
    'The first 15 rows with content, as read by the last plan, also those above the headers: the header row or the sheet ' +
    'can be chosen by them. Cells are cut after 80 characters. Empty before the first plan and after the commit.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    sheet: Type.String({ description: 'The sheet that is read; "" for other files' }),
    header_row: Type.Integer({ description: 'The row of the headers; 0 if the file has none' }),
    first_rows: Type.Array(
      namedObject('LeadFileFirstRow', {
        row: Type.Integer({ description: 'Number of the row, as in a spreadsheet' }),
        cells: Type.Array(Type.String()),
      }),
    ),
  }),
  example: {
    input: { corp_id: 'lakeside', import_id: exampleImportId },
    data: {
      sheet: '报名',
      header_row: 2,
      first_rows: [
        { row: 1, cells: ['开放日报名表'] },
        { row: 2, cells: ['姓名', '手机'] },
        { row: 3, cells: ['王小明', '13800138000'] },
      ],
    },
  },
  errors: ['leadImportNotFound'],

  async handle({ db, account, role }, { corp_id, import_id }) {
    const found = await findImport(db, corp_id, import_id)
    if (!found) throw new ApiError('leadImportNotFound')
    // The caller has uploaded this file and has to correct it.
    const isMasked = (role === 'counsellor' || role === 'viewer') && found.executor_id !== account.app_id
    const rows = (await findFirstRows(db, corp_id, import_id)) ?? []
    return {
      sheet: found.reading?.sheet ?? '',
      header_row: found.reading?.header_row ?? 0,
      first_rows: rows.map(({ row, cells }) => ({ row, cells: isMasked ? cells.map(maskText) : cells })),
    }
  },
})
