import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { findOrganizations } from '../../../access/organizations/organization-store.ts'
import type { OrganizationContext } from '../../../contract/endpoint.ts'
import { newId } from '../../../contract/new-id.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { checkLedger } from '../check-ledger.ts'
import { matchStatementLines } from '../match-statement-lines.ts'
import { matchStatement } from './match-statement.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-statement-'))
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('a statement', () => {
  test('is matched by charge and reference, one to many and many to one; likely matches are proposed', async () => {
    const school = await openLedger(database)
    const first = await school.order({ external_id: 'A-1', listed_price: 90_000 })
    const second = await school.order({ external_id: 'A-2', listed_price: 90_000 })
    const pay = async (order_id: string, price: number, charge_id?: string, day = '2026-03-02') =>
      (await school.run(createPayment, { order_id, price, charge_id, completed_time: `${day} 10:00:00` }))
        .payment_id
    const byCharge = await pay(first.order_id, 1000, 'ch_1')
    const inTwoLines = await pay(first.order_id, 3000, 'ch_2')
    const [partA, partB] = [await pay(second.order_id, 400), await pay(second.order_id, 600)]
    const likely = await pay(first.order_id, 777, undefined, '2026-03-04')
    const file = await fileOf(`Date,Amount,Currency,Transaction ID,Reference,Details
2026-03-02,10.00,CNY,ch_1,,card
2026-03-02,12.00,CNY,ch_2,,part one
2026-03-03,18.00,CNY,ch_2,,part two
2026-03-03,10.00,CNY,,A-2,all of the order
2026-03-05,7.77,CNY,,,no name
2026-03-05,99.99,CNY,,,nobody knows
2026-03-06,-5.00,CNY,,,fee
2026-03-06,1.00,USD,,,
`)
    const report = await feed(school, file)
    expect(report.lines).toEqual({ total: 8, new: 8, matched_now: 4, matched: 4, proposed: 1, unmatched: 3 })
    expect(report.totals).toEqual([
      { currency: 'CNY', lines: 7, total: 15_276, matched: 5000, unmatched: 10_276 },
      { currency: 'USD', lines: 1, total: 100, matched: 0, unmatched: 100 },
    ])
    expect(report.first_proposed).toMatchObject([
      { payment_ids: [likely], score: 0.8, reason: 'the same amount a day apart', price: 777 },
    ])
    expect(report.first_unmatched.map(({ price }) => price)).toEqual([9999, -500, 100])
    expect(await outcomes(school)).toEqual([
      { payments: [byCharge], reason: 'the same charge', state: 'matched' },
      { payments: [inTwoLines], reason: 'the same charge', state: 'matched' },
      { payments: [inTwoLines], reason: 'the same charge', state: 'matched' },
      { payments: [partA, partB].sort(), reason: 'the same reference', state: 'matched' },
      { payments: [likely], reason: 'the same amount a day apart', state: 'proposed' },
      ...Array.from({ length: 3 }, () => ({ payments: [], reason: null, state: 'unmatched' })),
    ])
    const before = await everything(school)
    const again = await feed(school, file)
    expect(again.lines).toEqual({ ...report.lines, new: 0, matched_now: 0 })
    expect(again.totals).toEqual(report.totals)
    expect(await everything(school)).toEqual(before)
  })

  test('distinguishes identical lines, and recognizes them in a longer statement', async () => {
    const school = await openLedger(database)
    const twice = `Date,Amount,Currency\n2026-03-02,5,CNY\n2026-03-02,5,CNY\n`
    expect((await feed(school, await fileOf(twice))).lines).toMatchObject({ total: 2, new: 2 })
    expect((await feed(school, await fileOf(`${twice}2026-03-03,5,CNY\n`))).lines).toMatchObject({
      total: 3,
      new: 1,
    })
  })

  test('with an invalid line is refused with row and column, and not stored', async () => {
    const school = await openLedger(database)
    const file = await fileOf('Date,Amount\n2026-03-02,5\n2026-03-03,five\n')
    await expect(feed(school, file)).rejects.toThrow(/^Row 3, column Amount: must be an amount/)
    expect((await everything(school)).lines).toEqual([])
  })
})

describe('people decide:', () => {
  test('a proposal is confirmed, undone, and not made again automatically', async () => {
    const { school, line, payment_id } = await oneLine()
    expect(line).toMatchObject({ state: 'matched', payment_ids: [payment_id] })
    const { line_id } = line
    const undone = await school.run(matchStatementLines, { undo: [line_id] })
    expect(undone.lines).toMatchObject([{ line_id, state: 'proposed', payment_ids: [payment_id] }])
    expect(undone.totals).toEqual([{ currency: 'CNY', lines: 1, total: 1000, matched: 0, unmatched: 1000 }])
    const again = await school.run(matchStatementLines, { lines: [statementLine] })
    expect(again).toEqual(undone)
    const confirm = [{ line_ids: [line_id], payment_ids: [payment_id] }]
    const confirmed = await school.run(matchStatementLines, { confirm })
    expect(confirmed.lines).toMatchObject([{ line_id, state: 'matched', reason: 'confirmed' }])
    await expect(school.run(matchStatementLines, { confirm })).rejects.toMatchObject({ code: 40002 })
  })

  test('unequal sums, two currencies or unknown ids refuse the whole call', async () => {
    const { school, order_id } = await oneLine()
    const { payment_id } = await school.run(createPayment, { order_id, price: 1 })
    const lines = [
      { value_date: '2020-01-01', price: 2000 },
      { value_date: '2020-01-01', price: 1, currency: 'USD' },
    ]
    const told = (await school.run(matchStatementLines, { lines })).lines
    const [cny, usd] = told.map(({ line_id }: { line_id: string }) => line_id)
    for (const [line_ids, payment_ids] of [
      [[cny], [payment_id]],
      [[usd], [payment_id]],
      [['nothing'], [payment_id]],
      [[cny], ['nothing']],
    ])
      await expect(
        school.run(matchStatementLines, { confirm: [{ line_ids, payment_ids }] }),
      ).rejects.toMatchObject({ code: 40002 })
    await expect(school.run(matchStatementLines, { undo: ['nothing'] })).rejects.toMatchObject({
      code: 40002,
    })
    const before = await everything(school)
    const confirm = [{ line_ids: [cny], payment_ids: [payment_id] }]
    await expect(
      school.run(matchStatementLines, { lines: [{ value_date: '2020-02-02', price: 7 }], confirm }),
    ).rejects.toThrow('does not add up')
    expect(await everything(school)).toEqual(before)
  })

  test('a line or payment named twice counts once', async () => {
    const { school, order_id } = await oneLine()
    const { payment_id } = await school.run(createPayment, { order_id, price: 3000 })
    const sent = [6000, 1500].map((price) => ({ value_date: '2020-01-01', price }))
    const [whole, half] = (await school.run(matchStatementLines, { lines: sent })).lines
    for (const pairing of [
      { line_ids: [whole.line_id], payment_ids: [payment_id, payment_id] },
      { line_ids: [half.line_id, half.line_id], payment_ids: [payment_id] },
    ])
      await expect(school.run(matchStatementLines, { confirm: [pairing] })).rejects.toMatchObject({
        code: 40002,
      })
  })

  test('a dry run reports matches and payments, and changes nothing', async () => {
    const { school, order_id } = await oneLine()
    const before = await everything(school)
    const line = { value_date: '2026-03-09', price: 2500 }
    const rehearsed = await school.run(matchStatementLines, { lines: [line], dry_run: true })
    expect(rehearsed.lines).toMatchObject([{ state: 'unmatched', price: 2500 }])
    expect(await everything(school)).toEqual(before)
    const { line_id } = (await school.run(matchStatementLines, { lines: [line] })).lines[0]
    const known = await everything(school)
    const pay = [{ line_id, order_id }]
    const { lines, orders } = await school.run(matchStatementLines, { pay, dry_run: true })
    expect(lines).toMatchObject([{ line_id, state: 'matched' }])
    expect(orders).toMatchObject([{ order_id, before: { paid_price: 1000 }, after: { paid_price: 3500 } }])
    expect(await everything(school)).toEqual(known)
  })

  test('a line without a payment is recorded as a payment once', async () => {
    const { school, order_id } = await oneLine()
    const lines = [{ value_date: '2026-03-09', price: 2500, description: 'Came by itself' }]
    const { line_id } = (await school.run(matchStatementLines, { lines })).lines[0]
    const pay = [{ line_id, order_id }]
    const paid = await school.run(matchStatementLines, { pay })
    expect(paid.lines).toMatchObject([{ line_id, state: 'matched', reason: 'recorded from the line' }])
    const { rows } = await database.superuser.query(
      `select price, comments, completed_time at time zone 'UTC' = '2026-03-09' as is_on_its_day from payments where payment_id = $1`,
      [paid.lines[0].payment_ids[0]],
    )
    expect(rows).toEqual([{ price: '2500', comments: 'Came by itself', is_on_its_day: true }])
    await expect(school.run(matchStatementLines, { pay })).rejects.toMatchObject({ code: 40002 })
    expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
  })
})

describe('a voided payment', () => {
  test('opens its lines again, and all lines that were matched together with it', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order()
    const pay = (price: number) => school.run(createPayment, { order_id, price })
    const [one, two] = [await pay(700), await pay(300)]
    const line = { value_date: '2026-03-02', price: 500 }
    const sent = { lines: [line, { ...line, description: 'second half' }] }
    const line_ids = (await school.run(matchStatementLines, sent)).lines.map(
      (row: { line_id: string }) => row.line_id,
    )
    const payment_ids = [one.payment_id, two.payment_id]
    await school.run(matchStatementLines, { confirm: [{ line_ids, payment_ids }] })
    expect(await statesOf(school, line_ids)).toEqual(['matched', 'matched'])
    await school.run(voidPayment, { payment_id: one.payment_id, reason: 'Bounced' })
    expect(await statesOf(school, line_ids)).toEqual(['open', 'open'])
    expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0 })
    const whole = await school.run(createPayment, { order_id, price: 700 })
    const again = [{ line_ids, payment_ids: [two.payment_id, whole.payment_id] }]
    const matched = await school.run(matchStatementLines, { confirm: again })
    expect(matched.lines.map((row: { state: string }) => row.state)).toEqual(['matched', 'matched'])
  })

  test('that still has a match is reported by the check, and so is a wrong state', async () => {
    const { school, payment_id, line } = await oneLine()
    const change = (text: string) =>
      database.superuser.query(
        text.replace('CORP', `'${school.corp_id}'`).replace('LINE', `'${line.line_id}'`),
      )
    await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    await change(`delete from statement_match_undos where corp_id = CORP`)
    const whats = async () => {
      const { discrepancies } = await checkLedger(database.app, school.corp_id)
      return discrepancies.map(({ what }) => what).sort()
    }
    expect(await whats()).toEqual([
      'statement line: matched to no void payment',
      'statement line: state from its match',
    ])
    await change(`update statement_line_states set state = 'ignored' where corp_id = CORP and line_id = LINE`)
    expect(await whats()).toContain('statement line: state from its match')
  })
})

async function statesOf(school: TestLedger, lineIds: string[]): Promise<string[]> {
  const { rows } = await database.superuser.query(
    'select state from statement_line_states where corp_id = $1 and line_id = any($2)',
    [school.corp_id, lineIds],
  )
  return rows.map(({ state }) => state)
}

const statementLine = { value_date: '2026-03-02', price: 1000, charge_id: 'ch_1' }

async function oneLine() {
  const school = await openLedger(database)
  const { order_id } = await school.order()
  const completed_time = '2026-03-02 10:00:00'
  const { payment_id } = await school.run(createPayment, {
    order_id,
    price: 1000,
    charge_id: 'ch_1',
    completed_time,
  })
  const { lines } = await school.run(matchStatementLines, { lines: [statementLine] })
  return { school, order_id, payment_id, line: lines[0] }
}

async function fileOf(content: string): Promise<string> {
  const file = join(folder, `${newId()}.csv`)
  await writeFile(file, content)
  return file
}

async function feed(school: TestLedger, file: string) {
  const { corp_id } = school
  const [organization] = await findOrganizations(database.app.shared, [corp_id])
  const account = { app_id: 'tester' } as OrganizationContext['account']
  const context = {
    db: database.app.of(corp_id),
    organization: organization!,
    account,
    now: new Date(),
    newId,
  }
  return matchStatement(context as OrganizationContext, file, { outcomes: outcomesOf(school) })
}

function outcomesOf({ corp_id }: TestLedger): string {
  return join(folder, `${corp_id}.ndjson`)
}

async function outcomes(school: TestLedger) {
  const text = await readFile(outcomesOf(school), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ state, payment_ids, reason }) => ({ state, payments: payment_ids, reason }))
}

async function everything({ corp_id }: TestLedger) {
  const read = async (table: string) =>
    (
      await database.superuser.query(`select t::text as row from ${table} t where corp_id = $1 order by 1`, [
        corp_id,
      ])
    ).rows
  return {
    lines: await read('statement_lines'),
    matches: await read('statement_matches'),
    undos: await read('statement_match_undos'),
    payments: await read('payments'),
  }
}
