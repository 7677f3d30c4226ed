import { endpoint } from '../../contract/endpoint.ts'
import '../staff/console-context.ts'
import { listAudit } from './list-audit.ts'

/** The entries as a file takes them along, page by page; each page is noted as exported. */
export const exportAudit = endpoint({
  id: 'exportAudit',
  method: 'GET',
  path: '/api/v5/console/audit/export',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  permission: 'admin',
  guard: { effect: 'discloses', people: 'everyone', why: 'Administrators answer for everyone.' },
  summary: 'Take along who changed or saw what',
  description: 'As audit/list tells it, for a file: that it was exported is in the audit.',
  discloses: { action: 'exported', record_type: 'audit_entries', recordId: () => '' },
  input: listAudit.input,
  rules: listAudit.rules!,
  data: listAudit.data,
  example: listAudit.example,
  handle: listAudit.handle,
})
