import { registerHooks } from 'node:module'

/**
 * Loaded before our server, this removes its audit, to measure the cost of the audit. The service has no such setting
 * on purpose.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    if (!resolved.url.endsWith('/src/database/audit-notes.ts')) return resolved
    return { ...resolved, url: new URL('no-audit-notes.ts', import.meta.url).href }
  },
})
