import { localDistance, shifted } from '../../contract/days.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { SubOrder } from './order-rules.ts'

/** New deadlines of an order that is reopened. */
export interface NewDeadlines {
  /** Of the first unpaid instalment; the others keep their distance. */
  first?: Date
  /** Of single instalments, by their ids. */
  named: Map<string, Date>
}

/**
 * The instalments of an expired order that is reopened. All unpaid deadlines move by the same distance: that of the first
 * deadline if the caller names it, or whole days until none has passed. Otherwise the order would expire again.
 */
export function withNewDeadlines(
  subOrders: SubOrder[],
  { first, named }: NewDeadlines,
  { now, timeZone }: { now: Date; timeZone: string },
): SubOrder[] {
  const open = subOrders.filter(({ status }) => status !== 'success')
  refuseBadDeadlines({ first, named }, subOrders, open, now)
  const unnamed = open.filter(({ sub_order_id }) => !named.has(sub_order_id))
  const earliest = earliestDeadline(unnamed)
  const distance = earliest && distanceOf(earliest, first, now, timeZone)
  return subOrders.map((subOrder) => {
    const { sub_order_id, payment_deadline } = subOrder
    if (named.has(sub_order_id))
      return { ...subOrder, payment_deadline: named.get(sub_order_id)!.toISOString() }
    if (!unnamed.includes(subOrder)) return subOrder
    // If there was no deadline, the first unpaid instalment gets one.
    if (first && !earliest && subOrder === unnamed[0])
      return { ...subOrder, payment_deadline: first.toISOString() }
    if (payment_deadline === null || !distance) return subOrder
    return {
      ...subOrder,
      payment_deadline: shifted(new Date(payment_deadline), distance, timeZone).toISOString(),
    }
  })
}

function earliestDeadline(subOrders: SubOrder[]): Date | undefined {
  const times = subOrders.flatMap(({ payment_deadline }) =>
    payment_deadline === null ? [] : Date.parse(payment_deadline),
  )
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}

function distanceOf(
  earliest: Date,
  first: Date | undefined,
  now: Date,
  timeZone: string,
): Temporal.Duration | undefined {
  if (first) return localDistance(earliest, first, timeZone)
  if (earliest > now) return undefined
  const { days } = localDistance(earliest, now, timeZone)
  const distance = Temporal.Duration.from({ days })
  return shifted(earliest, distance, timeZone) > now ? distance : distance.add({ days: 1 })
}

function refuseBadDeadlines(
  { first, named }: NewDeadlines,
  subOrders: SubOrder[],
  open: SubOrder[],
  now: Date,
): void {
  const reason = 'must be in the future: otherwise the order expires again'
  if (first && first <= now) throw invalid('payment_deadline', reason)
  for (const [id, deadline] of named) {
    if (subOrders.every(({ sub_order_id }) => sub_order_id !== id)) throw new ApiError('subOrderNotFound')
    if (open.every(({ sub_order_id }) => sub_order_id !== id))
      throw invalid('payment_deadlines', 'must name sub-orders that are not paid')
    if (deadline <= now) throw invalid('payment_deadlines', reason)
  }
}
