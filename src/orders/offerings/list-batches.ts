import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { DayText, described, Id, namedObject, Timestamp } from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { exampleIds, filterOf, pageInput } from './fields.ts'
import { batches, isCourse, listOfferings } from './offering-store.ts'

const Batch = namedObject('Batch', {
  batch_id: Type.String(),
  course_id: Type.String(),
  name: Type.String(),
  start_date: DayText,
  end_date: DayText,
  is_active: Type.Boolean(),
  ctime: Timestamp,
  mtime: Timestamp,
  version: Type.Integer(),
})

/** The batches of an organization, or of one of its courses. */
export const listBatches = endpoint({
  id: 'listBatches',
  method: 'GET',
  path: '/api/v5/entity/batch/list',
  group: 'Offerings',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List batches',
  description: 'Oldest first.',
  input: Type.Object({ ...pageInput, course_id: Type.Optional(described(Id, 'Only those of this course')) }),
  data: pageOf(Batch),
  example: {
    input: { corp_id: exampleIds.corp_id, page: 0, page_size: 10 },
    data: examplePage({
      batch_id: exampleIds.batch_id,
      course_id: exampleIds.course_id,
      name: 'Spring 2027',
      start_date: '2027-03-01',
      end_date: '2028-12-20',
      is_active: true,
      ctime: '2026-11-15 10:00:00',
      mtime: '2026-11-15 10:00:00',
      version: 1,
    }),
  },

  errors: ['courseNotFound'],

  async handle({ db, organization }, input) {
    const { corp_id, course_id } = input
    if (course_id !== undefined && !(await isCourse(db, corp_id, course_id)))
      throw new ApiError('courseNotFound')
    return listOfferings<Static<typeof Batch>>(db, batches, filterOf(input), organization.time_zone)
  },
})
