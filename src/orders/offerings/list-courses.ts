import { endpoint } from '../../contract/endpoint.ts'
import { described, Money, namedObject, Timestamp } from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { exampleIds, filterOf, pageInput } from './fields.ts'
import { courses, listOfferings } from './offering-store.ts'

const Course = namedObject('Course', {
  course_id: Type.String(),
  course_code: Type.String(),
  name: Type.String(),
  school_name: Type.String(),
  program_code: Type.String(),
  product_family_or_lob_category: Type.String(),
  online_application_name: Type.String(),
  currency: Type.String(),
  listed_price: Money,
  start_time: described(Timestamp, 'In the zone of the organization; "" where there is none'),
  end_time: described(Timestamp, 'In the zone of the organization; "" where there is none'),
  is_active: Type.Boolean(),
  ctime: Timestamp,
  mtime: Timestamp,
  version: Type.Integer(),
})

/** The courses of an organization. */
export const listCourses = endpoint({
  id: 'listCourses',
  method: 'GET',
  path: '/api/v5/entity/course/list',
  group: 'Offerings',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List courses',
  description: 'Oldest first.',
  input: Type.Object(pageInput),
  data: pageOf(Course),
  example: {
    input: { corp_id: exampleIds.corp_id, is_active: 'true' },
    data: examplePage({
      course_id: exampleIds.course_id,
      course_code: 'EMBA-2027',
      name: 'Executive MBA 2027',
      school_name: 'School of Management',
      program_code: '',
      product_family_or_lob_category: '',
      online_application_name: '',
      currency: 'CNY',
      listed_price: 1_380_000,
      start_time: '2027-03-01 09:00:00',
      end_time: '2028-12-20 18:00:00',
      is_active: true,
      ctime: '2026-11-15 10:00:00',
      mtime: '2026-11-15 10:00:00',
      version: 1,
    }),
  },

  async handle({ db, organization }, input) {
    return listOfferings<Static<typeof Course>>(db, courses, filterOf(input), organization.time_zone)
  },
})
