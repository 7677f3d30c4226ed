import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { namedObject, OrganizationId } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { requireReachToBatch } from './batch-reach.ts'
import { BatchId, batchData, ChangeBatchData, exampleBatchId, exampleUndoId } from './change-batch-fields.ts'
import { countLeftAlone, findBatch, findShownBatch, listLeftAlone } from './change-batch-store.ts'
import { finishUndo, isArchived, startUndo, undoBatch, undoFirst } from './undo-batch.ts'

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
    'and can be undone. Each restored record gets a new version and time, and its history continues. A merge is undone ' +
    'whole, or refused with 40904: `data.merge_id` names a later merge that must be undone first.',
  input: Type.Object({ corp_id: OrganizationId, batch_id: BatchId }),
  data: ChangeBatchData,
  example: {
    input: { corp_id: 'lakeside', batch_id: exampleBatchId },
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
      ...{ removed_leads: 36, removed_users: 24, restored_leads: 0, restored_users: 5 },
      left_alone: 1,
      ctime: '2026-11-15 09:40:00',
      mtime: '2026-11-15 09:40:01',
    },
  },
  errors: ['changeBatchNotFound', 'stateForbids'],

  async handle(context, { corp_id, batch_id }) {
    const batch = await findBatch(context.db, corp_id, batch_id)
    if (batch) await requireReachToBatch(context, batch)
    const undo_id =
      batch?.root_kind === 'user_merge'
        ? (await undoBatch(context, batch_id)).batch_id
        : await startUndo(context, batch_id)
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
    input: { corp_id: 'lakeside', batch_id: exampleBatchId },
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
      ...{ removed_leads: 0, removed_users: 0, restored_leads: 0, restored_users: 0 },
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

const Row = namedObject('LeftAlone', {
  record_type: Type.String({ description: 'users, user_claims, user_tags, leads, orders' }),
  record_id: Type.String(),
  reason: Type.String(),
  members: Type.Array(Type.String(), {
    description: 'The members that were not restored, if the rest was',
  }),
})

/** The records that an undo did not restore, or not completely. */
export const listLeftAloneRecords = endpoint({
  id: 'listLeftAloneRecords',
  method: 'GET',
  path: '/api/v5/entity/changes/left-alone/list',
  group: 'Changes',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the records that an undo left alone',
  input: Type.Object({ corp_id: OrganizationId, batch_id: BatchId, ...pageParameters }),
  data: pageOf(Row),
  example: {
    input: { corp_id: 'lakeside', batch_id: exampleUndoId, page: 0, page_size: 10 },
    data: examplePage({
      record_type: 'users',
      record_id: '019672b93ea877f0b98a30ed5184dccd',
      reason: 'was changed since',
      members: ['name'],
    }),
  },
  errors: ['changeBatchNotFound', 'stateForbids'],

  async handle({ db }, { corp_id, batch_id, ...paging }) {
    const { page, page_size, ...window } = windowOf(paging)
    const batch = await findBatch(db, corp_id, batch_id)
    if (!batch) throw new ApiError('changeBatchNotFound')
    if (batch.archive_id !== null) throw isArchived()
    const total = await countLeftAlone(db, corp_id, batch_id)
    const rows = await listLeftAlone(db, corp_id, batch_id, window)
    const list = rows.map(({ record_type, record_id, left_alone }) => ({
      record_type,
      record_id,
      ...left_alone,
    }))
    return { total, page, page_size, list }
  },
})
