import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { namedObject, OrganizationId } from '../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { BatchId, exampleUndoId } from './change-batch-fields.ts'
import { countLeftAlone, findBatch, listLeftAlone } from './change-batch-store.ts'

const Row = namedObject('LeftAlone', {
  record_type: Type.String({ description: 'users, user_claims, user_tags, leads, orders' }),
  record_id: Type.String(),
  reason: Type.String(),
  members: Type.Array(Type.String(), {
    description: 'The members that were not restored, if the rest was',
  }),
})

/** The records that an undo did not put back, or not wholly. */
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
    input: { corp_id: 'northgate', batch_id: exampleUndoId, page: 0, page_size: 10 },
    data: {
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          record_type: 'users',
          record_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
          reason: 'was changed since',
          members: ['name'],
        },
      ],
    },
  },
  errors: ['changeBatchNotFound'],

  async handle({ db }, { corp_id, batch_id, ...paging }) {
    const { page, page_size, ...window } = windowOf(paging)
    if (!(await findBatch(db, corp_id, batch_id))) throw new ApiError('changeBatchNotFound')
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
