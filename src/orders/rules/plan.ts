import { deadlineOf, monthsLater } from '../../contract/days.ts'
import { invalid } from '../../contract/errors.ts'
import { split } from '../../contract/rounding.ts'
import type { SubOrderType } from './status.ts'

/** A planned sub-order. */
export interface PlannedSubOrder {
  /** Of an existing sub-order. */
  sub_order_id?: string
  type: SubOrderType
  total_price: number
  payment_deadline: Date | null
}

export interface PlanInput {
  sub_orders?: {
    sub_order_id?: string
    type?: SubOrderType
    total_price: number
    payment_deadline?: string
  }[]
  installment_count?: number
  first_payment_deadline?: string
}

/**
 * The instalments of an order: as listed, or equal ones a month apart, or one. They sum to the total; of equal ones the
 * last has the remainder.
 */
export function planOf(input: PlanInput, total: number, timeZone: string): PlannedSubOrder[] {
  return input.sub_orders ? listedPlan(input.sub_orders, total, timeZone) : equalPlan(input, total, timeZone)
}

function listedPlan(
  listed: NonNullable<PlanInput['sub_orders']>,
  total: number,
  timeZone: string,
): PlannedSubOrder[] {
  const sum = listed.reduce((all, subOrder) => all + subOrder.total_price, 0)
  if (sum !== total) throw invalid('sub_orders', `must sum to the total price, ${total}, but sum to ${sum}`)
  return listed.map((subOrder, index) => ({
    ...(subOrder.sub_order_id !== undefined && { sub_order_id: subOrder.sub_order_id }),
    type: subOrder.type ?? typeOf(index, listed.length),
    total_price: subOrder.total_price,
    payment_deadline:
      subOrder.payment_deadline === undefined ? null : deadlineOf(subOrder.payment_deadline, timeZone),
  }))
}

function equalPlan(
  { installment_count = 1, first_payment_deadline }: PlanInput,
  total: number,
  timeZone: string,
): PlannedSubOrder[] {
  return split(total, installment_count).map((total_price, index) => ({
    type: typeOf(index, installment_count),
    total_price,
    payment_deadline:
      first_payment_deadline === undefined ? null : monthly(first_payment_deadline, index, timeZone),
  }))
}

function monthly(first: string, months: number, timeZone: string): Date {
  const [day, time] = first.split(' ')
  const later = monthsLater(day!, months)
  return deadlineOf(time === undefined ? later : `${later} ${time}`, timeZone)
}

function typeOf(index: number, count: number): SubOrderType {
  return count === 1 ? 'full' : index === count - 1 ? 'balance' : 'installment'
}
