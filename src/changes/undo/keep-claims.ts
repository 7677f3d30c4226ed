import { isDeepStrictEqual } from 'node:util'
import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { findClaimRules } from '../../people/users/claims/claim-rules-store.ts'
import { holdClaimers } from '../../people/users/claims/claim-store.ts'
import { isHoldable } from '../../people/users/pool.ts'
import type { Image } from './record-images.ts'
import type { Revised } from './revert-change.ts'

/**
 * Users and the claims on them stay together: who is held stays in its pool and with its holder, and a claim comes back
 * only to where it can be, and to an owner who may hold one more. Every claim stands beside its user among the records.
 */
export async function keepClaims(
  tx: Queryable,
  organization: Organization,
  records: Revised[],
): Promise<void> {
  const users = new Map(records.filter(({ type }) => type === 'users').map((user) => [user.id, user]))
  const claims = records.filter(({ type }) => type === 'user_claims')
  for (const claim of claims) {
    if (!claim.after) continue
    const user = users.get(claim.id)!
    if (claim.before) keepHeld(user, holderOf(claim.before))
    else if (!user.after || !isHoldable(organization, user.after as never, holderOf(claim.after)))
      giveNotBack(claim, 'the user is not where its owner could hold it')
  }
  await keepWithinMost(tx, organization.corp_id, claims)
}

/** Somebody has claimed the user since: it is not taken from there, nor from its holder. */
function keepHeld(user: Revised, holder: string): void {
  const { before, after } = user
  if (!before || !after || before === after) return
  const [were, are] = [before.owner_ids as string[], after.owner_ids as string[]]
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

/** Counted under the owners' locks, as claims are. One that moves within the undo needs no more room than it had. */
async function keepWithinMost(tx: Queryable, corp_id: string, claims: Revised[]): Promise<void> {
  const back = claims.filter(({ before, after }) => !before && after)
  if (back.length === 0) return
  const { most_held } = await findClaimRules(tx, corp_id)
  if (most_held === null) return
  const held = await holdClaimers(
    tx,
    corp_id,
    back.map(({ after }) => holderOf(after!)),
  )
  const room = new Map<string, number>()
  for (const [owner, users] of held) room.set(owner, Math.max(0, most_held - users))
  for (const { before, after } of claims) {
    const owner = before && !after ? holderOf(before) : undefined
    if (owner !== undefined && room.has(owner)) room.set(owner, room.get(owner)! + 1)
  }
  for (const claim of back) {
    const owner = holderOf(claim.after!)
    const left = room.get(owner)!
    if (left > 0) room.set(owner, left - 1)
    else giveNotBack(claim, 'its owner holds as many users as allowed')
  }
}

function giveNotBack(claim: Revised, reason: string): void {
  claim.after = claim.before
  claim.left = { reason, members: [] }
}

function holderOf(claim: Image): string {
  return claim.owner_id as string
}
