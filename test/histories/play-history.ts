import { isDeepStrictEqual } from 'node:util'
import { closePeriod } from '../../src/backoffice/finance/close-period.ts'
import type { ClosingDocument } from '../../src/backoffice/finance/closing.ts'
import { listBankLines } from '../../src/backoffice/finance/reconciliation/list-bank-lines.ts'
import { confirmCertainMatches } from '../../src/backoffice/finance/reconciliation/settle-bank-lines.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { createRemark } from '../../src/orders/create-remark.ts'
import { expireOrders } from '../../src/orders/expire-orders.ts'
import { explainOrder } from '../../src/orders/ledger/explain-order.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { applyPayment } from '../../src/orders/payments/apply-payment.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { listPayments } from '../../src/orders/payments/list-payments.ts'
import { reverseRefund } from '../../src/orders/payments/reverse-refund.ts'
import { reverseTransfer } from '../../src/orders/payments/reverse-transfer.ts'
import { reverseVoid } from '../../src/orders/payments/reverse-void.ts'
import { reverseWriteOff } from '../../src/orders/payments/reverse-write-off.ts'
import { transferMoney } from '../../src/orders/payments/transfer-money.ts'
import { unapplyPayment } from '../../src/orders/payments/unapply-payment.ts'
import { voidPayment } from '../../src/orders/payments/void-payment.ts'
import { updateOrder } from '../../src/orders/update-order.ts'
import { updateStatus } from '../../src/orders/update-status.ts'
import { writeOffOrder } from '../../src/orders/write-off-order.ts'
import { sendStatement } from '../harness/bank-lines.ts'
import type { TestDatabase } from '../harness/database.ts'
import type { TestLedger } from '../harness/ledger.ts'
import {
  type Creation,
  coupons,
  dayMs,
  dayText,
  type History,
  type StatementLine,
  type Step,
  stepOf,
  timeText,
} from './history-steps.ts'
import {
  balanceOf,
  canMove,
  discountOf,
  expire,
  held,
  inOrder,
  linesOn,
  type ModelOrder,
  type ModelPayment,
  type ModelSubOrder,
  move,
  moveMoney,
  noMoney,
  type Outcome,
  overpaid,
  paid,
  paidOn,
  pay,
  refund,
  refunded,
  refundedOn,
  statusOf,
  sum,
  total,
  unapplied,
  unpaid,
  update,
} from './order-model.ts'

/** An organization for consecutive histories. Its clock only advances. */
export interface Playground {
  school: TestLedger
  database: TestDatabase
  now: number
  histories: number
  steps: number
  refused: number
  /** The model's totals of every order in the history, by currency. */
  money: Map<string, { held: number; unapplied: number }>
  /** The closings so far, as in their responses. */
  closings: Map<string, string>
  matched: number
  /** By currency. */
  bankAccounts: Map<string, string>
}

export function playgroundOf(school: TestLedger, database: TestDatabase): Playground {
  return {
    school,
    database,
    now: Date.UTC(2027, 0, 1),
    histories: 0,
    steps: 0,
    refused: 0,
    matched: 0,
    bankAccounts: new Map(),
    money: new Map(),
    closings: new Map(),
  }
}

interface Observed {
  step: Step
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation.
  data: any
}

/** Plays a history against the service and the model. Throws if the model cannot explain a response. */
export async function playHistory(ground: Playground, { creation, rounds }: History): Promise<void> {
  ground.histories++
  const input = inputOf(creation, ground)
  const created = await create(ground, creation, input)
  if (!created) return
  const { order_id, made } = created
  const other = await createOther(ground, creation.currency)
  let model: ModelOrder = { ...created.model, other: other.model }
  const before: Step[] = []
  for (const round of rounds) {
    ground.now += round.some(({ kind }) => kind === 'expire') ? 12 * dayMs : 60_000
    const situation = { order: model, now: ground.now, before, fresh: () => `charge-${counter++}` }
    const steps = round.map((wanted) => stepOf(wanted, situation))
    before.push(...steps)
    const orders = { order_id, other_id: other.order_id, input, made }
    const observed = await Promise.all(steps.map((step) => observe(ground, orders, step)))
    ground.steps += steps.length
    ground.refused += observed.filter(({ code }) => code !== 0).length
    model = explained(model, observed, ground.now, await versionOf(ground, order_id))
  }
  await compare(ground, order_id, model)
  await compare(ground, other.order_id, model.other!)
  await comparePayments(ground, order_id, model)
  const waiting = sum(model.payments.map((payment) => unapplied(model, payment)))
  addMoney(ground, creation.currency, held(model) + held(model.other!) + waiting, waiting)
}

export function addMoney({ money }: Playground, currency: string, received: number, waiting: number): void {
  const before = money.get(currency) ?? { held: 0, unapplied: 0 }
  money.set(currency, { held: before.held + received, unapplied: before.unapplied + waiting })
}

/** Closes the books up to the day before yesterday. The response for a closed period never changes. */
export async function close({ school, closings, now }: Playground): Promise<ClosingDocument> {
  const until = dayText(now - 2 * dayMs)
  const closing: ClosingDocument = await school.run(closePeriod, { until }, new Date(now))
  const known = closings.get(until)
  if (known !== undefined) expectSame(JSON.stringify(closing), known, 'a closing that is asked for again')
  closings.set(until, JSON.stringify(closing))
  return closing
}

/** A statement's lines are matched or open, to the unit, in every state of the payments. */
async function match(ground: Playground, lines: StatementLine[]) {
  const run: Parameters<typeof sendStatement>[0] = (operation, input) =>
    ground.school.run(operation, input, new Date(ground.now))
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const own = lines.filter((line) => line.currency === currency)
    const account_id = ground.bankAccounts.get(currency)
    const sent = await sendStatement(run, own, { currency, ...(account_id && { account_id }) })
    ground.bankAccounts.set(currency, sent.account_id)
    const { statement_id } = sent
    const { matched } = await ground.school.run(confirmCertainMatches, { statement_id }, new Date(ground.now))
    const { list } = await ground.school.run(listBankLines, { statement_id, page_size: 1000 })
    expectSame(list.length, own.length, 'the number of lines of a statement')
    const done = list.filter(({ state }: { state: string }) => state === 'matched')
    expectSame(done.length, matched, 'the matched lines of a statement')
    for (const { price, entries } of done)
      expectSame(sum(entries.map((entry: { price: number }) => entry.price)), price, 'a matched line')
    ground.matched += matched
  }
}

/** An order with some money, for transfers. */
async function createOther({ school, now }: Playground, currency: string) {
  const input = { user_id: school.user_id, currency, listed_price: 9000, installment_count: 2 }
  const { order_id, sub_order_ids } = await school.run(createOrder, input, new Date(now))
  const { payment_id } = await school.run(createPayment, { order_id, price: 4000 }, new Date(now))
  const line = { payment_id, price: 4000, refunded: 0, completed: [now, 0] as [number, number] }
  const subOrders = (sub_order_ids as string[]).map(
    (sub_order_id, index): ModelSubOrder => ({
      ...noMoney,
      sub_order_id,
      total: 4500,
      deadline: null,
      lines: index === 0 ? [line] : [],
    }),
  )
  const model: ModelOrder = {
    ...{ status: 'pending', version: 2, currency, listed: 9000, discounted: 9000, charge: 0, coupons: [] },
    ...{ subOrders, payments: [], refunds: [], transfers: [], other: null },
  }
  return { order_id: order_id as string, model }
}

let counter = 0

/** The response of a concurrent expiry does not show whether it was in time. The version of the order does. */
async function versionOf({ database, school }: Playground, order_id: string): Promise<number> {
  const text = 'select version from orders where corp_id = $1 and order_id = $2'
  return (await database.superuser.query(text, [school.corp_id, order_id])).rows[0].version
}

/**
 * Explains concurrent steps by an order in which the model gives each its response. An expiry that finds the order
 * locked leaves it for the next time.
 */
function explained(model: ModelOrder, observed: Observed[], now: number, version: number): ModelOrder {
  const withoutExpiry = observed.filter(({ step }) => step.kind !== 'expire')
  const isHeld = withoutExpiry.length > 0 && withoutExpiry.length < observed.length
  for (const steps of isHeld ? [observed, withoutExpiry] : [observed]) {
    for (const sequence of permutations(steps)) {
      let order: ModelOrder | undefined = model
      for (const each of sequence) order = order && after(order, each, now)
      if (order?.version === version) return order
    }
  }
  throw new Error(
    `No order of these steps explains their answers: ${JSON.stringify({ model, observed, version }, null, 1)}`,
  )
}

function after(order: ModelOrder, { step, code, data }: Observed, now: number): ModelOrder | undefined {
  const outcome = outcomeOf(order, { step, code, data }, now)
  if (outcome.code !== code) return undefined
  if (code !== 0 || ['expire', 'recreate', 'close', 'match'].includes(step.kind)) return outcome.order
  if (outcome.told !== undefined)
    return step.kind !== 'pay' || outcome.told === data.payment_id ? order : undefined
  const told = sideOf(order, step, data)
  const version = told.version ?? told.order_version
  const status = told.status ?? told.order_status ?? outcome.order.status
  const isSame =
    version === outcome.order.version &&
    status === outcome.order.status &&
    (outcome.applied === undefined || outcome.applied === data.applied) &&
    (outcome.order_price === undefined || outcome.order_price === data.order_price)
  return isSame ? outcome.order : undefined
}

/** The part of a response about the order of the history. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every operation.
function sideOf(order: ModelOrder, step: Step, data: any) {
  if (step.kind === 'transfer') return step.isOut ? data.from : data.to
  if (step.kind !== 'reverseTransfer') return data
  const transfer = order.transfers.find(({ transfer_id }) => transfer_id === step.transfer_id)
  return transfer?.isOut ? data.to : data.from
}

function outcomeOf(order: ModelOrder, { step, data }: Observed, now: number): Outcome {
  switch (step.kind) {
    case 'pay': {
      const completed: [number, number] = step.completed_time
        ? [Date.parse(`${step.completed_time.replace(' ', 'T')}Z`), 0]
        : [now, order.version]
      return pay(order, step, data?.payment_id ?? '', completed)
    }
    case 'refund':
      return refund(order, step, data?.refund_id ?? '')
    case 'move':
      return move(order, step.to, now, step.retains && step.to === 'canceled')
    case 'void':
    case 'apply':
    case 'unapply':
    case 'transfer':
    case 'writeOff':
    case 'reverseRefund':
    case 'reverseVoid':
    case 'reverseTransfer':
    case 'reverseWriteOff':
      return moveMoney(order, step, data?.transfer_id ?? '')
    case 'update':
      return update(order, step, data?.sub_order_ids ?? [])
    case 'remark':
      return { code: 0, order: { ...order, version: order.version + 1 } }
    case 'expire':
      return expire(order, now)
    case 'recreate':
      return { code: step.isChanged ? 40901 : 0, order }
    case 'close':
    case 'match':
      return { code: 0, order }
  }
}

async function observe(
  ground: Playground,
  {
    order_id,
    other_id,
    input,
    made,
  }: { order_id: string; other_id: string; input: Record<string, unknown>; made: unknown },
  step: Step,
): Promise<Observed> {
  const { school, database, now } = ground
  const { kind, ...members } = step
  const run = (endpoint: unknown, more = {}) => school.run(endpoint, { order_id, ...more }, new Date(now))
  try {
    switch (kind) {
      case 'pay':
        return { step, code: 0, data: await run(createPayment, members) }
      case 'refund':
        return { step, code: 0, data: await run(createRefund, members) }
      case 'update':
        return { step, code: 0, data: await run(updateOrder, members) }
      case 'void':
        return { step, code: 0, data: await run(voidPayment, { ...members, reason: 'Bounced' }) }
      case 'apply':
        return { step, code: 0, data: await run(applyPayment, members) }
      case 'unapply':
        return { step, code: 0, data: await run(unapplyPayment, members) }
      case 'writeOff':
        return { step, code: 0, data: await run(writeOffOrder, { ...members, reason: 'Insolvent' }) }
      case 'reverseRefund':
        return { step, code: 0, data: await run(reverseRefund, { ...members, reason: 'Returned' }) }
      case 'reverseVoid':
        return { step, code: 0, data: await run(reverseVoid, { ...members, reason: 'Arrived' }) }
      case 'reverseTransfer':
        return { step, code: 0, data: await run(reverseTransfer, { ...members, reason: 'Wrong' }) }
      case 'reverseWriteOff':
        return { step, code: 0, data: await run(reverseWriteOff, { ...members, reason: 'Solvent' }) }
      case 'transfer': {
        const { isOut, price } = step as Extract<Step, { kind: 'transfer' }>
        const [from_order_id, to_order_id] = isOut ? [order_id, other_id] : [other_id, order_id]
        const transfer = { from_order_id, to_order_id, price, reason: 'Moved' }
        return { step, code: 0, data: await run(transferMoney, transfer) }
      }
      case 'move': {
        const { to: status, retains } = step as Extract<Step, { kind: 'move' }>
        const retained = retains && status === 'canceled' && { retain: true, reason: 'Kept' }
        return { step, code: 0, data: await run(updateStatus, { status, ...retained }) }
      }
      case 'remark':
        return { step, code: 0, data: await run(createRemark, { content: 'A remark' }) }
      case 'expire':
        return { step, code: 0, data: await expireOrders(database.app, school.corp_id, new Date(now)) }
      case 'recreate': {
        const isChanged = (step as { isChanged: boolean }).isChanged
        const again = await school.run(
          createOrder,
          isChanged ? { ...input, contract_id: 'other' } : input,
          new Date(now),
        )
        expectSame(again, made, 'a repeated creation')
        return { step, code: 0, data: again }
      }
      case 'close':
        return { step, code: 0, data: await close(ground) }
      case 'match':
        return { step, code: 0, data: await match(ground, (step as { lines: StatementLine[] }).lines) }
    }
  } catch (error) {
    if (error instanceof ApiError) return { step, code: error.code, data: undefined }
    throw error
  }
}

function inputOf(creation: Creation, ground: Playground): Record<string, unknown> & { listed_price: number } {
  const { currency, listed, service_charge, status, subOrders, isListed, deadlineInDays, hasShares } =
    creation
  const deadline = (index: number) =>
    deadlineInDays === null ? undefined : dayText(ground.now + (deadlineInDays + index * 7) * dayMs)
  const discounted = listed - discountOf(listed, couponsOf(creation))
  const plan = isListed
    ? {
        sub_orders: equal(Math.max(0, discounted) + service_charge, subOrders).map((total_price, index) => ({
          total_price,
          ...(deadlineInDays !== null && { payment_deadline: deadline(index) }),
        })),
      }
    : {
        installment_count: subOrders,
        ...(deadlineInDays !== null && { first_payment_deadline: deadline(0) }),
      }
  return {
    user_id: ground.school.user_id,
    external_id: `external-${counter++}`,
    currency,
    listed_price: listed,
    service_charge,
    status,
    coupon_ids: couponsOf(creation).map(({ coupon_id }) => coupon_id),
    ...(hasShares && { share_proportion: { one: 0.3333, two: 0.6667 } }),
    ...plan,
  }
}

function couponsOf({ coupons: chosen, currency }: Creation) {
  const ids = chosen.map((name) => (name === 'amount' ? `amount-${currency}` : name))
  return coupons.filter(({ coupon_id }) => ids.includes(coupon_id))
}

async function create(ground: Playground, creation: Creation, input: ReturnType<typeof inputOf>) {
  const now = ground.now
  ground.steps += creation.copies
  const answers = await Promise.all(
    Array.from({ length: creation.copies }, () =>
      ground.school.run(createOrder, input, new Date(now)).catch((error: unknown) => {
        if (error instanceof ApiError) return { code: error.code }
        throw error
      }),
    ),
  )
  for (const answer of answers) expectSame(answer, answers[0], 'simultaneous creations')
  const [made] = answers
  const discounted = creation.listed - discountOf(creation.listed, couponsOf(creation))
  if (discounted < 0) {
    ground.refused += creation.copies
    expectSame(made, { code: 40002 }, 'a coupon larger than the price')
    return undefined
  }
  const charged = discounted + creation.service_charge
  expectSame([made.total_price, made.currency], [charged, creation.currency], 'a creation')
  const totals = equal(charged, creation.subOrders)
  const subOrders = (made.sub_order_ids as string[]).map(
    (sub_order_id, index): ModelSubOrder => ({
      sub_order_id,
      total: totals[index]!,
      deadline: deadlineOf(creation, index, now),
      ...noMoney,
    }),
  )
  expectSame(subOrders.length, creation.subOrders, 'the number of instalments')
  const model: ModelOrder = {
    status: charged === 0 && creation.status === 'created' ? 'success' : creation.status,
    version: 1,
    currency: creation.currency,
    listed: creation.listed,
    discounted,
    charge: creation.service_charge,
    coupons: couponsOf(creation),
    subOrders,
    payments: [],
    refunds: [],
    transfers: [],
    other: null,
  }
  return { order_id: made.order_id as string, made, model }
}

function deadlineOf({ deadlineInDays, isListed }: Creation, index: number, now: number): number | null {
  if (deadlineInDays === null) return null
  const day = new Date(now + (deadlineInDays + (isListed ? index * 7 : 0)) * dayMs)
  const months = isListed ? 0 : index
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day.getUTCDate(), lastDay), 23, 59, 59)
}

/** Compares the order in the service with the model. */
export async function compare(
  { school, now }: Pick<Playground, 'school' | 'now'>,
  order_id: string,
  model: ModelOrder,
): Promise<void> {
  const { status, version, ...told } = await school.run(fetchOrder, { order_id })
  const shown = {
    status,
    version,
    currency: told.currency,
    prices: [told.listed_price, told.discounted_price, told.total_price],
    sums: [told.paid_price, told.post_refund_price, told.unpaid_price],
    // biome-ignore lint/suspicious/noExplicitAny: checked against the contract elsewhere.
    subOrders: told.sub_orders.map((subOrder: any) => ({
      sub_order_id: subOrder.entity_id,
      status: subOrder.status,
      sums: [subOrder.total_price, subOrder.paid_price, subOrder.refund_price],
      deadline: subOrder.payment_deadline,
      payments: subOrder.payments.map(({ payment_id }: { payment_id: string }) => payment_id),
    })),
  }
  const expected = {
    status: model.status,
    version: model.version,
    currency: model.currency,
    prices: [model.listed, model.discounted, total(model)],
    sums: [paid(model), paid(model) - refunded(model), unpaid(model)],
    subOrders: model.subOrders.map((subOrder) => ({
      sub_order_id: subOrder.sub_order_id,
      status: statusOf(model, subOrder),
      sums: [subOrder.total, paidOn(subOrder), refundedOn(subOrder)],
      deadline: subOrder.deadline === null ? '' : timeText(subOrder.deadline),
      payments: inOrder(subOrder.lines).map(({ payment_id }) => payment_id),
    })),
  }
  expectSame(shown, expected, 'the order')
  await compareExplanation(school, order_id, model, new Date(now))
}

async function compareExplanation(school: TestLedger, order_id: string, model: ModelOrder, now: Date) {
  const { moves, payment, prices, refund: back } = await school.run(explainOrder, { order_id }, now)
  for (const { status, is_possible } of moves as { status: string; is_possible: boolean }[])
    expectSame(is_possible, canMove(model, status), `the explained move to ${status}`)
  const hasRoom = model.subOrders.some(({ lines }) => lines.length < 15)
  const isPayable = ['created', 'pending', 'success'].includes(model.status)
  expectSame(payment.is_possible, hasRoom && isPayable, 'the explained payment')
  expectSame(back.at_most, held(model), 'the explained refund')
  const over = prices.find(({ name }: { name: string }) => name === 'over_payment_price').value
  expectSame(over, overpaid(model), 'the explained surplus')
}

interface ListedPayment {
  payment_id: string
  order_id: string
  state: string
  order_price: number
  unapplied_price: number
  allocations: { price: number }[]
}

/** Nothing is lost: received money is allocated, unallocated, refunded or void. */
async function comparePayments({ school }: Playground, order_id: string, model: ModelOrder): Promise<void> {
  const { list } = await school.run(listPayments, { order_id, page_size: 1000 })
  // The list follows the money: payments of the other order are in its own comparison.
  const own = list.filter((row: ListedPayment) => row.order_id === order_id)
  const shown = own.map(({ payment_id, state, order_price, unapplied_price, allocations }: ListedPayment) => [
    payment_id,
    ...[state, order_price, unapplied_price, sum(allocations.map(({ price }) => price))],
  ])
  const expected = inOrder(model.payments).map((payment) => {
    const waiting = unapplied(model, payment)
    const allocated = sum(linesOn(model, payment).map(({ price }) => price))
    return [payment.payment_id, stateOf(model, payment), payment.order_price, waiting, allocated]
  })
  expectSame(shown, expected, 'the payments')
}

function stateOf(model: ModelOrder, payment: ModelPayment): string {
  const [balance, waiting] = [balanceOf(model, payment), unapplied(model, payment)]
  if (balance > waiting) return 'applied'
  if (waiting > 0) return 'unapplied'
  return payment.voided > 0 ? 'void' : 'refunded'
}

export function expectSame(found: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new Error(`${what} differs:\nfound    ${JSON.stringify(found)}\nexpected ${JSON.stringify(expected)}`)
}

function equal(amount: number, count: number): number[] {
  const each = Math.floor(amount / count)
  return Array.from({ length: count }, (_, index) => (index < count - 1 ? each : amount - each * index))
}

export function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length < 2) yield items
  else
    for (const [index, item] of items.entries())
      for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest]
}
