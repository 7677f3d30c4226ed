import { fetchPayerStatement } from '../../src/backoffice/finance/payers/fetch-statement.ts'
import { listBankAccounts } from '../../src/backoffice/finance/reconciliation/bank-accounts.ts'
import { listStatements } from '../../src/backoffice/finance/reconciliation/bank-statements.ts'
import { listBankLines } from '../../src/backoffice/finance/reconciliation/list-bank-lines.ts'
import { listUnmatchedPayments } from '../../src/backoffice/finance/reconciliation/list-unmatched-payments.ts'
import { listPayments } from '../../src/orders/payments/list-payments.ts'
import type { TestLedger } from '../harness/ledger.ts'
import { isMatched } from './bank-model.ts'
import { heldIn, linesOf, sum } from './order-model.ts'
import { compare, expectSame } from './play-history.ts'
import {
  backOf,
  balanceOf,
  homeCurrency,
  isVoid,
  linesIn,
  unappliedOf,
  type World,
  type WorldLine,
  type WorldPayment,
} from './world-model.ts'
import type { Setting } from './world-steps.ts'

interface Ground {
  school: TestLedger
  now: number
}

/** Compares the service with the model: per order, per payment, per payer and per bank account. */
export async function compareWorld(ground: Ground, world: World, { payers, bank }: Setting): Promise<void> {
  for (const [order_id, order] of world.orders) await compare(ground, order_id, order)
  await comparePayments(ground, world, payers)
  for (const payer of payers) await comparePayer(ground, world, payer)
  for (const { account_id } of bank) await compareAccount(ground, world, account_id)
}

async function comparePayments({ school }: Ground, world: World, payers: string[]): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: checked against the contract elsewhere.
  const rows = new Map<string, any>()
  const filters = [
    ...[...world.orders.keys()].map((order_id) => ({ order_id })),
    ...payers.map((payer_id) => ({ payer_id })),
  ]
  for (const filter of filters)
    for (const row of (await school.run(listPayments, { ...filter, page_size: 1000 })).list)
      rows.set(row.payment_id, row)
  expectSame(
    [...rows.keys()].sort(),
    world.payments.map(({ payment_id }) => payment_id).sort(),
    'the payments',
  )
  for (const payment of world.payments) {
    const { state, order_price, order_currency, unapplied_price, refund_price, ...row } = rows.get(
      payment.payment_id,
    )
    const onOrders = Map.groupBy(
      row.allocations as { order_id: string; price: number }[],
      ({ order_id }) => order_id,
    )
    const shown = {
      ...{ state, order_price, order_currency, unapplied_price, refund_price },
      ...{ order_id: row.order_id, price: row.price, currency: row.currency, payer_id: row.payer_id },
      isMatched: row.matched_time !== '',
      allocations: [...onOrders].map(([id, lines]) => [id, sum(lines.map(({ price }) => price))]).sort(),
    }
    const expected = {
      ...{ state: stateOf(world, payment), order_price: payment.order_price },
      ...{ order_currency: homeCurrency(world, payment), unapplied_price: unappliedOf(world, payment) },
      ...{ refund_price: backOf(world, payment), order_id: payment.home, price: payment.price },
      ...{ currency: payment.currency, payer_id: payment.payer ?? '' },
      isMatched: isMatched(world, payment.payment_id),
      allocations: [...world.orders]
        .map(
          ([id, order]) => [id, sum(linesOf(order, payment.payment_id).map(({ price }) => price))] as const,
        )
        .filter(([, price]) => price > 0)
        .sort(),
    }
    expectSame(shown, expected, `the payment ${payment.payment_id}`)
  }
}

function stateOf(world: World, payment: WorldPayment): string {
  if (heldIn(linesIn(world, payment)) > 0) return 'applied'
  if (balanceOf(world, payment) > 0) return 'unapplied'
  if (payment.moved > 0) return 'moved'
  return payment.voided > 0 ? 'void' : 'refunded'
}

/** Received less voided, moved and refunded equals allocated plus unallocated. */
async function comparePayer({ school }: Ground, world: World, payer_id: string): Promise<void> {
  const { balances, list, total } = await school.run(fetchPayerStatement, { payer_id, page_size: 1000 })
  const own = world.payments.filter(({ payer }) => payer === payer_id)
  const byCurrency = Map.groupBy(own, (payment) => homeCurrency(world, payment))
  const expected = [...byCurrency].map(([currency, payments]) => {
    const all = (of: (payment: WorldPayment) => number) => sum(payments.map(of))
    return {
      currency,
      opening_price: 0,
      received_price: all(({ order_price }) => order_price),
      voided_price: all(({ voided }) => voided),
      moved_price: all(({ moved }) => moved),
      refunded_price: all((payment) => backOf(world, payment)),
      closing_price: all((payment) => balanceOf(world, payment)),
      allocated_price: all((payment) => heldIn(linesIn(world, payment))),
      unallocated_price: all((payment) => unappliedOf(world, payment)),
    }
  })
  expectSame(
    balances.map((row: object) => ({ ...row })),
    expected.sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    'the balances of a payer',
  )
  expectSame(list.length, total, 'the entries of a payer')
  for (const { currency, closing_price } of expected) {
    const entries = (list as { currency: string; price: number; balance: number }[]).filter(
      (entry) => entry.currency === currency,
    )
    expectSame(sum(entries.map(({ price }) => price)), closing_price, 'the entries of a payer')
    expectSame(entries.at(-1)?.balance, closing_price, 'the last balance of a payer')
  }
}

/** Opening balance and lines sum to the closing balance; open, matched, booked and ignored lines are all lines. */
async function compareAccount({ school, now }: Ground, world: World, account_id: string): Promise<void> {
  const own = world.lines.filter((line) => line.account_id === account_id)
  const at = new Date(now)
  const { list, total, price } = await school.run(listBankLines, { account_id, page_size: 1000 }, at)
  expectSame([total, price], [own.length, sum(own.map((line) => line.price))], 'the lines of an account')
  // biome-ignore lint/suspicious/noExplicitAny: checked against the contract elsewhere.
  const shown = list.map(({ line_id, state, entries }: any) => [
    line_id,
    state,
    entries
      // biome-ignore lint/suspicious/noExplicitAny: checked against the contract elsewhere.
      .map((entry: any) => [
        entry.kind,
        entry.payment_id ?? entry.refund_id ?? entry.transfer_line_id ?? '',
        entry.price,
      ])
      .sort(),
  ])
  const expected = own.map(({ line_id, state, entries }) => [
    ...[line_id, state],
    entries.map((entry) => [entry.kind, entry.id ?? '', entry.price]).sort(),
  ])
  expectSame(shown.sort(), expected.sort(), 'the matches of an account')
  const { list: statements } = await school.run(listStatements, { account_id, page_size: 1000 }, at)
  const byStatement = Map.groupBy(own, ({ statement_id }) => statement_id)
  expectSame(statements.length, byStatement.size, 'the statements of an account')
  for (const {
    statement_id,
    opening_price,
    closing_price,
    missing_price,
    is_complete,
    ...sums
  } of statements) {
    const lines = byStatement.get(statement_id) ?? []
    expectSame(
      [closing_price - opening_price, missing_price, is_complete],
      [sum(lines.map((line) => line.price)), 0, true],
      'the balances of a statement',
    )
    const { open_lines, matched_lines, booked_lines, ignored_lines, open_price } = sums
    const states = ['open', 'matched', 'booked', 'ignored'].map((state) => inState(lines, state).length)
    expectSame(
      [open_lines, matched_lines, booked_lines, ignored_lines],
      states,
      'the progress of a statement',
    )
    expectSame(
      open_price,
      sum(inState(lines, 'open').map((line) => line.price)),
      'the open lines of a statement',
    )
  }
}

const inState = (lines: WorldLine[], state: string) => lines.filter((line) => line.state === state)

/** Compares the totals of a school over all its histories: the balances of bank accounts, and the payments without a line. */
export async function compareSchool(
  ground: Ground,
  ended: { world: World; setting: Setting }[],
): Promise<void> {
  const { school, now } = ground
  const at = new Date(now)
  const { list } = await school.run(listBankAccounts, {}, at)
  const rows = new Map(list.map((row: { account_id: string }) => [row.account_id, row]))
  for (const { world, setting } of ended)
    for (const { account_id, opening } of setting.bank) {
      const own = world.lines.filter((line) => line.account_id === account_id)
      const open = inState(own, 'open').map(({ price }) => price)
      const row = rows.get(account_id) as Record<string, number>
      expectSame(
        [row.closing_price, row.lines, row.open_lines, row.open_incoming_price, row.open_outgoing_price],
        [
          ...[opening + sum(own.map(({ price }) => price)), own.length, open.length],
          ...[sum(open.filter((price) => price > 0)), sum(open.filter((price) => price < 0))],
        ],
        'a bank account',
      )
    }
  const waiting = ended.flatMap(({ world }) =>
    world.payments.filter((payment) => !isVoid(payment) && !isMatched(world, payment.payment_id)),
  )
  const range = { start_date: '2026-01-01', end_date: '2099-12-31', page_size: 1000 }
  const found: string[] = []
  for (let page = 0; ; page++) {
    const listed = await school.run(listUnmatchedPayments, { ...range, page }, at)
    found.push(...listed.list.map(({ payment_id }: { payment_id: string }) => payment_id))
    expectSame(listed.total, waiting.length, 'the number of payments without a line')
    if (listed.list.length < range.page_size) break
  }
  expectSame(found.sort(), waiting.map(({ payment_id }) => payment_id).sort(), 'the payments without a line')
}
