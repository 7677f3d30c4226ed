import { defineConfig } from 'vitest/config'
import gate from '../../vitest.config.ts'

/** How often each random test runs here. A count in the environment has precedence. */
const counts = {
  MATRICULA_SEED: 'random',
  MATRICULA_HISTORIES: '10000',
  MATRICULA_IMPORT_ROWS: '200000',
  MATRICULA_IMPORT_KILLS: '10',
  MATRICULA_RANDOM_CALLS: '200',
  MATRICULA_TAMPERINGS: '200',
  MATRICULA_STATEMENT_LINES: '50000',
  MATRICULA_LISTS: '500',
  MATRICULA_CLAIM_RACES: '1000',
  MATRICULA_RACING_LEADS: '10000',
  MATRICULA_LEAD_ROWS: '100000',
  MATRICULA_UNDO_RUNS: '300',
  MATRICULA_DRY_RUNS: '100',
  MATRICULA_LEAD_FILES: '300',
  MATRICULA_MASKED_SEARCHES: '1000',
  MATRICULA_LARGE_SCALARS: '1000',
  MATRICULA_ROLES: '4',
  MATRICULA_LIFECYCLES: '2000',
  MATRICULA_REPRESENTATIVES: '1000',
}

/** Tests and counts that take too long for npm test. */
export default defineConfig({
  ...gate,
  test: {
    ...gate.test,
    exclude: ['test/cluster/**'],
    root: new URL('../..', import.meta.url).pathname,
    include: [
      '{src,test}/**/*.long.test.ts',
      'test/conformance.test.ts',
      'test/system/roles.test.ts',
      'test/hostile-inputs.test.ts',
      'src/access/idempotency/idempotency-keys.test.ts',
      'test/lifecycle.test.ts',
      'src/changes/undo/undo-batch.test.ts',
      'src/changes/undo/undo-stack.test.ts',
      'src/changes/lead-import/import-lead-file.test.ts',
      'src/search/facet-bitmap-store.test.ts',
      'src/orders/orders-by-name.test.ts',
      'src/orders/dry-run.test.ts',
      'test/masked-search.test.ts',
      'test/time-zones.test.ts',
      'test/people.test.ts',
      'test/bench-plain.test.ts',
      'src/backoffice/finance/matching/match-many.test.ts',
      'src/backoffice/finance/tampering.test.ts',
      'src/changes/lead-import/import-killed.test.ts',
      'src/people/leads/import-race.test.ts',
      'src/changes/order-import/import-killed.test.ts',
      'src/changes/order-import/import-many.test.ts',
      'src/changes/order-import/import-orders.test.ts',
      'src/orders/histories.test.ts',
      'src/people/users/claims/claim-user.test.ts',
      'src/people/users/claims/held-users.test.ts',
      'src/people/users/list-users.test.ts',
      'src/changes/merging/merge-users.test.ts',
    ],
    env: Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, process.env[name] ?? count]),
    ),
  },
})
