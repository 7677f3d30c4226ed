import { endpoint } from '../../contract/endpoint.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { fetchLeadFile } from './fetch-lead-file.ts'
import { importData, LeadImportData } from './import-fields.ts'
import { listShownImports } from './lead-import-store.ts'

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
    input: { corp_id: 'northgate', page: 0, page_size: 10 },
    data: { total: 1, page: 0, page_size: 10, list: [fetchLeadFile.example.data] },
  },

  async handle({ db, organization }, asked) {
    const { page, page_size, ...window } = windowOf(asked)
    const { total, list } = await listShownImports(db, organization, window)
    return { total, page, page_size, list: list.map(importData) }
  },
})
