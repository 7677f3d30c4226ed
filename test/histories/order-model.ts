/**
 * The rules of decisions.md once more, as plainly as they can be told and without any of the service's own code: what
 * an order is after a step, or the code with which the step is refused. Tests hold the service against it.
 */

import { isDeepStrictEqual } from 'node:util'

export interface ModelPayment {
  payment_id: string
  order_price: number
  charge_id?: string
  /** Told again, it must be the same notice. */
  notice: string
  /** Sorts as the completion does. */
  completed: [time: number, tie: number]
}

export interface ModelRefund {
  price: number
  payment_id?: string
  charge_id?: string
  notice: string
}

export interface ModelSubOrder {
  sub_order_id: string
  total: number
  deadline: number | null
  payments: ModelPayment[]
  refunds: ModelRefund[]
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

const places: Record<string, bigint> = { JPY: 0n, CNY: 2n, USD: 2n, KWD: 3n }

/** Half up first; a tie that came out odd goes back to even. */
export function exchanged(price: number, from: string, to: string, rate: number): number {
  const n = BigInt(price) * BigInt(rate) * 10n ** places[to]!
  const d = 10_000n * 10n ** places[from]!
  const halfUp = (2n * n + d) / (2n * d)
  const isTie = (2n * n + d) % (2n * d) === 0n
  return Number(isTie && halfUp % 2n === 1n ? halfUp - 1n : halfUp)
}

export const paidOn = (subOrder: ModelSubOrder) =>
  sum(subOrder.payments.map(({ order_price }) => order_price))
export const refundedOn = (subOrder: ModelSubOrder) => sum(subOrder.refunds.map(({ price }) => price))
export const paid = (order: ModelOrder) => sum(order.subOrders.map(paidOn))
export const refunded = (order: ModelOrder) => sum(order.subOrders.map(refundedOn))
export const total = (order: ModelOrder) => order.discounted + order.charge

export function unpaid(order: ModelOrder): number {
  return ['canceled', 'expired'].includes(order.status) ? 0 : Math.max(0, total(order) - paid(order))
}

export function canMove(order: ModelOrder, to: string): boolean {
  if (!legalMoves.get(order.status)?.includes(to)) return false
  return order.status !== 'success' || to !== 'canceled' || refunded(order) === paid(order)
}

export function statusOf(order: ModelOrder, subOrder: ModelSubOrder): string {
  if (!['created', 'pending', 'success'].includes(order.status)) return order.status
  if (paidOn(subOrder) >= subOrder.total) return 'success'
  return paidOn(subOrder) > 0 ? 'pending' : 'created'
}

export function discountOf(listed: number, coupons: Coupon[]): number {
  return sum(coupons.map(({ amount, basis_points }) => amount ?? share(listed, basis_points!)))
}

/** What the model makes of a step: its code, and the order after it. */
export interface Outcome {
  code: number
  order: ModelOrder
  /** For payments: what it counts for. */
  order_price?: number
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
  const told = order.subOrders
    .flatMap(({ payments }) => payments)
    .find((payment) => step.charge_id && payment.charge_id === step.charge_id)
  if (told) return told.notice === notice ? { code: 0, order, told: told.payment_id } : refuse(order, 40901)
  const subOrder =
    step.sub_order_id === undefined
      ? (order.subOrders.find((candidate) => paidOn(candidate) < candidate.total) ?? order.subOrders.at(-1))
      : order.subOrders.find(({ sub_order_id }) => sub_order_id === step.sub_order_id)
  if (!subOrder) return refuse(order, 40405)
  const order_price =
    step.currency === order.currency
      ? step.price
      : exchanged(step.price, step.currency, order.currency, step.exchange_rate!)
  if (order_price < 1) return refuse(order, 40002)
  if (!['created', 'pending', 'success'].includes(order.status) || subOrder.payments.length >= 15)
    return refuse(order, 40904)
  const payment = { payment_id, order_price, charge_id: step.charge_id, notice, completed }
  const subOrders = order.subOrders.map((each) =>
    each === subOrder ? { ...each, payments: [...each.payments, payment] } : each,
  )
  const isComplete = order.status === 'success' || paid({ ...order, subOrders }) >= total(order)
  return { ...accept(order, { subOrders, status: isComplete ? 'success' : 'pending' }), order_price }
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
  const told = order.subOrders
    .flatMap(({ refunds }) => refunds)
    .find(({ charge_id }) => step.charge_id && charge_id === step.charge_id)
  if (told) return told.notice === notice ? { code: 0, order, told: step.charge_id } : refuse(order, 40901)
  const subOrder = order.subOrders.find(
    ({ sub_order_id, payments }) =>
      sub_order_id === step.sub_order_id || payments.some(({ payment_id }) => payment_id === step.payment_id),
  )
  if (!subOrder) return refuse(order, 40405)
  const payment = subOrder.payments.find(({ payment_id }) => payment_id === step.payment_id)
  const back = sum(
    subOrder.refunds
      .filter(({ payment_id }) => payment && payment_id === payment.payment_id)
      .map(({ price }) => price),
  )
  const most = Math.min(
    paidOn(subOrder) - refundedOn(subOrder),
    payment ? payment.order_price - back : Infinity,
  )
  if (step.price > most) return refuse(order, 40904)
  const { price, payment_id, charge_id } = step
  return accept(order, {
    subOrders: order.subOrders.map((each) =>
      each === subOrder
        ? { ...each, refunds: [...each.refunds, { price, payment_id, charge_id, notice }] }
        : each,
    ),
  })
}

export function move(order: ModelOrder, to: string, now: number): Outcome {
  if (!canMove(order, to)) return refuse(order, 40904)
  const moved = { ...order, status: to }
  if (order.status !== 'expired') return accept(order, { status: to })
  const isOpen = (subOrder: ModelSubOrder) =>
    statusOf(moved, subOrder) !== 'success' && subOrder.deadline !== null
  const earliest = Math.min(...order.subOrders.filter(isOpen).map(({ deadline }) => deadline!))
  const day = 24 * 60 * 60 * 1000
  let shift = 0
  while (earliest + shift <= now) shift += day
  const subOrders = order.subOrders.map((subOrder) =>
    isOpen(subOrder) ? { ...subOrder, deadline: subOrder.deadline! + shift } : subOrder,
  )
  return accept(order, { status: to, subOrders })
}

export function expire(order: ModelOrder, now: number): Outcome {
  const isOverdue =
    ['unconfirmed', 'created', 'pending'].includes(order.status) &&
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
  const settled = { ...priced, subOrders }
  if (step.contract_id === undefined && isDeepStrictEqual(settled, order)) return { code: 0, order }
  const isComplete = ['created', 'pending'].includes(order.status) && paid(settled) >= total(settled)
  return accept(order, { ...settled, status: isComplete ? 'success' : order.status })
}

function listedSubOrders(
  order: ModelOrder,
  listed: NonNullable<UpdateStep['sub_orders']>,
  newIds: string[],
): ModelSubOrder[] | number {
  if (sum(listed.map(({ total_price }) => total_price)) !== total(order)) return 40002
  const kept = new Set(listed.map(({ sub_order_id }) => sub_order_id))
  if (order.subOrders.some((subOrder) => subOrder.payments.length > 0 && !kept.has(subOrder.sub_order_id)))
    return 40904
  return listed.map(({ sub_order_id, total_price }, index) => {
    const before = order.subOrders.find((subOrder) => subOrder.sub_order_id === sub_order_id)
    const fresh = { sub_order_id: newIds[index]!, payments: [], refunds: [] }
    return { ...(before ?? { ...fresh, deadline: null }), total: total_price }
  })
}

/** Unit by unit: each goes to whoever is furthest from its share of the difference, the earlier one among equals. */
function sharedSubOrders(order: ModelOrder, newTotal: number): ModelSubOrder[] {
  const difference = newTotal - total(order)
  const lacks = order.subOrders.map((subOrder) => Math.max(0, subOrder.total - paidOn(subOrder)))
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
