/** The tables that hold records of organizations; every one is behind row-level security. */
export const tenantTables = [
  'users',
  'tag_groups',
  'user_tags',
  'leads',
  'orders',
  'sub_orders',
  'payments',
  'refunds',
  'order_remarks',
  'courses',
  'batches',
  'coupons',
  'ledger_clocks',
  'order_versions',
  'ledger_chain',
  'order_import_rows',
  'idempotency_keys',
  'order_read_model',
  'financial_read_model',
  'list_counts',
  'read_model_versions',
  'change_batches',
  'change_batch_records',
  'lead_imports',
  'lead_import_pieces',
  'lead_import_rows',
  'column_mappings',
  'merged_users',
  'facet_entries',
  'facet_counts',
  'facet_versions',
  'user_duplicates',
  'user_events',
  'user_follow_ups',
  'user_claims',
  'claim_days',
  'claim_rules',
] as const

/** Of these, what the server's role may only read and add to: facts, versions and their chain. */
export const insertOnlyTables: readonly (typeof tenantTables)[number][] = [
  'payments',
  'refunds',
  'order_remarks',
  'order_versions',
  'ledger_chain',
]

/** The tables that span organizations. An engine that shards by organization keeps a copy of them on every node. */
export const referenceTables = [
  'schema_migrations',
  'organizations',
  'accounts',
  'account_organizations',
  'seen_signatures',
] as const
