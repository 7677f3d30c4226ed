import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { ApiError, taken } from '../contract/errors.ts'
import { described, Email, Id, OrganizationId } from '../contract/fields.ts'
import { setEmail } from './user-store.ts'

/** Interface › Users › e-mail. */
export const updateEmail = endpoint({
  id: 'updateEmail',
  method: 'POST',
  path: '/api/v5/entity/user/email/update',
  group: 'Users',
  since: 'Ver5.2024-07-25',
  permission: 'write',
  summary: 'Set the e-mail address of a user',
  description:
    'An address belongs to one user of the organization; letter case does not tell addresses apart.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    email: described(Email, 'E-mail address'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({ user_id: described(Id, 'Global user ID') }),
  example: {
    input: {
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      email: 'mei.lin@example.com',
      corp_id: 'northgate',
    },
    data: { user_id: '0198c0de5a3b7c41a2f0d8e6b4937401' },
  },
  errors: ['userNotFound', 'taken'],

  async handle({ db, now }, input) {
    const outcome = await setEmail(db, { ...input, now })
    if (outcome === 'missing') throw new ApiError('userNotFound')
    if (outcome === 'taken') throw taken('email', 'belongs to another user')
    return { user_id: input.user_id }
  },
})
