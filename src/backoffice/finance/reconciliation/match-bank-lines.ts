import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import { described, Id, namedObject, OrganizationId, oneOf, optionalText } from '../../../contract/fields.ts'
import { longest } from '../../../contract/lengths.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { changeOrder } from '../../../orders/change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../../../orders/dry-run.ts'
import { anyOrder, ExchangeRate } from '../../../orders/ledger/fields.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import type { LineState } from '../../../orders/ledger/line-state-store.ts'
import { holdOrders } from '../../../orders/ledger/order-state-store.ts'
import { paymentRule } from '../../../orders/payments/create-payment.ts'
import { makeRefund } from '../../../orders/payments/create-refund.ts'
import { findKnownCharges } from '../../../orders/payments/known-charges.ts'
import { findRefundsByCharge } from '../../../orders/payments/refund-store.ts'
import { setLineStates } from '../matching/line-store.ts'
import { noCounterpart } from '../matching/match-lines.ts'
import { findAmounts, insertMatches } from '../matching/match-store.ts'
import { Balance } from './bank-accounts.ts'
import { BankLineRow, exampleLine, noEntry } from './bank-line-row.ts'
import { type BankLine, findBankLines, findReturnedMoney, type MatchEntry } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { todayOf } from './known-records.ts'

const mostRecords = 500

/** Ways to book a part of a line that has no counterpart in the ledger yet. */
export const bookings = ['payment', 'refund', 'chargeback', 'fee', 'difference', 'unidentified'] as const

const Booking = namedObject('BankLineBooking', {
  as: oneOf(
    bookings,
    'payment, refund, chargeback: recorded in the ledger; fee: of the bank; difference: of a settlement in another currency; unidentified: a receipt of an unknown payer',
  ),
  price: Type.Optional(
    described(
      Balance,
      'Minor units of the line, with its sign: refunds, chargebacks and fees are negative. Default: the rest of the line, for one part',
    ),
  ),
  order_id: Type.Optional(described(Id, 'The order of a payment, refund or chargeback')),
  payment_id: Type.Optional(described(Id, 'The payment that is refunded or charged back')),
  exchange_rate: Type.Optional(
    described(ExchangeRate, 'Of a payment; required if the currency differs from that of the order'),
  ),
  payer_id: Type.Optional(described(Id, 'Payer of a payment, if not the user of the order')),
  reason: optionalText(longest.longText, 'Reason of a refund or chargeback, or a note'),
})
type Booking = Static<typeof Booking>
type PricedBooking = Booking & { price: number }

const Input = Type.Object({
  corp_id: OrganizationId,
  line_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: mostRecords,
    description: 'Open lines; several are joined',
  }),
  payment_ids: Type.Optional(
    Type.Array(Id, { maxItems: mostRecords, description: 'Payments without a line' }),
  ),
  refund_ids: Type.Optional(Type.Array(Id, { maxItems: mostRecords, description: 'Refunds without a line' })),
  book: Type.Optional(
    Type.Array(Booking, {
      maxItems: 20,
      description: 'Parts to record; only with a single line, which they split',
    }),
  ),
  dry_run: DryRun,
})

/** Matches lines by hand, or books them. */
export const matchBankLines = endpoint({
  ...bankOperation,
  id: 'matchBankLines',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/line/match',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Match statement lines by hand, or book them',
  description:
    'Lines sum to payments less refunds plus bookings. Several lines are joined to one match; several counterparts split a ' +
    'line. The fee of a gateway is added to the match of its line. A payment in another currency counts with its amount in the ' +
    'currency of the order: book the rest as a difference. A booked payment, refund or chargeback is recorded in the ledger. A refund above the limit needs its second ' +
    'approver first: record it with order/refund/create, and match it afterwards.',
  input: Input,
  data: Type.Object({ list: Type.Array(BankLineRow), orders: OrderPreviews }),
  example: {
    input: {
      corp_id: exampleBank.corp_id,
      line_ids: ['0f878bac7add03527fa3251e9463289a'],
      book: [{ as: 'fee', price: -50_000, reason: 'Transfer fee' }],
    },
    data: {
      list: [
        {
          ...exampleLine,
          state: 'booked',
          match_id: exampleBank.match_id,
          rule: 'booked',
          reason: 'Transfer fee',
          entries: [
            {
              ...{ ...noEntry, kind: 'payment', payment_id: exampleBank.payment_id, price: 1_281_000 },
              ...{ order_id: '01a00491d4087169b3c88f8f9813ae4a', user_name: '林晓' },
            },
            { ...noEntry, kind: 'fee', price: -1000 },
          ],
        },
      ],
    },
  },
  errors: ['orderNotFound', 'paymentNotFound', 'payerNotFound', 'stateForbids', 'taken'],
  rules: ({ book = [] }) =>
    book.flatMap(({ as, price, order_id, reason }, index) => [
      ...(price === 0 ? [{ param: `book/${index}/price`, reason: 'must not be 0' }] : []),
      ...(isRecorded(as) && order_id === undefined
        ? [{ param: `book/${index}/order_id`, reason: `is required for a ${as}` }]
        : []),
      ...(as === 'refund' && !reason ? [{ param: `book/${index}/reason`, reason: 'is required' }] : []),
    ]),

  handle: withDryRun(
    ({ book = [] }: Static<typeof Input>) => book.flatMap(({ order_id }) => order_id ?? []),
    (context, { corp_id, line_ids, payment_ids = [], refund_ids = [], book: parts = [] }) =>
      context.db.transaction(async (tx) => {
        // As in every change of orders, the orders are locked before the clock.
        await holdOrders(tx, corp_id, [...new Set(parts.flatMap(({ order_id }) => order_id ?? []))])
        const [at] = await takeInstants(tx, corp_id, 1)
        const inside = { ...context, db: tx }
        const lines = await openLines(inside, corp_id, line_ids)
        const found = await counterparts(inside, corp_id, {
          payment_ids,
          refund_ids,
          currency: lines[0]!.currency,
        })
        if (parts.length > 0 && lines.length > 1) throw invalid('book', 'must be empty for several lines')
        const { currency } = lines[0]!
        if ([...lines, ...found].some((each) => each.currency !== currency))
          throw invalid('line_ids', 'have another currency than their counterparts')
        // The gateway has stated the fee of a line, so that the counterparts sum to the gross amount.
        const gross = lines.map((line) => ({ ...line, price: line.price + line.fee_price }))
        const book = withRest(parts, sumOf(gross) - sumOf(found))
        const sums = { lines: sumOf(gross), counterparts: sumOf(found) + sumOf(book) }
        if (sums.lines !== sums.counterparts)
          throw invalid('line_ids', `sum to ${sums.lines}, and the counterparts to ${sums.counterparts}`)
        const booked: Counterpart[] = []
        for (const [index, part] of book.entries()) {
          const made = await record(inside, lines[0]!, part, index)
          const id = made.payment_id ?? made.refund_id
          // The charge of the line may be a payment or refund that the call names, too.
          if (id !== null && [...found, ...booked].some((each) => id === (each.payment_id ?? each.refund_id)))
            throw new ApiError('stateForbids', {
              msg: `The charge of the line is ${id}, which the call names.`,
            })
          booked.push(made)
        }
        const fees = lines.filter(({ fee_price }) => fee_price !== 0)
        const entries = [
          ...allocate(gross, [...found, ...booked]),
          ...fees.map(({ line_id, fee_price }) => ({
            ...noCounterpart,
            line_id,
            kind: 'fee',
            price: -fee_price,
          })),
        ]
        const match = { match_id: context.newId(), executor_id: context.account.app_id, at: at! }
        const reason = book.find((part) => part.reason)?.reason ?? null
        const rule = book.length > 0 ? 'booked' : 'by_hand'
        await insertMatches(
          tx,
          corp_id,
          entries.map((entry, seq) => ({ ...match, ...entry, seq, rule, reason })),
        )
        const state: LineState = book.length > 0 ? 'booked' : 'matched'
        await setLineStates(tx, corp_id, line_ids, state)
        const { list } = await findBankLines(
          tx,
          { corp_id, lineIds: line_ids, today: todayOf(context) },
          everyLine,
        )
        return { list }
      }),
  ),
})

const everyLine = { limit: mostRecords, offset: 0 }

/** One part may take the rest of the line. */
function withRest(parts: Booking[], price: number): PricedBooking[] {
  const isPriced = (part: Booking): part is PricedBooking => part.price !== undefined
  const rest = price - sumOf(parts.filter(isPriced))
  if (parts.filter((part) => !isPriced(part)).length > 1)
    throw invalid('book', 'must state all prices but one')
  return parts.map((part) => (isPriced(part) ? part : { ...part, price: rest }))
}

function isRecorded(as: Booking['as']): boolean {
  return as === 'payment' || as === 'refund' || as === 'chargeback'
}

type Counterpart = MatchEntry & { currency: string }

async function openLines(
  context: OrganizationContext,
  corp_id: string,
  lineIds: string[],
): Promise<BankLine[]> {
  if (new Set(lineIds).size < lineIds.length) throw invalid('line_ids', 'name a line twice')
  const { list } = await findBankLines(context.db, { corp_id, lineIds, today: todayOf(context) }, everyLine)
  if (list.length < lineIds.length) throw invalid('line_ids', 'name a line that does not exist')
  const taken = list.find(({ state }) => state !== 'open')
  if (taken)
    throw new ApiError('stateForbids', {
      msg: `The line ${taken.line_id} is ${taken.state}. Unmatch it first.`,
    })
  return list
}

/** The named payments and refunds, which must be open. */
async function counterparts(
  { db }: OrganizationContext,
  corp_id: string,
  { payment_ids, refund_ids, currency }: { payment_ids: string[]; refund_ids: string[]; currency: string },
): Promise<Counterpart[]> {
  const { payments } = await findAmounts(db, corp_id, [], payment_ids)
  const refunds = new Map(
    (await findReturnedMoney(db, corp_id, refund_ids)).map((each) => [each.refund_id, each]),
  )
  const open = (id: string, param: string, isTaken: boolean | undefined) => {
    if (isTaken === undefined) throw invalid(param, `names ${id}, which does not exist`)
    if (isTaken) throw invalid(param, `names ${id}, which is matched already or void`)
  }
  return [
    ...[...new Set(payment_ids)].map((payment_id) => {
      const payment = payments.get(payment_id)
      open(payment_id, 'payment_ids', payment?.is_matched)
      const amount =
        payment!.currency !== currency && payment!.order_currency === currency
          ? { price: payment!.order_price, currency }
          : { price: payment!.price, currency: payment!.currency }
      return { ...noCounterpart, kind: 'payment' as const, payment_id, ...amount }
    }),
    ...[...new Set(refund_ids)].map((refund_id) => {
      const refund = refunds.get(refund_id)
      open(refund_id, 'refund_ids', refund?.is_taken)
      const { price, currency } = refund!
      return { ...noCounterpart, kind: 'refund' as const, refund_id, price: -price, currency }
    }),
  ]
}

/** Records a part of a line in the ledger, where it belongs there. */
async function record(
  context: OrganizationContext,
  line: BankLine,
  { as, price, order_id = '', payment_id, payer_id, exchange_rate, reason }: PricedBooking,
  index: number,
): Promise<Counterpart> {
  const { corp_id } = context.organization
  const { currency, value_date } = line
  const fact = {
    ...{ corp_id, order_id, currency, completed_time: `${value_date} 00:00:00` },
    charge_id: `${line.charge_id ?? line.line_id}${index === 0 ? '' : `#${index + 1}`}`,
    ...(line.provider !== '' && { provider: line.provider }),
  }
  if (price === 0) throw invalid(`book/${index}/price`, 'is 0: nothing of the line is left')
  if (as === 'fee' || as === 'difference' || as === 'unidentified')
    return { ...noCounterpart, kind: as, price, currency }
  if (as === 'payment') {
    if (price < 0) throw invalid(`book/${index}/price`, 'must be positive for a payment')
    // A person records the line: a voided payment of the charge does not prevent it.
    const charge = { charge_id: fact.charge_id, provider: line.provider }
    const known = (await findKnownCharges(context.db, corp_id, [charge])).find(charge)
    const input = {
      ...{ ...fact, price, source: 'import' as const, reinstate: true },
      ...((!known || known.is_void) && methodOf(line)),
      ...(exchange_rate !== undefined && { exchange_rate }),
      ...((reason || line.description) && { comments: reason || line.description! }),
      ...(payer_id && { payer_id }),
    }
    const changer = { db: context.db, corp_id, executor_id: context.account.app_id }
    const made = await changeOrder(changer, { order_id, context, input }, paymentRule)
    const { payment_id } = made
    const { payments } = await findAmounts(context.db, corp_id, [], [payment_id])
    if (payments.get(payment_id)?.is_matched)
      throw new ApiError('stateForbids', {
        msg: `The charge of the line is payment ${payment_id}, which is void or matched. Reverse the void, or unmatch it.`,
      })
    return { ...noCounterpart, kind: 'payment', payment_id, price, currency }
  }
  if (price > 0) throw invalid(`book/${index}/price`, `must be negative for a ${as}`)
  // After a chargeback, the debt is open again. A refund is a credit.
  const effect = as === 'chargeback' ? { as: 'return' as const } : {}
  const refund = { price: -price, reason: reason || 'Chargeback', ...(payment_id && { payment_id }) }
  const input = { ...fact, ...refund, ...effect }
  // No limit applies to a chargeback: the money is gone.
  const refund_id = await returnMoney(context, line, input, { isApproved: as === 'chargeback' })
  return { ...noCounterpart, kind: 'refund', refund_id, price, currency }
}

/** A gateway collects and returns money itself. Otherwise it comes and goes by bank transfer. */
function methodOf({ provider }: BankLine): { method?: string } {
  return provider === '' ? { method: 'transfer' } : {}
}

/**
 * Records a refund, or finds the one of the same charge. A reversed refund stays reversed: the line is then another refund,
 * whose charge has a number.
 */
async function returnMoney(
  context: OrganizationContext,
  line: BankLine,
  input: Parameters<typeof makeRefund>[1] & { charge_id: string },
  approval: { isApproved: boolean },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const charge_id = attempt === 1 ? input.charge_id : `${input.charge_id}/${attempt}`
    const charge = { charge_id, provider: line.provider }
    const known = await findRefundsByCharge(context.db, input.corp_id, [charge])
    const fact = { ...input, charge_id, ...(known.size === 0 && methodOf(line)) }
    const { refund_id } = await makeRefund(context, fact, approval)
    if (refund_id === null)
      throw new ApiError('stateForbids', {
        msg: 'The refund needs a second approver. Record it with order/refund/create, and match the line afterwards.',
        allowed: ['order/refund/create'],
      })
    const [refund] = await findReturnedMoney(context.db, input.corp_id, [refund_id])
    if (refund?.is_reversed) continue
    if (!refund?.is_taken) return refund_id
    throw new ApiError('stateForbids', {
      msg: `The charge of the line is refund ${refund_id}, which is matched. Unmatch it first.`,
    })
  }
}

/** Entries per line. Several lines take counterparts of one sign, in order, each line completely before the next. */
function allocate(lines: BankLine[], found: Counterpart[]) {
  const entryOf = ({ line_id }: BankLine, { currency: _, ...counterpart }: Counterpart, price: number) => ({
    ...{ ...counterpart, line_id, price },
  })
  const [line] = lines
  if (lines.length === 1 && line) return found.map((each) => entryOf(line, each, each.price))
  const sign = Math.sign(sumOf(lines))
  if ([...lines, ...found].some(({ price }) => Math.sign(price) !== sign))
    throw invalid('line_ids', 'must be either all incoming or all outgoing, as their counterparts')
  const left = found.map((each) => ({ each, price: Math.abs(each.price) }))
  return lines.flatMap((one) => {
    const entries: ReturnType<typeof entryOf>[] = []
    for (let rest = Math.abs(one.price); rest > 0; ) {
      const next = left.find(({ price }) => price > 0)
      if (!next) break
      const price = Math.min(rest, next.price)
      entries.push(entryOf(one, next.each, sign * price))
      next.price -= price
      rest -= price
    }
    return entries
  })
}

function sumOf(parts: { price: number }[]): number {
  return parts.reduce((sum, { price }) => sum + price, 0)
}
