import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/harness/closing-line.ts'
import { SlowestFirst } from './test/harness/slowest-first.ts'

export default defineConfig({
  test: {
    include: ['{src,sample,test}/**/*.test.ts'],
    // npm run test:system, test:cluster and test:long run these: the gate should be quick.
    exclude: ['test/system/**', 'test/cluster/**', '**/*.long.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/record-statements.ts', 'test/harness/property-seed.ts'],
    // Test files share a process, one after the other: to load the service took longer than most of them.
    isolate: false,
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: SlowestFirst },
    // Tests wait for servers and databases of their own more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // At the end the statements of the whole run are parsed.
    teardownTimeout: 60_000,
  },
})
