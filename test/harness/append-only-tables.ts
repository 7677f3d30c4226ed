import type { tenantTables } from '../../src/database/tables.ts'

/** Tables that the server's role may only read and insert into: facts, versions and their chain, closings, matched statements, and the audit. */
export const insertOnlyTables: readonly (typeof tenantTables)[number][] = [
  'payments',
  'refunds',
  'payment_allocations',
  'payment_voids',
  'payment_moves',
  'receipts',
  'refund_allocations',
  'refund_reversals',
  'approval_requests',
  'approval_decisions',
  'limit_requests',
  'limit_decisions',
  'order_retentions',
  'order_write_offs',
  'order_transfers',
  'order_remarks',
  'order_versions',
  'ledger_chain',
  'closings',
  'closing_reversals',
  'documents',
  'payment_references',
  'issuer_logos',
  'cash_ups',
  'cash_up_lines',
  'bank_accounts',
  'bank_statements',
  'completed_statements',
  'statement_lines',
  'statement_matches',
  'statement_match_undos',
  'audit_entries',
  'audit_links',
  'erased_users',
]

/**
 * Their columns that an erasure may empty: texts by people. The chain holds digests of them, and finds any other
 * change. The payer of a payment is a label, which the audit follows. `is_open` is derived, and the check compares it.
 */
export const erasableTexts: Partial<Record<(typeof tenantTables)[number], string[]>> = {
  payments: ['comments', 'payer_id', 'is_open'],
  refunds: ['reason'],
  payment_voids: ['reason'],
  payment_moves: ['reason'],
  refund_reversals: ['reason'],
  approval_requests: ['input'],
  approval_decisions: ['reason'],
  order_retentions: ['reason'],
  order_write_offs: ['reason'],
  order_transfers: ['reason'],
  order_remarks: ['content'],
  order_versions: ['reason'],
  documents: ['personal'],
  statement_lines: ['description', 'payer', 'reference'],
}
