import type { Organization } from '../contract/caller.ts'

/** Where a new user starts: public, or the first pool of an organization that has none of that name. */
export function initialPool({ pools }: Organization): string {
  return pools.includes('public') ? 'public' : (pools[0] ?? 'public')
}
