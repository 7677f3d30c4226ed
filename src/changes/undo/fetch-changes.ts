import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { BatchId, batchData, ChangeBatchData, exampleBatchId, exampleUndoId } from './change-batch-fields.ts'
import { findShownBatch } from './change-batch-store.ts'

/** Shows the progress of a batch of changes, and whether it was undone. */
export const fetchChanges = endpoint({
  id: 'fetchChanges',
  method: 'GET',
  path: '/api/v5/entity/changes/fetch',
  group: 'Changes',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a batch of changes',
  input: Type.Object({ corp_id: OrganizationId, batch_id: BatchId }),
  data: ChangeBatchData,
  example: {
    input: { corp_id: 'northgate', batch_id: exampleBatchId },
    data: {
      batch_id: exampleBatchId,
      kind: 'lead_import',
      executor_id: 'console',
      is_complete: true,
      changes: 66,
      undoes_batch_id: '',
      remaining: 0,
      undone_by_batch_id: exampleUndoId,
      removed: 0,
      restored: 0,
      left_alone: 0,
      ctime: '2026-11-15 09:30:00',
      mtime: '2026-11-15 09:40:00',
    },
  },
  errors: ['changeBatchNotFound'],

  async handle({ db, organization }, { batch_id }) {
    const found = await findShownBatch(db, organization, batch_id)
    if (!found) throw new ApiError('changeBatchNotFound')
    return batchData(found)
  },
})
