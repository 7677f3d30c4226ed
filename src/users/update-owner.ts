import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../contract/fields.ts'
import { addOwner, removeOwner } from './user-store.ts'

const change = { add: addOwner, remove: removeOwner }

/** Interface › Users › owner. */
export const updateOwner = endpoint({
  id: 'updateOwner',
  method: 'POST',
  path: '/api/v5/entity/user/owner/update',
  group: 'Users',
  since: 'Ver5.2024-04-01',
  permission: 'write',
  summary: 'Add an owner to a user, or remove one',
  description: 'Adding an owner twice, or removing one who is none, changes nothing and succeeds.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: described(Id, 'Owner to add or remove'),
    event_type: oneOf(['add', 'remove'], 'What to do with the owner'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    owner_id: Type.Array(Type.String(), { description: 'The owners of the user now, in order of addition' }),
  }),
  example: {
    input: {
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      owner_id: 'adviser-7',
      event_type: 'add',
      corp_id: 'northgate',
    },
    data: { user_id: '0198c0de5a3b7c41a2f0d8e6b4937401', owner_id: ['adviser-2', 'adviser-7'] },
  },
  errors: ['userNotFound'],

  async handle({ db, now }, { event_type, ...input }) {
    const owners = await change[event_type](db, { ...input, now })
    if (!owners) throw new ApiError('userNotFound')
    return { user_id: input.user_id, owner_id: owners }
  },
})
