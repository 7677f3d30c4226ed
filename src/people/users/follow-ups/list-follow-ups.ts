import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import {
  described,
  Id,
  NullableString,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { isUser } from '../user-store.ts'
import { listFollowUpsOf } from './follow-up-store.ts'

const FollowUp = namedObject('FollowUp', {
  follow_up_id: Type.String(),
  user_id: Type.String(),
  owner_id: described(NullableString, 'The owner that followed up'),
  content: Type.String(),
  executor_id: Type.String({ description: 'The account that recorded it' }),
  ctime: Timestamp,
  next_time: described(Timestamp, 'Time of the next call; "" if none was agreed'),
})

/** The follow-ups of a user. */
export const listFollowUps = endpoint({
  id: 'listFollowUps',
  method: 'GET',
  path: '/api/v5/entity/user/follow-up/list',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the follow-ups of a user',
  description: 'Oldest first.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    ...pageParameters,
  }),
  data: pageOf(FollowUp),
  example: {
    input: { corp_id: exampleIds.corp_id, user_id: exampleIds.user_id },
    data: {
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          follow_up_id: exampleIds.follow_up_id,
          user_id: exampleIds.user_id,
          owner_id: exampleIds.owner_id,
          content: 'Called; will visit on the open day.',
          executor_id: exampleIds.app_id,
          ctime: '2026-11-15 10:00:00',
          next_time: '2026-11-20 09:00:00',
        },
      ],
    },
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id, ...asked }) {
    if (!(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { page, page_size, ...window } = windowOf(asked)
    const found = await listFollowUpsOf(db, { corp_id, user_id }, window, organization.time_zone)
    return { total: found.total, page, page_size, list: found.list }
  },
})
