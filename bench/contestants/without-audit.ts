import { registerHooks } from 'node:module'

/**
 * Loaded before our server, this makes it one that writes no audit: what the audit costs is the difference. The service
 * has no such setting, and none is wanted.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    if (!resolved.url.endsWith('/src/database/audit-notes.ts')) return resolved
    return { ...resolved, url: new URL('no-audit-notes.ts', import.meta.url).href }
  },
})
