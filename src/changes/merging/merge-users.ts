import { endpoint } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { mergeInto } from './merge-into.ts'

/** Merges two users. */
export const mergeUsers = endpoint({
  id: 'mergeUsers',
  method: 'POST',
  path: '/api/v5/entity/user/merge',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Merge a user into another one',
  description:
    'Moves leads, orders, tags, follow-ups, owners and history of the merged user to the survivor, and fills empty members ' +
    'of the survivor. From then on, the old ID, number and address find the survivor. No amount of an order changes. An ' +
    'erased user cannot be merged. user/unmerge undoes the merge.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'The survivor'),
    merged_user_id: described(Id, 'The user to merge into the survivor'),
  }),
  rules: usersDiffer,
  data: Type.Object({ merge_id: described(Id, 'The merge to undo with user/unmerge'), user_id: Id }),
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
    // An old id is resolved to its survivor, which may be the other user.
    if (user_id === merged_user_id) throw invalid('merged_user_id', 'is the same user as user_id already')
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
