/**
 * The rules of decisions.md once more, as plainly as they can be told and without any of the service's own code: what
 * an order is after a step, or the code with which the step is refused. Tests hold the service against it.
 */

import { isDeepStrictEqual } from 'node:util'

/** Money of a payment on a sub-order. */
export interface ModelLine {
  payment_id: string
  price: number
  /** Sorts as the completion does. */
  completed: [time: number, tie: number]
}

export interface ModelPayment {
  payment_id: string
  order_price: number
  charge_id?: string
  /** Told again, it must be the same notice. */
  notice: string
  completed: [time: number, tie: number]
  isVoid: boolean
  /** What went back by its name: in all, and of what no order had taken. */
  back: number
  unappliedBack: number
}

export interface ModelRefund {
  charge_id?: string
  notice: string
}

export interface ModelSubOrder {
  sub_order_id: string
  total: number
  deadline: number | null
  lines: ModelLine[]
  refunded: number
  surplusBack: number
  writtenOff: number
}

export interface ModelOrder {
  status: string
  version: number
  currency: string
  listed: number
  discounted: number
  charge: number
  coupons: Coupon[]
  subOrders: ModelSubOrder[]
  /** That were told for it. */
  payments: ModelPayment[]
  refunds: ModelRefund[]
  /** An order that money is moved to and from. */
  other: ModelOrder | null
}

export interface Coupon {
  coupon_id: string
  amount?: number
  basis_points?: number
}

/** Word for word from decisions.md › Orders. */
const machine = `tbd → unconfirmed, created, canceled · unconfirmed → created, canceled, expired · created → pending, locked, success,
  canceled, expired · pending → success, locked, canceled, expired · locked → created, pending, success, canceled · success → locked,
  canceled · expired → created`
export const legalMoves = new Map(
  machine.split('·').map((line) => {
    const [from, to] = line.split('→') as [string, string]
    return [from.trim(), to.split(',').map((status) => status.trim())]
  }),
)

/** Moves that come of money, not of a caller. */
export const moneyMoves = new Map([
  ['tbd', ['success']],
  ['unconfirmed', ['success']],
  ['created', ['pending', 'success']],
  ['pending', ['created', 'success']],
  ['success', ['created', 'pending']],
  ['expired', ['pending', 'success']],
])

const places: Record<string, bigint> = { JPY: 0n, CNY: 2n, USD: 2n, KWD: 3n }

/** Half up first; a tie that came out odd goes back to even. */
export function exchanged(price: number, from: string, to: string, rate: number): number {
  const n = BigInt(price) * BigInt(rate) * 10n ** places[to]!
  const d = 10_000n * 10n ** places[from]!
  const halfUp = (2n * n + d) / (2n * d)
  const isTie = (2n * n + d) % (2n * d) === 0n
  return Number(isTie && halfUp % 2n === 1n ? halfUp - 1n : halfUp)
}

export const paidOn = (subOrder: ModelSubOrder) => sum(subOrder.lines.map(({ price }) => price))
export const paid = (order: ModelOrder) => sum(order.subOrders.map(paidOn))
export const refunded = (order: ModelOrder) => sum(order.subOrders.map((each) => each.refunded))
export const held = (order: ModelOrder) => paid(order) - refunded(order)
export const total = (order: ModelOrder) => order.discounted + order.charge

/** What is paid counts for the price, unless it was too much and went back. */
const lack = (each: ModelSubOrder) => Math.max(0, each.total - paidOn(each) + each.surplusBack)
const surplus = (each: ModelSubOrder) =>
  Math.max(0, Math.min(paidOn(each) - each.surplusBack - each.total, paidOn(each) - each.refunded))
const isCovered = (order: ModelOrder) => order.subOrders.every((each) => lack(each) <= each.writtenOff)

export function unpaid(order: ModelOrder): number {
  if (['canceled', 'expired'].includes(order.status)) return 0
  return sum(order.subOrders.map((each) => lack(each) - each.writtenOff))
}

export function overpaid(order: ModelOrder): number {
  return sum(order.subOrders.map((each) => Math.max(0, paidOn(each) - each.surplusBack - each.total)))
}

export function canMove(order: ModelOrder, to: string, retains = false): boolean {
  if (!legalMoves.get(order.status)?.includes(to)) return false
  if (to === 'success') return isCovered(order)
  if (to === 'expired') return paid(order) === 0
  return to !== 'canceled' || retains || held(order) === 0
}

export function statusOf(order: ModelOrder, subOrder: ModelSubOrder): string {
  if (!payable.includes(order.status)) return order.status
  if (lack(subOrder) <= subOrder.writtenOff) return 'success'
  return paidOn(subOrder) > 0 ? 'pending' : 'created'
}

const payable = ['created', 'pending', 'success']

/** A surplus goes where something is lacking, the money that came last first; what is paid is not written off. */
function balanced(before: ModelOrder): ModelOrder {
  const subOrders = before.subOrders.map((each) => ({ ...each, lines: inOrder(each.lines) }))
  const [givers, takers] = [subOrders.filter(surplus), subOrders.filter(lack)]
  for (const giver of givers)
    for (const taker of takers) {
      const kept = [giver.lines, taker.lines]
      const amount = Math.min(surplus(giver), lack(taker))
      for (const line of taken(giver, amount)) put(taker, line)
      if (taker.lines.length > 15) [giver.lines, taker.lines] = kept as [ModelLine[], ModelLine[]]
    }
  for (const each of subOrders) each.writtenOff = Math.min(each.writtenOff, lack(each))
  return { ...before, subOrders }
}

/** Takes so much off a sub-order, the last lines first. */
function taken(from: ModelSubOrder, amount: number): ModelLine[] {
  const result: ModelLine[] = []
  let left = amount
  for (const line of from.lines.toReversed()) {
    const price = Math.min(left, line.price)
    if (price === 0) break
    left -= price
    result.push({ ...line, price })
    from.lines = from.lines
      .map((one) => (one === line ? { ...one, price: one.price - price } : one))
      .filter((one) => one.price > 0)
  }
  return result
}

function put(to: ModelSubOrder, line: ModelLine): void {
  const has = to.lines.some(({ payment_id }) => payment_id === line.payment_id)
  to.lines = has
    ? to.lines.map((one) =>
        one.payment_id === line.payment_id ? { ...one, price: one.price + line.price } : one,
      )
    : [...to.lines, line]
}

export function inOrder<One extends { payment_id: string; completed: [number, number] }>(
  lines: One[],
): One[] {
  return lines.toSorted(
    (a, b) =>
      a.completed[0] - b.completed[0] ||
      a.completed[1] - b.completed[1] ||
      (a.payment_id < b.payment_id ? -1 : 1),
  )
}

/** The order with this money on it; undefined where a sixteenth payment would be needed. */
function poured(order: ModelOrder, money: ModelLine[], startId?: string): ModelOrder | undefined {
  const subOrders = order.subOrders.map((each) => ({ ...each, lines: inOrder(each.lines) }))
  for (const line of money) {
    const start = subOrders.findIndex((each) =>
      startId === undefined ? lack(each) > 0 : each.sub_order_id === startId,
    )
    const first = Math.max(start, 0)
    let left = line.price
    for (let n = 0; n < subOrders.length; n++) {
      const each = subOrders[(first + n) % subOrders.length]!
      const price = Math.min(left, lack(each))
      if (price > 0) put(each, { ...line, price })
      left -= price
    }
    if (left > 0) put(subOrders.at(-1)!, { ...line, price: left })
    const isFull = subOrders.some(
      (each, index) => each.lines.length > 15 && each.lines.length > order.subOrders[index]!.lines.length,
    )
    if (isFull) return undefined
  }
  const after = balanced({ ...order, subOrders })
  return { ...after, status: order.status === 'success' ? 'success' : statusByMoney(after) }
}

function statusByMoney(order: ModelOrder): string {
  return isCovered(order) ? 'success' : paid(order) > 0 ? 'pending' : 'created'
}

/** The order without some money; undefined where more of it went back than stays. */
function without(order: ModelOrder, subOrders: ModelSubOrder[]): ModelOrder | undefined {
  const after = balanced({ ...order, subOrders })
  if (after.subOrders.some((each) => paidOn(each) < each.refunded)) return undefined
  return { ...after, status: payable.includes(order.status) ? statusByMoney(after) : order.status }
}

const lessPayment = (order: ModelOrder, id: string) =>
  order.subOrders.map((each) => ({
    ...each,
    lines: each.lines.filter(({ payment_id }) => payment_id !== id),
  }))
const linesOf = (order: ModelOrder, id: string) =>
  order.subOrders.flatMap(({ lines }) => lines.filter(({ payment_id }) => payment_id === id))

export function unapplied(order: ModelOrder, payment: ModelPayment): number {
  if (payment.isVoid) return 0
  const lines = [order, ...(order.other ? [order.other] : [])].flatMap((each) =>
    linesOf(each, payment.payment_id),
  )
  return payment.order_price - sum(lines.map(({ price }) => price)) - payment.unappliedBack
}

/** From where money leaves: a surplus first, then from the start backwards, then from behind it. */
function takings(
  order: ModelOrder,
  price: number,
  startId?: string,
): Map<string, [price: number, surplus: number]> {
  const backwards = order.subOrders.toReversed()
  const start = Math.max(
    0,
    backwards.findIndex(({ sub_order_id }) => sub_order_id === startId),
  )
  const inTurn = [...backwards.slice(start), ...backwards.slice(0, start)]
  const result = new Map(inTurn.map((each) => [each.sub_order_id, [0, 0] as [number, number]]))
  let left = price
  for (const each of inTurn) {
    const off = Math.min(left, surplus(each))
    result.set(each.sub_order_id, [off, off])
    left -= off
  }
  for (const each of inTurn) {
    const [had, ofSurplus] = result.get(each.sub_order_id)!
    const off = Math.min(left, paidOn(each) - each.refunded - had)
    result.set(each.sub_order_id, [had + off, ofSurplus])
    left -= off
  }
  return result
}

export function discountOf(listed: number, coupons: Coupon[]): number {
  return sum(coupons.map(({ amount, basis_points }) => amount ?? share(listed, basis_points!)))
}

/** What the model makes of a step: its code, and the order after it. */
export interface Outcome {
  code: number
  order: ModelOrder
  /** For payments: what it counts for, and whether the order took it. */
  order_price?: number
  applied?: boolean
  /** The version that a repeated notice made, where it was told before. */
  told?: string
}

const refuse = (order: ModelOrder, code: number): Outcome => ({ code, order })
const accept = (order: ModelOrder, change: Partial<ModelOrder>): Outcome => ({
  code: 0,
  order: { ...order, ...change, version: order.version + 1 },
})

export interface PayStep {
  kind: 'pay'
  sub_order_id?: string
  price: number
  currency: string
  exchange_rate?: number
  charge_id?: string
  completed_time?: string
}

export function pay(
  order: ModelOrder,
  step: PayStep,
  payment_id: string,
  completed: [number, number],
): Outcome {
  const notice = JSON.stringify(step)
  const told = order.payments.find((payment) => step.charge_id && payment.charge_id === step.charge_id)
  if (told) return told.notice === notice ? { code: 0, order, told: told.payment_id } : refuse(order, 40901)
  const { sub_order_id } = step
  if (sub_order_id !== undefined && order.subOrders.every((each) => each.sub_order_id !== sub_order_id))
    return refuse(order, 40405)
  const order_price =
    step.currency === order.currency
      ? step.price
      : exchanged(step.price, step.currency, order.currency, step.exchange_rate!)
  if (order_price < 1) return refuse(order, 40002)
  const fresh = { isVoid: false, back: 0, unappliedBack: 0 }
  const payment = { payment_id, order_price, charge_id: step.charge_id, notice, completed, ...fresh }
  const after =
    isTaking(order, completed[0]) &&
    poured(order, [{ payment_id, price: order_price, completed }], sub_order_id)
  const payments = [...order.payments, payment]
  return { ...accept(order, { ...(after || order), payments }), order_price, applied: Boolean(after) }
}

/** Whether an order takes money that was paid then: an expired one, if that was before its first deadline. */
function isTaking({ status, subOrders }: ModelOrder, paidAt: number): boolean {
  const deadlines = subOrders.flatMap(({ deadline }) => deadline ?? [])
  const isInTime = deadlines.length > 0 && deadlines.every((deadline) => paidAt <= deadline)
  return payable.includes(status) || (status === 'expired' && isInTime)
}

export interface RefundStep {
  kind: 'refund'
  sub_order_id?: string
  payment_id?: string
  price: number
  charge_id?: string
}

export function refund(order: ModelOrder, step: RefundStep): Outcome {
  const notice = JSON.stringify(step)
  const told = order.refunds.find(({ charge_id }) => step.charge_id && charge_id === step.charge_id)
  if (told) return told.notice === notice ? { code: 0, order, told: step.charge_id } : refuse(order, 40901)
  const { price, payment_id, sub_order_id, charge_id } = step
  const refunds = [...order.refunds, { charge_id, notice }]
  const payment = order.payments.find((each) => each.payment_id === payment_id)
  if (payment_id !== undefined && !payment) return refuse(order, 40406)
  // A change of the same moment may have left it out.
  if (sub_order_id !== undefined && order.subOrders.every((each) => each.sub_order_id !== sub_order_id))
    return refuse(order, 40405)
  const lines = payment ? linesOf(order, payment.payment_id) : []
  const returned = (unappliedPart: number) =>
    order.payments.map((each) =>
      each === payment
        ? { ...each, back: each.back + price, unappliedBack: each.unappliedBack + unappliedPart }
        : each,
    )
  if (payment && lines.length === 0) {
    if (price > unapplied(order, payment)) return refuse(order, 40904)
    return accept(order, { refunds, payments: returned(price) })
  }
  const own = payment ? ownPart(order, payment) : order
  const everywhere = [...lines, ...(payment && order.other ? linesOf(order.other, payment.payment_id) : [])]
  const ofPayment = payment
    ? sum(everywhere.map((line) => line.price)) - payment.back + payment.unappliedBack
    : Number.POSITIVE_INFINITY
  if (price > Math.min(held(own), ofPayment)) return refuse(order, 40904)
  const off = takings(own, price, sub_order_id)
  const subOrders = order.subOrders.map((each) => {
    const [back, ofSurplus] = off.get(each.sub_order_id) ?? [0, 0]
    return { ...each, refunded: each.refunded + back, surplusBack: each.surplusBack + ofSurplus }
  })
  return accept(order, { ...balanced({ ...order, subOrders }), refunds, payments: returned(0) })
}

/** The sub-orders that a payment is allocated to, each refundable up to its allocation. */
function ownPart(order: ModelOrder, { payment_id }: ModelPayment): ModelOrder {
  const subOrders = order.subOrders.flatMap((each) => {
    const line = each.lines.find((one) => one.payment_id === payment_id)
    if (!line) return []
    const most = Math.min(line.price, paidOn(each) - each.refunded)
    return [{ ...each, refunded: paidOn(each) - most }]
  })
  return { ...order, subOrders }
}

export type MoneyStep =
  | { kind: 'void' | 'apply' | 'unapply'; payment_id: string }
  | { kind: 'transfer'; isOut: boolean; price: number }
  | { kind: 'writeOff' }

export function moveMoney(order: ModelOrder, step: MoneyStep): Outcome {
  switch (step.kind) {
    case 'void':
      return voided(order, step.payment_id)
    case 'apply':
      return applied(order, step.payment_id)
    case 'unapply': {
      if (order.payments.every(({ payment_id }) => payment_id !== step.payment_id))
        return refuse(order, 40406)
      const after = without(order, lessPayment(order, step.payment_id))
      const isHere = linesOf(order, step.payment_id).length > 0
      return after && isHere ? accept(order, after) : refuse(order, 40904)
    }
    case 'transfer':
      return transferred(order, step)
    case 'writeOff': {
      if (!payable.includes(order.status) || unpaid(order) === 0) return refuse(order, 40904)
      const subOrders = order.subOrders.map((each) => ({ ...each, writtenOff: lack(each) }))
      return accept(order, { subOrders, status: 'success' })
    }
  }
}

function voided(order: ModelOrder, id: string): Outcome {
  const payment = order.payments.find(({ payment_id }) => payment_id === id)
  if (!payment) return refuse(order, 40406)
  const { other } = order
  const after = without(order, lessPayment(order, id))
  const isElsewhere = other && linesOf(other, id).length > 0
  const otherAfter = isElsewhere ? without(other, lessPayment(other, id)) : other
  if (payment.isVoid || payment.back > 0 || !after || (isElsewhere && !otherAfter))
    return refuse(order, 40904)
  const payments = order.payments.map((each) => (each === payment ? { ...each, isVoid: true } : each))
  const next = isElsewhere ? { ...otherAfter!, version: other.version + 1 } : other
  return accept(order, { ...after, payments, other: next })
}

function applied(order: ModelOrder, id: string): Outcome {
  const payment = order.payments.find(({ payment_id }) => payment_id === id)
  if (!payment) return refuse(order, 40406)
  const price = unapplied(order, payment)
  const { completed } = payment
  const after =
    price > 0 && isTaking(order, completed[0]) && poured(order, [{ payment_id: id, price, completed }])
  return after ? accept(order, after) : refuse(order, 40904)
}

function transferred(order: ModelOrder, { isOut, price }: { isOut: boolean; price: number }): Outcome {
  const other = order.other!
  const [from, to] = isOut ? [order, other] : [other, order]
  if (price > held(from)) return refuse(order, 40904)
  const off = takings(from, price)
  const subOrders = from.subOrders.map((each) => ({ ...each, lines: inOrder(each.lines) }))
  const money = [...off].flatMap(([id, [amount]]) =>
    taken(subOrders.find(({ sub_order_id }) => sub_order_id === id)!, amount),
  )
  const byPayment = [...Map.groupBy(money, ({ payment_id }) => payment_id).values()]
  const pieces = byPayment.map((lines) => ({ ...lines[0]!, price: sum(lines.map((line) => line.price)) }))
  const given = without(from, subOrders)
  const got = payable.includes(to.status) ? poured(to, pieces) : undefined
  if (!given || !got) return refuse(order, 40904)
  const [mine, theirs] = isOut ? [given, got] : [got, given]
  return accept(order, { ...mine, other: { ...theirs, version: other.version + 1 } })
}

export function move(order: ModelOrder, to: string, now: number, retains = false): Outcome {
  if (!canMove(order, to, retains)) return refuse(order, 40904)
  const status = to === 'created' && total(order) === 0 ? 'success' : to
  const moved = { ...order, status }
  if (order.status !== 'expired') return accept(order, { status })
  const isOpen = (subOrder: ModelSubOrder) =>
    statusOf(moved, subOrder) !== 'success' && subOrder.deadline !== null
  const earliest = Math.min(...order.subOrders.filter(isOpen).map(({ deadline }) => deadline!))
  const day = 24 * 60 * 60 * 1000
  let shift = 0
  while (earliest + shift <= now) shift += day
  const subOrders = order.subOrders.map((subOrder) =>
    isOpen(subOrder) ? { ...subOrder, deadline: subOrder.deadline! + shift } : subOrder,
  )
  return accept(order, { status, subOrders })
}

export function expire(order: ModelOrder, now: number): Outcome {
  const isOverdue =
    ['unconfirmed', 'created', 'pending'].includes(order.status) &&
    paid(order) === 0 &&
    order.subOrders.some(
      (subOrder) =>
        statusOf(order, subOrder) !== 'success' && subOrder.deadline !== null && subOrder.deadline < now,
    )
  return isOverdue ? accept(order, { status: 'expired' }) : { code: 0, order }
}

export interface UpdateStep {
  kind: 'update'
  version: number
  contract_id?: string
  listed_price?: number
  service_charge?: number
  sub_orders?: { sub_order_id?: string; total_price: number }[]
}

export function update(order: ModelOrder, step: UpdateStep, newIds: string[]): Outcome {
  if (step.version !== order.version) return refuse(order, 40902)
  if (order.status === 'canceled') return refuse(order, 40904)
  const { listed_price, service_charge, sub_orders } = step
  if (listed_price === undefined && service_charge === undefined && !sub_orders) return accept(order, {})
  if (!['tbd', 'unconfirmed', 'created', 'pending'].includes(order.status)) return refuse(order, 40904)
  const listed = listed_price ?? order.listed
  const discounted =
    listed_price === undefined ? order.discounted : listed - discountOf(listed, order.coupons)
  if (discounted < 0) return refuse(order, 40002)
  const priced = { ...order, listed, discounted, charge: service_charge ?? order.charge }
  const subOrders = sub_orders
    ? listedSubOrders(priced, sub_orders, newIds)
    : sharedSubOrders(order, total(priced))
  if (typeof subOrders === 'number') return refuse(order, subOrders)
  const settled = balanced({ ...priced, subOrders })
  if (step.contract_id === undefined && isDeepStrictEqual(settled, order)) return { code: 0, order }
  const isComplete = ['created', 'pending'].includes(order.status) && isCovered(settled)
  return accept(order, { ...settled, status: isComplete ? 'success' : order.status })
}

export const noMoney = { lines: [] as ModelLine[], refunded: 0, surplusBack: 0, writtenOff: 0 }

function listedSubOrders(
  order: ModelOrder,
  listed: NonNullable<UpdateStep['sub_orders']>,
  newIds: string[],
): ModelSubOrder[] | number {
  const kept = new Set(listed.map(({ sub_order_id }) => sub_order_id))
  if (order.subOrders.some((subOrder) => subOrder.lines.length > 0 && !kept.has(subOrder.sub_order_id)))
    return 40904
  if (sum(listed.map(({ total_price }) => total_price)) !== total(order)) return 40002
  return listed.map(({ sub_order_id, total_price }, index) => {
    const before = order.subOrders.find((subOrder) => subOrder.sub_order_id === sub_order_id)
    const fresh = { sub_order_id: newIds[index]!, ...noMoney }
    return { ...(before ?? { ...fresh, deadline: null }), total: total_price }
  })
}

/** Unit by unit: each goes to the share furthest from its part of the difference, the earlier one among equals. */
function sharedSubOrders(order: ModelOrder, newTotal: number): ModelSubOrder[] {
  const difference = newTotal - total(order)
  const lacks = order.subOrders.map(lack)
  const lacking = sum(lacks)
  const weights = lacking > 0 ? lacks : order.subOrders.map(() => (difference > 0 ? 1 : 0))
  const shared = difference > 0 ? difference : Math.min(-difference, lacking)
  const shares = weights.map((weight) => Math.floor((shared * weight) / Math.max(1, sum(weights))))
  const owed = (index: number) =>
    BigInt(shared) * BigInt(weights[index]!) - BigInt(shares[index]!) * BigInt(sum(weights))
  while (sum(shares) < shared) {
    let next = 0
    for (const index of shares.keys()) if (owed(index) > owed(next)) next = index
    shares[next]!++
  }
  let surplus = difference < 0 ? -difference - shared : 0
  const totals = order.subOrders.map(
    (subOrder, index) => subOrder.total + Math.sign(difference) * shares[index]!,
  )
  for (let index = totals.length - 1; index >= 0; index--) {
    const off = Math.min(surplus, totals[index]!)
    totals[index]! -= off
    surplus -= off
  }
  return order.subOrders.map((subOrder, index) => ({ ...subOrder, total: totals[index]! }))
}

export function sum(values: number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function share(listed: number, basisPoints: number): number {
  const n = BigInt(listed) * BigInt(basisPoints)
  const halfUp = (2n * n + 10_000n) / 20_000n
  const isTie = (2n * n + 10_000n) % 20_000n === 0n
  return Number(isTie && halfUp % 2n === 1n ? halfUp - 1n : halfUp)
}
