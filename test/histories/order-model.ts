/**
 * An independent model of the rules of decisions.md, without any code of the service: the order after a step, or the code
 * of the refusal. Tests compare the service with it.
 */

import { isDeepStrictEqual } from 'node:util'

/** Money of a payment on a sub-order. */
export interface ModelLine {
  payment_id: string
  price: number
  /** The refunded part of the price. */
  refunded: number
  /** Sorts as the completion does. */
  completed: [time: number, tie: number]
}

export interface ModelPayment {
  payment_id: string
  order_price: number
  charge_id?: string
  /** The members that a repeated report must have in common. */
  notice: string
  completed: [time: number, tie: number]
  voided: number
  /** Refunded unapplied money. The lines have the rest of its refunds. */
  unappliedBack: number
}

export interface ModelRefund {
  refund_id: string
  charge_id?: string
  notice: string
  /** The part of each payment on each sub-order, and the unapplied part of the named payment. */
  lines: { payment_id: string; sub_order_id: string; price: number; credited: number }[]
  unapplied: { payment_id: string; price: number } | null
  isReversed: boolean
}

export interface ModelTransfer {
  transfer_id: string
  isOut: boolean
  price: number
  pieces: { payment_id: string; price: number }[]
  isReversed: boolean
}

export interface ModelSubOrder {
  sub_order_id: string
  total: number
  deadline: number | null
  lines: ModelLine[]
  credited: number
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
  /** Payments that were reported for it. */
  payments: ModelPayment[]
  refunds: ModelRefund[]
  transfers: ModelTransfer[]
  /** An order for transfers of money, in both directions. */
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
export const refundedOn = (subOrder: ModelSubOrder) => sum(subOrder.lines.map((line) => line.refunded))
export const refunded = (order: ModelOrder) => sum(order.subOrders.map(refundedOn))
const heldOn = (each: ModelSubOrder) => paidOn(each) - refundedOn(each)
export const held = (order: ModelOrder) => sum(order.subOrders.map(heldOn))
export const total = (order: ModelOrder) => order.discounted + order.charge

const claim = (each: ModelSubOrder) => each.total - each.credited - each.writtenOff
const lack = (each: ModelSubOrder) => Math.max(0, claim(each) - heldOn(each))
const surplus = (each: ModelSubOrder) => Math.max(0, heldOn(each) - claim(each))
const isCovered = (order: ModelOrder) => order.subOrders.every((each) => lack(each) === 0)
const isBegun = (some: ModelSubOrder[]) => some.some((each) => heldOn(each) + each.credited > 0)

export function unpaid(order: ModelOrder): number {
  if (!['created', 'pending', 'locked', 'success'].includes(order.status)) return 0
  return sum(order.subOrders.map(lack))
}

export function overpaid(order: ModelOrder): number {
  return sum(order.subOrders.map(surplus))
}

export function canMove(order: ModelOrder, to: string, retains = false): boolean {
  if (!legalMoves.get(order.status)?.includes(to)) return false
  // States that follow from money are not set by hand.
  if (['created', 'pending'].includes(order.status) && ['pending', 'success'].includes(to)) return false
  if (order.status === 'locked' && payable.includes(to)) return to === statusByMoney(order)
  if (to === 'expired') return paid(order) === 0
  return to !== 'canceled' || retains || held(order) === 0
}

export function statusOf(order: ModelOrder, subOrder: ModelSubOrder): string {
  if (!payable.includes(order.status)) return order.status
  if (lack(subOrder) === 0) return 'success'
  return isBegun([subOrder]) ? 'pending' : 'created'
}

const payable = ['created', 'pending', 'success']

/** A surplus moves to sub-orders that owe something, the latest money first. */
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
  return { ...before, subOrders }
}

/** Takes held money off a sub-order, the last lines first. */
function taken(from: ModelSubOrder, amount: number): ModelLine[] {
  const result: ModelLine[] = []
  let left = amount
  for (const line of from.lines.toReversed()) {
    const price = Math.min(left, line.price - line.refunded)
    if (price === 0) continue
    left -= price
    result.push({ ...line, price, refunded: 0 })
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

/** The order with this money; undefined if it needs a sixteenth payment. */
export function poured(order: ModelOrder, money: ModelLine[], startId?: string): ModelOrder | undefined {
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
  return isCovered(order) ? 'success' : isBegun(order.subOrders) ? 'pending' : 'created'
}

/** The order with other sub-orders, after money left it. */
export function without(order: ModelOrder, subOrders: ModelSubOrder[]): ModelOrder {
  const after = balanced({ ...order, subOrders })
  return { ...after, status: payable.includes(order.status) ? statusByMoney(after) : order.status }
}

/** Only held money leaves: the refunded part of a line stays. */
export const lessPayment = (order: ModelOrder, id: string) =>
  order.subOrders.map((each) => ({
    ...each,
    lines: each.lines
      .map((line) => (line.payment_id === id ? { ...line, price: line.refunded } : line))
      .filter(({ price }) => price > 0),
  }))
export const linesOf = (order: ModelOrder, id: string) =>
  order.subOrders.flatMap(({ lines }) => lines.filter(({ payment_id }) => payment_id === id))

/** The lines of a payment on both orders. */
export const linesOn = (order: ModelOrder, { payment_id }: ModelPayment) =>
  [order, ...(order.other ? [order.other] : [])].flatMap((each) => linesOf(each, payment_id))

export const heldIn = (lines: ModelLine[]) => sum(lines.map(({ price, refunded }) => price - refunded))

/** Received less voided and refunded. */
export function balanceOf(order: ModelOrder, payment: ModelPayment): number {
  const back = sum(linesOn(order, payment).map((line) => line.refunded)) + payment.unappliedBack
  return payment.order_price - payment.voided - back
}

export function unapplied(order: ModelOrder, payment: ModelPayment): number {
  return balanceOf(order, payment) - heldIn(linesOn(order, payment))
}

/** The order in which money leaves: a surplus first, then from the start backwards, then the rest. */
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
    const off = Math.min(left, heldOn(each) - had)
    result.set(each.sub_order_id, [had + off, ofSurplus])
    left -= off
  }
  return result
}

export function discountOf(listed: number, coupons: Coupon[]): number {
  return sum(coupons.map(({ amount, basis_points }) => amount ?? share(listed, basis_points!)))
}

/** The model's outcome of a step: the code, and the order after it. */
export interface Outcome {
  code: number
  order: ModelOrder
  /** For payments: the amount that counts, and whether it was allocated to the order. */
  order_price?: number
  applied?: boolean
  /** The version of the first report, if this one is a repetition. */
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
  const fresh = { voided: 0, unappliedBack: 0 }
  const payment = { payment_id, order_price, charge_id: step.charge_id, notice, completed, ...fresh }
  const after =
    isTaking(order, completed[0]) &&
    poured(order, [{ payment_id, price: order_price, refunded: 0, completed }], sub_order_id)
  const payments = [...order.payments, payment]
  return { ...accept(order, { ...(after || order), payments }), order_price, applied: Boolean(after) }
}

/** Whether an order takes money of that time: an expired one only before its first deadline. */
export function isTaking({ status, subOrders }: ModelOrder, paidAt: number): boolean {
  const deadlines = subOrders.flatMap(({ deadline }) => deadline ?? [])
  const isInTime = deadlines.length > 0 && deadlines.every((deadline) => paidAt <= deadline)
  return payable.includes(status) || (status === 'expired' && isInTime)
}

export interface RefundStep {
  kind: 'refund'
  sub_order_id?: string
  payment_id?: string
  price: number
  as?: 'credit' | 'return'
  charge_id?: string
}

export function refund(order: ModelOrder, step: RefundStep, refund_id: string): Outcome {
  const notice = JSON.stringify(step)
  const told = order.refunds.find(({ charge_id }) => step.charge_id && charge_id === step.charge_id)
  if (told) return told.notice === notice ? { code: 0, order, told: step.charge_id } : refuse(order, 40901)
  const { price, payment_id, sub_order_id, charge_id } = step
  const made = {
    refund_id,
    charge_id,
    notice,
    lines: [] as ModelRefund['lines'],
    unapplied: null,
    isReversed: false,
  }
  const payment = order.payments.find((each) => each.payment_id === payment_id)
  if (payment_id !== undefined && !payment) return refuse(order, 40406)
  // A concurrent change may have removed it.
  if (sub_order_id !== undefined && order.subOrders.every((each) => each.sub_order_id !== sub_order_id))
    return refuse(order, 40405)
  const isOwn = (line: ModelLine) => !payment || line.payment_id === payment_id
  const own = order.subOrders.map((each) => part(each, inOrder(each.lines).filter(isOwn)))
  if (payment && sum(own.map(heldOn)) === 0) {
    if (price > unapplied(order, payment)) return refuse(order, 40904)
    const payments = order.payments.map((each) =>
      each === payment ? { ...each, unappliedBack: each.unappliedBack + price } : each,
    )
    const unappliedRefund = { ...made, unapplied: { payment_id: payment.payment_id, price } }
    return accept(order, { refunds: [...order.refunds, unappliedRefund], payments })
  }
  if (price > sum(own.map(heldOn))) return refuse(order, 40904)
  const off = takings(
    { ...order, subOrders: own.filter(({ lines }) => lines.length > 0) },
    price,
    sub_order_id,
  )
  const subOrders = order.subOrders.map((each) => {
    const [back, ofSurplus] = off.get(each.sub_order_id) ?? [0, 0]
    let left = back
    const lines = inOrder(each.lines).map((line) => {
      const amount = isOwn(line) ? Math.min(left, line.price - line.refunded) : 0
      left -= amount
      return { ...line, refunded: line.refunded + amount }
    })
    let surplusLeft = ofSurplus
    for (const [index, line] of lines.entries()) {
      const price = line.refunded - inOrder(each.lines)[index]!.refunded
      const free = Math.min(surplusLeft, price)
      surplusLeft -= free
      const { payment_id } = line
      const credited = step.as === 'return' ? 0 : price - free
      if (price > 0) made.lines.push({ payment_id, sub_order_id: each.sub_order_id, price, credited })
    }
    return { ...each, lines, credited: each.credited + (step.as === 'return' ? 0 : back - ofSurplus) }
  })
  return accept(order, { ...without(order, subOrders), refunds: [...order.refunds, made] })
}

/** A sub-order with some of its lines, and as much of its surplus as they hold. */
function part(each: ModelSubOrder, lines: ModelLine[]): ModelSubOrder {
  const own = { ...each, lines, credited: 0, writtenOff: 0, total: 0 }
  return { ...own, total: heldOn(own) - Math.min(heldOn(own), surplus(each)) }
}

export type MoneyStep =
  | { kind: 'void' | 'apply' | 'unapply'; payment_id: string }
  | { kind: 'transfer'; isOut: boolean; price: number }
  | { kind: 'writeOff' | 'reverseWriteOff'; price?: number }
  | { kind: 'reverseRefund'; refund_id: string }
  | { kind: 'reverseVoid'; payment_id: string }
  | { kind: 'reverseTransfer'; transfer_id: string }

export function moveMoney(order: ModelOrder, step: MoneyStep, transfer_id: string): Outcome {
  switch (step.kind) {
    case 'void':
      return voided(order, step.payment_id)
    case 'apply':
      return applied(order, step.payment_id)
    case 'unapply': {
      if (order.payments.every(({ payment_id }) => payment_id !== step.payment_id))
        return refuse(order, 40406)
      if (heldIn(linesOf(order, step.payment_id)) === 0) return refuse(order, 40904)
      return accept(order, without(order, lessPayment(order, step.payment_id)))
    }
    case 'transfer':
      return transferred(order, step, transfer_id)
    case 'reverseRefund':
      return refundReversed(order, step.refund_id)
    case 'reverseVoid':
      return voidReversed(order, step.payment_id)
    case 'reverseTransfer':
      return transferReversed(order, step.transfer_id)
    case 'reverseWriteOff': {
      const most = sum(order.subOrders.map((each) => each.writtenOff))
      const { price = most } = step
      if (!payable.includes(order.status) || most === 0 || price > most) return refuse(order, 40904)
      let left = price
      const subOrders = order.subOrders.toReversed().map((each) => {
        const back = Math.min(left, each.writtenOff)
        left -= back
        return { ...each, writtenOff: each.writtenOff - back }
      })
      return accept(order, without(order, subOrders.toReversed()))
    }
    case 'writeOff': {
      const { price = unpaid(order) } = step
      if (!payable.includes(order.status) || unpaid(order) === 0 || price > unpaid(order))
        return refuse(order, 40904)
      let left = price
      const subOrders = order.subOrders.toReversed().map((each) => {
        const off = Math.min(left, lack(each))
        left -= off
        return { ...each, writtenOff: each.writtenOff + off }
      })
      return accept(order, without(order, subOrders.toReversed()))
    }
  }
}

function voided(order: ModelOrder, id: string): Outcome {
  const payment = order.payments.find(({ payment_id }) => payment_id === id)
  if (!payment) return refuse(order, 40406)
  const { other } = order
  const balance = balanceOf(order, payment)
  if (balance === 0) return refuse(order, 40904)
  const isElsewhere = other && linesOf(other, id).length > 0
  const payments = order.payments.map((each) =>
    each === payment ? { ...each, voided: each.voided + balance } : each,
  )
  const next = isElsewhere ? { ...without(other, lessPayment(other, id)), version: other.version + 1 } : other
  return accept(order, { ...without(order, lessPayment(order, id)), payments, other: next })
}

function applied(order: ModelOrder, id: string): Outcome {
  const payment = order.payments.find(({ payment_id }) => payment_id === id)
  if (!payment) return refuse(order, 40406)
  const price = unapplied(order, payment)
  const { completed } = payment
  const after =
    price > 0 &&
    isTaking(order, completed[0]) &&
    poured(order, [{ payment_id: id, price, refunded: 0, completed }])
  return after ? accept(order, after) : refuse(order, 40904)
}

function refundReversed(order: ModelOrder, id: string): Outcome {
  const found = order.refunds.find(({ refund_id }) => refund_id === id)
  if (!found) return refuse(order, 40440)
  if (found.isReversed) return refuse(order, 40904)
  const subOrders = order.subOrders.map((each) => {
    const own = found.lines.filter(({ sub_order_id }) => sub_order_id === each.sub_order_id)
    const back = (payment_id: string) =>
      sum(own.filter((line) => line.payment_id === payment_id).map(({ price }) => price))
    return {
      ...each,
      lines: each.lines.map((line) => ({ ...line, refunded: line.refunded - back(line.payment_id) })),
      credited: each.credited - sum(own.map(({ credited }) => credited)),
    }
  })
  const payments = order.payments.map((each) =>
    each.payment_id === found.unapplied?.payment_id
      ? { ...each, unappliedBack: each.unappliedBack - found.unapplied.price }
      : each,
  )
  const refunds = order.refunds.map((each) => (each === found ? { ...each, isReversed: true } : each))
  return accept(order, { ...without(order, subOrders), payments, refunds })
}

function voidReversed(order: ModelOrder, id: string): Outcome {
  const payment = order.payments.find(({ payment_id }) => payment_id === id)
  if (!payment) return refuse(order, 40406)
  if (payment.voided === 0) return refuse(order, 40904)
  const { voided: price, completed } = payment
  const payments = order.payments.map((each) => (each === payment ? { ...each, voided: 0 } : each))
  const line = { payment_id: id, price, refunded: 0, completed }
  const after = isTaking(order, completed[0]) && poured(order, [line])
  return accept(order, { ...(after || order), payments })
}

function transferReversed(order: ModelOrder, id: string): Outcome {
  const found = order.transfers.find(({ transfer_id }) => transfer_id === id)
  if (!found) return refuse(order, 40441)
  const other = order.other!
  const [from, to] = found.isOut ? [other, order] : [order, other]
  if (found.isReversed) return refuse(order, 40904)
  const subOrders = from.subOrders.map((each) => ({ ...each, lines: inOrder(each.lines) }))
  const money = found.pieces.flatMap(({ payment_id, price }) => {
    let left = price
    return subOrders.toReversed().flatMap((each) => {
      const line = each.lines.find((one) => one.payment_id === payment_id)
      const amount = line ? Math.min(left, line.price - line.refunded) : 0
      if (!line || amount === 0) return []
      left -= amount
      each.lines = each.lines
        .map((one) => (one === line ? { ...one, price: one.price - amount } : one))
        .filter((one) => one.price > 0)
      return [{ ...line, price: amount, refunded: 0 }]
    })
  })
  if (sum(money.map(({ price }) => price)) < found.price) return refuse(order, 40904)
  const byPayment = [...Map.groupBy(money, ({ payment_id }) => payment_id).values()]
  const pieces = byPayment.map((lines) => ({ ...lines[0]!, price: sum(lines.map((line) => line.price)) }))
  const got = payable.includes(to.status) ? poured(to, pieces) : undefined
  if (!got) return refuse(order, 40904)
  const given = without(from, subOrders)
  const [mine, theirs] = found.isOut ? [got, given] : [given, got]
  const transfers = order.transfers.map((each) => (each === found ? { ...each, isReversed: true } : each))
  return accept(order, { ...mine, transfers, other: { ...theirs, version: other.version + 1 } })
}

function transferred(
  order: ModelOrder,
  { isOut, price }: { isOut: boolean; price: number },
  transfer_id: string,
): Outcome {
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
  if (!got) return refuse(order, 40904)
  const [mine, theirs] = isOut ? [given, got] : [got, given]
  const moved = pieces.map(({ payment_id, price: part }) => ({ payment_id, price: part }))
  const transfers = [...order.transfers, { transfer_id, isOut, price, pieces: moved, isReversed: false }]
  return accept(order, { ...mine, transfers, other: { ...theirs, version: other.version + 1 } })
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
  if (subOrders.some((each) => each.total < each.credited)) return refuse(order, 40904)
  const capped = subOrders.map((each) => ({
    ...each,
    writtenOff: Math.min(each.writtenOff, each.total - each.credited),
  }))
  const settled = balanced({ ...priced, subOrders: capped })
  if (step.contract_id === undefined && isDeepStrictEqual(settled, order)) return { code: 0, order }
  const isComplete = ['created', 'pending'].includes(order.status) && isCovered(settled)
  return accept(order, { ...settled, status: isComplete ? 'success' : order.status })
}

export const noMoney = { lines: [] as ModelLine[], credited: 0, writtenOff: 0 }

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

/** Each unit goes to the share furthest from its part of the difference, the earlier one among equals. */
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
