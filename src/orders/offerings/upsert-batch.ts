import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, Name, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { NewRow } from '../../database/insert-rows.ts'
import { Version } from '../ledger/fields.ts'
import { ClearableDate, exampleIds, made, textOr } from './fields.ts'
import { batches, isCourse, type Key } from './offering-store.ts'
import { upsertOffering } from './upsert-offering.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  batch_id: Type.Optional(
    described(Id, 'Of a batch that exists; without it, course and name find or make one'),
  ),
  course_id: Type.Optional(described(Id, 'The course it is a batch of, which never changes')),
  version: Type.Optional(Version),
  name: Type.Optional(described(Name, 'One batch each within a course')),
  start_date: Type.Optional(ClearableDate),
  end_date: Type.Optional(ClearableDate),
  is_active: Type.Optional(Type.Boolean()),
})

type BatchInput = Static<typeof Input>
type BatchFields = NewRow<typeof batches.columns>

/** Creates or changes a batch (an intake) of a course. */
export const upsertBatch = endpoint({
  id: 'upsertBatch',
  method: 'POST',
  path: '/api/v5/entity/batch/upsert',
  group: 'Offerings',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Create or change a batch of a course',
  description:
    'Members that are left out stay as they are; a new batch needs course_id and name. Repeating a call changes nothing.',
  input: Input,
  oneOfSets: [['batch_id'], ['course_id', 'name']],
  rules: namesABatch,
  data: Type.Object({ batch_id: Id, ...made }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      course_id: '01906bce4a80702fafa169e5b2f38b96',
      name: 'Spring 2027',
      start_date: '2027-03-01',
      end_date: '2028-12-20',
    },
    data: { batch_id: exampleIds.batch_id, version: 1, is_created: true },
  },
  errors: ['courseNotFound', 'batchNotFound', 'taken', 'staleVersion'],

  async handle(context, input) {
    const { corp_id, batch_id, course_id, name, version } = input
    if (course_id !== undefined && !(await isCourse(context.db, corp_id, course_id))) {
      throw new ApiError('courseNotFound')
    }
    const key: Key = batch_id === undefined ? { course_id: course_id!, name: name! } : { batch_id }
    const { id, ...answer } = await upsertOffering(context, batches, {
      key,
      version,
      newId: batch_id === undefined ? context.newId() : undefined,
      edit: (current) => edited(input, current),
      unique: { param: 'name', index: 'batches_corp_id_course_id_name_key' },
    })
    return { batch_id: id, ...answer }
  },
})

function namesABatch(_input: Partial<BatchInput>, isSent: (name: string) => boolean): InputFault[] {
  if (isSent('batch_id')) return []
  return ['course_id', 'name']
    .filter((param) => !isSent(param))
    .map((param) => ({ param, reason: 'is required (or batch_id)', missing: true }))
}

function edited(input: BatchInput, current: BatchFields | undefined): BatchFields {
  if (current && input.course_id !== undefined && input.course_id !== current.course_id) {
    throw new ApiError('batchNotFound', {
      errors: [{ param: 'batch_id', reason: 'must be a batch of this course' }],
    })
  }
  const fields = {
    course_id: current?.course_id ?? input.course_id!,
    name: input.name ?? current?.name ?? null,
    start_date: textOr(input.start_date, current?.start_date),
    end_date: textOr(input.end_date, current?.end_date),
    is_active: input.is_active ?? current?.is_active ?? true,
  }
  const { start_date, end_date } = fields
  if (start_date && end_date && end_date < start_date)
    throw invalid('end_date', 'must not be before start_date')
  return fields
}
