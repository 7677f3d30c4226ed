import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendStatement } from '../../../../test/harness/bank-lines.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { rebuildDerivedData } from '../../../derived/derived-data.ts'
import { assignPayer } from '../../../orders/payers/assign-payer.ts'
import { createPayer } from '../../../orders/payers/create-payer.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { movePayment } from '../../../orders/payments/move-payment.ts'
import { reverseVoid } from '../../../orders/payments/reverse-void.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { checkLedger } from '../check-ledger.ts'
import { listBankLines } from '../reconciliation/list-bank-lines.ts'
import { matchBankLines } from '../reconciliation/match-bank-lines.ts'
import { confirmCertainMatches, unmatchBankLines } from '../reconciliation/settle-bank-lines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const day = '2026-03-02'

async function pay(school: TestLedger, order_id: string, price: number, more: object = {}): Promise<string> {
  const made = { order_id, price, completed_time: `${day} 10:00:00`, ...more }
  return (await school.run(createPayment, made)).payment_id
}

/** The lines in order: state, rule and payments, or the proposed payments. */
async function outcomesOf(school: TestLedger, statement_id: string) {
  const page = { statement_id, page_size: 100, with_proposals: true }
  const { list, proposals } = await school.run(listBankLines, page)
  interface Line {
    line_id: string
    number: number
    state: string
    rule: string | null
    entries: { payment_id: string }[]
  }
  return (list as Line[])
    .toSorted((a, b) => a.number - b.number)
    .map(({ line_id, state, rule, entries }) => {
      const proposal = proposals.find((each: { line_id: string }) => each.line_id === line_id)
      const payments: string[] = proposal?.payment_ids ?? entries.map(({ payment_id }) => payment_id)
      return [proposal ? 'proposed' : state, proposal?.rule ?? rule, ...payments.toSorted()]
    })
}

async function expectSoundLedger({ corp_id }: TestLedger): Promise<void> {
  const { total, discrepancies } = await checkLedger(database.app, corp_id)
  expect({ total, discrepancies }).toEqual({ total: 0, discrepancies: [] })
}

describe('a statement', () => {
  test('is matched by charge and reference, one to many and many to one; likely matches are proposed', async () => {
    const school = await openLedger(database)
    const first = await school.order({ external_id: 'A-1', listed_price: 90_000 })
    const second = await school.order({ external_id: 'A-2', listed_price: 90_000 })
    const byCharge = await pay(school, first.order_id, 1000, { charge_id: 'ch_1' })
    const inTwoLines = await pay(school, first.order_id, 3000, { charge_id: 'ch_2' })
    const [partA, partB] = [await pay(school, second.order_id, 400), await pay(school, second.order_id, 600)]
    const likely = await pay(school, first.order_id, 777, { completed_time: '2026-03-04 10:00:00' })
    const { statement_id } = await sendStatement(school.run, [
      { price: 1000, charge_id: 'ch_1' },
      { price: 1200, charge_id: 'ch_2' },
      { price: 1800, charge_id: 'ch_2' },
      { price: 1000, reference: 'A-2' },
      { price: 777, value_date: '2026-03-05' },
      { price: 9999 },
      { price: -500 },
    ])
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 4, remaining: 0 })
    const outcomes = [
      ['matched', 'charge', byCharge],
      ['matched', 'charge', inTwoLines],
      ['matched', 'charge', inTwoLines],
      ['matched', 'reference', ...[partA, partB].sort()],
      ['proposed', 'amount', likely],
      ['open', null],
      ['open', null],
    ]
    expect(await outcomesOf(school, statement_id)).toEqual(outcomes)
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 0, remaining: 0 })
    expect(await outcomesOf(school, statement_id)).toEqual(outcomes)
    await expectSoundLedger(school)
  })

  test('matches one payment once, even if two references name it', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ external_id: 'A-1' })
    await pay(school, order_id, 500, { charge_id: 'ch_1' })
    const { statement_id } = await sendStatement(school.run, [
      { price: 500, reference: 'A-1' },
      { price: 500, reference: 'ch_1' },
    ])
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 1, remaining: 0 })
    await expectSoundLedger(school)
  })

  test('matches a line without a provider to the charge of any provider, but not of two', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ listed_price: 90_000 })
    const one = await pay(school, order_id, 500, { charge_id: 'ch_1', provider: 'alipay' })
    for (const provider of ['alipay', 'wechat'])
      await pay(school, order_id, 700, { charge_id: 'ch_2', provider, reinstate: true })
    const { statement_id } = await sendStatement(school.run, [
      { price: 500, charge_id: 'ch_1' },
      { price: 700, charge_id: 'ch_2' },
    ])
    await school.run(confirmCertainMatches, { statement_id })
    expect(await outcomesOf(school, statement_id)).toMatchObject([
      ['matched', 'charge', one],
      ['proposed', expect.any(String), expect.any(String)],
    ])
  })
})

test('does not match a payout that lines of two statements name', async () => {
  const school = await openLedger(database)
  await sendStatement(school.run, [{ price: -500, charge_id: 'po_1' }], { provider: 'stripe' })
  const received = [{ price: 500, description: 'Payout po_1' }]
  const { account_id } = await sendStatement(school.run, received)
  const { statement_id } = await sendStatement(school.run, received, { account_id, opening_price: 500 })
  expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 0, remaining: 0 })
})

describe('a proposal', () => {
  const proposalsOf = async (school: TestLedger, statement_id: string) =>
    (await school.run(listBankLines, { statement_id, state: 'open', with_proposals: true })).proposals

  test('states its rule, the days between and the other payments that fit', async () => {
    const school = await openLedger(database, 'UTC', { name: 'Lin Xiao' })
    const { order_id } = await school.order({ listed_price: 900_000 })
    const one = await pay(school, order_id, 500, { completed_time: '2026-02-28 10:00:00' })
    const [two, three] = [await pay(school, order_id, 700), await pay(school, order_id, 700)]
    const ofDay = { provider: 'wechat', completed_time: '2026-03-01 10:00:00' }
    const day = [await pay(school, order_id, 210, ofDay), await pay(school, order_id, 320, ofDay)]
    const { statement_id, lineIds } = await sendStatement(school.run, [
      { price: 500, payer: 'LIN XIAO' },
      { price: 700 },
      { price: 530 },
    ])
    const found = await proposalsOf(school, statement_id)
    const byLine = lineIds.map((id) => found.find((each: { line_id: string }) => each.line_id === id))
    const none = { order_id: null, sub_order_id: null, user_name: null, provider: null, day: null }
    expect(byLine).toEqual([
      {
        ...{ ...none, line_id: lineIds[0], payment_ids: [one], rule: 'name_and_amount', days: 2 },
        ...{ others: 0, score: 0.85 },
      },
      {
        ...{ ...none, line_id: lineIds[1], payment_ids: [[two, three].sort()[0]], rule: 'amount', days: 0 },
        ...{ others: 1, score: 0.45 },
      },
      {
        ...{ ...none, line_id: lineIds[2], payment_ids: day.toSorted(), rule: 'payments_of_day', days: null },
        ...{ others: 0, score: 0.7, provider: 'wechat', day: '2026-03-01' },
      },
    ])
  })

  test('is the next instalment only of a person or payer that the line names', async () => {
    const school = await openLedger(database, 'UTC', { name: '林晓' })
    const { order_id, sub_order_ids } = await school.order({ installment_count: 3 })
    const { payer_id } = await school.run(createPayer, { name: 'Harbour Ltd', kind: 'employer' })
    const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
    const lines = [
      { price: 10_000, payer: '林晓' },
      { price: 10_000, description: 'HARBOUR LTD invoice 7' },
      { price: 10_000, payer: 'Somebody' },
      { price: 9_999, payer: '林晓' },
      { price: -10_000, payer: '林晓' },
    ]
    const { statement_id, lineIds } = await sendStatement(school.run, lines)
    const instalment = {
      ...{ payment_ids: [], order_id, sub_order_id: sub_order_ids[1], user_name: '林晓', score: 0.9 },
      ...{ rule: 'instalment', days: null, others: 0, provider: null, day: null },
    }
    expect(await proposalsOf(school, statement_id)).toEqual([{ ...instalment, line_id: lineIds[0] }])
    await school.run(assignPayer, { payment_id, payer_id })
    const found = await proposalsOf(school, statement_id)
    expect(found).toHaveLength(2)
    expect(found).toContainEqual({ ...instalment, line_id: lineIds[1] })
    const book = [{ as: 'payment', order_id }]
    await school.run(matchBankLines, { line_ids: [lineIds[0]], book })
    const { proposals } = await school.run(listBankLines, { statement_id, with_proposals: true })
    expect(proposals).toMatchObject([{ line_id: lineIds[1], sub_order_id: sub_order_ids[2] }])
    await expectSoundLedger(school)
  })
})

describe('decisions of people:', () => {
  test('a match is undone, proposed, and not repeated automatically', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const payment_id = await pay(school, order_id, 1000, { charge_id: 'ch_1' })
    const { statement_id, lineIds } = await sendStatement(school.run, [{ price: 1000, charge_id: 'ch_1' }])
    await school.run(confirmCertainMatches, { statement_id })
    await school.run(unmatchBankLines, { line_ids: lineIds })
    expect(await outcomesOf(school, statement_id)).toEqual([['proposed', expect.any(String), payment_id]])
    await school.run(confirmCertainMatches, { statement_id })
    expect(await outcomesOf(school, statement_id)).toEqual([['proposed', 'amount', payment_id]])
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
    expect(await outcomesOf(school, statement_id)).toEqual([['matched', 'by_hand', payment_id]])
    await expectSoundLedger(school)
  })

  test('a dry run of a booking shows the order, and changes nothing', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const { lineIds } = await sendStatement(school.run, [{ price: 2500 }])
    const before = await everything(school)
    const booking = { line_ids: lineIds, book: [{ as: 'payment', price: 2500, order_id }], dry_run: true }
    const { list, orders } = await school.run(matchBankLines, booking)
    expect(list).toMatchObject([{ state: 'booked' }])
    expect(orders).toMatchObject([{ order_id, before: { paid_price: 0 }, after: { paid_price: 2500 } }])
    expect(await everything(school)).toEqual(before)
  })

  test('a line is booked once as a payment of its day, with its text, and at a rate in another currency', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const lines = [{ price: 250, description: 'Came by itself' }]
    const { lineIds } = await sendStatement(school.run, lines, { currency: 'USD' })
    const booking = (more: object) => ({
      ...{ line_ids: lineIds, book: [{ as: 'payment', price: 250, order_id, ...more }] },
    })
    await expect(school.run(matchBankLines, booking({}))).rejects.toMatchObject({ code: 40002 })
    await school.run(matchBankLines, booking({ exchange_rate: 70_000 }))
    await expect(school.run(matchBankLines, booking({ exchange_rate: 70_000 }))).rejects.toMatchObject({
      code: 40904,
    })
    const { rows } = await database.superuser.query(
      `select price, order_price, comments, completed_time at time zone 'UTC' = '2026-03-02' as is_on_its_day
         from payments where corp_id = $1`,
      [school.corp_id],
    )
    const payment = { price: '250', order_price: '1750', comments: 'Came by itself', is_on_its_day: true }
    expect(rows).toEqual([payment])
    await expectSoundLedger(school)
  })
})

describe('a voided payment', () => {
  test('opens its lines again, and all lines that were matched together with it', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const [one, two] = [await pay(school, order_id, 700), await pay(school, order_id, 300)]
    const { statement_id, lineIds } = await sendStatement(school.run, [{ price: 500 }, { price: 500 }])
    const match = (payment_ids: string[]) => school.run(matchBankLines, { line_ids: lineIds, payment_ids })
    const states = async () => (await outcomesOf(school, statement_id)).map(([state]) => state)
    await match([one, two])
    expect(await states()).toEqual(['matched', 'matched'])
    await school.run(voidPayment, { payment_id: one, reason: 'Bounced' })
    expect(await states()).toEqual(['open', 'open'])
    await expectSoundLedger(school)
    await expect(match([one, two])).rejects.toMatchObject({ code: 40002 })
    await match([two, await pay(school, order_id, 700)])
    expect(await states()).toEqual(['matched', 'matched'])
    await school.run(reverseVoid, { payment_id: one, reason: 'Not bounced' })
    await expectSoundLedger(school)
  })

  test('that still has a match is reported by the check, and so is a wrong state', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const payment_id = await pay(school, order_id, 1000)
    const { lineIds } = await sendStatement(school.run, [{ price: 1000 }])
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
    await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    const change = (text: string) => database.superuser.query(text, [school.corp_id])
    const whats = async () =>
      (await checkLedger(database.app, school.corp_id)).discrepancies.map(({ what }) => what).sort()
    expect(await whats()).toEqual([])
    await change('delete from statement_match_undos where corp_id = $1')
    expect(await whats()).toEqual([
      'statement line: matched to no void payment',
      'statement line: state from its match',
    ])
    await change(`update statement_line_states set state = 'ignored' where corp_id = $1`)
    expect(await whats()).toContain('statement line: state from its match')
  })
})

describe('an open payment', () => {
  const openOf = async ({ corp_id }: TestLedger): Promise<string[]> => {
    const text = 'select payment_id from payments where corp_id = $1 and is_open order by payment_id'
    return (await database.superuser.query(text, [corp_id])).rows.map(({ payment_id }) => payment_id)
  }

  test('is listed until it is matched, void or moved, and again after the undo', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ listed_price: 90_000 })
    const [one, two] = [await pay(school, order_id, 500), await pay(school, order_id, 300)]
    const both = [one, two].sort()
    const { lineIds } = await sendStatement(school.run, [{ price: 800 }])
    expect(await openOf(school)).toEqual(both)
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: both })
    expect(await openOf(school)).toEqual([])
    await school.run(unmatchBankLines, { line_ids: lineIds })
    expect(await openOf(school)).toEqual(both)
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: both })
    await school.run(voidPayment, { payment_id: one, reason: 'Bounced' })
    expect(await openOf(school)).toEqual([two])
    await expectSoundLedger(school)
    await school.run(reverseVoid, { payment_id: one, reason: 'Not bounced' })
    expect(await openOf(school)).toEqual(both)
    await expectSoundLedger(school)
  })

  test('that is moved to an order in another currency opens its line, and the new payment is open', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ listed_price: 90_000 })
    const dollars = await school.order({ listed_price: 90_000, currency: 'USD' })
    const payment_id = await pay(school, order_id, 500, { currency: 'USD', exchange_rate: 70_000 })
    const { lineIds } = await sendStatement(school.run, [{ price: 500 }], { currency: 'USD' })
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
    const moved = { payment_id, to_order_id: dollars.order_id, reason: 'Wrong order' }
    const { payment_id: made } = await school.run(movePayment, moved)
    expect(await openOf(school)).toEqual([made])
    expect((await school.run(listBankLines, { state: 'open' })).list).toMatchObject([{ line_id: lineIds[0] }])
    await expectSoundLedger(school)
  })

  test('with a wrong mark is reported by the check, and corrected by a rebuild', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const payment_id = await pay(school, order_id, 500)
    await database.superuser.query('update payments set is_open = false where corp_id = $1', [school.corp_id])
    const { discrepancies } = await checkLedger(database.app, school.corp_id)
    expect(discrepancies).toMatchObject([
      { what: 'payment: open until it is matched or void', subject: payment_id, expected: 'true' },
    ])
    const rebuilt = await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
    expect(rebuilt.open_payments).toEqual({ records: 1, wasRight: false })
    await expectSoundLedger(school)
    const again = await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
    expect(again.open_payments).toEqual({ records: 1, wasRight: true })
  })
})

async function everything({ corp_id }: TestLedger) {
  const tables = ['statement_lines', 'statement_matches', 'statement_match_undos', 'payments']
  const rows = tables.map(async (table) => {
    const text = `select t::text as row from ${table} t where corp_id = $1 order by 1`
    return (await database.superuser.query(text, [corp_id])).rows
  })
  return Promise.all(rows)
}
