import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest start first: one that starts last keeps a single core busy at the end. */
const slowest = [
  // npm test
  'test/conformance.test.ts',
  'test/guards.test.ts',
  'test/connections.test.ts',
  'test/masked-search.test.ts',
  'test/hostile-inputs.test.ts',
  'test/canaries.test.ts',
  'src/cli/run-command.canaries.test.ts',
  'test/tenancy.test.ts',
  'src/backoffice/finance/reconciliation/import-statement-file.formats.test.ts',
  'test/absent-members.test.ts',
  'src/changes/lead-import/commit-rows.test.ts',
  'src/access/staff/sessions.test.ts',
  'src/orders/change-orders.histories.test.ts',
  'test/paging.test.ts',
  'test/fairness.test.ts',
  'src/changes/order-import/import-orders.test.ts',
  'src/orders/payments/move-payment.test.ts',
  'src/orders/expire-orders.deadlines.test.ts',
  'src/backoffice/finance/check-ledger.test.ts',
  'src/cli/run-command.test.ts',
  'test/lifecycle.test.ts',
  'src/search/facet-bitmap-store.test.ts',
  // npm run test:system
  'test/system/start.test.ts',
  'src/installation.system.test.ts',
  'test/upgrades.system.test.ts',
  'test/system/barriers.test.ts',
  'src/postgres/embedded-postgres.system.test.ts',
  'test/system/people.test.ts',
  'test/system/leads.test.ts',
  'test/system/docs.test.ts',
  'test/system/backup.test.ts',
  'test/system/roles.test.ts',
  'test/system/orders.test.ts',
  'test/system/faults.test.ts',
  'test/system/workers.test.ts',
  'test/system/frame.test.ts',
  'test/system/settings.test.ts',
  'src/changes/order-import/import-orders.system.test.ts',
  'src/changes/lead-import/import-lead-file.system.test.ts',
  'src/cli/matricula.system.test.ts',
  'test/system/sessions.test.ts',
  'test/system/refunds.test.ts',
  'test/system/reports.test.ts',
]

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? slowest.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
