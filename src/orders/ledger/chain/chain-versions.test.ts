import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { checkLedger } from '../../../backoffice/finance/check-ledger.ts'
import { createRemark } from '../../create-remark.ts'
import { createPayment } from '../../payments/create-payment.ts'
import { createRefund } from '../../payments/create-refund.ts'
import { chainVersions } from './chain-versions.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase('sample')
})

afterAll(() => database.drop())

test('an older database gets the very chain that it would have had, once, and the check agrees', async () => {
  const school = await openLedger(database)
  const { order_id } = await live(school)
  const { chains } = await checkLedger(database.app)
  expect(chains).toHaveLength(2)
  await forgetChains()
  const refused = school.run(createRemark, { order_id, content: 'Too early' })
  await expect(refused).rejects.toThrow('run matricula db migrate')
  const progress: [corp_id: string, versions: number, total: number][] = []
  const done = await Promise.all([
    chainVersions(database.owner, (...told) => progress.push(told)),
    chainVersions(database.owner, (...told) => progress.push(told)),
  ])
  const corpIds = chains.map(({ corp_id }) => corp_id)
  expect(done.flat().sort()).toEqual(corpIds.sort())
  for (const { corp_id, length } of chains) expect(progress).toContainEqual([corp_id, length, length])
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [], chains })
  expect(await chainVersions(database.owner)).toEqual([])
  await school.run(createRemark, { order_id, content: 'In time' })
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
})

/** What came with a version is in its record, table by table, and nothing else is. */
test('a version holds the facts that came with it, whole', async () => {
  const school = await openLedger(database)
  const { order_id, payment_id } = await live(school)
  const { rows } = await database.superuser.query(
    `select v.record->'facts' as facts,
            (select jsonb_agg(to_jsonb(p)) from payments p
              where p.corp_id = $2 and p.order_id = v.order_id and p.ctime = v.at) as payments
       from order_versions v where v.corp_id = $2 and v.order_id = $1 order by v.version`,
    [order_id, school.corp_id],
  )
  expect(rows.map(({ facts }) => Object.keys(facts))).toEqual([
    [],
    ['payments', 'receipts', 'payment_allocations'],
    ['refunds', 'refund_allocations'],
    ['order_remarks'],
  ])
  expect(rows[1].facts.payments).toEqual(rows[1].payments)
  expect(rows[1].facts.payments[0]).toMatchObject({ payment_id, price: 10_000 })
})

async function live(school: TestLedger) {
  const { order_id } = await school.order()
  const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
  await school.run(createRefund, { order_id, payment_id, price: 500 })
  await school.run(createRemark, { order_id, content: 'A remark' })
  return { order_id, payment_id }
}

/** As if a version of the service before the chain had made them. */
async function forgetChains(): Promise<void> {
  await database.superuser.query(`update order_versions set record = record - 'facts'`)
  await database.superuser.query('delete from ledger_chain')
  await database.superuser.query('update ledger_clocks set chain_head = null, chain_length = null')
}
