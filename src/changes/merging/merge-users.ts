import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { mergeGuard } from '../../people/users/merge-obstacle.ts'
import { requireReachToBatch } from '../undo/batch-reach.ts'
import { findBatch } from '../undo/change-batch-store.ts'
import { undoBatch } from '../undo/undo-batch.ts'
import { mergeInto } from './merge-into.ts'

/** Merges two users. */
export const mergeUsers = endpoint({
  id: 'mergeUsers',
  method: 'POST',
  path: '/api/v5/entity/user/merge',
  group: 'Users',
  permission: 'write',
  guard: mergeGuard,
  summary: 'Merge a user into another one',
  description:
    'Moves leads, orders, tags, follow-ups, owners and history of the merged user to the survivor, and fills empty members ' +
    'of the survivor. From then on, the old ID, number and address find the survivor; in this call, too, the ID of a merged ' +
    'user means its survivor. No amount of an order changes. An erased user cannot be merged. user/merge/preview shows the ' +
    'result before the call; user/unmerge undoes the merge.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'The survivor'),
    merged_user_id: described(Id, 'The user to merge into the survivor'),
  }),
  rules: usersDiffer,
  data: Type.Object({ merge_id: described(Id, 'The merge to undo with user/unmerge'), user_id: Id }),
  example: {
    input: {
      corp_id: 'lakeside',
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      merged_user_id: '0192459ca2107b4f8e7043974d7028c7',
    },
    data: { merge_id: '0198c0de5a3b7c41a2f0d8e6b4937703', user_id: '019672b93ea877f0b98a30ed5184dccd' },
  },
  errors: ['userNotFound', 'stateForbids'],

  async handle(context, { user_id, merged_user_id }) {
    return mergeInto(context, { user_id, merged_user_id })
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

/** Undoes a merge of users. */
export const unmergeUsers = endpoint({
  id: 'unmergeUsers',
  method: 'POST',
  path: '/api/v5/entity/user/unmerge',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Undo a merge of users',
  description:
    'Restores both users in new versions. Records that were added since stay with their present user; ' +
    'changes/left-alone/list shows records that others changed since. If the survivor was merged since, that merge must be ' +
    'undone first: the call is refused with 40904, and `data.merge_id` names it. changes/undo can undo the undo.',
  input: Type.Object({ corp_id: OrganizationId, merge_id: described(Id, 'The `merge_id` of user/merge') }),
  data: Type.Object({
    batch_id: described(Id, 'The undo'),
    left_alone: Type.Integer({ description: 'Records that others have changed since' }),
  }),
  example: {
    input: { corp_id: 'lakeside', merge_id: '0198c0de5a3b7c41a2f0d8e6b4937703' },
    data: { batch_id: '0198c0de5a3b7c41a2f0d8e6b4937704', left_alone: 0 },
  },
  errors: ['changeBatchNotFound', 'stateForbids'],

  async handle(context, { corp_id, merge_id }) {
    return context.db.transaction(async (tx) => {
      const batch = await findBatch(tx, corp_id, merge_id)
      if (batch?.kind !== 'user_merge') throw new ApiError('changeBatchNotFound')
      const inside = { ...context, db: tx }
      await requireReachToBatch(inside, batch)
      const { batch_id, counts } = await undoBatch(inside, merge_id)
      return { batch_id, left_alone: counts.left_alone ?? 0 }
    })
  },
})
