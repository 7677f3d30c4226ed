import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { Id, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import { anyOrder } from '../../../orders/ledger/fields.ts'
import '../../../access/staff/console-context.ts'
import { findExport, listExportFiles } from './export-file-store.ts'
import { exampleExport, FinanceExport, financeExportOf } from './finance-export.ts'

const corp_id = 'lakeside'

/** The progress of an export, and the address of its file. */
export const fetchExport = endpoint({
  id: 'fetchExport',
  method: 'GET',
  path: '/api/v5/entity/finance/export/fetch',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'discloses', ...anyOrder },
  summary: 'Fetch an export, with the address of its file',
  input: Type.Object({ corp_id: OrganizationId, export_id: Id }),
  data: FinanceExport,
  example: { input: { corp_id, export_id: exampleExport.export_id }, data: exampleExport },
  errors: ['exportNotFound'],

  async handle({ db, organization }, input) {
    const found = await findExport(db, input.corp_id, input.export_id, organization.time_zone)
    if (!found) throw new ApiError('exportNotFound')
    return financeExportOf(input.corp_id, found)
  },
})

const mostListed = 50

/** The exports of the last day. */
export const listExports = endpoint({
  id: 'listExports',
  method: 'GET',
  path: '/api/v5/entity/finance/export/list',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List exports, the newest first',
  description:
    'For staff, `download` is empty here. finance/export/fetch returns it, and requires a confirmation.',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(FinanceExport) }),
  example: { input: { corp_id }, data: { list: [exampleExport] } },

  async handle({ db, organization, role }, input) {
    const files = await listExportFiles(db, input.corp_id, organization.time_zone, mostListed)
    const list = files.map((file) => financeExportOf(input.corp_id, file))
    return { list: role ? list.map((file) => ({ ...file, download: '' })) : list }
  },
})
