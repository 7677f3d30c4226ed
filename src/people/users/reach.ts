import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Guard, Reach } from '../../contract/guard.ts'
import type { Queryable } from '../../database/database.ts'
import '../../access/staff/console-context.ts'
import type { Organization } from '../../contract/caller.ts'
import { type StoredUser, selectUsers, type UserKey } from './user-store.ts'

type Caller = Pick<OrganizationContext, 'role' | 'account' | 'organization'>
type OwnedUser = Pick<StoredUser, 'owner_ids' | 'pool'>

/** Applies the guard of an operation to its caller. Throws if the role excludes the operation. */
export function reachOf({ effect, people }: Guard, { role, account, organization }: Caller): Reach {
  if (role === 'viewer' && effect === 'discloses') throw beyondReach('A viewer sees contacts masked.')
  if (role !== 'counsellor' || people === 'none' || people === 'everyone') return 'everyone'
  const includesPool = people === 'own or pool'
  return { owner_id: account.app_id, pool: initialPool(organization), includesPool }
}

function isWithin(reach: Reach, user: OwnedUser): boolean {
  if (reach === 'everyone' || user.owner_ids.includes(reach.owner_id)) return true
  return reach.includesPool && user.pool === reach.pool
}

export function requireReach(reach: Reach, user: OwnedUser | undefined): void {
  if (!user) throw new ApiError('userNotFound')
  if (reach === 'everyone' || isWithin(reach, user)) return
  if (user.pool === reach.pool) throw unclaimed()
  throw beyondReach('The user is not yours.', 'not_yours')
}

/** Whether a refusal may name the user: a counsellor learns of own users and of those in the public pool. */
export function mayName(reach: Reach, user: OwnedUser): boolean {
  return reach === 'everyone' || isWithin({ ...reach, includesPool: true }, user)
}

/** Why the reach excludes a user, for a preview; undefined if it does not. */
export function obstacleOf(reach: Reach, user: OwnedUser): 'not_yours' | 'unclaimed' | undefined {
  if (reach === 'everyone' || isWithin(reach, user)) return undefined
  return user.pool === reach.pool ? 'unclaimed' : 'not_yours'
}

/** The same check for several users that are changed together. */
export function requireReachToAll(reach: Reach, users: OwnedUser[]): void {
  const beyond = users.filter((user) => !isWithin(reach, user))
  if (reach === 'everyone' || beyond.length === 0) return
  if (users.length === 1) requireReach(reach, users[0])
  const isUnclaimed = beyond.every(({ pool }) => pool === reach.pool)
  throw isUnclaimed
    ? beyondReach(`${beyond.length} of the users are in the public pool: claim them first.`, 'unclaimed')
    : beyondReach(`${beyond.length} of the users are not yours.`, 'some_not_yours')
}

/** The same check for a user that is not locked. Returns the user, or undefined for a caller that may reach all users. */
export async function requireReachTo(
  db: Queryable,
  reach: Reach,
  { corp_id, user_id }: UserKey,
): Promise<StoredUser | undefined> {
  if (reach === 'everyone') return undefined
  const [user] = await db.query<StoredUser>(selectUsers(corp_id, [user_id]))
  requireReach(reach, user)
  return user
}

/**
 * The owners and the claim of a user after a move to another pool. A counsellor takes users out of the public pool only by
 * claims, which have limits, and releases users that return to it. Between other pools the claim stays: if a move ended
 * it, the counsellor could exceed the limit.
 */
export function moveToPool(
  reach: Reach,
  { owner_ids, pool }: OwnedUser,
  target: string,
): { owner_ids: string[]; endsClaim: boolean } {
  if (reach === 'everyone') return { owner_ids, endsClaim: true }
  if (pool === reach.pool) throw unclaimed()
  const endsClaim = target === reach.pool
  return { owner_ids: endsClaim ? owner_ids.filter((id) => id !== reach.owner_id) : owner_ids, endsClaim }
}

/** A counsellor claims and releases only in their own name. */
export function requireOwnName({ reach }: Pick<OrganizationContext, 'reach'>, owner_id: string): void {
  if (reach !== 'everyone' && owner_id !== reach.owner_id)
    throw beyondReach('A counsellor can claim and release for themselves only.')
}

/** A counsellor undoes their own changes and continues their own imports only. */
export function requireOwnWork({ role, account }: Caller, { executor_id }: { executor_id: string }): void {
  if (role === 'counsellor' && executor_id !== account.app_id)
    throw beyondReach(
      'Another member of staff started this. Only they, finance or an administrator can continue it.',
      'others_work',
    )
}

function unclaimed(): ApiError {
  return beyondReach('The user is in the public pool: claim the user first.', 'unclaimed')
}

/** `reason` is for programs, `msg` for people. */
function beyondReach(
  msg: string,
  reason?: 'not_yours' | 'some_not_yours' | 'unclaimed' | 'others_work',
): ApiError {
  return new ApiError('permissionMissing', { msg, extra: reason && { reason } })
}

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
