import { Type } from 'typebox'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../../contract/fields.ts'
import { changeUser } from '../change-user.ts'
import { initialPool } from '../pool.ts'
import { requireOwnName } from '../reach.ts'
import { endClaim, findClaim } from './claim-store.ts'

/** Gives a user back to the public pool. */
export const releaseUser = endpoint({
  id: 'releaseUser',
  method: 'POST',
  path: '/api/v5/entity/user/release',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own or pool' },
  summary: 'Release a user to the public pool',
  description:
    'The owner is removed and the user goes back to `public`. Releasing a user that nobody holds and that this owner ' +
    'is no owner of changes nothing and succeeds; one that somebody else holds is 40904, and `data.owner_id` names who.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'Who lets go of the user'),
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    pool: Type.String({ description: 'The pool that the user is in now' }),
  }),
  example: {
    input: {
      corp_id: 'northgate',
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      owner_id: 'adviser-7',
    },
    data: { user_id: '0198c0de5a3b7c41a2f0d8e6b4937401', pool: 'public' },
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
          msg: `The user is held by ${claim.owner_id}, who alone can release it.`,
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
