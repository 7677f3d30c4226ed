import type { Organization } from '../../contract/caller.ts'

/** The pool of new users: `public`, or the first pool of an organization without it. */
export function initialPool({ pools }: Organization): string {
  return pools.includes('public') ? 'public' : (pools[0] ?? 'public')
}

/** The pool of claimed users: `alive`, or the first pool that is not the initial one. */
export function claimedPool(organization: Organization): string {
  const { pools } = organization
  const start = initialPool(organization)
  return pools.includes('alive') ? 'alive' : (pools.find((pool) => pool !== start) ?? start)
}

/** Whether an owner can hold a claim on a user: it owns the user, and the user is not in the pool of unclaimed users. */
export function isHoldable(
  organization: Organization,
  { pool, owner_ids }: { pool: string; owner_ids: string[] },
  owner_id: string,
): boolean {
  const isFree = pool === initialPool(organization) && pool !== claimedPool(organization)
  return !isFree && owner_ids.includes(owner_id)
}
