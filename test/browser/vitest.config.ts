import { defineConfig } from 'vitest/config'
import gate from '../../vitest.config.ts'

/** The console and the pages of the docs, as somebody sees them in a real browser. */
export default defineConfig({
  ...gate,
  test: {
    ...gate.test,
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/browser/**/*.test.ts'],
    exclude: ['**/*.long.test.ts'],
  },
})
