import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { fetchPayer } from '../../orders/payers/list-payers.ts'
import { createUser } from '../../people/users/create-user.ts'
import { eraseUser } from '../erasure/erase-user.ts'
import { exportUser } from '../erasure/lift-erasure.ts'
import { mergeUsers, unmergeUsers } from './merge-users.ts'

let server: TestServer
let org: TestOrganization
let token: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  org = await openOrganization(server)
  const wanted = { name: 'Admin', corp_ids: [org.corp_id], permissions: ['read', 'write', 'admin'] }
  token = await server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
})
afterAll(() => server?.close())

test('a payer follows its person into a merge and back, and is exported and erased with them', async () => {
  const contact = { area_code: '86', mobile: '13800000001' }
  const [survivor, merged] = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const { data } = await org.call(createUser, { email: `${name}@example.com` })
      return data.user_id as string
    }),
  )
  const payer = { name: 'Mei', kind: 'person', ...contact, remarks: 'pays late' }
  const { payer_id } = (await org.call(createPayer, { ...payer, user_id: merged })).data
  const userOf = async () => (await org.call(fetchPayer, { payer_id })).data.user_id
  const { merge_id } = (await org.call(mergeUsers, { user_id: survivor, merged_user_id: merged })).data
  expect(await userOf()).toBe(survivor)
  await org.call(unmergeUsers, { merge_id })
  expect(await userOf()).toBe(merged)

  const asAdmin = { token }
  const user = { corp_id: org.corp_id, user_id: merged }
  const exported = await server.call(exportUser, user, asAdmin)
  expect(JSON.stringify(exported.data)).toContain('pays late')
  expect((await server.call(eraseUser, { ...user, reason: 'Asked for it' }, asAdmin)).code).toBe(0)
  expect((await org.call(fetchPayer, { payer_id })).data).toMatchObject({
    ...{ payer_id, name: '', user_id: '', mobile: '', remarks: '', kind: 'person' },
  })
})
