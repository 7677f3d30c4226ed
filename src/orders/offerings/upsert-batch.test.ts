import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { listBatches } from './list-batches.ts'
import { upsertBatch } from './upsert-batch.ts'
import { upsertCourse } from './upsert-course.ts'

let server: TestServer
let school: TestOrganization
let course_id: string
let other_course_id: string
beforeAll(async () => {
  server = await startTestServer()
  school = await openOrganization(server)
  const make = async (course_code: string) => {
    const course = { course_code, name: course_code, listed_price: 100 }
    return (await school.call(upsertCourse, course)).data.course_id as string
  }
  course_id = await make('ONE')
  other_course_id = await make('OTHER')
})
afterAll(() => server?.close())

const upsert = (input: object) => school.call(upsertBatch, { ...input })

test('a repeated call changes nothing; a change increases the version by one', async () => {
  const batch = { course_id, name: 'Spring 2027', start_date: '2027-03-01', end_date: '2027-08-31' }
  const { data } = await upsert(batch)
  expect(data).toEqual({ batch_id: expect.any(String), version: 1, is_created: true })
  expect((await upsert(batch)).data).toEqual({ ...data, is_created: false })
  const changed = await upsert({ batch_id: data.batch_id, end_date: '', is_active: false })
  expect(changed.data).toEqual({ batch_id: data.batch_id, version: 2, is_created: false })
  const { list } = (await school.call(listBatches, { course_id, is_active: 'false' })).data
  expect(list).toMatchObject([
    { ...batch, batch_id: data.batch_id, end_date: '', is_active: false, version: 2 },
  ])
})

test('the same name in another course is another batch', async () => {
  const [one, other] = [
    await upsert({ course_id, name: 'Autumn' }),
    await upsert({ course_id: other_course_id, name: 'Autumn' }),
  ]
  expect(other.data).toMatchObject({ is_created: true })
  expect(other.data.batch_id).not.toBe(one.data.batch_id)
})

test.each([
  [{ name: 'x' }, 40001],
  [{}, 40001],
  [{ course_id: 'nowhere', name: 'x' }, 40407],
  [{ batch_id: 'nowhere', name: 'x' }, 40408],
])('%o is refused with %i', async (input, code) => {
  expect((await upsert(input)).code).toBe(code)
})

test('days that do not exist or are reversed are refused', async () => {
  const days = (start_date: string, end_date: string) =>
    upsert({ course_id, name: 'Days', start_date, end_date })
  expect((await days('2027-02-29', '2027-03-01')).data.errors).toMatchObject([{ param: 'start_date' }])
  expect((await days('2027-03-02', '2027-03-01')).data.errors).toMatchObject([{ param: 'end_date' }])
  expect((await days('2028-02-29', '2028-02-29')).code).toBe(0)
})

test('a batch stays with its course, and its name is unique there', async () => {
  const { batch_id } = (await upsert({ course_id, name: 'Stays' })).data
  await upsert({ course_id, name: 'Taken' })
  expect(await upsert({ batch_id, course_id: other_course_id })).toMatchObject({ code: 40408 })
  expect(await upsert({ batch_id, name: 'Taken' })).toMatchObject({ code: 40901 })
  expect(await upsert({ batch_id, version: 2, name: 'Other' })).toMatchObject({ code: 40902 })
})

test('50 simultaneous upserts of one batch make one', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => upsert({ course_id, name: 'Raced' })))
  expect(new Set(answers.map(({ code, data }) => `${code} ${data.batch_id} ${data.version}`)).size).toBe(1)
  expect(answers.filter(({ data }) => data.is_created)).toHaveLength(1)
})

test('a list and its total have the same filter, page by page, the oldest first', async () => {
  const { data: course } = await school.call(upsertCourse, {
    course_code: 'PAGED',
    name: 'Paged',
    listed_price: 1,
  })
  const names = Array.from({ length: 7 }, (_, index) => `Batch ${index}`)
  for (const name of names) await upsert({ course_id: course.course_id, name })
  const pages = [0, 1, 2].map(async (page) => {
    const query = { course_id: course.course_id, page, page_size: 3 }
    const { data } = await school.call(listBatches, query)
    expect(data).toMatchObject({ total: 7, page, page_size: 3 })
    return data.list.map(({ name }: { name: string }) => name)
  })
  expect((await Promise.all(pages)).flat()).toEqual(names)
  expect((await school.call(listBatches)).data).toMatchObject({ page: 0, page_size: 10 })
  expect(await school.call(listBatches, { course_id: 'nowhere' })).toMatchObject({ code: 40407 })
  expect(await school.call(listBatches, { page_size: 1001 })).toMatchObject({ code: 40002 })
  expect(await school.call(listBatches, { is_active: 'yes' })).toMatchObject({ code: 40002 })
})
