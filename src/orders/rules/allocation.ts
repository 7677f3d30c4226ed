import { paymentSlots } from './payment-slots.ts'

/**
 * The allocation of money to the sub-orders of an order. A sub-order has a surplus only if no other owes anything, so that
 * the unpaid and overpaid amounts of sub-orders sum to those of the order.
 */

/** Money of a payment on a sub-order, in the currency of the order. */
export interface Allocation {
  payment_id: string
  sub_order_id: string
  price: number
  /** The refunded part of the price. Only the rest is held and can move. */
  refunded: number
}

/** Money of a payment that an order takes. */
export type Piece = Pick<Allocation, 'payment_id' | 'price'>

/** A sub-order with the sums that decide where money goes. */
export interface Instalment {
  sub_order_id: string
  seq: number
  total_price: number
  /** The sum of its allocations. */
  paid: number
  refunded: number
  /** The part of the price that credit notes cancel. */
  credited: number
  writtenOff: number
  /** The number of payments with an allocation. */
  payments: number
}

export type Sums = Pick<Instalment, 'total_price' | 'paid' | 'refunded' | 'credited' | 'writtenOff'>

/** The part of the price that is to be paid: neither credited nor written off. */
function claimOn({ total_price, credited, writtenOff }: Sums): number {
  return total_price - credited - writtenOff
}

/** Received and not refunded. */
export function heldOn({ paid, refunded }: Pick<Instalment, 'paid' | 'refunded'>): number {
  return paid - refunded
}

export function lacking(instalment: Sums): number {
  return Math.max(0, claimOn(instalment) - heldOn(instalment))
}

export function surplusOn(instalment: Sums): number {
  return Math.max(0, heldOn(instalment) - claimOn(instalment))
}

/** Sub-orders with the sums of these allocations. */
export function withSums<One extends Instalment>(instalments: One[], allocations: Allocation[]): One[] {
  return instalments.map((instalment) => {
    const own = allocations.filter(({ sub_order_id }) => sub_order_id === instalment.sub_order_id)
    const refunded = own.reduce((all, line) => all + line.refunded, 0)
    return { ...instalment, paid: sum(own), refunded, payments: own.length }
  })
}

/**
 * Allocates money to sub-orders in order of seq, starting at the named one (or the first that owes something), then to
 * those before it. The surplus goes to the last. Returns the sub-order that has no free slot, if one is needed.
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
  const inTurn = [...instalments.slice(first), ...instalments.slice(0, first)]
  let left = price
  const lineOn = ({ sub_order_id }: Instalment, amount: number) => {
    left -= amount
    return { payment_id, sub_order_id, price: amount, refunded: 0 }
  }
  const owed = inTurn.map((each) => lineOn(each, Math.min(left, lacking(each))))
  const surplus = instalments.slice(-1).map((last) => lineOn(last, left))
  const result = [...owed, ...surplus].filter((line) => line.price > 0).reduce(added, allocations)
  const before = new Map(instalments.map((each) => [each.sub_order_id, each.payments]))
  const full = withSums(instalments, result).find(
    ({ sub_order_id, payments }) => payments > paymentSlots && payments > (before.get(sub_order_id) ?? 0),
  )
  return full ? { full } : { allocations: result }
}

/** An amount that leaves a sub-order, and the part of it that was a surplus. */
export interface Taking {
  sub_order_id: string
  price: number
  surplus_price: number
}

/**
 * The sub-orders that an amount leaves: first the surplus, then the named sub-order (or the last) and those before it,
 * then those after it.
 */
export function takingsOf(instalments: Instalment[], price: number, startId?: string): Taking[] {
  const backwards = instalments.toReversed()
  const start = Math.max(
    0,
    backwards.findIndex(({ sub_order_id }) => sub_order_id === startId),
  )
  let left = price
  const take = (most: number) => {
    const amount = Math.min(left, most)
    left -= amount
    return amount
  }
  return [...backwards.slice(start), ...backwards.slice(0, start)]
    .map((each) => ({ each, surplus_price: take(surplusOn(each)) }))
    .map(({ each, surplus_price }) => ({
      sub_order_id: each.sub_order_id,
      price: surplus_price + take(heldOn(each) - surplus_price),
      surplus_price,
    }))
    .filter((taking) => taking.price > 0)
}

/** Divides takings among the payments of each sub-order, by their held money and in the order of `lines`. */
export function linesOfTakings<Line extends Allocation>(
  lines: Line[],
  takings: Pick<Taking, 'sub_order_id' | 'price'>[],
): Line[] {
  return takings.flatMap(({ sub_order_id, price }) => {
    let left = price
    return lines
      .filter((line) => line.sub_order_id === sub_order_id)
      .map((line) => {
        const amount = Math.min(left, line.price - line.refunded)
        left -= amount
        return { ...line, price: amount, refunded: 0 }
      })
      .filter((line) => line.price > 0)
  })
}

/** Takes held money off sub-orders, the latest payments first. Returns the lines taken, and the rest. */
export function takeOff(
  allocations: Allocation[],
  takings: Pick<Taking, 'sub_order_id' | 'price'>[],
): { taken: Allocation[]; allocations: Allocation[] } {
  const taken = linesOfTakings(allocations.toReversed(), takings)
  return { taken, allocations: without(allocations, taken) }
}

/** The held money of a payment: the lines, and the other allocations of the order with the refunded rest. */
export function takeOffPayment(
  allocations: Allocation[],
  paymentId: string,
): { taken: Allocation[]; allocations: Allocation[] } {
  const taken = allocations
    .filter(({ payment_id, price, refunded }) => payment_id === paymentId && price > refunded)
    .map((line) => ({ ...line, price: line.price - line.refunded, refunded: 0 }))
  return { taken, allocations: without(allocations, taken) }
}

/** Takes these amounts of payments off an order, the last sub-orders first; as much as is held. */
export function takeOffPieces(
  instalments: Pick<Instalment, 'sub_order_id'>[],
  allocations: Allocation[],
  pieces: Piece[],
): { taken: Allocation[]; allocations: Allocation[] } {
  const taken = pieces.flatMap(({ payment_id, price }) => {
    const own = allocations.filter((line) => line.payment_id === payment_id)
    let left = price
    return instalments
      .toReversed()
      .flatMap((each) => own.filter((line) => line.sub_order_id === each.sub_order_id))
      .map((line) => {
        const amount = Math.min(left, line.price - line.refunded)
        left -= amount
        return { ...line, price: amount, refunded: 0 }
      })
      .filter((line) => line.price > 0)
  })
  return { taken, allocations: without(allocations, taken) }
}

function without(allocations: Allocation[], taken: Allocation[]): Allocation[] {
  return taken.map(negated).reduce(added, allocations)
}

function negated(line: Allocation): Allocation {
  return { ...line, price: -line.price, refunded: -line.refunded }
}

/** Moves a surplus to sub-orders that owe something, as far as they have free slots. */
export function balanced(instalments: Instalment[], allocations: Allocation[]): Allocation[] {
  let result = allocations
  const before = withSums(instalments, allocations)
  for (const { sub_order_id: fromId } of before.filter((each) => surplusOn(each) > 0)) {
    for (const { sub_order_id: toId } of before.filter((each) => lacking(each) > 0)) {
      const now = withSums(instalments, result)
      const surplus = now.filter((each) => each.sub_order_id === fromId).map(surplusOn)
      const lack = now.filter((each) => each.sub_order_id === toId).map(lacking)
      const most = Math.min(...surplus, ...lack)
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

/** The added allocations, and the reversed ones with a negative price. */
export function difference(before: Allocation[], after: Allocation[]): Omit<Allocation, 'refunded'>[] {
  const pieces = [...after, ...before.map(negated)].map((line) => ({ ...line, refunded: 0 }))
  return pieces
    .reduce(added, [])
    .map(({ payment_id, sub_order_id, price }) => ({ payment_id, sub_order_id, price }))
}

/** Adds one line to those of the same payment and sub-order. A line of 0 disappears. */
export function added(allocations: Allocation[], one: Allocation): Allocation[] {
  const known = allocations.find(
    (other) => other.payment_id === one.payment_id && other.sub_order_id === one.sub_order_id,
  )
  if (!known) return [...allocations, one]
  const sums = { ...known, price: known.price + one.price, refunded: known.refunded + one.refunded }
  return sums.price === 0
    ? allocations.filter((other) => other !== known)
    : allocations.map((other) => (other === known ? sums : other))
}

export function sum(priced: { price: number }[]): number {
  return priced.reduce((all, { price }) => all + price, 0)
}
