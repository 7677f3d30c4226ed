import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createOrder } from '../create-order.ts'
import { listCourses } from './list-courses.ts'
import { upsertCourse } from './upsert-course.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer()
  school = await openOrganization(server, 'America/New_York')
})
afterAll(() => server?.close())

let codes = 0
const newCourse = () => ({
  course_code: `C-${++codes}`,
  name: 'A course',
  currency: 'CNY',
  listed_price: 1000,
})
const upsert = (input: object) => school.call(upsertCourse, { ...input })
const made = async (input: object = {}) => {
  const course = { ...newCourse(), ...input }
  return { ...course, course_id: (await upsert(course)).data.course_id as string }
}
const stored = async (course_id: string) => {
  const { data } = await school.call(listCourses, { page_size: 1000 })
  return data.list.find((course: { course_id: string }) => course.course_id === course_id)
}

test('a repeated call changes nothing and returns the same course', async () => {
  const course = { ...newCourse(), start_time: '2027-03-01 09:00:00', school_name: '管理学院' }
  const first = await upsert(course)
  expect(first.data).toEqual({ course_id: expect.any(String), version: 1, is_created: true })
  const before = await stored(first.data.course_id)
  const again = await upsert(course)
  expect(again.data).toEqual({ course_id: first.data.course_id, version: 1, is_created: false })
  expect(await stored(first.data.course_id)).toEqual(before)
})

test('a change increases the version by one, and omitted members stay', async () => {
  const { course_id, course_code } = await made({ school_name: 'Lakeside', end_time: '2027-06-30' })
  const before = await stored(course_id)
  expect((await upsert({ course_id, listed_price: 900 })).data).toEqual({
    course_id,
    version: 2,
    is_created: false,
  })
  expect((await upsert({ course_code, is_active: false })).data).toMatchObject({ course_id, version: 3 })
  const { mtime: _, ...after } = await stored(course_id)
  expect({ ...before, ...after }).toEqual({ ...before, listed_price: 900, is_active: false, version: 3 })
})

test('texts and times can be removed', async () => {
  const { course_id } = await made({ school_name: 'Lakeside', start_time: '2027-06-30 10:00:00' })
  await upsert({ course_id, school_name: '', start_time: '' })
  expect(await stored(course_id)).toMatchObject({ school_name: '', start_time: '', version: 2 })
})

test('times are read and shown in the zone of the organization, on days with a DST change too', async () => {
  const { course_id } = await made({ start_time: '2027-03-14 03:30:00', end_time: '2027-11-07 23:00:00' })
  const { rows } = await server.database.superuser.query(
    'select start_time, end_time from courses where course_id = $1',
    [course_id],
  )
  expect(rows[0].start_time.toISOString()).toBe('2027-03-14T07:30:00.000Z')
  expect(rows[0].end_time.toISOString()).toBe('2027-11-08T04:00:00.000Z')
  expect(await stored(course_id)).toMatchObject({
    start_time: '2027-03-14 03:30:00',
    end_time: '2027-11-07 23:00:00',
  })
})

describe('refuses', () => {
  test.each([
    [{ course_code: 'new' }, 40001, ['name', 'listed_price']],
    [{ name: 'x', listed_price: 1 }, 40001, ['course_code']],
    [{ ...newCourse(), listed_price: -1 }, 40002, ['listed_price']],
    [{ ...newCourse(), listed_price: 1.5 }, 40002, ['listed_price']],
    [{ ...newCourse(), listed_price: largestAmount + 1 }, 40002, ['listed_price']],
    [{ ...newCourse(), currency: 'XXX' }, 40002, ['currency']],
    [{ ...newCourse(), start_time: '2027-02-30' }, 40002, ['start_time']],
    [{ ...newCourse(), start_time: '2027-03-02', end_time: '2027-03-01' }, 40002, ['end_time']],
  ])('%o', async (input, code, params) => {
    const answer = await upsert(input)
    expect(answer.code).toBe(code)
    expect(answer.data.errors.map(({ param }: { param: string }) => param)).toEqual(params)
  })

  test('an end that an update would put before the start', async () => {
    const { course_id } = await made({ start_time: '2027-03-02' })
    expect(await upsert({ course_id, end_time: '2027-03-01' })).toMatchObject({ code: 40002 })
  })

  test('an id that does not exist, and a version of a course that does not exist', async () => {
    expect(await upsert({ ...newCourse(), course_id: 'nowhere' })).toMatchObject({ code: 40407 })
    expect(await upsert({ ...newCourse(), version: 1 })).toMatchObject({ code: 40407 })
  })

  test('the code of another course', async () => {
    const [one, other] = [await made(), await made()]
    const answer = await upsert({ course_id: one.course_id, course_code: other.course_code })
    expect(answer).toMatchObject({ code: 40901, data: { errors: [{ param: 'course_code' }] } })
    expect(await stored(one.course_id)).toMatchObject({ course_code: one.course_code, version: 1 })
  })

  test('a version that is not the current one', async () => {
    const { course_id } = await made()
    expect(await upsert({ course_id, version: 1, name: 'Second' })).toMatchObject({ code: 0 })
    expect(await upsert({ course_id, version: 1, name: 'Third' })).toMatchObject({
      code: 40902,
      msg: 'The course has version 2, not 1.',
    })
  })
})

test('100 simultaneous upserts of one course_code make one course', async () => {
  const course = newCourse()
  const answers = await Promise.all(Array.from({ length: 100 }, () => upsert(course)))
  expect(new Set(answers.map(({ code, data }) => `${code} ${data.course_id} ${data.version}`)).size).toBe(1)
  expect(answers.filter(({ data }) => data.is_created)).toHaveLength(1)
})

test('of 20 changes of the same version, one succeeds', async () => {
  const { course_id } = await made()
  const changes = Array.from({ length: 20 }, (_, index) =>
    upsert({ course_id, version: 1, name: `Name ${index}` }),
  )
  const outcomes = (await Promise.all(changes)).map(({ code }) => code)
  expect(outcomes.toSorted()).toEqual([0, ...Array(19).fill(40902)])
  expect(await stored(course_id)).toMatchObject({ version: 2 })
})

test('of concurrent courses with one code, one gets it and the others are refused', async () => {
  const courses = await Promise.all(Array.from({ length: 8 }, () => made()))
  const answers = await Promise.all(
    courses.map(({ course_id }) => upsert({ course_id, course_code: 'WANTED' })),
  )
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, ...Array(7).fill(40901)])
})

test('orders keep the earlier price of the course, and an inactive course accepts no orders', async () => {
  const { course_id } = await made()
  const user = await school.call(createUser, { email: 'buyer@example.com' })
  const order = { user_id: user.data.user_id, course_id }
  await upsert({ course_id, listed_price: 700 })
  expect((await school.call(createOrder, order)).data).toMatchObject({ total_price: 700, currency: 'CNY' })
  await upsert({ course_id, is_active: false })
  expect(await school.call(createOrder, order)).toMatchObject({ code: 40904 })
})
