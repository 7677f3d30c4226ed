import type { OrganizationContext } from '../../contract/endpoint.ts'
import { described, Id, namedObject, oneOf } from '../../contract/fields.ts'
import type { Guard } from '../../contract/guard.ts'
import { type Static, Type } from '../../contract/type.ts'
import { obstacleOf, reachOf } from './reach.ts'

/** The guard of user/merge: a counsellor merges own people. */
export const mergeGuard: Guard = { effect: 'changes', people: 'own' }

/** Why a user cannot be merged. */
export const MergeObstacle = namedObject('MergeObstacle', {
  user_id: described(Id, 'The user that prevents the merge'),
  reason: oneOf(
    ['not_yours', 'unclaimed', 'erased'],
    'not_yours: has another adviser; unclaimed: is in the public pool, claim the user first; erased: has no data any more',
  ),
})
export type MergeObstacle = Static<typeof MergeObstacle>

export const MergeObstacles = Type.Array(MergeObstacle, {
  description: 'Why the caller cannot merge the two users; empty if the caller can',
})

/** The users that the caller may not merge. */
export function obstaclesOf(
  context: OrganizationContext,
  users: { user_id: string; owner_ids: string[]; pool: string }[],
): MergeObstacle[] {
  const reach = reachOf(mergeGuard, context)
  return users.flatMap((user) => {
    const reason = obstacleOf(reach, user)
    return reason ? [{ user_id: user.user_id, reason }] : []
  })
}
