import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requireReachToBatch } from '../undo/batch-reach.ts'
import { findBatch } from '../undo/change-batch-store.ts'
import { undoBatch } from '../undo/undo-batch.ts'

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
    'changes/left-alone/list shows records that others changed since. changes/undo can undo the undo.',
  input: Type.Object({ corp_id: OrganizationId, merge_id: described(Id, 'The `merge_id` of user/merge') }),
  data: Type.Object({
    batch_id: described(Id, 'The undo'),
    left_alone: Type.Integer({ description: 'Records that others have changed since' }),
  }),
  example: {
    input: { corp_id: 'northgate', merge_id: '0198c0de5a3b7c41a2f0d8e6b4937703' },
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
