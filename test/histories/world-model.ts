/**
 * An independent model of several orders, payers and bank accounts, without any code of the service: the world after a
 * step, or the code of the refusal. Money of a payment is voided, moved, refunded, on orders or on no order; a line of a
 * statement is open or has entries that sum to it.
 */

import {
  heldIn,
  isTaking,
  lessPayment,
  linesOf,
  type ModelOrder,
  type ModelPayment,
  type ModelRefund,
  move,
  moveMoney,
  poured,
  refund,
  sum,
  without,
} from './order-model.ts'

export interface WorldPayment extends ModelPayment {
  /** The order or payer account that it was recorded for. */
  home: string
  payer: string | null
  price: number
  currency: string
  provider: string
  comments: string
  moved: number
}

export interface WorldRefund extends ModelRefund {
  order_id: string
  payment_id: string | undefined
  provider: string
  price: number
  currency: string
}

export interface WorldLine {
  line_id: string
  account_id: string
  statement_id: string
  price: number
  fee: number
  charge_id: string | null
  provider: string
  description: string | null
  day: string
  state: 'open' | 'matched' | 'booked' | 'ignored'
  entries: WorldEntry[]
  /** The lines of its match, with itself. */
  joined: string[]
  /** A person undid its match, or a void or reversal did. */
  wasMatched: boolean
}

export interface WorldEntry {
  kind: string
  /** The payment, the refund, or the line of the other account. */
  id: string | null
  price: number
}

export interface World {
  /** Of the bank accounts, and of the orders but the last. */
  currency: string
  orders: Map<string, ModelOrder>
  /** The accounts of payers, by their id. */
  accounts: Map<string, { payer: string; currency: string }>
  payments: WorldPayment[]
  refunds: WorldRefund[]
  lines: WorldLine[]
}

export interface WorldOutcome {
  code: number
  world: World
  /** The payment or refund that the answer names. */
  id?: string
}

export const refused = (world: World, code: number): WorldOutcome => ({ code, world })

export type WorldStep =
  | { kind: 'pay'; order_id: string; payer?: string; report: Report; reinstate?: boolean }
  | {
      kind: 'receipt'
      payer: string
      report: Report
      reinstate?: boolean
      allocations: { order_id: string; price: number }[]
    }
  | { kind: 'apply'; payment_id: string; order_id: string; price?: number }
  | { kind: 'unapply'; payment_id: string; order_id: string }
  | {
      kind: 'refund'
      order_id: string
      payment_id?: string
      price: number
      as: 'credit' | 'return'
      charge_id?: string
    }
  | { kind: 'reverseRefund'; refund_id: string }
  | { kind: 'void' | 'reverseVoid'; payment_id: string }
  | { kind: 'move'; payment_id: string; to_order_id: string; settled_price: number }
  | { kind: 'assign'; payment_id: string; payer: string | null }
  | { kind: 'writeOff'; order_id: string; price: number }
  | { kind: 'cancel'; order_id: string }

/** The reported money of a payment. */
export interface Report {
  price: number
  currency: string
  /** In the currency of the order, if the payment has another one. */
  settled_price?: number
  charge_id?: string
  provider: string
  comments: string
  completed: number
}

export const balanceOf = (world: World, payment: WorldPayment) =>
  payment.order_price - payment.voided - payment.moved - backOf(world, payment)

export const linesIn = (world: World, { payment_id }: WorldPayment) =>
  [...world.orders.values()].flatMap((order) => linesOf(order, payment_id))

export const backOf = (world: World, payment: WorldPayment) =>
  sum(linesIn(world, payment).map(({ refunded }) => refunded)) + payment.unappliedBack

export const unappliedOf = (world: World, payment: WorldPayment) =>
  balanceOf(world, payment) - heldIn(linesIn(world, payment))

export const isVoid = ({ voided, moved }: WorldPayment) => voided > 0 || moved > 0

/** The currency of the order or account that a payment was recorded for. */
export const homeCurrency = (world: World, { home }: WorldPayment) =>
  world.orders.get(home)?.currency ?? world.accounts.get(home)!.currency

const paymentOf = (world: World, id: string) => world.payments.find(({ payment_id }) => payment_id === id)!

/** The valid payment of a charge, or the latest void one. */
function chargeIn(world: World, charge_id: string | undefined): WorldPayment | undefined {
  const known = world.payments.filter((each) => charge_id !== undefined && each.charge_id === charge_id)
  return known.find((each) => !isVoid(each)) ?? known.at(-1)
}

function changed(world: World, id: string, change: Partial<WorldPayment>): World {
  const payments = world.payments.map((each) => (each.payment_id === id ? { ...each, ...change } : each))
  return { ...world, payments }
}

function withOrders(world: World, orders: [string, ModelOrder][]): World {
  return { ...world, orders: new Map([...world.orders, ...orders]) }
}

const next = (order: ModelOrder, after: ModelOrder): ModelOrder => ({ ...after, version: order.version + 1 })

/** The world after a step; `ids` are those that the service has given. */
export function afterStep(world: World, step: WorldStep, ids: { id: string; home?: string }): WorldOutcome {
  switch (step.kind) {
    case 'pay':
      return paid(world, step, ids.id)
    case 'receipt':
      return received(world, step, ids)
    case 'apply':
      return applied(world, step)
    case 'unapply': {
      const order = world.orders.get(step.order_id)!
      if (heldIn(linesOf(order, step.payment_id)) === 0) return refused(world, 40904)
      const after = next(order, without(order, lessPayment(order, step.payment_id)))
      return { code: 0, world: withOrders(world, [[step.order_id, after]]) }
    }
    case 'refund':
      return refundIn(world, { ...step, provider: '', reason: 'Refund' }, ids.id)
    case 'reverseRefund':
      return refundReversed(world, step.refund_id)
    case 'void':
      return voided(world, step.payment_id)
    case 'reverseVoid':
      return voidReversed(world, step.payment_id)
    case 'move':
      return moved(world, step, ids.id)
    case 'assign': {
      const { home } = paymentOf(world, step.payment_id)
      if (step.payer === null && world.accounts.has(home)) return refused(world, 40904)
      return { code: 0, world: changed(world, step.payment_id, { payer: step.payer }) }
    }
    case 'writeOff':
    case 'cancel': {
      const order = world.orders.get(step.order_id)!
      const outcome =
        step.kind === 'writeOff'
          ? moveMoney(order, { kind: 'writeOff', price: step.price }, '')
          : move(order, 'canceled', 0)
      return { code: outcome.code, world: withOrders(world, [[step.order_id, outcome.order]]) }
    }
  }
}

function isRepetition(known: WorldPayment, home: string, report: Report): boolean {
  return (
    known.home === home &&
    known.price === report.price &&
    known.currency === report.currency &&
    known.comments === report.comments &&
    known.completed[0] === report.completed &&
    (report.settled_price === undefined || report.settled_price === known.order_price)
  )
}

function recorded(payment_id: string, home: string, payer: string | null, report: Report): WorldPayment {
  const { price, currency, settled_price, charge_id, provider, comments, completed } = report
  return {
    ...{ payment_id, home, payer, price, currency, provider, comments, charge_id, notice: '' },
    ...{
      order_price: settled_price ?? price,
      completed: [completed, 0],
      voided: 0,
      moved: 0,
      unappliedBack: 0,
    },
  }
}

export function paid(
  world: World,
  step: { order_id: string; payer?: string; report: Report; reinstate?: boolean },
  id: string,
): WorldOutcome {
  const { order_id, payer = null, report } = step
  const known = chargeIn(world, report.charge_id)
  if (known && !(isVoid(known) && step.reinstate))
    return isRepetition(known, order_id, report)
      ? { code: 0, world, id: known.payment_id }
      : refused(world, 40901)
  const order = world.orders.get(order_id)!
  if (report.currency !== order.currency && report.settled_price === undefined) return refused(world, 40002)
  const payment = recorded(id, order_id, payer, { ...report, provider: known?.provider ?? report.provider })
  const line = { payment_id: id, price: payment.order_price, refunded: 0, completed: payment.completed }
  const after = (isTaking(order, report.completed) && poured(order, [line])) || order
  const orders = withOrders(world, [[order_id, next(order, after)]])
  return { code: 0, world: { ...orders, payments: [...world.payments, payment] }, id }
}

function received(
  world: World,
  step: Extract<WorldStep, { kind: 'receipt' }>,
  { id, home = '' }: { id: string; home?: string },
): WorldOutcome {
  const { payer, report, allocations } = step
  const known = chargeIn(world, report.charge_id)
  const account = [...world.accounts].find(
    ([, each]) => each.payer === payer && each.currency === report.currency,
  )?.[0]
  if (known && !(isVoid(known) && step.reinstate)) {
    const isSame =
      isRepetition(known, account ?? home, report) && known.notice === JSON.stringify(allocations)
    return isSame && !isVoid(known) ? { code: 0, world, id: known.payment_id } : refused(world, 40901)
  }
  if (sum(allocations.map(({ price }) => price)) > report.price) return refused(world, 40002)
  const place = account ?? home
  const payment = {
    ...recorded(id, place, payer, { ...report, provider: known?.provider ?? report.provider }),
    notice: JSON.stringify(allocations),
  }
  const taken = allocations.flatMap(({ order_id, price }): [string, ModelOrder][] => {
    const order = world.orders.get(order_id)!
    const line = { payment_id: id, price, refunded: 0, completed: payment.completed }
    const after = isTaking(order, report.completed) && poured(order, [line])
    return after ? [[order_id, next(order, after)]] : []
  })
  const accounts = new Map([...world.accounts, [place, { payer, currency: report.currency }]])
  return {
    code: 0,
    world: { ...withOrders(world, taken), accounts, payments: [...world.payments, payment] },
    id,
  }
}

function applied(world: World, step: Extract<WorldStep, { kind: 'apply' }>): WorldOutcome {
  const payment = paymentOf(world, step.payment_id)
  const waiting = unappliedOf(world, payment)
  const price = step.price ?? waiting
  if (Math.max(1, price) > waiting) return refused(world, 40904)
  const order = world.orders.get(step.order_id)!
  if (homeCurrency(world, payment) !== order.currency) return refused(world, 40002)
  const { completed, payment_id } = payment
  const after =
    isTaking(order, completed[0]) && poured(order, [{ payment_id, price, refunded: 0, completed }])
  if (!after) return refused(world, 40904)
  return { code: 0, world: withOrders(world, [[step.order_id, next(order, after)]]) }
}

export interface WantedRefund {
  order_id: string
  payment_id?: string | undefined
  price: number
  as: 'credit' | 'return'
  charge_id?: string | undefined
  provider: string
  reason: string
  /** That of the line of a booked refund. */
  currency?: string
}

/** A refund of an order, or of money on the account of a payer. */
export function refundIn(world: World, wanted: WantedRefund, refund_id: string): WorldOutcome {
  const { order_id, payment_id, price, as, charge_id, provider } = wanted
  const notice = JSON.stringify([order_id, payment_id, price, as, wanted.reason, wanted.currency])
  const known = world.refunds.find(
    (each) => charge_id !== undefined && each.charge_id === charge_id && each.provider === provider,
  )
  if (known) return known.notice === notice ? { code: 0, world, id: known.refund_id } : refused(world, 40901)
  const order = world.orders.get(order_id)
  const currency = order?.currency ?? world.accounts.get(order_id)!.currency
  const here = world.payments.filter(
    (each) => each.home === order_id || (order && linesOf(order, each.payment_id).length > 0),
  )
  const view = viewOf(world, order_id, here)
  const step = { kind: 'refund' as const, price, as, ...(payment_id !== undefined && { payment_id }) }
  const outcome = refund(view, step, refund_id)
  if (outcome.code !== 0) return refused(world, outcome.code)
  if (wanted.currency !== undefined && wanted.currency !== currency) return refused(world, 40002)
  const [made] = outcome.order.refunds
  const unapplied = made!.unapplied
  const after = unapplied
    ? changed(world, unapplied.payment_id, {
        unappliedBack: paymentOf(world, unapplied.payment_id).unappliedBack + unapplied.price,
      })
    : world
  const orders = order ? withOrders(after, [[order_id, plain(outcome.order)]]) : after
  const kept = { ...made!, notice, charge_id, order_id, payment_id, provider, price, currency }
  return { code: 0, world: { ...orders, refunds: [...world.refunds, kept as WorldRefund] }, id: refund_id }
}

/** An order in the form of the single-order model: with its payments, and with the lines of all other orders. */
function viewOf(world: World, order_id: string, payments: WorldPayment[]): ModelOrder {
  const others = [...world.orders].filter(([id]) => id !== order_id).map(([, order]) => order)
  const account = { ...others[0]!, subOrders: [], status: 'tbd' }
  const order = world.orders.get(order_id) ?? account
  const other = { ...others[0]!, subOrders: others.flatMap(({ subOrders }) => subOrders) }
  const own = payments.map((each) => ({ ...each, voided: each.voided + each.moved }))
  return { ...order, payments: own, refunds: [], other }
}

/** The order without the members of a view. */
const plain = (order: ModelOrder): ModelOrder => ({ ...order, payments: [], refunds: [], other: null })

function refundReversed(world: World, id: string): WorldOutcome {
  const found = world.refunds.find(({ refund_id }) => refund_id === id)
  if (!found || found.isReversed) return refused(world, 40904)
  const { order_id, unapplied } = found
  const order = world.orders.get(order_id)
  const before = order && { ...order, refunds: [found], payments: [] }
  const outcome = before && moveMoney(before, { kind: 'reverseRefund', refund_id: id }, '')
  const orders = outcome ? withOrders(world, [[order_id, plain(outcome.order)]]) : world
  const after = unapplied
    ? changed(orders, unapplied.payment_id, {
        unappliedBack: paymentOf(world, unapplied.payment_id).unappliedBack - unapplied.price,
      })
    : orders
  const refunds = after.refunds.map((each) => (each === found ? { ...each, isReversed: true } : each))
  return { code: 0, world: reopened({ ...after, refunds }, id) }
}

function voided(world: World, id: string): WorldOutcome {
  const payment = paymentOf(world, id)
  const balance = balanceOf(world, payment)
  if (balance === 0) return refused(world, 40904)
  const after = changed(takenOff(world, payment), id, { voided: payment.voided + balance })
  return { code: 0, world: reopened(after, id) }
}

/** The held money of a payment leaves all orders. The order that it was recorded for has a new version in any case. */
function takenOff(world: World, { payment_id, home }: WorldPayment): World {
  const orders = [...world.orders].flatMap(([id, order]): [string, ModelOrder][] =>
    id === home || linesOf(order, payment_id).length > 0
      ? [[id, next(order, without(order, lessPayment(order, payment_id)))]]
      : [],
  )
  return withOrders(world, orders)
}

function voidReversed(world: World, id: string): WorldOutcome {
  const payment = paymentOf(world, id)
  if (payment.voided === 0) return refused(world, 40904)
  const other = world.payments.find(
    (each) =>
      each !== payment &&
      each.charge_id !== undefined &&
      each.charge_id === payment.charge_id &&
      !isVoid(each),
  )
  if (other) return refused(world, 40904)
  const { voided: price, completed, home } = payment
  const valid = changed(world, id, { voided: 0 })
  const order = world.orders.get(home)
  if (!order) return { code: 0, world: valid }
  const line = { payment_id: id, price, refunded: 0, completed }
  const after = (isTaking(order, completed[0]) && poured(order, [line])) || order
  return { code: 0, world: withOrders(valid, [[home, next(order, after)]]) }
}

function moved(world: World, step: Extract<WorldStep, { kind: 'move' }>, id: string): WorldOutcome {
  const payment = paymentOf(world, step.payment_id)
  const { price, currency, completed, comments, payer, provider, charge_id } = payment
  const order = world.orders.get(step.to_order_id)!
  if (balanceOf(world, payment) < payment.order_price) return refused(world, 40904)
  if (homeCurrency(world, payment) === order.currency) return refused(world, 40002)
  if (currency === order.currency && step.settled_price !== price) return refused(world, 40002)
  const left = reopened(
    changed(takenOff(world, payment), step.payment_id, { moved: payment.order_price }),
    step.payment_id,
  )
  const report: Report = {
    ...{ price, currency, settled_price: step.settled_price, provider, comments, completed: completed[0] },
    ...(charge_id !== undefined && { charge_id }),
  }
  return paid(
    left,
    { order_id: step.to_order_id, ...(payer !== null && { payer }), report, reinstate: true },
    id,
  )
}

/** The lines that a payment or refund was matched to are open again, with all lines of the same match. */
function reopened(world: World, id: string): World {
  const joined = new Set(
    world.lines
      .filter(({ entries }) => entries.some((entry) => entry.id === id))
      .flatMap((line) => line.joined),
  )
  return { ...world, lines: world.lines.map((line) => (joined.has(line.line_id) ? openLine(line) : line)) }
}

export function openLine(line: WorldLine): WorldLine {
  return { ...line, state: 'open', entries: [], joined: [], wasMatched: true }
}
