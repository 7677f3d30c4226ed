/** One line of the plan: a module is a folder of src, or the files that compose it. */
export interface Module {
  name: string
  /** A folder of src with a slash at its end, or files of src. */
  paths: string[]
  holds: string
  /** Folders inside the module that have a plan of their own, from top to bottom. `.` is the folder itself. */
  inside?: string[]
}

/** From top to bottom: a module imports itself and the modules below it, never one above. `npm run modules` checks it. */
export const modulePlan: Module[] = [
  { name: 'cli', paths: ['cli/'], holds: 'one file per command' },
  {
    name: 'main',
    paths: ['main.ts', 'serve.ts', 'announce.ts', 'note-process.ts', 'read-only-mode.ts'],
    holds: 'the composition root',
  },
  {
    name: 'installation',
    paths: [
      'config.ts',
      'config/',
      'installation.ts',
      'open-keyring.ts',
      'maintenance.ts',
      'job-counts.ts',
      'maintenance-tasks.ts',
      'doctor/',
    ],
    holds: 'settings, the database of this installation, background work',
  },
  { name: 'server', paths: ['server/'], holds: 'HTTP dispatch, processes, pages, health, metrics, log' },
  {
    name: 'endpoints',
    paths: ['endpoints.ts', 'openapi-documents.ts'],
    holds: 'the catalogue of operations, and its OpenAPI documents',
  },
  {
    name: 'backup',
    paths: ['backup/'],
    holds: 'backup, restore, published chain heads, PostgreSQL upgrades, schools that move or end',
  },
  { name: 'changes', paths: ['changes/'], holds: 'imports, bulk edits, merges, undo, erasure' },
  { name: 'backoffice', paths: ['backoffice/'], holds: 'finance, reports, today, saved views, settings' },
  {
    name: 'events',
    paths: ['events/'],
    holds: 'the event feed, webhooks, deliveries',
  },
  { name: 'derived', paths: ['derived/'], holds: 'the registry of derived data and its rebuilds' },
  {
    name: 'orders',
    paths: ['orders/'],
    holds: 'orders, offerings, rules, ledger, payers, payments, listing',
    inside: ['payments', 'payers', '.', 'counsellors', 'limits', 'listing', 'offerings', 'ledger', 'rules'],
  },
  { name: 'people', paths: ['people/'], holds: 'users, leads, tags, claims, follow-ups' },
  {
    name: 'access',
    paths: ['access/'],
    holds: 'organizations, accounts, tokens, staff, sessions, audit, idempotency',
  },
  { name: 'search', paths: ['search/'], holds: 'facets, bitmaps, cursors' },
  { name: 'files', paths: ['files/'], holds: 'CSV, XLSX and NDJSON: reading, writing, column mapping' },
  { name: 'postgres', paths: ['postgres/'], holds: 'the embedded PostgreSQL server' },
  {
    name: 'database',
    paths: ['database/'],
    holds: 'SQL tag, transactions, batching, tenant isolation, schema',
  },
  { name: 'contract', paths: ['contract/'], holds: 'the definition of an operation; limits, money, days' },
]
