import type { Organization } from '../../contract/caller.ts'

/** Where a new user starts: public, or the first pool of an organization that has none of that name. */
export function initialPool({ pools }: Organization): string {
  return pools.includes('public') ? 'public' : (pools[0] ?? 'public')
}

/** Where claimed users go: alive, or the first pool that they do not come from. */
export function claimedPool(organization: Organization): string {
  const { pools } = organization
  const start = initialPool(organization)
  return pools.includes('alive') ? 'alive' : (pools.find((pool) => pool !== start) ?? start)
}

/** Whether an owner can hold a user: one of its own, that is not where users are claimed from. */
export function isHoldable(
  organization: Organization,
  { pool, owner_ids }: { pool: string; owner_ids: string[] },
  owner_id: string,
): boolean {
  const isFree = pool === initialPool(organization) && pool !== claimedPool(organization)
  return !isFree && owner_ids.includes(owner_id)
}
