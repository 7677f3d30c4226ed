import { instantOfLocal } from '../../../contract/days.ts'
import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import {
  described,
  Id,
  LocalTime,
  LongText,
  NullableString,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { requireReachTo } from '../reach.ts'
import { isUser } from '../user-store.ts'
import { insertFollowUp, listFollowUpsOf } from './follow-up-store.ts'

/** Records a follow-up of a user. */
export const createFollowUp = endpoint({
  id: 'createFollowUp',
  method: 'POST',
  path: '/api/v5/entity/user/follow-up/create',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Record a follow-up of a user',
  description:
    'A follow-up extends the claim on the user: the idle days after which the user returns to `public` count from the ' +
    'last follow-up.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    content: described(LongText, 'Content of the follow-up'),
    owner_id: Type.Optional(
      described(Id, 'The owner that followed up; by default the calling member of staff'),
    ),
    next_time: Type.Optional(described(LocalTime, 'Time of the next call; the next follow-up replaces it')),
  }),
  data: Type.Object({ follow_up_id: described(Id, 'ID of the follow-up') }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: exampleIds.user_id,
      content: 'Called; will visit on the open day.',
      owner_id: exampleIds.owner_id,
      next_time: '2026-11-20 09:00:00',
    },
    data: { follow_up_id: exampleIds.follow_up_id },
  },
  errors: ['userNotFound'],

  async handle(context, { corp_id, user_id, content, next_time, ...input }) {
    const { db, account, role, organization, now, newId, reach } = context
    await requireReachTo(db, reach, { corp_id, user_id })
    const follow_up_id = newId()
    const executor_id = account.app_id
    const owner_id = input.owner_id ?? (role ? executor_id : null)
    const next_at = next_time === undefined ? null : instantOfLocal(next_time, organization.time_zone)
    const followUp = { corp_id, user_id, follow_up_id, owner_id, content, executor_id, ctime: now, next_at }
    const isFound = await insertFollowUp(db, followUp)
    if (!isFound) throw new ApiError('userNotFound')
    return { follow_up_id }
  },
})

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
    data: examplePage({
      follow_up_id: exampleIds.follow_up_id,
      user_id: exampleIds.user_id,
      owner_id: exampleIds.owner_id,
      content: 'Called; will visit on the open day.',
      executor_id: exampleIds.app_id,
      ctime: '2026-11-15 10:00:00',
      next_time: '2026-11-20 09:00:00',
    }),
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id, ...asked }) {
    if (!(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { page, page_size, ...window } = windowOf(asked)
    const found = await listFollowUpsOf(db, { corp_id, user_id }, window, organization.time_zone)
    return { total: found.total, page, page_size, list: found.list }
  },
})
