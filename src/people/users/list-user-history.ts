import { contact } from '../../contract/contacts.ts'
import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { listEvents, userEvents } from './user-event-store.ts'
import { isUser } from './user-store.ts'

const Members = contact('members', Type.Record(Type.String(), Type.Unknown()))

const HistoryRow = namedObject('UserChange', {
  version: Type.Integer({ description: 'Version of the user after the change' }),
  time: Timestamp,
  event: oneOf(userEvents),
  owner_id: described(NullableString, 'The owner that the change is about'),
  executor_id: described(NullableString, 'The account that made the change; null for automatic changes'),
  before: Members,
  after: Members,
})

/** The history of a user: executor, time, and the changed members before and after. */
export const listUserHistory = endpoint({
  id: 'listUserHistory',
  method: 'GET',
  path: '/api/v5/entity/user/history',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List every change of a user',
  description:
    'Oldest first, without the creation. `before` and `after` hold the changed members, and `holder_id` if the change ' +
    'ended a claim.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    ...pageParameters,
  }),
  data: pageOf(HistoryRow),
  example: {
    input: { corp_id: exampleIds.corp_id, user_id: exampleIds.user_id },
    data: {
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          version: 2,
          time: '2026-11-15 10:00:00',
          event: 'claimed',
          owner_id: exampleIds.owner_id,
          executor_id: exampleIds.app_id,
          before: { owner_ids: [], pool: 'public' },
          after: { owner_ids: [exampleIds.owner_id], pool: 'alive' },
        },
      ],
    },
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id, ...asked }) {
    if (!(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { page, page_size, ...window } = windowOf(asked)
    const found = await listEvents(db, { corp_id, user_id }, window, organization.time_zone)
    return { total: found.total, page, page_size, list: found.list }
  },
})
