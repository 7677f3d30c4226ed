import { lineIdOf } from '../../src/backoffice/finance/matching/statement-line.ts'
import { appendStatementLines } from '../../src/backoffice/finance/reconciliation/append-statement-lines.ts'
import { openStatement } from '../../src/backoffice/finance/reconciliation/bank-statements.ts'
import { matchBankLines } from '../../src/backoffice/finance/reconciliation/match-bank-lines.ts'
import {
  confirmCertainMatches,
  ignoreBankLines,
  unmatchBankLines,
} from '../../src/backoffice/finance/reconciliation/settle-bank-lines.ts'
import { transferBankLines } from '../../src/backoffice/finance/reconciliation/transfer-bank-lines.ts'
import type { Call, CallStep } from './call-step.ts'
import { type Found, type FoundLine, type FoundMoney, pickFrom } from './found.ts'

const reason = 'Random'
const fee = 7

/** A statement line, and the payment or refund that it reports. */
interface WrittenLine {
  price: number
  fee_price?: number
  charge_id?: string
  reference?: string
  of?: string
}

type BankCall = (step: CallStep, found: Found) => Call

/** Operations on bank statements, with input from the records found so far. */
export const bankCalls = {
  open({ picks, price }, found) {
    const paid = pickFrom(found.payments, picks[2])
    const closing_price = picks[3] % 2 === 0 ? price : (paid?.price ?? 0)
    const name = `${found.orders[0]} ${picks[1] % 3}`
    return [
      openStatement,
      { account_id: pickFrom(found.bankAccounts, picks[0]), name, opening_price: 0, closing_price },
    ]
  },
  append(step, found) {
    const statement = pickFrom(found.statements, step.picks[0])
    const lines = writtenLines(step, found).map(({ of: _, ...line }) => ({ value_date: today(), ...line }))
    const first_number = step.picks[1] % 8 === 0 ? 1 : (statement?.next ?? 1)
    return [appendStatementLines, { statement_id: statement?.statement_id ?? 'none', first_number, lines }]
  },
  /** The line that is missing between the balances. */
  complete({ picks }, found) {
    const statement = pickFrom(found.statements, picks[0])
    const lines = [{ value_date: today(), price: statement?.missing || 1 }]
    return [
      appendStatementLines,
      {
        ...{ statement_id: statement?.statement_id ?? 'none', first_number: statement?.next ?? 1, lines },
        completes: true,
      },
    ]
  },
  match: (step, found) => [matchBankLines, matchOf(step, found)],
  ignore: (step, found) => [ignoreBankLines, { line_ids: [lineOf(step, found).line_id], reason }],
  unmatch: (step, found) => [unmatchBankLines, { line_ids: [lineOf(step, found).line_id] }],
  confirm({ picks, isOther }, found) {
    const statement = pickFrom(found.statements, picks[0])
    const scope = isOther
      ? { account_id: pickFrom(found.bankAccounts, picks[0]) }
      : { statement_id: statement?.statement_id ?? 'none' }
    return [confirmCertainMatches, scope]
  },
  bankTransfer({ picks }, found) {
    const outgoing = found.lines.filter(({ gross }) => gross < 0)
    const incoming = found.lines.filter(({ gross }) => gross > 0)
    const line_id = pickFrom(outgoing, picks[0])?.line_id ?? 'none'
    return [transferBankLines, { line_id, other_line_id: pickFrom(incoming, picks[1])?.line_id ?? 'none' }]
  },
} satisfies Record<string, BankCall>

const today = () => new Date().toISOString().slice(0, 10)

function writtenLines({ picks, price, isOther }: CallStep, found: Found): WrittenLine[] {
  const payment = pickFrom(found.payments, picks[2])
  const refund = pickFrom(found.refunds, picks[2])
  const known = payment ?? { id: 'none', price, charge_id: `charge ${picks[1] % 5}` }
  const amount = Math.min(price, 30_000)
  switch (picks[3] % 8) {
    case 0:
      return [lineFor(known, known.price)]
    case 1:
      return refund ? [lineFor(refund, -refund.price)] : [lineFor(known, -known.price)]
    case 2:
      return [{ ...lineFor(known, known.price - fee), fee_price: fee }]
    case 3:
      return [{ price: -fee, fee_price: fee }]
    case 4:
      return [
        { ...lineFor(known, known.price), charge_id: undefined, reference: pickFrom(found.orders, picks[0]) },
      ]
    case 5: {
      const part = Math.max(1, Math.floor(known.price / 3))
      return [lineFor(known, part), lineFor(known, known.price - part)]
    }
    default:
      return [{ price: isOther ? amount : -amount, charge_id: `charge ${picks[1] % 5}` }]
  }
}

function lineFor({ id, charge_id }: FoundMoney, price: number): WrittenLine {
  return { price, charge_id, of: id }
}

function lineOf({ picks }: CallStep, found: Found): FoundLine {
  return pickFrom(found.lines, picks[0]) ?? { line_id: 'none', gross: 1 }
}

function matchOf(step: CallStep, found: Found) {
  const { picks, isOther } = step
  const line = lineOf(step, found)
  const { gross } = line
  const order_id = pickFrom(found.orders, picks[1]) ?? 'none'
  const payment = pickFrom(found.payments, picks[2])
  const refund = pickFrom(found.refunds, picks[2])
  const named = picks[2] % 2 === 0 && payment ? { payment_id: payment.id } : {}
  const as =
    gross > 0 ? pickFrom(['payment', 'payment', 'unidentified', 'difference'], picks[2]) : outgoing(picks[2])
  const part = (price: number) => ({ as, price, order_id, reason, ...(gross < 0 && named) })
  const difference = (counted: number) =>
    counted === gross ? [] : [{ as: 'difference', price: gross - counted, reason }]
  switch (picks[3] % 7) {
    case 0:
    case 1:
      // All lines that report one payment.
      return {
        line_ids: [
          line,
          ...found.lines.filter((each) => each !== line && line.of && each.of === line.of),
        ].map(lineId),
        payment_ids: line.of === undefined || gross < 0 ? [] : [line.of],
        refund_ids: line.of === undefined || gross > 0 ? [] : [line.of],
      }
    case 2:
      return {
        line_ids: [line.line_id],
        payment_ids: [payment?.id ?? 'none'],
        book: difference(payment?.price ?? 0),
      }
    case 3:
      return {
        line_ids: [line.line_id],
        refund_ids: [refund?.id ?? 'none'],
        book: difference(-(refund?.price ?? 0)),
      }
    case 4: {
      const first = Math.trunc(gross / 3)
      const rest = { ...part(gross - first), ...(isOther && { as: gross > 0 ? 'payment' : 'chargeback' }) }
      return { line_ids: [line.line_id], book: [part(first), rest] }
    }
    case 5:
      // The payment of the line by its id, and the same charge once more.
      return {
        line_ids: [line.line_id],
        payment_ids: line.of ? [line.of] : [],
        book: [part(gross), ...difference(2 * gross)],
      }
    default:
      return { line_ids: [line.line_id], book: [part(gross)] }
  }
}

const lineId = ({ line_id }: FoundLine) => line_id
const outgoing = (n: number) => pickFrom(['refund', 'refund', 'chargeback', 'fee', 'difference'], n)

/** Adds the statement or the lines of a call to the known records. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every operation.
export function noteBankAnswer(step: CallStep, input: any, data: any, found: Found): void {
  const { operation } = step as { operation: string }
  if (operation === 'open') {
    const { statement_id } = data
    if (found.statements.some((each) => each.statement_id === statement_id)) return
    found.statements.push({ statement_id, next: 1, missing: input.closing_price })
  }
  if (operation === 'append' || operation === 'complete') {
    const statement = found.statements.find(({ statement_id }) => statement_id === input.statement_id)
    if (!statement) return
    const written = operation === 'append' ? writtenLines(step, found) : input.lines
    for (const [index, { price, fee_price = 0, of }] of (written as WrittenLine[]).entries()) {
      const line_id = lineIdOf(input.statement_id, input.first_number + index)
      if (found.lines.some((line) => line.line_id === line_id)) continue
      found.lines.push({ line_id, gross: price + fee_price, ...(of !== undefined && { of }) })
    }
    statement.next = Math.max(statement.next, input.first_number + written.length)
    statement.missing = data.missing_price
  }
  if (operation === 'match')
    for (const { entries } of data.list)
      for (const { payment_id, refund_id, price } of entries) {
        if (payment_id && !found.payments.some(({ id }) => id === payment_id))
          found.payments.push({ id: payment_id, price })
        if (refund_id && !found.refunds.some(({ id }) => id === refund_id))
          found.refunds.push({ id: refund_id, price: -price })
      }
}
