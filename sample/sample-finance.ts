import { issueDocument } from '../src/backoffice/documents/issue-document.ts'
import { createCashUp, fetchTakings } from '../src/backoffice/finance/cash-up/cash-ups.ts'
import { closePeriod } from '../src/backoffice/finance/close-period.ts'
import { appendStatementLines } from '../src/backoffice/finance/reconciliation/append-statement-lines.ts'
import { createBankAccount } from '../src/backoffice/finance/reconciliation/bank-accounts.ts'
import { openStatement } from '../src/backoffice/finance/reconciliation/bank-statements.ts'
import { listBankLines } from '../src/backoffice/finance/reconciliation/list-bank-lines.ts'
import { matchBankLines } from '../src/backoffice/finance/reconciliation/match-bank-lines.ts'
import type { Queryable } from '../src/database/database.ts'
import { changeLimits } from '../src/orders/limits/manage-refund-limits.ts'
import { createPayer } from '../src/orders/payers/create-payer.ts'
import { requestPayment } from '../src/orders/payment-requests/payment-requests.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createRefund } from '../src/orders/payments/create-refund.ts'
import { recordReceipt } from '../src/orders/payments/record-receipt.ts'
import { daySeconds, later, schoolDay } from './calendar.ts'
import data from './content/finance.json' with { type: 'json' }
import type { SampleOrders } from './insert-orders.ts'
import type { LoadedSchool } from './load-sample.ts'
import { openOffice } from './open-office.ts'

/**
 * The work of the finance office in the last days, by the operations that its members use: payers, receipts, a bank account
 * with two statements, documents, a payment request, a cash-up, a closed month and a refund that waits for approval. Unlike
 * the rest of the sample, it belongs to the present, because the ledger goes by the clock of the database.
 */
export async function addFinance(tx: Queryable, school: LoadedSchool, now: Date): Promise<void> {
  const { corp_id } = school.organization
  const office = openFinance(tx, school, now)
  const [first, second, ...employees] = ordersThatOwe(school.orders)
  const [one, two, three, paying, refunded] = employees as [string, string, string, string, string]
  await changeLimits(tx, corp_id, 'refund', data.refundLimits, now)
  await office.run(closePeriod, { corp_id, until: lastClosedDay(now) })

  const employer = await office.receive('employer', [one, two, three], 12)
  const parent = await office.receive('parent', [first!, second!], 5)
  for (const { order_id, ...payment } of [
    { order_id: paying, price: 120_000, method: 'cash' },
    { order_id: refunded, price: 80_000, method: 'cash' },
    { order_id: refunded, price: 2_000_000, method: 'card' },
  ])
    await office.run(createPayment, { corp_id, order_id, ...payment })
  const refund = { corp_id, order_id: refunded, method: 'transfer' }
  const given = await office.run(createRefund, { ...refund, ...data.refund })
  await office.run(createRefund, { ...refund, ...data.waitingRefund })

  const asked = await office.run(requestPayment, { corp_id, order_id: paying, ...data.paymentRequest })
  await office.run(issueDocument, { corp_id, kind: 'receipt', subject_id: parent })
  await office.run(issueDocument, { corp_id, kind: 'invoice', subject_id: one })
  await office.run(issueDocument, { corp_id, kind: 'credit_note', subject_id: given.refund_id! })
  await office.reconcile({ employer, parent, reference: asked.reference })
  await office.cashUp()
}

function openFinance(tx: Queryable, school: LoadedSchool, now: Date) {
  const { corp_id } = school.organization
  const { run } = openOffice(tx, school, 'finance', now)
  const dayBefore = (days: number) => schoolDay(later(now, -days * daySeconds))

  return {
    run,

    /** A transfer of a payer for several orders. Returns the payment. */
    async receive(kind: 'parent' | 'employer', orderIds: string[], days: number): Promise<string> {
      const { payer, price, each, charge_id } = data.payers[kind]
      const { payer_id } = await run(createPayer, { corp_id, kind, ...payer })
      const { payment_id } = await run(recordReceipt, {
        ...{ corp_id, payer_id, price, currency: 'CNY', method: 'transfer', charge_id },
        completed_time: `${dayBefore(days)} 10:00:00`,
        allocations: orderIds.map((order_id) => ({ order_id, price: each })),
      })
      return payment_id
    },

    /** Two statements: their receipts of payers are matched and a fee is booked, and some lines are open. */
    async reconcile(known: { employer: string; parent: string; reference: string }): Promise<void> {
      const { name, number, opening_price } = data.bank
      const { account_id } = await run(createBankAccount, { corp_id, name, number, opening_price })
      let balance = opening_price
      for (const { lines, from, until } of data.bank.statements) {
        const closing_price = lines.reduce((sum, { price }) => sum + price, balance)
        const period = `${dayBefore(from)} – ${dayBefore(until)}`
        const statement = { account_id, name: period, opening_price: balance, closing_price }
        const { statement_id } = await run(openStatement, { corp_id, ...statement })
        await run(appendStatementLines, {
          ...{ corp_id, statement_id, first_number: 1, completes: true },
          lines: lines.map(({ days, match: _, reference, ...line }) => ({
            ...line,
            value_date: dayBefore(days),
            reference: reference.replace('{reference}', known.reference),
          })),
        })
        const { list } = await run(listBankLines, { corp_id, statement_id, page_size: 100 })
        for (const [index, { match }] of lines.entries()) {
          const line_ids = list.filter((line) => line.number === index + 1).map(({ line_id }) => line_id)
          if (match === 'fee')
            await run(matchBankLines, { corp_id, line_ids, book: [{ as: 'fee', reason: data.bank.fee }] })
          if (match === 'employer' || match === 'parent')
            await run(matchBankLines, { corp_id, line_ids, payment_ids: [known[match]] })
        }
        balance = closing_price
      }
    },

    /** The takings of the day are counted. Ten are missing in cash. */
    async cashUp(): Promise<void> {
      const { day, takings } = await run(fetchTakings, { corp_id })
      const lines = takings.map(({ method, currency, expected_price }) => ({
        ...{ method, currency, counted_price: expected_price - (method === 'cash' ? 1000 : 0) },
        ...(method === 'cash' && { reason: data.missingCash }),
      }))
      await run(createCashUp, { corp_id, day, lines })
    },
  }
}

/** The end of the last month that was over before the first payment of the office arrived. */
function lastClosedDay(now: Date): string {
  const month = Temporal.PlainDate.from(schoolDay(later(now, -15 * daySeconds))).with({ day: 1 })
  return month.subtract({ days: 1 }).toString()
}

/** Orders of courses that owe enough, the latest first: one of each person. */
function ordersThatOwe({ orders, payments }: SampleOrders): string[] {
  const paid = Map.groupBy(payments, ({ order_id }) => order_id)
  const isOwing = ({ order_id, status, currency, type, total_price }: SampleOrders['orders'][number]) => {
    const received = (paid.get(order_id) ?? []).reduce((sum, each) => sum + (each.order_price ?? 0), 0)
    const isOpen = status === 'created' || status === 'pending'
    return isOpen && currency === 'CNY' && type === 'course' && (total_price ?? 0) - received > 3_000_000
  }
  const owing = orders.filter(isOwing).toReversed()
  return [...new Map(owing.map((order) => [order.user_id, order.order_id])).values()]
}
