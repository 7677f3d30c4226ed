import { defineConfig } from 'vitest/config'
import gate from '../../vitest.config.ts'

/** The system as it is run: servers that are started, killed, backed up and restored, and pages in a real browser. */
export default defineConfig({
  ...gate,
  test: {
    ...gate.test,
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/system/**/*.test.ts', '{src,test}/**/*.system.test.ts'],
    exclude: ['**/*.long.test.ts'],
  },
})
