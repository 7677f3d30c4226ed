import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { newId } from '../../contract/new-id.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { listPayments } from '../../orders/payments/list-payments.ts'
import { listRefunds } from '../../orders/payments/list-refunds.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateStatus } from '../../orders/update-status.ts'
import type { ControlSheet } from './control-sheet.ts'
import { exportMoney, type MoneyExportRequest } from './export-money.ts'
import { matchBankLines } from './reconciliation/match-bank-lines.ts'
import { unmatchBankLines } from './reconciliation/settle-bank-lines.ts'
import { exportFormats } from './write-export.ts'

let database: TestDatabase
let school: TestLedger
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-money-'))
  school = await openLedger(database, 'Asia/Shanghai')
  await live(school)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

describe.each(['payments', 'refunds'] as const)('an export of %s', (what) => {
  test('has the rows of its list, in major units', async () => {
    const { rows } = await take({ what })
    const list = await listed(what)
    expect(rows.map(idOf)).toEqual(list.map(idOf))
    for (const [index, row] of rows.entries()) {
      const shown = list[index]!
      for (const name of Object.keys(row).filter((column) => column in shown)) {
        const unit = amounts[what][name]
        const told = unit ? minor(row[name], shown[unit]) : row[name]
        expect(told, `${name} of ${idOf(row)}`).toBe(shown[name])
      }
    }
  })

  test('is summed by currency on its control sheet', async () => {
    const { rows, control } = await take({ what })
    const sums = new Map<string, number>()
    for (const row of rows)
      for (const [column, unit] of Object.entries(amounts[what])) {
        const key = `${column} ${row[unit]}`
        sums.set(key, (sums.get(key) ?? 0) + minor(row[column], row[unit]))
      }
    const shown = control.sums.map(({ column, currency, sum }) => [
      `${column} ${currency}`,
      Number(sum.replace('.', '')),
    ])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(sums))
    expect(control).toMatchObject({ what, row_count: rows.length, corp_id: school.corp_id, start_date: null })
  })

  test('of an instant has the same bytes at any later time, in every format', async () => {
    const ledger = await openLedger(database)
    await live(ledger)
    const before = []
    for (const format of exportFormats) before.push(await take({ what, format }, ledger))
    await live(ledger)
    for (const { payment_id, state } of await listed('payments', ledger))
      if (state === 'applied')
        await ledger.run(voidPayment, { payment_id, reason: 'late news' }).catch(() => {})
    for (const [index, format] of exportFormats.entries()) {
      const again = await take({ what, format, as_of: before[index]!.control.as_of }, ledger)
      expect(again.bytes).toEqual(before[index]!.bytes)
      expect((await take({ what, format }, ledger)).bytes).not.toEqual(before[index]!.bytes)
    }
  })

  test('has the same filters as its list', async () => {
    for (const selection of [
      { method: 'card' },
      { provider: 'bank' },
      { start_date: '2026-02-01' },
      { end_date: '2026-02-01' },
      { start_date: '2026-02-01', end_date: '2026-02-01' },
    ])
      expect((await take({ what, ...selection })).rows.map(idOf), JSON.stringify(selection)).toEqual(
        (await listed(what, school, selection)).map(idOf),
      )
    await expect(take({ what, start_date: '2026-02-30' })).rejects.toThrow('The filter is wrong: start_date')
  })

  test('has the rows of its organization only', async () => {
    expect((await take({ what }, await openLedger(database))).rows).toEqual([])
    await expect(take({ what }, { ...school, corp_id: 'nowhere' })).rejects.toThrow('no organization')
  })
})

test.each(['applied', 'unapplied', 'void'])(
  'payments can be selected as those that were %s then',
  async (state) => {
    const { rows } = await take({ what: 'payments', state })
    const list = await listed('payments', school, { state })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(idOf)).toEqual(list.map(idOf))
    await expect(take({ what: 'refunds', state })).rejects.toThrow('no state')
  },
)

test.each(['payments', 'refunds'] as const)(
  'the list and the export of %s state when a statement line confirmed a row, until the match is undone',
  async (what) => {
    const ledger = await openLedger(database, 'Asia/Shanghai')
    await live(ledger)
    const times = async (as_of?: string) => {
      const { rows } = await take({ what, ...(as_of && { as_of }) }, ledger)
      return rows.map(({ matched_time }) => matched_time)
    }
    const [first, ...others] = await listed(what, ledger)
    const isPayment = what === 'payments'
    const price = isPayment ? first.price : -first.returned_price
    const { lineIds } = await sendStatement(ledger.run, [{ price }], { currency: first.currency })
    const counterpart = isPayment ? { payment_ids: [first.payment_id] } : { refund_ids: [first.refund_id] }
    const { as_of: before } = (await take({ what }, ledger)).control
    await ledger.run(matchBankLines, { line_ids: lineIds, ...counterpart })
    const shown = (await listed(what, ledger)).map(({ matched_time }) => matched_time)
    expect(shown).toEqual([expect.stringMatching(/^\d{4}-/), ...others.map(() => '')])
    expect(await times()).toEqual(shown)
    expect(await times(before)).toEqual(shown.map(() => ''))
    await ledger.run(unmatchBankLines, { line_ids: lineIds })
    expect(await times()).toEqual(shown.map(() => ''))
    expect((await listed(what, ledger))[0].matched_time).toBe('')
  },
)

/** Columns of money, and the column that tells their currency. */
const amounts: Record<'payments' | 'refunds', Record<string, string>> = {
  payments: {
    price: 'currency',
    voided_price: 'currency',
    moved_price: 'currency',
    ...Object.fromEntries(
      ['order_price', 'applied_price', 'unapplied_price', 'refund_price'].map((name) => [
        name,
        'order_currency',
      ]),
    ),
  },
  refunds: {
    returned_price: 'currency',
    price: 'order_currency',
    surplus_price: 'order_currency',
    credited_price: 'order_currency',
    reversed_price: 'order_currency',
  },
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every list.
type Row = any

const idOf = (row: Row) => row.refund_id ?? row.payment_id
const minor = (major: number, currency: string) => Math.round(major * 10 ** currencyExponents[currency]!)

async function listed(what: string, ledger = school, selection = {}): Promise<Row[]> {
  const list = what === 'payments' ? listPayments : listRefunds
  return (await ledger.run(list, { page_size: 1000, ...selection })).list
}

async function take(
  request: Partial<MoneyExportRequest> & Pick<MoneyExportRequest, 'what'>,
  { corp_id } = school,
): Promise<{ control: ControlSheet; bytes: Buffer[]; rows: Row[] }> {
  const format = request.format ?? 'ndjson'
  const out = join(folder, newId())
  const { files, control } = await exportMoney({ db: database.app }, { corp_id, out, ...request, format })
  const bytes = await Promise.all(files.map((file) => readFile(file)))
  const lines = format === 'ndjson' ? bytes[0]!.toString().split('\n').slice(0, -1) : []
  return { control, bytes, rows: lines.map((line) => JSON.parse(line)) }
}

async function live(ledger: TestLedger) {
  const paid = await ledger.order()
  const card = { method: 'card', provider: 'gateway', completed_time: '2026-01-15 10:00:00' }
  await ledger.run(createPayment, { order_id: paid.order_id, price: 12_345, ...card })
  const bank = { method: 'transfer', provider: 'bank', completed_time: '2026-02-01 23:30:00' }
  await ledger.run(createPayment, {
    ...{ order_id: paid.order_id, price: 1000, currency: 'USD', exchange_rate: 71_234, ...bank },
  })
  await ledger.run(createRefund, { order_id: paid.order_id, price: 345, reason: 'Agreed', ...card })
  const over = await ledger.order({ currency: 'JPY', listed_price: 500, installment_count: 1 })
  await ledger.run(createPayment, { order_id: over.order_id, price: 700, comments: '=1+1' })
  await ledger.run(createRefund, { order_id: over.order_id, price: 200, reason: 'Too much', ...bank })
  const canceled = await ledger.order()
  await ledger.run(updateStatus, { order_id: canceled.order_id, status: 'canceled' })
  await ledger.run(createPayment, { order_id: canceled.order_id, price: 77 })
  const bounced = await ledger.run(createPayment, { order_id: paid.order_id, price: 400 })
  await ledger.run(voidPayment, { payment_id: bounced.payment_id, reason: 'bounced' })
}
