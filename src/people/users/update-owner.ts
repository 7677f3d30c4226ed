import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { changeUser, type UserRule } from './change-user.ts'
import { endClaim } from './claims/claim-store.ts'

/** Interface › Users › owner. */
export const updateOwner = endpoint({
  id: 'updateOwner',
  method: 'POST',
  path: '/api/v5/entity/user/owner/update',
  group: 'Users',
  since: 'Ver5.2024-04-01',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Add an owner to a user, or remove one',
  description: 'Adding an existing owner, or removing one that is not an owner, succeeds without a change.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'Owner to add or remove'),
    event_type: oneOf(['add', 'remove'], 'Whether to add or remove the owner'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: Type.Array(Type.String(), { description: 'Current owners of the user, in order of addition' }),
  }),
  example: {
    input: {
      user_id: exampleIds.user_id,
      owner_id: exampleIds.owner_id,
      event_type: 'add',
      corp_id: exampleIds.corp_id,
    },
    data: { user_id: exampleIds.user_id, owner_id: ['adviser-2', exampleIds.owner_id] },
  },
  errors: ['userNotFound'],

  async handle(context, { corp_id, user_id, owner_id, event_type }) {
    const { db, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const rule = event_type === 'add' ? addition(owner_id) : removal(corp_id, owner_id)
    const user = await changeUser(changer, rule)
    return { user_id, owner_id: user.owner_ids }
  },
})

function addition(owner_id: string): UserRule {
  return ({ owner_ids }) => {
    if (owner_ids.includes(owner_id)) return undefined
    return { event: 'owner_added', owner_id, set: { owner_ids: [...owner_ids, owner_id] } }
  }
}

/** Removing an owner ends its claim on the user. */
function removal(corp_id: string, owner_id: string): UserRule {
  return async ({ user_id, owner_ids }, tx) => {
    if (!owner_ids.includes(owner_id)) return undefined
    const holder_id = await endClaim(tx, { corp_id, user_id, owner_id })
    const others = owner_ids.filter((id) => id !== owner_id)
    return { event: 'owner_removed', owner_id, holder_id, set: { owner_ids: others } }
  }
}
