import { isDeepStrictEqual } from 'node:util'
import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { findClaimRules } from '../../people/users/claims/claim-rules-store.ts'
import { holdClaimers } from '../../people/users/claims/claim-store.ts'
import { isHoldable } from '../../people/users/pool.ts'
import { type Records, recordIn } from './apply-transitions.ts'
import { isCreated, isRemoved, ofType } from './record-images.ts'
import type { Revised } from './revert-change.ts'

/**
 * Keeps users and their claims consistent. A claimed user stays in its pool and with its holder. A claim comes back only
 * to a user whom its owner can hold, and only within the owner's limit. The records have the user of every claim.
 */
export async function keepClaims(
  tx: Queryable,
  organization: Organization,
  records: Records<Revised>,
): Promise<void> {
  const claims = ofType([...records.values()], 'user_claims')
  for (const claim of claims) {
    if (!claim.after) continue
    const user = recordIn(records, 'users', claim.id)
    if (claim.before) keepHeld(user, claim.before.owner_id)
    else if (!user.after || !isHoldable(organization, user.after, claim.after.owner_id))
      leaveEnded(claim, 'its owner cannot hold the user in its pool')
  }
  await keepWithinLimit(tx, organization.corp_id, claims)
}

/** Another claim on the user was made since: the undo moves the user neither from its pool nor from its holder. */
function keepHeld(user: Revised<'users'>, holder: string): void {
  const { before, after } = user
  if (!before || !after || before === after) return
  const [were, are] = [before.owner_ids, after.owner_ids]
  const members = [
    ...(after.pool === before.pool ? [] : ['pool']),
    ...(were.includes(holder) && !are.includes(holder) ? ['owner_ids'] : []),
  ]
  if (members.length === 0) return
  const owner_ids = [
    ...are.filter((owner) => !were.includes(owner)),
    ...were.filter((owner) => owner === holder || are.includes(owner)),
  ]
  const kept = { ...after, pool: before.pool, owner_ids }
  const { version, mtime, restored } = before
  const isPutBack =
    user.left !== undefined && !isDeepStrictEqual({ ...kept, version, mtime, restored }, before)
  user.after = isPutBack ? kept : before
  user.left = { reason: 'was claimed since', members: [...(user.left?.members ?? []), ...members] }
}

/** Counts under the locks of the owners, as claiming does. A claim that the undo ends makes room for another one. */
async function keepWithinLimit(
  tx: Queryable,
  corp_id: string,
  claims: Revised<'user_claims'>[],
): Promise<void> {
  const back = claims.filter(isCreated)
  if (back.length === 0) return
  const { most_held } = await findClaimRules(tx, corp_id)
  if (most_held === null) return
  const owners = back.map(({ after }) => after.owner_id)
  const room = new Map<string, number>()
  for (const [owner, users] of await holdClaimers(tx, corp_id, owners))
    room.set(owner, Math.max(0, most_held - users))
  const roomOf = (owner: string) => room.get(owner) ?? 0
  for (const { before } of claims.filter(isRemoved)) room.set(before.owner_id, roomOf(before.owner_id) + 1)
  for (const claim of back) {
    const owner = claim.after.owner_id
    if (roomOf(owner) > 0) room.set(owner, roomOf(owner) - 1)
    else leaveEnded(claim, 'its owner holds as many users as allowed')
  }
}

function leaveEnded(claim: Revised<'user_claims'>, reason: string): void {
  claim.after = claim.before
  claim.left = { reason, members: [] }
}
