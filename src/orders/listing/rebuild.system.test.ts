import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { cleanUp, startService } from '../../../test/harness/process.ts'
import { obtainToken } from '../../../test/harness/server.ts'
import { createKeyring } from '../../access/organizations/keyring.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { fetchOrder } from './fetch-order.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('an outdated read model does not delay the start: the server rebuilds it in the background', async () => {
  const key = 'ab'.repeat(32)
  const school = await openLedger(database)
  const { order_id } = await school.order()
  const wanted = { name: 'Reader', corp_ids: [school.corp_id] }
  const keyring = createKeyring([Buffer.from(key, 'hex')])
  const account = await createAccount(database.owner, keyring, wanted, new Date())
  await database.superuser.query(
    `update derived_data_versions set fingerprint = 'older' where corp_id = $1 and name = 'orders'`,
    [school.corp_id],
  )
  await database.superuser.query(
    `update order_read_model set renderer = 'older', detail = replace(detail, '"created"', '"stale"') where corp_id = $1`,
    [school.corp_id],
  )
  const service = startService({ ...database.settings, MATRICULA_KEY: key })
  try {
    const url = await service.ready
    const token = await obtainToken(url, account)
    const query = new URLSearchParams({ corp_id: school.corp_id, order_id })
    const answer = await fetch(`${url}${fetchOrder.path}?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await answer.json()).toMatchObject({ code: 0, data: { status: 'created' } })
    await expect.poll(() => service.stderr(), { timeout: 15_000 }).toContain('derived data rebuilt')
  } finally {
    await cleanUp()
  }
})
