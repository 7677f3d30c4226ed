import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, Id, Name, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { changeUser } from './change-user.ts'
import { endClaim } from './claims/claim-store.ts'
import { moveToPool } from './reach.ts'

/** Interface › Users › pool. */
export const updatePool = endpoint({
  id: 'updatePool',
  method: 'POST',
  path: '/api/v5/entity/user/pool/update',
  group: 'Users',
  since: 'Ver5.2024-04-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Move a user to a pool',
  description: 'The pools are those of the organization: by default alive, dead and public.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    corp_id: OrganizationId,
    pool: described(Name, 'A pool of the organization'),
  }),
  data: Type.Object({ user_id: described(Id, 'Global user ID') }),
  example: {
    input: { user_id: exampleIds.user_id, corp_id: exampleIds.corp_id, pool: 'alive' },
    data: { user_id: exampleIds.user_id },
  },
  errors: ['userNotFound'],

  async handle(context, { user_id, corp_id, pool }) {
    const { db, organization, account, now, reach } = context
    if (!organization.pools.includes(pool)) {
      throw invalid('pool', `must be one of ${organization.pools.join(', ')}`)
    }
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    await changeUser(changer, async (user, tx) => {
      if (user.pool === pool) return undefined
      const { owner_ids, endsClaim } = moveToPool(reach, user, pool)
      const holder_id = endsClaim ? await endClaim(tx, { corp_id, user_id }) : undefined
      return {
        event: 'pool_changed',
        holder_id,
        set: { pool, ...(owner_ids !== user.owner_ids && { owner_ids }) },
      }
    })
    return { user_id }
  },
})
