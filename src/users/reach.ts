import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import '../staff/console-context.ts'
import { initialPool } from './pool.ts'
import { type StoredUser, selectUsers, type UserKey } from './user-store.ts'

/** Whose users, beside those of the public pool, a counsellor may change and call. */
export interface Reach {
  owner_id: string
  pool: string
}

type Caller = Pick<OrganizationContext, 'role' | 'account' | 'organization'>

/** Undefined for whoever may change every user. */
export function reachOf({ role, account, organization }: Caller): Reach | undefined {
  return role === 'counsellor' ? { owner_id: account.app_id, pool: initialPool(organization) } : undefined
}

function isWithin(reach: Reach | undefined, user: { owner_ids: string[]; pool: string }): boolean {
  return !reach || user.pool === reach.pool || user.owner_ids.includes(reach.owner_id)
}

export function requireReach(
  reach: Reach | undefined,
  user: { owner_ids: string[]; pool: string } | undefined,
): void {
  if (!user) throw new ApiError('userNotFound')
  if (!isWithin(reach, user))
    throw beyondReach('The user is neither yours nor in the public pool.', 'not_yours')
}

/** The same of several who are to be changed together. */
export function requireReachToAll(
  reach: Reach | undefined,
  users: { owner_ids: string[]; pool: string }[],
): void {
  const beyond = users.filter((user) => !isWithin(reach, user))
  if (beyond.length === 0) return
  const msg = `${beyond.length} of the users are neither yours nor in the public pool.`
  throw beyondReach(msg, 'some_not_yours')
}

/** Owners are added to one's own people only: people of the public pool are claimed, which counts and has limits. */
export function requireOwnership(
  reach: Reach | undefined,
  user: { owner_ids: string[]; pool: string },
): void {
  requireReach(reach, user)
  if (reach && !user.owner_ids.includes(reach.owner_id))
    throw beyondReach('The user is in the public pool: claim it, and add owners then.', 'unclaimed')
}

/** The same for a user that is not held: nothing is read for whoever may change every user. */
export async function requireReachTo(
  db: Queryable,
  reach: Reach | undefined,
  { corp_id, user_id }: UserKey,
): Promise<void> {
  if (!reach) return
  const [user] = await db.query<StoredUser>(selectUsers(corp_id, [user_id]))
  requireReach(reach, user)
}

/** A counsellor takes and lets go in nobody else's name. */
export function requireOwnName({ role, account }: Caller, owner_id: string): void {
  if (role === 'counsellor' && owner_id !== account.app_id)
    throw beyondReach('A counsellor can claim and release for themselves only.')
}

/** What others have done, a counsellor does not take back. */
export function requireOwnBatch({ role, account }: Caller, batch: { executor_id: string }): void {
  if (role === 'counsellor' && batch.executor_id !== account.app_id)
    throw beyondReach('The changes were made by somebody else, who can take them back.')
}

/** `reason` tells a program what `msg` tells a person. */
export function beyondReach(msg: string, reason?: 'not_yours' | 'some_not_yours' | 'unclaimed'): ApiError {
  return new ApiError('permissionMissing', { msg, extra: reason && { reason } })
}
