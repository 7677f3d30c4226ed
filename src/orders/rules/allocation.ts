import { paymentSlots } from './payment-slots.ts'

/**
 * How money lies on the sub-orders of an order. A sub-order holds a surplus only where no other lacks anything, so that
 * what is unpaid and what is overpaid of sub-orders sum to the order's.
 */

/** Money of a payment on a sub-order, in the currency of the order. */
export interface Allocation {
  payment_id: string
  sub_order_id: string
  price: number
}

/** Money of a payment that is to be put on an order. */
export type Piece = Omit<Allocation, 'sub_order_id'>

/** What is to be known of a sub-order where money comes and goes. */
export interface Instalment {
  sub_order_id: string
  seq: number
  total_price: number
  /** Sums of what was allocated to it, of what went back, and of what of that had been a surplus. */
  paid: number
  refunded: number
  surplusRefunded: number
  /** How many payments lie on it. */
  payments: number
}

/** What counts towards its price: a surplus that went back does not. */
export function counted({ paid, surplusRefunded }: Instalment): number {
  return paid - surplusRefunded
}

export function lacking(instalment: Instalment): number {
  return Math.max(0, instalment.total_price - counted(instalment))
}

function surplus(instalment: Instalment): number {
  return Math.max(0, Math.min(counted(instalment) - instalment.total_price, refundable(instalment)))
}

/** What may still go back of it, or elsewhere. */
export function refundable({ paid, refunded }: Pick<Instalment, 'paid' | 'refunded'>): number {
  return paid - refunded
}

/** Sub-orders with the sums that allocations come to. */
export function withSums<One extends Instalment>(instalments: One[], allocations: Allocation[]): One[] {
  return instalments.map((instalment) => {
    const own = allocations.filter(({ sub_order_id }) => sub_order_id === instalment.sub_order_id)
    return { ...instalment, paid: sum(own), payments: own.length }
  })
}

/**
 * Puts money on sub-orders in order of seq, from the named one on (or the first that lacks something), then on those
 * before it; what none lacks lies on the last. Says which sub-order has no slot left, where one would need it.
 */
export function allocate(
  instalments: Instalment[],
  allocations: Allocation[],
  { payment_id, price }: Piece,
  startId?: string,
): { allocations: Allocation[] } | { full: Instalment } {
  const start = instalments.findIndex((instalment) =>
    startId === undefined ? lacking(instalment) > 0 : instalment.sub_order_id === startId,
  )
  const first = Math.max(0, start)
  let left = price
  let result = allocations
  const put = (sub_order_id: string, amount: number) => {
    left -= amount
    result = added(result, { payment_id, sub_order_id, price: amount })
  }
  for (const instalment of [...instalments.slice(first), ...instalments.slice(0, first)]) {
    const amount = Math.min(left, lacking(instalment))
    if (amount > 0) put(instalment.sub_order_id, amount)
  }
  if (left > 0) put(instalments.at(-1)!.sub_order_id, left)
  const full = withSums(instalments, result).find(
    ({ payments }, index) => payments > paymentSlots && payments > instalments[index]!.payments,
  )
  return full ? { full } : { allocations: result }
}

/** Money that leaves a sub-order, and how much of it had been a surplus there. */
export interface Taking {
  sub_order_id: string
  price: number
  surplus_price: number
}

/**
 * From where money leaves an order: first what is a surplus, then from the named sub-order (or the last) backwards, then
 * from those behind it. At most what there is.
 */
export function takingsOf(instalments: Instalment[], price: number, startId?: string): Taking[] {
  const backwards = instalments.toReversed()
  const start = Math.max(
    0,
    backwards.findIndex(({ sub_order_id }) => sub_order_id === startId),
  )
  const order = [...backwards.slice(start), ...backwards.slice(0, start)]
  let left = price
  const take = (most: number) => {
    const amount = Math.min(left, most)
    left -= amount
    return amount
  }
  const fromSurplus = new Map(order.map((each) => [each.sub_order_id, take(surplus(each))]))
  return order
    .map((each) => {
      const surplus_price = fromSurplus.get(each.sub_order_id)!
      const rest = take(refundable(each) - surplus_price)
      return { sub_order_id: each.sub_order_id, price: surplus_price + rest, surplus_price }
    })
    .filter((taking) => taking.price > 0)
}

/** Takes so much off sub-orders, the money that came last first; tells what was taken, and what stays. */
export function takeOff(
  allocations: Allocation[],
  takings: Pick<Taking, 'sub_order_id' | 'price'>[],
): { taken: Allocation[]; allocations: Allocation[] } {
  const taken: Allocation[] = []
  let result = allocations
  for (const { sub_order_id, price } of takings) {
    let left = price
    for (const each of allocations.filter((one) => one.sub_order_id === sub_order_id).toReversed()) {
      const amount = Math.min(left, each.price)
      if (amount === 0) break
      left -= amount
      taken.push({ ...each, price: amount })
      result = added(result, { ...each, price: -amount })
    }
  }
  return { taken, allocations: result }
}

/** Moves a surplus to where something is lacking, as far as there are slots. */
export function balanced(instalments: Instalment[], allocations: Allocation[]): Allocation[] {
  let result = allocations
  const before = withSums(instalments, allocations)
  for (const { sub_order_id: fromId } of before.filter((each) => surplus(each) > 0)) {
    for (const { sub_order_id: toId } of before.filter((each) => lacking(each) > 0)) {
      const now = new Map(withSums(instalments, result).map((each) => [each.sub_order_id, each]))
      const most = Math.min(surplus(now.get(fromId)!), lacking(now.get(toId)!))
      if (most > 0) result = moved(result, fromId, toId, most)
    }
  }
  return result
}

function moved(allocations: Allocation[], fromId: string, toId: string, price: number): Allocation[] {
  const { taken, allocations: rest } = takeOff(allocations, [{ sub_order_id: fromId, price }])
  const result = taken.reduce((all, each) => added(all, { ...each, sub_order_id: toId }), rest)
  const slots = result.filter(({ sub_order_id }) => sub_order_id === toId).length
  return slots <= paymentSlots ? result : allocations
}

/** What has come and gone between two states. */
export function difference(before: Allocation[], after: Allocation[]): Allocation[] {
  const taken = before.map((one) => ({ ...one, price: -one.price }))
  return [...after, ...taken].reduce(added, []).filter(({ price }) => price !== 0)
}

function added(allocations: Allocation[], one: Allocation): Allocation[] {
  const same = (other: Allocation) =>
    other.payment_id === one.payment_id && other.sub_order_id === one.sub_order_id
  const known = allocations.find(same)
  if (!known) return [...allocations, one]
  const price = known.price + one.price
  return price === 0
    ? allocations.filter((other) => other !== known)
    : allocations.map((other) => (other === known ? { ...other, price } : other))
}

export function sum(priced: { price: number }[]): number {
  return priced.reduce((all, { price }) => all + price, 0)
}
