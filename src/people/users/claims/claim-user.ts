import type { Organization } from '../../../contract/caller.ts'
import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError, taken } from '../../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { changeUser } from '../change-user.ts'
import { claimedPool, initialPool, requireOwnName } from '../reach.ts'
import { lastEndOfClaim } from '../user-event-store.ts'
import type { StoredUser } from '../user-store.ts'
import { countClaim, countHeld, endClaim, findClaim, findClaimRules, insertClaim } from './claim-store.ts'

/** Takes a user out of the public pool for one owner. */
export const claimUser = endpoint({
  id: 'claimUser',
  method: 'POST',
  path: '/api/v5/entity/user/claim',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own or pool', limit: 'claims per day' },
  summary: 'Claim a user for an owner',
  description:
    'The user must be in the pool `public`. It moves to `alive`, and the owner is added. One of several simultaneous ' +
    'claims succeeds; the others get 40901, and `data.owner_id` is the holder. Claiming a user that the owner already ' +
    'holds succeeds without a change. The claim rules limit how many users an owner holds, claims per day, and how ' +
    'soon an owner can claim a released user again.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'The owner that claims the user'),
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'The owner that holds the user now'),
    pool: Type.String({ description: 'Current pool of the user' }),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: '01912434e9087cd4b7ca98789555e660',
      owner_id: exampleIds.owner_id,
    },
    data: { user_id: exampleIds.user_id, owner_id: exampleIds.owner_id, pool: 'alive' },
  },
  errors: ['userNotFound', 'taken', 'stateForbids'],

  async handle(context, { corp_id, user_id, owner_id }) {
    requireOwnName(context, owner_id)
    const { db, organization, account, now } = context
    // No reach check: the claim rules decide, and the refusal names the holder.
    const reach = 'everyone' as const
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const user = await changeUser(changer, async (before, tx) => {
      const claim = await findClaim(tx, { corp_id, user_id })
      if (claim?.owner_id === owner_id) return undefined
      if (claim) throw taken('user_id', `has been claimed by ${claim.owner_id}`, { owner_id: claim.owner_id })
      requirePublic(before, organization)
      await requireClaimRules(tx, organization, { user_id, owner_id, now })
      await insertClaim(tx, { corp_id, user_id, owner_id, now })
      const owner_ids = [...new Set([...before.owner_ids, owner_id])]
      return { event: 'claimed', owner_id, set: { owner_ids, pool: claimedPool(organization) } }
    })
    return { user_id, owner_id, pool: user.pool }
  },
})

function requirePublic({ pool }: StoredUser, organization: Organization): void {
  const start = initialPool(organization)
  if (pool === start) return
  throw new ApiError('stateForbids', {
    msg: `The user is in the pool ${pool}; only users in ${start} can be claimed.`,
    allowed: [`move the user to ${start}`],
  })
}

interface Claimer {
  user_id: string
  owner_id: string
  now: Date
}

/** Counts under the lock of the owner, so that concurrent claims cannot exceed a limit. */
async function requireClaimRules(
  tx: Queryable,
  { corp_id, time_zone }: Organization,
  { user_id, owner_id, now }: Claimer,
): Promise<void> {
  const rules = await findClaimRules(tx, corp_id)
  const day = now.toTemporalInstant().toZonedDateTimeISO(time_zone).toPlainDate().toString()
  const claims = await countClaim(tx, { corp_id, owner_id, day })
  if (rules.most_per_day !== null && claims > rules.most_per_day)
    throw refused(
      `${owner_id} has claimed ${rules.most_per_day} users today, the maximum per day.`,
      'claim tomorrow',
    )
  if (rules.most_held !== null && (await countHeld(tx, corp_id, owner_id)) >= rules.most_held)
    throw refused(`${owner_id} holds ${rules.most_held} users, the maximum.`, 'release a user first')
  if (rules.hold_off_days === null) return
  const endedAt = await lastEndOfClaim(tx, { corp_id, user_id, owner_id })
  if (endedAt && now.getTime() < endedAt.getTime() + rules.hold_off_days * dayMs)
    throw refused(
      `${owner_id} held this user before, and can claim it again ${rules.hold_off_days} days after the release.`,
      'claim another user',
    )
}

const dayMs = 86_400_000

function refused(msg: string, instead: string): ApiError {
  return new ApiError('stateForbids', { msg, allowed: [instead] })
}

/** Returns a user to the public pool. */
export const releaseUser = endpoint({
  id: 'releaseUser',
  method: 'POST',
  path: '/api/v5/entity/user/release',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own or pool' },
  summary: 'Release a user to the public pool',
  description:
    'The owner is removed and the user returns to `public`. If nobody holds the user and the owner does not own it, the ' +
    'call succeeds without a change. If another owner holds the user, the call gets 40904, and `data.owner_id` is the ' +
    'holder.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'The owner that releases the user'),
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    pool: Type.String({ description: 'Current pool of the user' }),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: '01912434e9087cd4b7ca98789555e660',
      owner_id: exampleIds.owner_id,
    },
    data: { user_id: exampleIds.user_id, pool: 'public' },
  },
  errors: ['userNotFound', 'stateForbids'],

  async handle(context, { corp_id, user_id, owner_id }) {
    requireOwnName(context, owner_id)
    const { db, organization, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const user = await changeUser(changer, async ({ owner_ids }, tx) => {
      const claim = await findClaim(tx, { corp_id, user_id })
      if (claim && claim.owner_id !== owner_id)
        throw new ApiError('stateForbids', {
          msg: `Only the holder, ${claim.owner_id}, can release the user.`,
          allowed: [],
          extra: { owner_id: claim.owner_id },
        })
      if (!claim && !owner_ids.includes(owner_id)) return undefined
      await endClaim(tx, { corp_id, user_id })
      return {
        event: 'released',
        owner_id,
        set: { owner_ids: owner_ids.filter((id) => id !== owner_id), pool: initialPool(organization) },
      }
    })
    return { user_id, pool: user.pool }
  },
})
