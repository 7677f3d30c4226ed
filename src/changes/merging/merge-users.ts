import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { mergeInto } from './merge-into.ts'

/** Makes one user of two. */
export const mergeUsers = endpoint({
  id: 'mergeUsers',
  method: 'POST',
  path: '/api/v5/entity/user/merge',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Merge a user into another one',
  description:
    'Leads, orders, tags, follow-ups, owners and history of the merged user become those of the survivor; what the ' +
    'survivor lacks is filled, what it has stays. The old id answers as the survivor from then on, and so do the old ' +
    'number and address. No amount of an order changes. An erased user cannot be merged. user/unmerge puts it all back.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'The user that survives'),
    merged_user_id: described(Id, 'The user that is merged into it'),
  }),
  rules: usersDiffer,
  data: Type.Object({ merge_id: described(Id, 'What user/unmerge takes back'), user_id: Id }),
  example: {
    input: {
      corp_id: 'northgate',
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      merged_user_id: '0198c0de5a3b7c41a2f0d8e6b4937402',
    },
    data: { merge_id: '0198c0de5a3b7c41a2f0d8e6b4937703', user_id: '0198c0de5a3b7c41a2f0d8e6b4937401' },
  },
  errors: ['userNotFound', 'stateForbids'],

  async handle(context, { user_id, merged_user_id }) {
    // An old id answers as its survivor, which may be the other one.
    if (user_id === merged_user_id) throw invalid('merged_user_id', 'is one user with user_id already')
    return { merge_id: await mergeInto(context, user_id, merged_user_id), user_id }
  },
})

function usersDiffer({
  user_id,
  merged_user_id,
}: {
  user_id?: string
  merged_user_id?: string
}): InputFault[] {
  if (user_id === undefined || user_id !== merged_user_id) return []
  return [{ param: 'merged_user_id', reason: 'must be another user than user_id' }]
}
