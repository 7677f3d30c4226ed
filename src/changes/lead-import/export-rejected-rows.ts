import { endpoint } from '../../contract/endpoint.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { pageParameters } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import '../../access/staff/console-context.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { listLeadFileRows } from './list-lead-files.ts'

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
