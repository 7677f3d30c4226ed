import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { newReference, writtenReference } from '../../../orders/payment-requests/order-reference.ts'
import { findOrStoreReference } from '../../../orders/payment-requests/payment-request-store.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { checkLedger } from '../check-ledger.ts'
import { createBankAccount, listBankAccounts } from './bank-accounts.ts'
import { listStatements } from './bank-statements.ts'
import { importStatementFile } from './import-statement-file.ts'
import { listBankLines } from './list-bank-lines.ts'
import { confirmCertainMatches, unmatchBankLines } from './settle-bank-lines.ts'
import { transferBankLines } from './transfer-bank-lines.ts'
import { appendStatementFile, createStatementFile } from './upload-statement-file.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const fixture = (name: string) => readFile(join(import.meta.dirname, 'readers/fixtures', name))

/** Uploads a file as one and returns its id. */
async function upload(school: TestLedger, account_id: string, bytes: Buffer, file_name = 'file') {
  const content = bytes.toString('base64')
  const { file_id } = await school.run(createStatementFile, {
    account_id,
    file_name,
    bytes: bytes.length,
    content,
  })
  return file_id as string
}

async function importFile(school: TestLedger, account_id: string, bytes: Buffer, options: object = {}) {
  return school.run(importStatementFile, { file_id: await upload(school, account_id, bytes), ...options })
}

/** Rows of all tables of statements, to show that nothing changed. */
async function stored({ corp_id }: TestLedger) {
  const { rows } = await database.superuser.query(
    `select (select count(*) from bank_statements where corp_id = $1) as statements,
            (select count(*) from statement_lines where corp_id = $1) as lines,
            (select count(*) from statement_matches where corp_id = $1) as matches`,
    [corp_id],
  )
  return rows[0]
}

async function expectSoundLedger(school: TestLedger): Promise<void> {
  const { discrepancies } = await checkLedger(database.app, school.corp_id)
  expect(discrepancies).toEqual([])
}

describe('a statement file', () => {
  test('is uploaded in pieces, read in a dry run, imported once, and changes nothing when repeated', async () => {
    const school = await openLedger(database)
    const number = '1234567'
    const { account_id } = await school.run(createBankAccount, { name: 'EUR', currency: 'EUR', number })
    const bytes = await fixture('two-statements.mt940')
    const made = { account_id, file_name: 'october.sta', bytes: bytes.length }
    const { file_id } = await school.run(createStatementFile, made)
    const send = (start: number, end: number) =>
      school.run(appendStatementFile, {
        file_id,
        start,
        content: bytes.subarray(start, end).toString('base64'),
      })
    expect(await send(0, 100)).toMatchObject({ received: 100 })
    await expect(school.run(importStatementFile, { file_id })).rejects.toMatchObject({ code: 40904 })
    expect(await send(0, 100)).toMatchObject({ received: 100 })
    await expect(send(200, 300)).rejects.toMatchObject({ code: 40002 })
    expect(await send(100, bytes.length)).toMatchObject({ received: bytes.length })
    const before = await stored(school)
    const read = await school.run(importStatementFile, { file_id, dry_run: true })
    expect(read).toMatchObject({ format: 'mt940', lines: 5, added: 0, remaining: 5, missing_price: 100_000 })
    expect(await stored(school)).toEqual(before)
    const imported = await school.run(importStatementFile, { file_id })
    expect(imported).toMatchObject({ added: 5, remaining: 0, was_imported: false })
    expect(imported.statements).toMatchObject([{ lines: 4, closing_price: 220_000 }, { lines: 1 }])
    const after = await stored(school)
    expect(await school.run(importStatementFile, { file_id })).toMatchObject({ added: 0, was_imported: true })
    expect(await importFile(school, account_id, bytes)).toMatchObject({ added: 0, was_imported: true })
    expect(await stored(school)).toEqual(after)
    expect((await school.run(listStatements, { account_id })).list).toMatchObject([
      { is_complete: true, from_date: '2026-10-18', lines: 1 },
      { is_complete: true, until_date: '2026-10-17', lines: 4, missing_price: 0 },
    ])
    expect((await school.run(listBankAccounts, {})).list).toMatchObject([{ stated_price: -10_000 }])
    const { rows } = await database.superuser.query(
      'select count(*)::integer as pieces from bank_file_pieces where corp_id = $1',
      [school.corp_id],
    )
    expect(rows).toEqual([{ pieces: 0 }])
    await expectSoundLedger(school)
  })

  test('with a fault names the line, and changes nothing', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const before = await stored(school)
    const refused = [
      ['date,amount\n2026-10-14,5.00\n2026-10-15,x\n', /Line 3: x is not an amount/],
      ['date,amount,currency\n2026-10-14,5.00,EUR\n', /no statement of Bank/],
      ['when,what\n1,2\n', /no column for the date/],
    ] as const
    for (const [text, reason] of refused)
      await expect(importFile(school, account_id, Buffer.from(text))).rejects.toMatchObject({
        code: 40002,
        details: { errors: [{ param: 'file_id', reason: expect.stringMatching(reason) }] },
      })
    expect(await stored(school)).toEqual(before)
  })

  test('without balances continues from the balance of the account, and takes a mapping', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank', opening_price: 700 })
    const text = Buffer.from('Day,Sum\n2026-10-14,5.00\n2026-10-15,-1.00\n')
    const mapping = { Day: 'value_date', Sum: 'price' }
    const { statements, columns } = await importFile(school, account_id, text, { mapping })
    expect(columns).toEqual(['value_date', 'price'])
    expect(statements).toMatchObject([
      { name: '2026-10-14 – 2026-10-15', opening_price: 700, closing_price: 1100, has_balances: false },
    ])
    await expectSoundLedger(school)
  })

  test('omits lines of another statement, reports this in the dry run, and keeps identical lines of one statement', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const file = (rows: string) => Buffer.from(`date,amount,details,transaction id\n${rows}`)
    const first = '2026-10-14,5.00,Tuition,\n2026-10-14,5.00,Tuition,\n2026-10-15,7.00,Card,ref-900001\n'
    expect(await importFile(school, account_id, file(first))).toMatchObject({ added: 3, repeated_lines: 0 })
    const more = `2026-10-14,5.00,Tuition,\n${first.replace('Card', 'Card payment')}2026-10-16,1.00,,\n`
    const file_id = await upload(school, account_id, file(more))
    const before = await stored(school)
    const preview = await school.run(importStatementFile, { file_id, dry_run: true })
    const [january] = (await school.run(listStatements, { account_id })).list
    const overlap = { lines: 2, repeated_lines: 3 }
    expect(preview).toMatchObject({ ...overlap, statements: [{ ...overlap, repeats: [january.name] }] })
    expect(await stored(school)).toEqual(before)
    expect(await school.run(importStatementFile, { file_id })).toMatchObject({ added: 2, remaining: 0 })
    expect((await school.run(listBankAccounts, {})).list).toMatchObject([{ lines: 5, closing_price: 2300 }])
    const again = await importFile(school, account_id, file(more), { name: 'Again' })
    expect(again).toMatchObject({ added: 0, repeated_lines: 5, statements: [{ statement_id: null }] })
    expect((await school.run(listStatements, { account_id })).total).toBe(2)
    await expectSoundLedger(school)
  })

  test('of the same period with another line adds this line under its own name', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const file = (rows: string) => Buffer.from(`date,amount\n${rows}`)
    await importFile(school, account_id, file('2026-10-14,5.00\n2026-10-16,1.00\n'))
    const whole = file('2026-10-14,5.00\n2026-10-15,2.00\n2026-10-16,1.00\n')
    expect(await importFile(school, account_id, whole)).toMatchObject({ added: 1, repeated_lines: 2 })
    const { list } = await school.run(listStatements, { account_id })
    expect(list.map(({ name }: { name: string }) => name).sort()).toEqual([
      '2026-10-14 – 2026-10-16',
      '2026-10-14 – 2026-10-16 (2)',
    ])
    await expectSoundLedger(school)
  })

  test('with lines of another statement keeps the closing balance that the bank states', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank', opening_price: 10_000 })
    const file = (rows: string) => Buffer.from(`date,amount,balance\n${rows}`)
    await importFile(school, account_id, file('2026-10-14,5.00,105.00\n2026-10-15,2.00,107.00\n'))
    const next = file('2026-10-15,2.00,107.00\n2026-10-16,1.00,108.00\n')
    const imported = await importFile(school, account_id, next)
    expect(imported).toMatchObject({ added: 1, repeated_lines: 1 })
    expect(imported.statements).toMatchObject([{ opening_price: 10_700, closing_price: 10_800 }])
    expect((await school.run(listBankAccounts, {})).list).toMatchObject([
      { closing_price: 10_800, stated_price: 10_800, lines: 3 },
    ])
    await expectSoundLedger(school)
  })

  test('that continues the balance of the account repeats nothing, even if its lines look the same', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const file = (balance: string) => Buffer.from(`date,amount,balance\n2026-10-14,5.00,${balance}\n`)
    await importFile(school, account_id, file('5.00'))
    const next = await importFile(school, account_id, file('10.00'))
    expect(next).toMatchObject({ added: 1, repeated_lines: 0 })
    expect((await school.run(listBankAccounts, {})).list).toMatchObject([{ lines: 2, closing_price: 1000 }])
  })

  test('of more lines than a step is imported in steps, also after another upload took over', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const rows = Array.from({ length: 5010 }, (_, n) => `2026-10-14,${n + 1}.00,c${n}`)
    const bytes = Buffer.from(`date,amount,charge_id\n${rows.join('\n')}\n`)
    const first = await upload(school, account_id, bytes)
    expect(await school.run(importStatementFile, { file_id: first })).toMatchObject({
      added: 5000,
      remaining: 10,
    })
    expect((await school.run(listStatements, { account_id })).list).toMatchObject([{ is_complete: false }])
    // As autovacuum does within seconds: plans from the time of empty tables read every line once for each line.
    await database.superuser.query('analyze statement_lines, statement_line_states, bank_statements')
    await expectSoundLedger(school)
    const second = await upload(school, account_id, bytes)
    expect(await school.run(importStatementFile, { file_id: second })).toMatchObject({
      added: 0,
      remaining: 10,
    })
    expect(await school.run(importStatementFile, { file_id: second })).toMatchObject({
      added: 10,
      remaining: 0,
    })
    expect(await school.run(importStatementFile, { file_id: first })).toMatchObject({
      added: 0,
      remaining: 0,
    })
    expect((await school.run(listStatements, { account_id })).list).toMatchObject([
      { is_complete: true, lines: 5010 },
    ])
    await expectSoundLedger(school)
  })
})

test('a line that names a payment request proposes its order, and matches the payment of the order', async () => {
  const school = await openLedger(database)
  const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
  const { order_id } = await school.order({ listed_price: 100_000 })
  const reference = newReference('539007547')
  await findOrStoreReference(database.app.of(school.corp_id), school.corp_id, order_id, reference, new Date())
  const rows = `2026-03-02,5.00,Tuition ${writtenReference(reference)}\n2026-03-03,7.00,Other\n`
  await importFile(school, account_id, Buffer.from(`date,amount,details\n${rows}`))
  const { list, requested } = await school.run(listBankLines, {
    account_id,
    state: 'open',
    with_proposals: true,
  })
  expect(requested).toEqual([{ line_id: list[0].line_id, reference, order_id, user_name: 'Somebody' }])
  await school.run(createPayment, { order_id, price: 500, completed_time: '2026-03-01 10:00:00' })
  expect(await school.run(confirmCertainMatches, { account_id })).toMatchObject({ matched: 1 })
  await expectSoundLedger(school)
})

describe('a gateway', () => {
  test('states gross, fee and net; its payout is one line of the bank', async () => {
    const school = await openLedger(database)
    const pay = async (price: number, charge_id: string, more: object = {}) => {
      const { order_id } = await school.order({ listed_price: 10_000_000 })
      const made = { order_id, price, currency: 'USD', provider: 'stripe', charge_id, ...more }
      const { payment_id } = await school.run(createPayment, {
        ...made,
        completed_time: '2026-03-02 10:00:00',
      })
      return { order_id, payment_id: payment_id as string }
    }
    const kai = await pay(100_000, 'ch_1', { settled_price: 710_000 })
    await pay(1_072_500, 'ch_2', { currency: 'CNY' })
    const refund = {
      order_id: kai.order_id,
      payment_id: kai.payment_id,
      price: 142_000,
      returned_price: 20_000,
    }
    await school.run(createRefund, {
      ...refund,
      currency: 'USD',
      charge_id: 're_1',
      provider: 'stripe',
      reason: 'Agreed',
    })
    const gateway = await school.run(createBankAccount, {
      name: 'Stripe',
      provider: 'stripe',
      currency: 'USD',
    })
    const bank = await school.run(createBankAccount, { name: 'Bank', currency: 'USD' })
    const imported = await importFile(school, gateway.account_id, await fixture('stripe.csv'))
    expect(imported).toMatchObject({ format: 'stripe', lines: 5, left_out: 1 })
    const line = 'date,amount,details\n2026-10-16,2224.90,STRIPE PAYOUT po_1N8\n2026-10-17,5.00,Other\n'
    await importFile(school, bank.account_id, Buffer.from(line))
    const scope = { account_id: gateway.account_id }
    expect(await school.run(confirmCertainMatches, { ...scope, dry_run: true })).toMatchObject({ matched: 6 })
    expect(await school.run(confirmCertainMatches, scope)).toEqual({ matched: 6, remaining: 0 })
    expect(await school.run(confirmCertainMatches, scope)).toEqual({ matched: 0, remaining: 0 })
    const { list } = await school.run(listBankLines, { ...scope, page_size: 100 })
    const entriesOf = (charge: string | null) =>
      list
        .find((each: { charge_id: string | null }) => each.charge_id === charge)
        .entries.map(({ kind, price }: { kind: string; price: number }) => `${kind} ${price}`)
    expect(entriesOf('ch_1')).toEqual(['payment 100000', 'fee -2930'])
    // 10,725.00 CNY for a CNY order: the ledger has no amount in USD, so the whole gross is the payment.
    expect(entriesOf('ch_2')).toEqual(['payment 150000', 'fee -4380'])
    expect(entriesOf('re_1')).toEqual(['refund -20000'])
    expect(entriesOf(null)).toEqual(['fee -200'])
    expect(entriesOf('po_1N8')).toEqual(['transfer -222490'])
    expect(
      (await school.run(listBankLines, { account_id: bank.account_id, state: 'matched' })).list,
    ).toMatchObject([{ price: 222_490, rule: 'payout', entries: [{ kind: 'transfer' }] }])
    await expectSoundLedger(school)
  })

  test('that settles in the currency of the order states the difference', async () => {
    const school = await openLedger(database)
    const { order_id } = await school.order({ listed_price: 10_000_000 })
    const charge = { provider: 'stripe', charge_id: 'ch_9', completed_time: '2026-03-02 10:00:00' }
    await school.run(createPayment, {
      order_id,
      price: 100_000,
      currency: 'USD',
      settled_price: 720_000,
      ...charge,
    })
    const { account_id } = await school.run(createBankAccount, { name: 'Stripe', provider: 'stripe' })
    const report =
      'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id\n' +
      'txn_1,2026-10-12 08:00:00,cny,7150.00,200.00,6950.00,charge,ch_9\n'
    await importFile(school, account_id, Buffer.from(report))
    expect(await school.run(confirmCertainMatches, { account_id })).toMatchObject({ matched: 1 })
    const { list } = await school.run(listBankLines, { account_id })
    expect(list[0].entries).toMatchObject([
      { kind: 'payment', price: 720_000 },
      { kind: 'difference', price: -5000 },
      { kind: 'fee', price: -20_000 },
    ])
    await expectSoundLedger(school)
  })

  test('pays out to an account in another currency at a rate, or less its fee in the same one', async () => {
    const school = await openLedger(database)
    const accountOf = async (name: string, currency: string, rows: string) => {
      const { account_id } = await school.run(createBankAccount, { name, currency })
      await importFile(school, account_id, Buffer.from(`date,amount\n${rows}`))
      const { list } = await school.run(listBankLines, { account_id })
      return list.map((line: { line_id: string }) => line.line_id) as string[]
    }
    const [usd, more] = await accountOf('A', 'USD', '2026-10-14,-1000.00\n2026-10-15,-50.00\n')
    const [cny] = await accountOf('B', 'CNY', '2026-10-15,7150.00\n')
    const [less] = await accountOf('C', 'USD', '2026-10-16,49.50\n')
    const foreign = await school.run(transferBankLines, { line_id: usd, other_line_id: cny })
    expect(foreign).toMatchObject({ rate: '7.150000', difference_price: 0 })
    const out = foreign.list.find((line: { line_id: string }) => line.line_id === usd)
    expect(out).toMatchObject({ rule: 'transfer', reason: null })
    expect(out.entries).toMatchObject([{ transfer_price: 715_000, transfer_currency: 'CNY' }])
    for (const [line_id, other_line_id] of [
      [less, more],
      [more, 'nothing'],
      [more, more],
    ])
      await expect(school.run(transferBankLines, { line_id, other_line_id })).rejects.toMatchObject({
        code: 40002,
      })
    const paid = await school.run(transferBankLines, { line_id: more, other_line_id: less })
    expect(paid).toMatchObject({ rate: null, difference_price: 50 })
    await expectSoundLedger(school)
    const { list } = await school.run(unmatchBankLines, { line_ids: [less] })
    expect(list).toMatchObject([{ state: 'open' }])
    expect((await school.run(listBankLines, { state: 'open' })).total).toBe(2)
    await expectSoundLedger(school)
  })
})
