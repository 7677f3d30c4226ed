import { Type } from 'typebox'
import { instantOfLocal } from '../../../contract/days.ts'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Id, LocalTime, LongText, OrganizationId } from '../../../contract/fields.ts'
import { requireReachTo } from '../reach.ts'
import { insertFollowUp } from './follow-up-store.ts'

/** Notes that somebody has followed up a user. */
export const createFollowUp = endpoint({
  id: 'createFollowUp',
  method: 'POST',
  path: '/api/v5/entity/user/follow-up/create',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Note a follow-up of a user',
  description:
    'A user that is followed up stays with whoever holds it: the days after which it would go back to `public` count ' +
    'from the last follow-up.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    content: described(LongText, 'What was said or done'),
    owner_id: Type.Optional(described(Id, 'Who followed up; staff themselves, unless it is sent')),
    next_time: Type.Optional(described(LocalTime, 'When to call again; a later follow-up takes its place')),
  }),
  data: Type.Object({ follow_up_id: described(Id, 'ID of the follow-up') }),
  example: {
    input: {
      corp_id: 'northgate',
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      content: 'Called; will visit on the open day.',
      owner_id: 'adviser-7',
      next_time: '2026-11-20 09:00:00',
    },
    data: { follow_up_id: '0198c0de5a3b7c41a2f0d8e6b4937701' },
  },
  errors: ['userNotFound'],

  async handle(context, { corp_id, user_id, content, next_time, ...told }) {
    const { db, account, role, organization, now, newId, reach } = context
    await requireReachTo(db, reach, { corp_id, user_id })
    const follow_up_id = newId()
    const executor_id = account.app_id
    const owner_id = told.owner_id ?? (role ? executor_id : null)
    const next_at = next_time === undefined ? null : instantOfLocal(next_time, organization.time_zone)
    const isFound = await insertFollowUp(db, {
      ...{ corp_id, user_id, follow_up_id, owner_id, content, executor_id, ctime: now, next_at },
    })
    if (!isFound) throw new ApiError('userNotFound')
    return { follow_up_id }
  },
})
