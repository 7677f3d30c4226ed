import { described, Id, namedObject, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { ChangeBatch } from './change-batch-store.ts'

export const BatchId = described(Id, 'ID of the batch')

/** A batch as responses show it. */
export const ChangeBatchData = namedObject('ChangeBatch', {
  batch_id: BatchId,
  kind: Type.String({
    description: 'lead_import, order_import, bulk_update, contact_update, user_merge or undo',
  }),
  executor_id: Type.String(),
  is_complete: Type.Boolean(),
  changes: Type.Integer({ description: 'Number of changed records' }),
  undoes_batch_id: Type.String({ description: 'Of an undo: the batch that it undoes; else ""' }),
  remaining: Type.Integer({
    description:
      'Of an undo: number of changes that it has not processed yet; of an edit in the background: of users',
  }),
  undone_by_batch_id: Type.String({ description: 'The undo of this batch; else ""' }),
  removed: Type.Integer({
    description: 'Of an undo: records that the batch had created and that it has removed',
  }),
  restored: Type.Integer({ description: 'Of an undo: restored records' }),
  removed_leads: Type.Integer({ description: 'Of an undo: the leads among `removed`' }),
  removed_users: Type.Integer({ description: 'Of an undo: the users among `removed`' }),
  restored_leads: Type.Integer({ description: 'Of an undo: the leads among `restored`' }),
  restored_users: Type.Integer({ description: 'Of an undo: the users among `restored`' }),
  left_alone: Type.Integer({
    description:
      'Of an undo: records that others have changed since, and that were not restored, or not completely',
  }),
  ctime: Timestamp,
  mtime: Timestamp,
})

export function batchData(
  batch: ChangeBatch & { ctime_text: string; mtime_text: string },
): Static<typeof ChangeBatchData> {
  const { removed = 0, restored = 0, left_alone = 0 } = batch.counts
  const { removed_leads = 0, removed_users = 0, restored_leads = 0, restored_users = 0 } = batch.counts
  return {
    batch_id: batch.batch_id,
    kind: batch.kind,
    executor_id: batch.executor_id,
    is_complete: batch.is_complete,
    changes: batch.records,
    undoes_batch_id: batch.undoes_batch_id ?? '',
    remaining: batch.remaining ?? 0,
    undone_by_batch_id: batch.undone_by_batch_id ?? '',
    removed,
    restored,
    ...{ removed_leads, removed_users, restored_leads, restored_users },
    left_alone,
    ctime: batch.ctime_text,
    mtime: batch.mtime_text,
  }
}

export const exampleBatchId = '0198c0de5a3b7c41a2f0d8e6b4937701'
export const exampleUndoId = '0198c0de5a3b7c41a2f0d8e6b4937702'
