import { defineConfig } from 'vitest/config'
import { ClosingLine } from '../harness/closing-line.ts'

/** Runs the tests of one PostgreSQL on a cluster, and those that only a cluster can fail. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/cluster/**/*.test.ts',
      'test/conformance.test.ts',
      'test/paging.test.ts',
      'test/races.test.ts',
      'test/reads-never-lock.test.ts',
      'test/large-sums.test.ts',
      'src/changes/undo/undo-batch.test.ts',
      'src/backoffice/**/*.test.ts',
      'src/access/idempotency/*.test.ts',
      'src/changes/lead-import/*.test.ts',
      'src/people/leads/*.test.ts',
      'src/events/**/*.test.ts',
      'src/changes/order-import/import-orders.test.ts',
      'src/orders/**/*.test.ts',
      'src/access/staff/*.test.ts',
      'src/people/users/**/*.test.ts',
    ],
    exclude: [
      '**/*.long.test.ts',
      // These change rows as only a superuser can.
      'src/backoffice/finance/check-{bank,documents,ledger}.test.ts',
      'src/backoffice/finance/tampering.test.ts',
      'src/backoffice/finance/reverse-closing.test.ts',
      // These use no database.
      'src/backoffice/documents/printing/*.test.ts',
      'src/backoffice/finance/reconciliation/readers/*.test.ts',
    ],
    reporters: ['default', new ClosingLine()],
    globalSetup: ['test/cluster/global-setup.ts'],
    // There is one database, and every file begins by emptying it.
    fileParallelism: false,
    env: { MATRICULA_HISTORIES: process.env.MATRICULA_HISTORIES ?? '120' },
    testTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
  },
})
