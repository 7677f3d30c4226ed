import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { createRemark } from '../../create-remark.ts'
import { createPayment } from '../../payments/create-payment.ts'
import { createRefund } from '../../payments/create-refund.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase('sample')
})

afterAll(() => database.drop())

/** A version has the facts that were recorded with it, and no others. The payer is a label, and is_open is derived. */
test('a version holds the complete facts that were recorded with it', async () => {
  const school = await openLedger(database)
  const { order_id, payment_id } = await live(school)
  const { rows } = await database.superuser.query(
    `select v.record->'facts' as facts,
            (select jsonb_agg(to_jsonb(p) - 'payer_id' - 'is_open') from payments p
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

test('the last version holds its complete order and sub-orders, without erasable members', async () => {
  const school = await openLedger(database)
  const { order_id } = await live(school)
  const { rows } = await database.superuser.query(
    `select v.record->'order' as recorded, v.record->'sub_orders' as parts,
            (select to_jsonb(o) - array['user_copy', 'user_copy_salt', 'kept_copy_digest'] from orders o
              where o.corp_id = $2 and o.order_id = $1) as stored,
            (select jsonb_agg(to_jsonb(s) order by s.seq) from sub_orders s
              where s.corp_id = $2 and s.order_id = $1) as stored_parts
       from order_versions v where v.corp_id = $2 and v.order_id = $1 order by v.version desc limit 1`,
    [order_id, school.corp_id],
  )
  expect(rows[0].recorded).toEqual(rows[0].stored)
  expect(rows[0].parts).toEqual(rows[0].stored_parts)
})

async function live(school: TestLedger) {
  const { order_id } = await school.order()
  const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
  await school.run(createRefund, { order_id, payment_id, price: 500 })
  await school.run(createRemark, { order_id, content: 'A remark' })
  return { order_id, payment_id }
}
