import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/harness/closing-line.ts'
import { SlowestFirst } from './test/harness/slowest-first.ts'

export default defineConfig({
  test: {
    include: ['{src,sample,test,bench,packages}/**/*.test.ts'],
    // test:system, test:cluster and test:long run these, to keep npm test short.
    exclude: [
      '**/node_modules/**',
      'test/system/**',
      'test/cluster/**',
      '**/*.system.test.ts',
      '**/*.long.test.ts',
    ],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/record-statements.ts', 'test/harness/property-seed.ts'],
    // Test files share a process, one after the other: loading the service takes longer than most files.
    isolate: false,
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: SlowestFirst },
    // Tests wait for servers and databases more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 180_000,
    // The default of one second fails on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 240_000,
    // The teardown lints every statement of the run.
    teardownTimeout: 60_000,
  },
})
