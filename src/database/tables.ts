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
  'order_import_rows',
  'idempotency_keys',
] as const
