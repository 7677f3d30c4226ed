import { Type } from 'typebox'
import type { Organization } from '../../../contract/caller.ts'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, taken } from '../../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../../contract/fields.ts'
import type { Queryable } from '../../../database/database.ts'
import { changeUser } from '../change-user.ts'
import { claimedPool, initialPool } from '../pool.ts'
import { requireOwnName } from '../reach.ts'
import { lastEndOfClaim } from '../user-event-store.ts'
import type { StoredUser } from '../user-store.ts'
import { findClaimRules } from './claim-rules-store.ts'
import { countClaim, countHeld, findClaim, insertClaim } from './claim-store.ts'

/** Takes a user out of the public pool for one owner. */
export const claimUser = endpoint({
  id: 'claimUser',
  method: 'POST',
  path: '/api/v5/entity/user/claim',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own or pool', limit: 'claims per day' },
  summary: 'Claim a user for an owner',
  description:
    'The user must be in the pool `public`, and goes to `alive`; the owner is added. Of any number of simultaneous ' +
    'claims one wins; the others are 40901, and `data.owner_id` names who has the user. Claiming what one holds ' +
    'already changes nothing and succeeds. The rules of the organization limit how many an owner may hold and claim ' +
    'on a day, and how soon one who let go may come back.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'Who claims the user'),
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'Who holds the user now'),
    pool: Type.String({ description: 'The pool that the user is in now' }),
  }),
  example: {
    input: {
      corp_id: 'northgate',
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      owner_id: 'adviser-7',
    },
    data: { user_id: '0198c0de5a3b7c41a2f0d8e6b4937401', owner_id: 'adviser-7', pool: 'alive' },
  },
  errors: ['userNotFound', 'taken', 'stateForbids'],

  async handle(context, { corp_id, user_id, owner_id }) {
    requireOwnName(context, owner_id)
    const { db, organization, account, now } = context
    // The rules of claims decide, and tell who has the user.
    const reach = 'everyone' as const
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const user = await changeUser(changer, async (before, tx) => {
      const claim = await findClaim(tx, { corp_id, user_id })
      if (claim?.owner_id === owner_id) return undefined
      if (claim) throw taken('user_id', `has been claimed by ${claim.owner_id}`, { owner_id: claim.owner_id })
      requirePublic(before, organization)
      await requireRoom(tx, organization, { user_id, owner_id, now })
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

/** Counted under the owner's lock, so that no two claims can both be the last one. */
async function requireRoom(
  tx: Queryable,
  { corp_id, time_zone }: Organization,
  { user_id, owner_id, now }: Claimer,
): Promise<void> {
  const rules = await findClaimRules(tx, corp_id)
  const day = now.toTemporalInstant().toZonedDateTimeISO(time_zone).toPlainDate().toString()
  const claims = await countClaim(tx, { corp_id, owner_id, day })
  if (rules.most_per_day !== null && claims > rules.most_per_day)
    throw refused(`${owner_id} has claimed ${rules.most_per_day} users today, which is the most.`, 'tomorrow')
  if (rules.most_held !== null && (await countHeld(tx, corp_id, owner_id)) >= rules.most_held)
    throw refused(`${owner_id} holds ${rules.most_held} users, which is the most.`, 'after releasing one')
  if (rules.hold_off_days === null) return
  const let_go = await lastEndOfClaim(tx, { corp_id, user_id, owner_id })
  if (let_go && now.getTime() < let_go.getTime() + rules.hold_off_days * dayMs)
    throw refused(
      `${owner_id} has had this user, and may claim it again ${rules.hold_off_days} days after letting go.`,
      'claim another user',
    )
}

const dayMs = 86_400_000

function refused(msg: string, instead: string): ApiError {
  return new ApiError('stateForbids', { msg, allowed: [instead] })
}
