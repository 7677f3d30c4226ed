import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { ApiError } from '../../contract/errors.ts'
import { newId } from '../../contract/new-id.ts'
import { createPayment } from './create-payment.ts'
import { listPayments } from './list-payments.ts'
import { movePayment } from './move-payment.ts'
import { reverseVoid } from './reverse-void.ts'
import { voidPayment } from './void-payment.ts'

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(async () => {
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
  await database.drop()
})

const reason = 'By mistake'
const sell = async () => (await school.order({ listed_price: 20_000, installment_count: 1 })).order_id
const pay = (order_id: string, more = {}) => school.run(createPayment, { order_id, price: 5000, ...more })
const cancel = (payment_id: string) => school.run(voidPayment, { payment_id, reason })
const restore = (payment_id: string) => school.run(reverseVoid, { payment_id, reason })
const refused = (error: unknown) => {
  if (!(error instanceof ApiError)) throw error
}

/** The payments of an order that are not void. */
async function validOf(order_id: string): Promise<string[]> {
  const { list } = await school.run(listPayments, { order_id, page_size: 100 })
  return list.flatMap((row: { payment_id: string; state: string }) =>
    row.state === 'void' ? [] : [row.payment_id],
  )
}

/** A charge that was recorded twice and voided twice; the first void is reversed. */
async function firstRecordingValid(members = {}) {
  const order_id = await sell()
  const charge = { charge_id: newId(), ...members }
  const { payment_id: first } = await pay(order_id, charge)
  await cancel(first)
  const { payment_id: second } = await pay(order_id, { ...charge, reinstate: true })
  await cancel(second)
  await restore(first)
  return { order_id, charge, first }
}

describe('a charge whose first recording is valid again', () => {
  test('is not recorded a third time, even to reinstate it', async () => {
    const { order_id, charge, first } = await firstRecordingValid()
    expect(await pay(order_id, { ...charge, reinstate: true })).toMatchObject({ payment_id: first })
    expect(await validOf(order_id)).toEqual([first])
  })

  test('can be moved to an order in another currency', async () => {
    const { first } = await firstRecordingValid({ currency: 'USD', settled_price: 5000 })
    const { order_id: to_order_id } = await school.order({ currency: 'USD', installment_count: 1 })
    const moved = await school.run(movePayment, { payment_id: first, to_order_id, reason })
    expect(await validOf(to_order_id)).toEqual([moved.payment_id])
  })
})

test('of a concurrent reversal of a void and a new recording of the charge, one succeeds', async () => {
  for (let round = 0; round < 20; round++) {
    const [one, other] = [await sell(), await sell()]
    const charge = { charge_id: newId() }
    const { payment_id } = await pay(one, charge)
    await cancel(payment_id)
    await Promise.all([
      restore(payment_id).catch(refused),
      pay(other, { ...charge, reinstate: true }).catch(refused),
    ])
    expect([...(await validOf(one)), ...(await validOf(other))]).toHaveLength(1)
  }
})
