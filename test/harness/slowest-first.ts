import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begun at the end, each of these would keep one core busy while the others have nothing left to do. */
const slowest = [
  'test/console/whole-day.test.ts',
  'test/console/barriers.test.ts',
  'test/start.test.ts',
  'test/conformance.test.ts',
  'test/console/roles.test.ts',
  'test/hostile-inputs.test.ts',
  'test/console/leads.test.ts',
  'test/console/people.test.ts',
  'test/backup.test.ts',
  'src/database/embedded/embedded-postgres.test.ts',
  'test/upgrades.test.ts',
  'test/faults.test.ts',
  'test/workers.test.ts',
  'src/cli/matricula.test.ts',
  'test/docs.test.ts',
  'test/console/frame.test.ts',
  'test/console/orders.test.ts',
  'test/console-build.test.ts',
  'src/finance/export-financial-rows.test.ts',
  'test/faults/starved-database.test.ts',
  'test/console/settings.test.ts',
  'src/finance/check-ledger.test.ts',
  'src/orders/histories.test.ts',
  'test/faults/rolling-restarts.test.ts',
  'test/faults/generated-requests.test.ts',
  'test/console/pictures.test.ts',
  'src/order-import/import-killed.test.ts',
  'src/lead-import/import-killed.test.ts',
  'test/connections.test.ts',
  'src/order-import/import-many.test.ts',
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
