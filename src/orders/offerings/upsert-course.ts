import { endpoint } from '../../contract/endpoint.ts'
import { type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, Name, OrganizationId, optionalLine } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { NewRow } from '../../database/insert-rows.ts'
import { Currency, Price, Version } from '../ledger/fields.ts'
import { ClearableTime, exampleIds, localTimes, made, textOr, timeOr } from './fields.ts'
import { courses, type Key } from './offering-store.ts'
import { refuseIncomplete, upsertOffering } from './upsert-offering.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  course_id: Type.Optional(
    described(Id, 'Of a course that exists; without it, course_code finds or makes one'),
  ),
  course_code: Type.Optional(described(Id, 'The school’s own code, one course each')),
  version: Type.Optional(Version),
  name: Type.Optional(Name),
  school_name: optionalLine(),
  program_code: optionalLine(),
  product_family_or_lob_category: optionalLine(),
  online_application_name: optionalLine(),
  currency: Type.Optional(
    described(Currency, 'ISO 4217 code; of a new course by default the organization’s'),
  ),
  listed_price: Type.Optional(Price),
  start_time: Type.Optional(ClearableTime),
  end_time: Type.Optional(ClearableTime),
  is_active: Type.Optional(Type.Boolean({ description: 'An inactive course takes no new orders' })),
})

type CourseInput = Static<typeof Input>
type CourseFields = NewRow<typeof courses.columns>

/** Creates or changes a course. Orders keep their copy of it. */
export const upsertCourse = endpoint({
  id: 'upsertCourse',
  method: 'POST',
  path: '/api/v5/entity/course/upsert',
  group: 'Offerings',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  staffPermission: 'finance',
  summary: 'Create or change a course',
  description:
    'Members that are left out stay as they are; a new course needs course_code, name and listed_price. Repeating a ' +
    'call changes nothing. Orders show the course as it was when they were made.',
  input: Input,
  oneOfSets: [['course_id'], ['course_code']],
  rules: namesACourse,
  data: Type.Object({ course_id: Id, ...made }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      course_code: 'EMBA-2027',
      name: 'Executive MBA 2027',
      school_name: 'School of Management',
      currency: 'CNY',
      listed_price: 1_380_000,
      start_time: '2027-03-01 09:00:00',
      end_time: '2028-12-20 18:00:00',
    },
    data: { course_id: exampleIds.course_id, version: 1, is_created: true },
  },
  errors: ['courseNotFound', 'taken', 'staleVersion'],

  async handle(context, input) {
    const { course_id, course_code, version } = input
    const key: Key = course_id === undefined ? { course_code: course_code! } : { course_id }
    const { id, ...answer } = await upsertOffering(context, courses, {
      key,
      version,
      newId: course_id === undefined ? context.newId() : undefined,
      edit: (current) => edited(input, current, context.organization),
      unique: { param: 'course_code', index: 'courses_corp_id_course_code_key' },
    })
    return { course_id: id, ...answer }
  },
})

function namesACourse(_input: Partial<CourseInput>, isSent: (name: string) => boolean): InputFault[] {
  if (isSent('course_id') || isSent('course_code')) return []
  return [{ param: 'course_code', reason: 'is required (or course_id)', missing: true }]
}

function edited(
  input: CourseInput,
  current: CourseFields | undefined,
  organization: { time_zone: string; currency: string },
): CourseFields {
  const read = localTimes(organization.time_zone)
  const fields = {
    course_code: input.course_code ?? current?.course_code ?? null,
    name: input.name ?? current?.name ?? null,
    school_name: textOr(input.school_name, current?.school_name),
    program_code: textOr(input.program_code, current?.program_code),
    product_family_or_lob_category: textOr(
      input.product_family_or_lob_category,
      current?.product_family_or_lob_category,
    ),
    online_application_name: textOr(input.online_application_name, current?.online_application_name),
    currency: input.currency ?? current?.currency ?? organization.currency,
    listed_price: input.listed_price ?? current?.listed_price ?? null,
    start_time: timeOr(input.start_time, current?.start_time, read),
    end_time: timeOr(input.end_time, current?.end_time, read),
    is_active: input.is_active ?? current?.is_active ?? true,
  }
  const { name, listed_price, start_time, end_time } = fields
  refuseIncomplete('course', { name, listed_price })
  if (start_time && end_time && end_time < start_time)
    throw invalid('end_time', 'must not be before start_time')
  return fields
}
