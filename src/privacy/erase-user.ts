import { Type } from 'typebox'
import { endpoint } from '../contract/endpoint.ts'
import { described, Id, LongText, OrganizationId } from '../contract/fields.ts'
import { erasePerson } from './erase-person.ts'

/** Forgets a person. */
export const eraseUser = endpoint({
  id: 'eraseUser',
  method: 'POST',
  path: '/api/v5/entity/user/erase',
  group: 'Privacy',
  since: 'Ver5.2026-11-15',
  permission: 'admin',
  needsConfirmation: true,
  summary: 'Erase a user',
  description:
    'Cannot be taken back. The user goes with its leads, tags, follow-ups and history, and so does whatever was copied of ' +
    'it, in orders, batches of changes, the audit and kept answers, and what was written on its orders: remarks, comments ' +
    'and reasons. Orders and money stay, and name nobody: each order gets a version and a time of its own, so that copies ' +
    'kept elsewhere learn of it. Whoever comes under the same contact later is somebody new.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    reason: described(LongText, 'Why, without a word about the person: it is kept'),
  }),
  data: Type.Object({
    user_id: Id,
    records: Type.Integer({ description: 'How many records went, the user included' }),
    orders: Type.Integer({ description: 'How many orders stay' }),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      user_id: '0198c0de33337c41a2f0d8e6b4937215',
      reason: 'Asked for it on 14 November',
    },
    data: { user_id: '0198c0de33337c41a2f0d8e6b4937215', records: 4, orders: 1 },
  },
  errors: ['userNotFound', 'confirmationNeeded'],

  async handle(context, { user_id, reason }) {
    return erasePerson(context, user_id, reason)
  },
})
