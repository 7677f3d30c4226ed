import { maskText } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { reasonIn, reasonLanguages, rowReasonIn } from '../../files/row-reasons.ts'
import { type SourceRow, textOf } from '../../files/row-source.ts'
import { exampleImportId, ImportId, importData, LeadImportData } from './import-fields.ts'
import { countRows, listRows } from './imported-row-store.ts'
import { findImport, findShownImport, listShownImports } from './lead-import-store.ts'
import { rowOutcomes } from './tally.ts'

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
    input: { corp_id: 'lakeside', import_id: exampleImportId },
    data: {
      import_id: exampleImportId,
      batch_id: exampleImportId,
      file_name: 'open-day.csv',
      state: 'done',
      refusal: '',
      refusal_reason: '',
      bytes: 1830,
      received: 1830,
      format: 'csv',
      encoding: 'utf-8',
      sheet: '',
      sheets: [],
      header_row: 1,
      row_count: 40,
      last_row: 41,
      columns: [
        { header: '手机', column: 'mobile', suggestion: '', guessed: false, confidence: 100 },
        { header: 'Companny', column: 'company_name', suggestion: '', guessed: true, confidence: 60 },
      ],
      preset: '',
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

/** The lead files of an organization. */
export const listLeadFiles = endpoint({
  id: 'listLeadFiles',
  method: 'GET',
  path: '/api/v5/entity/leads/import/file/list',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List lead files',
  description: 'Newest first. Uncommitted files are deleted after a week.',
  input: Type.Object({ corp_id: OrganizationId, ...pageParameters }),
  data: pageOf(LeadImportData),
  example: {
    input: { corp_id: 'lakeside', page: 0, page_size: 10 },
    data: examplePage(fetchLeadFile.example.data),
  },

  async handle({ db, organization }, asked) {
    const { page, page_size, ...window } = windowOf(asked)
    const { total, list } = await listShownImports(db, organization, window)
    return { total, page, page_size, list: list.map(importData) }
  },
})

const Row = namedObject('LeadFileRow', {
  row: Type.Integer({ description: 'Number of the row; the header is row 1' }),
  outcome: Type.String(),
  reason: Type.String({ description: 'The headers and the reasons of a rejected row' }),
  faults: Type.Array(
    namedObject('LeadFileFault', {
      cell: Type.Integer({ description: 'Index of the cell, from 0; -1 if the file has no such column' }),
      header: Type.String({ description: 'The header of the cell' }),
      reason: Type.String(),
    }),
  ),
  cells: Type.Array(Type.String(), {
    description: 'The cells of a rejected row, and of the first rows of a plan',
  }),
  shown: Type.Array(Type.String(), {
    description:
      'For the first rows of a plan, the cells as they will be imported; "" for a cell that is not',
  }),
  lead_id: Type.String({ description: 'The lead of an imported row; "" if there is none, or not any more' }),
  user_id: Type.String({ description: 'The user of an imported row, or a known user; else ""' }),
})

const Input = Type.Object({
  corp_id: OrganizationId,
  import_id: ImportId,
  outcome: Type.Optional(oneOf(rowOutcomes, 'Only rows that came to this')),
  language: Type.Optional(oneOf(reasonLanguages, 'Language of the reasons; default: en')),
  ...pageParameters,
})

/** The outcomes of the rows of a file, planned or committed. */
export const listLeadFileRows = endpoint({
  id: 'listLeadFileRows',
  method: 'GET',
  path: '/api/v5/entity/leads/import/file/rows',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the outcomes of the rows of a lead file',
  description:
    'Shows the planned outcome of every row or, after the commit, its outcome. Rejected rows have their cells, in the ' +
    'order of the columns of leads/import/file/fetch, so that they can be corrected and imported as another file. ' +
    'Rows of erased people (`erased`) have no cells; the reason has the ID and the day.',
  input: Input,
  data: pageOf(Row),
  example: {
    input: { corp_id: 'lakeside', import_id: exampleImportId, outcome: 'reject', page: 0, page_size: 10 },
    data: examplePage({
      row: 17,
      outcome: 'reject',
      reason: 'row 17, column 手机: is not a mobile number of CN (3 digits)',
      faults: [{ cell: 0, header: '手机', reason: 'is not a mobile number of CN (3 digits)' }],
      cells: ['138', 'Harbour Logistics'],
      shown: [],
      lead_id: '',
      user_id: '',
    }),
  },
  errors: ['leadImportNotFound', 'stateForbids'],

  async handle({ db, account, role }, { corp_id, import_id, outcome, language = 'en', ...paging }) {
    const { page, page_size, ...window } = windowOf(paging)
    const found = await findImport(db, corp_id, import_id)
    if (!found) throw new ApiError('leadImportNotFound')
    if (found.archive_id !== null)
      throw new ApiError('stateForbids', {
        msg: 'The rows of the file were archived for their age. Their cells no longer exist.',
        allowed: [],
      })
    // The caller has uploaded this file and has to correct it.
    const isMasked = (role === 'counsellor' || role === 'viewer') && found.executor_id !== account.app_id
    const total = await countRows(db, corp_id, import_id, outcome)
    const place = { outcome, behind: 0, ...window }
    const rows = await listRows(db, corp_id, import_id, place)
    const headers = found.reading?.headers ?? []
    const list = rows.map(({ row, outcome, reason, cells, lead_id, user_id }) => ({
      row,
      outcome,
      reason: cells?.faults
        ? rowReasonIn(language, row, cells.faults, headers)
        : reasonIn(language, reason ?? ''),
      faults: (cells?.faults ?? []).map(({ at, reason }) => ({
        cell: at ?? -1,
        header: (at === null ? undefined : headers[at]) ?? '',
        reason: reasonIn(language, reason),
      })),
      cells: textsOf(cells).map((text) => (isMasked ? maskText(text) : text)),
      shown: (cells?.shown ?? []).map((text) => (isMasked ? maskText(text) : text)),
      lead_id: lead_id ?? '',
      user_id: user_id ?? '',
    }))
    return { total, page, page_size, list }
  },
})

function textsOf(row: SourceRow | null): string[] {
  return row === null ? [] : (row.unfitted ?? row.cells.map(textOf))
}
