import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requireReachToBatch } from './batch-reach.ts'
import { BatchId, batchData, ChangeBatchData, exampleBatchId, exampleUndoId } from './change-batch-fields.ts'
import { findBatch, findShownBatch } from './change-batch-store.ts'
import { finishUndo, startUndo, undoFirst } from './undo-batch.ts'

/** Undoes a batch of changes. */
export const undoChanges = endpoint({
  id: 'undoChanges',
  method: 'POST',
  path: '/api/v5/entity/changes/undo',
  group: 'Changes',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Undo a batch of changes',
  description:
    'Restores every record of the batch that nothing else has changed since. Of the other records, it restores the members ' +
    'that nobody else has changed; changes/left-alone/list shows the rest. A small batch is undone when the response ' +
    'arrives; a large one continues in the background, and changes/fetch shows its progress. An undo is a batch as well, ' +
    'and can be undone. Each restored record gets a new version and time, and its history continues.',
  input: Type.Object({ corp_id: OrganizationId, batch_id: BatchId }),
  data: ChangeBatchData,
  example: {
    input: { corp_id: 'northgate', batch_id: exampleBatchId },
    data: {
      batch_id: exampleUndoId,
      kind: 'undo',
      executor_id: 'console',
      is_complete: true,
      changes: 66,
      undoes_batch_id: exampleBatchId,
      remaining: 0,
      undone_by_batch_id: '',
      removed: 60,
      restored: 5,
      left_alone: 1,
      ctime: '2026-11-15 09:40:00',
      mtime: '2026-11-15 09:40:01',
    },
  },
  errors: ['changeBatchNotFound', 'stateForbids'],

  async handle(context, { corp_id, batch_id }) {
    const batch = await findBatch(context.db, corp_id, batch_id)
    if (batch) await requireReachToBatch(context, batch)
    const undo_id = await startUndo(context, batch_id)
    await undoFirst(context, undo_id)
    const undo = await findShownBatch(context.db, context.organization, undo_id)
    if (!undo) throw new ApiError('changeBatchNotFound')
    return batchData(undo)
  },

  async afterwards(context, { corp_id, batch_id }) {
    const batch = await findBatch(context.db, corp_id, batch_id)
    if (batch?.undone_by_batch_id) await finishUndo(context, batch.undone_by_batch_id)
  },
})
