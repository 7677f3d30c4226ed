import { endpoint } from '../../contract/endpoint.ts'
import '../staff/console-context.ts'
import { rangeIsNotReversed } from '../../contract/paging.ts'
import { listAudit } from './list-audit.ts'

/** The entries for a file, page by page. Each page is recorded as exported. */
export const exportAudit = endpoint({
  id: 'exportAudit',
  method: 'GET',
  path: '/api/v5/console/audit/export',
  group: 'Console',
  permission: 'admin',
  guard: { effect: 'discloses', people: 'everyone', why: 'Administrators are responsible for all people.' },
  summary: 'Export the audit',
  description: 'The entries of audit/list, for a file. The export itself is recorded in the audit.',
  discloses: { action: 'exported', record_type: 'audit_entries', recordId: () => '' },
  input: listAudit.input,
  rules: rangeIsNotReversed,
  data: listAudit.data,
  example: listAudit.example,
  handle: listAudit.handle,
})
