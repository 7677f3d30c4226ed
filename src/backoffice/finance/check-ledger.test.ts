import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainVersions } from '../../../test/harness/chain-versions.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { applyPayment } from '../../orders/payments/apply-payment.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { unapplyPayment } from '../../orders/payments/unapply-payment.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { checkLedger } from './check-ledger.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

test('the ledger agrees after every kind of change', async () => {
  const school = await openLedger(database)
  await live(school)
  const free = await school.order({ listed_price: 0 })
  await school.run(createRemark, { order_id: free.order_id, content: 'free' })
  const expired = await school.order({ status: 'unconfirmed' })
  await school.run(updateStatus, { order_id: expired.order_id, status: 'expired' })
  await school.run(updateStatus, { order_id: expired.order_id, status: 'created' })
  const returned = await school.order({ installment_count: 1 })
  await school.run(createPayment, { order_id: returned.order_id, price: 30_000 })
  await school.run(createRefund, {
    order_id: returned.order_id,
    sub_order_id: returned.sub_order_ids[0],
    price: 30_000,
  })
  await school.run(updateStatus, { order_id: returned.order_id, status: 'canceled' })
  const replanned = await school.order()
  const sub_orders = [{ sub_order_id: replanned.sub_order_ids[2], total_price: 30_000 }]
  await school.run(updateOrder, { order_id: replanned.order_id, version: 1, sub_orders })
  for (const [currency, exchange_rate, price] of exchanges) {
    const { order_id } = await school.order({ currency, listed_price: 10_000_000_000, installment_count: 1 })
    await school.run(createPayment, { order_id, price, currency: 'USD', exchange_rate })
  }
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({
    organizations: 1,
    total: 0,
    discrepancies: [],
  })
})

/** Amounts that round down, up and to even, in currencies of 0, 2, 3 and 4 decimals. */
const exchanges: [currency: string, exchange_rate: number, price: number][] = [
  ['JPY', 10_000, 250],
  ['JPY', 10_000, 150],
  ['JPY', 1_515_151, 333],
  ['EUR', 5_000, 5],
  ['EUR', 5_000, 3],
  ['EUR', 9_001, 12_345],
  ['KWD', 3_075, 12_345],
  ['CLF', 263, 1],
]

/** Damage to an order (ORDER, with sub-orders PART1 to PART3, in organization CORP), and the reported rule. */
const damages: [what: string, statement: string][] = [
  [
    'total_price: sum of the sub-orders',
    `update sub_orders set total_price = total_price + 1 where sub_order_id = PART3`,
  ],
  [
    'total_price: discounted price and charges',
    `update orders set service_charge = 7 where order_id = ORDER`,
  ],
  ['discounted_price: at most the listed price', `update orders set listed_price = 1 where order_id = ORDER`],
  ['receipt: one, of its order', `delete from receipts where order_id = ORDER`],
  [
    'receipt: the next number of its year',
    `update receipts set number = number + 1000 where order_id = ORDER`,
  ],
  ['coupon_ids: those of the lines', `update orders set coupon_ids = '{OTHER}' where order_id = ORDER`],
  [
    'coupon_lines: what each takes off by its terms',
    `update orders set coupon_lines = '[{"coupon_id": "C", "amount": null, "basis_points": 500, "price": 1}]' where order_id = ORDER`,
  ],
  [
    'coupon_lines: at most the discount',
    `update orders set coupon_lines = '[{"coupon_id": "C", "amount": 9, "basis_points": null, "price": 9}]' where order_id = ORDER`,
  ],
  ['sub-orders: at least one', `delete from sub_orders where order_id = SPARE`],
  [
    'order_price: what was settled, or the price by the rate',
    `update payments set order_price = order_price + 1 where currency = 'USD' and order_id = ORDER`,
  ],
  [
    'rate: 1 in the order’s own currency',
    `update payments set rate = 2 where currency = 'CNY' and order_id = ORDER`,
  ],
  [
    'exchange_rate: the rate × 10,000',
    `update payments set exchange_rate = 20000 where currency = 'CNY' and order_id = ORDER`,
  ],
  [
    'applied: between 0 and the balance',
    `update payment_allocations set price = price + 1 where order_id = ORDER`,
  ],
  [
    'allocations: on orders in the currency of its order',
    `update orders set currency = 'JPY'
      where order_id in (select to_order_id from order_transfers where corp_id = CORP)`,
  ],
  [
    'allocations: the whole refund, or 0 if it is reversed',
    `delete from refund_allocations where corp_id = CORP and order_id <> ORDER`,
  ],
  [
    'retained: what a canceled order has not given back',
    `update order_retentions set price = price + 1 where corp_id = CORP`,
  ],
  [
    'credits and write-offs: at most the price',
    `update order_write_offs set price = 1000000 where corp_id = CORP`,
  ],
  [
    'balance: received less voided, refunded and moved is not below 0',
    `update payment_voids set price = price + 1 where corp_id = CORP`,
  ],
  [
    'refunds: on each sub-order at most the allocation',
    `update refund_allocations set price = price + 1000000 where corp_id = CORP`,
  ],
  [
    'payment_voids: as its version recorded it',
    `update payment_voids set reason = 'another' where corp_id = CORP`,
  ],
  ['order_transfers: as its version recorded it', `delete from order_transfers where corp_id = CORP`],
  [
    'subject: the payment, refund, transfer or remark that made the version',
    `update payments set order_id = SPARE where order_id = ORDER and currency = 'USD'`,
  ],
  [
    'refunds: at most what was received',
    `update refund_allocations set price = 1000000 where order_id = ORDER`,
  ],
  [
    'applied: between 0 and the balance',
    `update payments set order_price = 1 where currency = 'CNY' and order_id = ORDER`,
  ],
  [
    'payments: at most 15',
    `insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
     select CORP, ORDER || n, ORDER, PART1, 1, now(), 'payment' from generate_series(1, 16) n`,
  ],
  [
    'status: from the order and its money',
    `update sub_orders set status = 'success' where sub_order_id = PART3`,
  ],
  [
    'status: from the order and its money',
    `delete from payment_allocations where order_id = ORDER and sub_order_id = PART1`,
  ],
  ['currency: the order’s', `update sub_orders set currency = 'USD' where sub_order_id = PART3`],
  ['is_locked: as the status', `update orders set is_locked = true where order_id = ORDER`],
  [
    'completed_time: set as the status says',
    `update orders set completed_time = now() where order_id = ORDER`,
  ],
  [
    'completed_time: set as the status says',
    `update sub_orders set completed_time = null where sub_order_id = PART1`,
  ],
  ['expired_time: set as the status says', `update orders set expired_time = now() where order_id = ORDER`],
  [
    'share_proportion: sum of the shares',
    `update orders set share_proportion = '{"a": 9999}' where order_id = ORDER`,
  ],
  ['version: one more than before', `delete from order_versions where order_id = ORDER and version = 2`],
  [
    'at: later than before',
    `update order_versions set at = '2020-01-01' where order_id = ORDER and version = 2`,
  ],
  [
    'from_status: the status before, where it changed',
    `update order_versions set from_status = 'tbd' where order_id = ORDER and version = 2`,
  ],
  [
    'from_status: the status before, where it changed',
    `update order_versions set from_status = null where order_id = ORDER and version = 2`,
  ],
  [
    'move: a legal one',
    `update order_versions set to_status = 'created', from_status = 'canceled' where order_id = ORDER and version = 3`,
  ],
  [
    'to_status: one that orders begin in',
    `update order_versions set to_status = 'locked' where order_id = ORDER and version = 1`,
  ],
  [
    'record: the status',
    `update order_versions set record = jsonb_set(record, '{order,status}', '"tbd"') where order_id = ORDER and version = 1`,
  ],
  [
    'record: the version',
    `update order_versions set record = jsonb_set(record, '{order,version}', '9') where order_id = ORDER and version = 1`,
  ],
  [
    'subject: the payment, refund, transfer or remark that made the version',
    `delete from order_remarks where order_id = ORDER`,
  ],
  [
    'subject: the payment, refund, transfer or remark that made the version',
    `delete from payments where order_id = ORDER and currency = 'USD'`,
  ],
  [
    'payments: as its version recorded it',
    `update payments set ctime = now() where order_id = ORDER and currency = 'USD'`,
  ],
  ['refunds: as its version recorded it', `update refunds set ctime = now() where order_id = ORDER`],
  [
    'payments: as its version recorded it',
    `update payments set comments = 'Secret Person' where order_id = ORDER and currency = 'USD'`,
  ],
  ['order_remarks: as its version recorded it', `delete from order_remarks where order_id = ORDER`],
  [
    'payments: as its version recorded it',
    `insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, rate, exchange_rate, order_price, status, source, completed_time, ctime)
     select corp_id, 'added', order_id, sub_order_id, price, currency, rate, exchange_rate, order_price, status, source, completed_time, ctime
       from payments where order_id = ORDER and currency = 'USD'`,
  ],
  [
    'refunds: as its version recorded it',
    `update order_versions set record = record || jsonb_build_object('facts', (
       select b.record->'facts' from order_versions b where b.order_id = ORDER and b.change = 'refund'))
      where order_id = ORDER and version = 1`,
  ],
  [
    'version: the reason that was recorded',
    `update order_versions set reason = 'another' where order_id = ORDER and version = 1`,
  ],
  ['chain: every version is a link', `delete from ledger_chain where order_id = ORDER and version = 3`],
  ['chain: one link behind the other', `delete from ledger_chain where order_id = ORDER and version = 3`],
  [
    'chain: the hash of the link before and the content',
    `update ledger_chain set hash = reverse(hash) where order_id = ORDER and version = 3`,
  ],
  [
    'chain: the instant of the version',
    `update ledger_chain set at = at + interval '1 microsecond' where order_id = ORDER and version = 3`,
  ],
  [
    'chain: its length',
    `delete from ledger_chain where corp_id = CORP and seq = (select max(seq) from ledger_chain where corp_id = CORP)`,
  ],
  ['chain: its head', `update ledger_clocks set chain_head = '' where corp_id = CORP`],
  [
    'version: the last one keeps contract_id',
    `update orders set contract_id = 'other' where order_id = ORDER`,
  ],
  [
    'version: the last one keeps user_copy_digest',
    `update orders set user_copy = '{"account_name": "Secret Person"}' where order_id = ORDER`,
  ],
  [
    'version: the last one keeps mtime',
    `update orders set mtime = mtime - interval '1 microsecond' where order_id = ORDER`,
  ],
  [
    'version: the last one keeps payment_deadline',
    `update sub_orders set payment_deadline = now() where sub_order_id = PART3`,
  ],
  ['version: the last one keeps the sub-order', `delete from sub_orders where sub_order_id = PART3`],
  [
    'version: the last one keeps version',
    `delete from order_versions where order_id = ORDER and version = 6`,
  ],
  [
    'order_read_model.detail: as the data gives it',
    `update order_read_model set detail = detail || ' ' where order_id = ORDER`,
  ],
  ['order_read_model.list_row: as the data gives it', `delete from order_read_model where order_id = ORDER`],
  [
    'order_read_model.status: the order’s',
    `update order_read_model set status = 'tbd' where order_id = ORDER`,
  ],
  [
    'order_read_model.mtime_day: the order’s',
    `update order_read_model set mtime_day = mtime_day + 1 where order_id = ORDER`,
  ],
  [
    'financial_read_model.row_start: as the data gives it',
    `update financial_read_model set used_slots = 9 where sub_order_id = PART1`,
  ],
  [
    'financial_read_model.status: the sub-order’s',
    `update financial_read_model set sub_order_id = 'gone' where sub_order_id = PART2`,
  ],
  [
    'financial_read_model.ctime_day: the sub-order’s',
    `update financial_read_model set ctime_day = '2020-01-01' where sub_order_id = PART2`,
  ],
  [
    'list_counts: number of rows',
    `update list_counts set rows = rows + 1 where corp_id = CORP and list = 'orders' and status = ''`,
  ],
  ['versions: at least one', `delete from order_versions where order_id = SPARE`],
  [
    'ledger clock: not before order_versions.at',
    `update ledger_clocks set instant_us = 0 where corp_id = CORP`,
  ],
  ['ledger clock: not before payments.ctime', `delete from ledger_clocks where corp_id = CORP`],
]

describe('damage is found', () => {
  let school: TestLedger
  let literals: Record<string, string>
  beforeAll(async () => {
    school = await openLedger(database)
    const { order_id, sub_order_ids, spare } = await live(school)
    const names = { CORP: school.corp_id, ORDER: order_id, SPARE: spare.order_id }
    const subOrders = Object.fromEntries(sub_order_ids.map((id, index) => [`PART${index + 1}`, id]))
    literals = { ...names, ...subOrders }
  })

  test.each(damages)('%s · %s', async (what, statement) => {
    const repair = await rememberTable(/(?:update|delete from|insert into) (\w+)/.exec(statement)![1]!)
    try {
      const { rowCount } = await asIfNoRulesHeld(
        statement.replaceAll(/\b(CORP|ORDER|SPARE|PART\d)\b/g, (name) => `'${literals[name]}'`),
      )
      expect(rowCount, 'the test needs something to damage').toBeGreaterThan(0)
      const { total, discrepancies } = await checkLedger(database.app, school.corp_id)
      expect(discrepancies.map((found) => found.what)).toContain(what)
      expect(total).toBe(discrepancies.length)
      for (const { corp_id, expected, found } of discrepancies) {
        expect(corp_id).toBe(school.corp_id)
        expect(expected).not.toBe(found)
      }
      expect(JSON.stringify(discrepancies)).not.toContain('Secret Person')
    } finally {
      await repair()
    }
  })

  test('and the repaired school has none', async () => {
    expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
  })

  test('in every organization: all findings are counted, and the first hundred are shown', async () => {
    const [school, other] = [await openLedger(database), await openLedger(database)]
    for (let n = 0; n < 60; n++) await school.order({ installment_count: 1 })
    await other.order()
    await asIfNoRulesHeld(
      `update orders set is_locked = true where corp_id in ('${school.corp_id}', '${other.corp_id}')`,
    )
    const alone = await checkLedger(database.app, school.corp_id)
    expect({ total: alone.total, shown: alone.discrepancies.length, orders: alone.orders }).toEqual({
      // The flag, its version, and the two rendered rows that show it.
      total: 240,
      shown: 100,
      orders: 60,
    })
    const all = await checkLedger(database.app)
    expect(all.total).toBe(alone.total + (await checkLedger(database.app, other.corp_id)).total)
    expect(all.total).toBeGreaterThan(alone.total)
    expect(all.organizations).toBeGreaterThan(1)
    expect(all.discrepancies).toHaveLength(100)
  })
})

test('an earlier head is part of the chain, but not of a rebuilt one', async () => {
  const school = await openLedger(database)
  const { order_id } = await live(school)
  const { chains } = await checkLedger(database.app, school.corp_id)
  const { head } = chains[0]!
  await school.run(createRemark, { order_id, content: 'Later' })
  const later = await checkLedger(database.app, school.corp_id, { head })
  expect(later).toMatchObject({ total: 0, chains: [{ corp_id: school.corp_id, length: 24 }] })
  expect(later.chains[0]!.head).not.toBe(head)
  await asIfNoRulesHeld(`update order_remarks set content = 'Never said' where order_id = '${order_id}'`)
  await asIfNoRulesHeld(`
    update order_versions set record = jsonb_set(record, '{facts,order_remarks,0,content}', '"Never said"')
     where order_id = '${order_id}' and change = 'remark'`)
  await asIfNoRulesHeld(`delete from ledger_chain where corp_id = '${school.corp_id}'`)
  await chainVersions(database.owner, school.corp_id)
  await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
  const held = await checkLedger(database.app, school.corp_id, { head })
  expect(held.discrepancies.map(({ what }) => what)).toEqual(['chain: holds the head that was noted'])
})

test('an organization that does not exist is named', async () => {
  await expect(checkLedger(database.app, 'nowhere')).rejects.toThrow('There is no organization nowhere.')
})

/** An order with six versions and every kind of fact, and a second order. */
async function live(school: TestLedger) {
  const order = await school.order({ share_proportion: { a: 0.4, b: 0.6 } })
  const { order_id } = order
  const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
  await school.run(createPayment, { order_id, price: 333, currency: 'USD', exchange_rate: 71_235 })
  await school.run(createRefund, { order_id, payment_id, price: 500 })
  await school.run(createRemark, { order_id, content: 'A remark' })
  await school.run(updateOrder, { order_id, version: 5, contract_id: 'C-1' })
  const spare = await school.order()
  await liveOnTheSide(school)
  return { ...order, spare }
}

/** Other orders with voided, unapplied, retained, written-off and transferred money. */
async function liveOnTheSide(school: TestLedger) {
  const [a, b, c] = [await school.order(), await school.order(), await school.order()]
  const { payment_id } = await school.run(createPayment, { order_id: a.order_id, price: 25_000 })
  await school.run(transferMoney, {
    from_order_id: a.order_id,
    to_order_id: b.order_id,
    price: 5000,
    reason: 'Moved',
  })
  await school.run(voidPayment, { payment_id, reason: 'Bounced' })
  await school.run(createPayment, { order_id: a.order_id, price: 700 })
  await school.run(createRefund, { order_id: a.order_id, price: 600 })
  await school.run(updateStatus, { order_id: a.order_id, status: 'canceled', retain: true, reason: 'Late' })
  const late = await school.run(createPayment, { order_id: a.order_id, price: 900 })
  await school.run(applyPayment, { payment_id: late.payment_id, order_id: c.order_id })
  await school.run(unapplyPayment, { payment_id: late.payment_id, order_id: c.order_id })
  await school.run(createRefund, { order_id: a.order_id, payment_id: late.payment_id, price: 400 })
  await school.run(writeOffOrder, { order_id: b.order_id, reason: 'Insolvent' })
}

/** Returns a function that gives a table its present rows back. */
async function rememberTable(table: string): Promise<() => Promise<void>> {
  const { rows } = await database.superuser.query(
    `select (select string_agg(attname, ', ') from pg_attribute
              where attrelid = '${table}'::regclass and attnum > 0 and attgenerated = '') as columns,
            (select array_agg(t::text) from ${table} t) as rows`,
  )
  const { columns, rows: before } = rows[0]
  return async () => {
    await asIfNoRulesHeld(`delete from ${table}`)
    await asIfNoRulesHeld(
      `insert into ${table} (${columns}) select ${columns} from (select (row::${table}).* from unnest($1::text[]) row) r`,
      [before],
    )
  }
}

/** Bypasses row-level security and foreign keys, as a failed restore would. */
async function asIfNoRulesHeld(statement: string, values: unknown[] = []) {
  const client = await database.superuser.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    return await client.query(statement, values)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}
