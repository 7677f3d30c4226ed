import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createUser } from '../../people/users/create-user.ts'
import { listUserHistory } from '../../people/users/fetch-profile.ts'
import { mergeUsers } from '../merging/merge-users.ts'
import { bulkUpdateUsers } from './bulk-update.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

async function openPair(): Promise<{ org: TestOrganization; a: string; b: string }> {
  const org = await openOrganization(server)
  const mobiles = ['13800000001', '13800000002']
  const made = mobiles.map((mobile) => org.call(createUser, { area_code: '86', mobile }))
  const [a, b] = (await Promise.all(made)).map(({ data }) => data.user_id as string)
  return { org, a: a!, b: b! }
}

describe('a user that was merged', () => {
  test.each([
    ['by its old id', ({ b }: { a: string; b: string }) => [b]],
    ['by both ids, once', ({ a, b }: { a: string; b: string }) => [b, a, b]],
  ])('is edited as the survivor %s', async (_, idsOf) => {
    const { org, a, b } = await openPair()
    await org.call(mergeUsers, { user_id: a, merged_user_id: b })
    const edit = { user_ids: idsOf({ a, b }), pool: 'alive', add_owner_ids: ['z'] }
    const list = [{ user_id: a, name: '', outcome: 'changed', pool: 'alive', owner_ids: ['z'], tags: 0 }]
    const counts = { is_complete: true, changed: 1, unchanged: 0, missing: 0, missing_ids: [] }
    const planned = await org.call(bulkUpdateUsers, { ...edit, dry_run: true })
    expect(planned.data).toEqual({ batch_id: '', matched: edit.user_ids.length, ...counts, list })
    expect((await org.call(bulkUpdateUsers, edit)).data).toMatchObject({ ...counts, list })
    const { data } = await org.call(listUserHistory, { user_id: a })
    expect(data.list.map(({ event }: { event: string }) => event)).toEqual(['merged', 'edited'])
  })

  test('is found by a concurrent edit', async () => {
    for (let race = 0; race < 8; race++) {
      const { org, a, b } = await openPair()
      const [edited] = await Promise.all([
        org.call(bulkUpdateUsers, { user_ids: [b], add_owner_ids: ['z'] }),
        org.call(mergeUsers, { user_id: a, merged_user_id: b }),
      ])
      expect(edited.data).toMatchObject({ changed: 1, missing: 0 })
      const { data } = await org.call(bulkUpdateUsers, { user_ids: [a], dry_run: true })
      expect(data.list).toMatchObject([{ owner_ids: ['z'] }])
    }
  })

  test('is distinguished from an unknown one', async () => {
    const { org, a, b } = await openPair()
    await org.call(mergeUsers, { user_id: a, merged_user_id: b })
    const { data } = await org.call(bulkUpdateUsers, { user_ids: [b, 'nobody'], pool: 'dead' })
    expect(data).toMatchObject({ changed: 1, missing: 1, list: [{ user_id: a, pool: 'dead' }] })
  })
})
