import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest start first: one that starts last keeps a single core busy at the end. */
const slowest = [
  'test/system/start.test.ts',
  'test/system/barriers.test.ts',
  'test/conformance.test.ts',
  'test/lifecycle.test.ts',
  'test/guards.test.ts',
  'test/hostile-inputs.test.ts',
  'src/postgres/embedded-postgres.system.test.ts',
  'test/system/people.test.ts',
  'test/system/leads.test.ts',
  'src/cli/run-command.test.ts',
  'test/system/docs.test.ts',
  'src/backoffice/finance/check-ledger.test.ts',
  'test/system/backup.test.ts',
  'test/system/roles.test.ts',
  'test/system/orders.test.ts',
  'test/system/faults.test.ts',
  'test/system/workers.test.ts',
  'test/system/frame.test.ts',
  'test/system/settings.test.ts',
  'src/orders/histories.test.ts',
  'test/upgrades.test.ts',
  'test/connections.test.ts',
  'src/access/idempotency/idempotency-keys.test.ts',
  'src/changes/lead-import/side-by-side.test.ts',
  'src/search/facet-bitmap-store.test.ts',
  'test/system/sessions.test.ts',
  'src/changes/order-import/import-orders.test.ts',
  'src/changes/order-import/import-orders.system.test.ts',
  'src/changes/lead-import/import-lead-file.system.test.ts',
  'test/fairness.test.ts',
  'src/orders/deadlines.test.ts',
  'src/changes/order-import/import-many.test.ts',
  'test/faults/generated-requests.test.ts',
  'test/faults/tenant-probes.test.ts',
  'test/canaries.test.ts',
  'test/system/refunds.test.ts',
  'test/system/reports.test.ts',
  'test/paging.test.ts',
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
