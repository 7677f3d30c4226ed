import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { findUserRows } from './user-list-store.ts'
import { exampleUser, named, UserRow } from './user-row.ts'

/** A user as lists show it. */
export const fetchUser = endpoint({
  id: 'fetchUser',
  method: 'GET',
  path: '/api/v5/entity/user/fetch',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a user as lists show it',
  input: Type.Object({ corp_id: OrganizationId, user_id: described(Id, 'Global user ID') }),
  data: UserRow,
  example: {
    input: { corp_id: exampleUser.corp_id, user_id: exampleUser.user_id },
    data: exampleUser,
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id }) {
    const row = (await findUserRows(db, corp_id, [user_id], organization.time_zone)).get(user_id)
    if (!row) throw new ApiError('userNotFound')
    return named(row)
  },
})
