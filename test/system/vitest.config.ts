import { defineConfig } from 'vitest/config'
import gate from '../../vitest.config.ts'

/** Tests of whole systems: servers that are started, killed, backed up and restored, and pages in a real browser. */
export default defineConfig({
  ...gate,
  test: {
    ...gate.test,
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/system/**/*.test.ts', '{src,test,packages}/**/*.system.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
  },
})
