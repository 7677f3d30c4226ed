import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { deleteView, listViews, saveView } from './views.ts'

let server: TestServer
let school: TestOrganization
let wang: TestColleague
let li: TestColleague
let admin: TestColleague
let viewer: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  const hire = (role: 'counsellor' | 'admin' | 'viewer') => hireStaff(server, school.corp_id, role)
  ;[wang, li, admin, viewer] = [
    await hire('counsellor'),
    await hire('counsellor'),
    await hire('admin'),
    await hire('viewer'),
  ]
})
afterAll(() => server?.close())

const view = {
  screen: 'people',
  name: 'Mine',
  filters: 'pool=alive&name=%E7%8E%8B',
  columns: ['name', 'pool'],
}
const names = async (who: TestColleague) =>
  (await who.call(listViews, { screen: 'people' })).data.list.map(({ name }: { name: string }) => name)

test('a view is private until it is shared, and is returned as it was saved', async () => {
  const { data } = await wang.call(saveView, view)
  expect(data).toMatchObject({ ...view, is_shared: false, is_own: true })
  expect(await names(wang)).toEqual(['Mine'])
  expect(await names(li)).toEqual([])
  await wang.call(saveView, { ...view, view_id: data.view_id, is_shared: true, name: 'Ours' })
  expect(await names(li)).toEqual(['Ours'])
  expect((await li.call(listViews, { screen: 'leads' })).data.list).toEqual([])
})

test('omitted members do not change; empty members become empty', async () => {
  const { data } = await wang.call(saveView, { ...view, is_shared: true })
  const renamed = { view_id: data.view_id, screen: view.screen, name: 'Renamed' }
  expect((await wang.call(saveView, renamed)).data).toEqual({ ...data, name: 'Renamed' })
  const emptied = { filters: '', columns: [], is_shared: false }
  expect((await wang.call(saveView, { ...renamed, ...emptied })).data).toMatchObject(emptied)
  await wang.call(deleteView, { view_id: data.view_id })
})

test('only its owner and an administrator change or delete a view; an invisible one looks missing', async () => {
  const own = (await wang.call(saveView, { ...view, name: 'Private' })).data.view_id
  const everybodys = (await wang.call(saveView, { ...view, name: 'Shared', is_shared: true })).data.view_id
  const codes = async (who: TestColleague, view_id: string) => [
    (await who.call(saveView, { ...view, view_id, name: 'X', is_shared: true })).code,
    (await who.call(deleteView, { view_id })).code,
  ]
  expect(await codes(li, own)).toEqual([40426, 40426])
  expect(await codes(li, everybodys)).toEqual([40303, 40303])
  expect(await codes(admin, own)).toEqual([40426, 40426])
  expect(await codes(admin, everybodys)).toEqual([0, 0])
  expect(await codes(wang, own)).toEqual([0, 0])
})

test('a viewer saves views and cannot share them', async () => {
  expect((await viewer.call(saveView, view)).code).toBe(0)
  expect((await viewer.call(saveView, { ...view, is_shared: true })).code).toBe(40303)
})

test('the number of views per person is limited', async () => {
  const codes: number[] = []
  for (let n = 0; n < 201; n++) codes.push((await li.call(saveView, { ...view, name: `View ${n}` })).code)
  expect(codes.filter((code) => code === 0)).toHaveLength(200)
  expect(codes.at(-1)).toBe(40904)
})
