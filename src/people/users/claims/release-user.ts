import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import { changeUser } from '../change-user.ts'
import { initialPool } from '../pool.ts'
import { requireOwnName } from '../reach.ts'
import { endClaim, findClaim } from './claim-store.ts'

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
      user_id: exampleIds.user_id,
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
