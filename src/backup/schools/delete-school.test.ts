import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { findTraces } from '../../../test/support/traces.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { cancelRequestedDeletion, requestDeletion } from '../../access/organizations/request-deletion.ts'
import { resumeOrganization } from '../../access/organizations/suspend-organization.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createUser } from '../../people/users/create-user.ts'
import { deleteSchool } from './delete-school.ts'
import { findOccupied } from './school-table-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const now = new Date('2027-01-01T00:00:00Z')
const later = (days: number) => new Date(now.getTime() + days * 86_400_000)

async function openSchool() {
  const school = await openLedger(database)
  const { order_id } = await school.order()
  await school.run(createPayment, { order_id, price: 10_000, charge_id: 'c1' })
  return school
}

test('a deletion has a waiting period, can be canceled until it is confirmed, and keeps the school suspended', async () => {
  const { corp_id } = await openSchool()
  const { owner } = database
  await expect(deleteSchool(owner, corp_id, now)).rejects.toThrow('Request the deletion')
  const requested = await requestDeletion(owner, corp_id, { reason: 'Contract ended' }, now)
  expect(requested.due_at).toEqual(later(30))
  expect(await requestDeletion(owner, corp_id, { reason: 'Contract ended', days: 0 }, now)).toEqual(requested)
  await expect(deleteSchool(owner, corp_id, later(29))).rejects.toThrow('can be confirmed from')
  await expect(resumeOrganization(owner, corp_id, 'Paid', now)).rejects.toThrow('Cancel it first')
  await cancelRequestedDeletion(owner, corp_id, now)
  await expect(deleteSchool(owner, corp_id, later(31))).rejects.toThrow('Request the deletion')
  await resumeOrganization(owner, corp_id, 'Paid', now)
  await expect(cancelRequestedDeletion(owner, corp_id, now)).rejects.toThrow('No deletion')
})

test('a confirmed deletion continues after a crash, certifies the deleted rows, and affects no other school', async () => {
  const { owner, superuser } = database
  const [school, other] = [await openSchool(), await openSchool()]
  const { corp_id } = school
  await school.run(createUser, { email: 'canary.wren@birds.example' })
  const only = await createAccount(owner, testKeyring, { name: 'Canary till', corp_ids: [corp_id] }, now)
  const corp_ids = [corp_id, other.corp_id]
  const both = await createAccount(owner, testKeyring, { name: 'Both', corp_ids }, now)
  const kept = (await verifyAudit(owner, other.corp_id)).chains
  await requestDeletion(owner, corp_id, { reason: 'Contract ended', days: 0 }, now)
  const { rows: counted } = await superuser.query(
    'select count(*)::int as payments from payments where corp_id = $1',
    [corp_id],
  )

  const crash = (_: number, __: number, table: string) => {
    if (table === 'orders') throw new Error('killed')
  }
  await expect(deleteSchool(owner, corp_id, now, crash)).rejects.toThrow('killed')
  await expect(cancelRequestedDeletion(owner, corp_id, now)).rejects.toThrow('has begun')
  const certificate = await deleteSchool(owner, corp_id, later(1))
  expect(certificate).toMatchObject({
    corp_id,
    rows: {
      payments: counted[0].payments,
      users: 2,
      organizations: 1,
      accounts: 1,
      account_organizations: 2,
    },
    heads: { length: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(await deleteSchool(owner, corp_id, later(2))).toEqual(certificate)

  expect(await findOccupied(owner.of(corp_id), corp_id)).toEqual([])
  expect(await findTraces(database, ['canary.wren@birds.example', 'Canary'])).toEqual([])
  const { rows: accounts } = await superuser.query('select app_id from accounts where app_id = any($1)', [
    [only.app_id, both.app_id],
  ])
  expect(accounts).toEqual([{ app_id: both.app_id }])
  expect((await verifyAudit(owner, other.corp_id)).chains).toEqual(kept)
  expect(await verifyAudit(owner)).toMatchObject({ total: 0 })
})
