import { majorText } from '../../files/amounts.ts'
import { type OrderState, received } from '../../orders/rules/order-rules.ts'
import { expirableStatuses } from '../../orders/rules/status.ts'

/** The overdue part of a payment plan that started before the import. */
export interface Overdue {
  instalments: number
  of: number
  price: number
  /** Nothing was paid: the order will expire. */
  isExpiring: boolean
}

export function overdueOf(state: OrderState, now: Date): Overdue {
  const late = expirableStatuses.includes(state.status)
    ? state.subOrders.filter(
        ({ payment_deadline, paid, total_price }) =>
          payment_deadline !== null && new Date(payment_deadline) < now && paid < total_price,
      )
    : []
  return {
    instalments: late.length,
    of: state.subOrders.length,
    price: late.reduce((sum, { total_price, paid }) => sum + total_price - paid, 0),
    isExpiring: late.length > 0 && received(state) === 0,
  }
}

export function overdueNote(
  { instalments, of, price, isExpiring }: Overdue,
  currency: string,
): string | null {
  if (isExpiring) return 'nothing was paid and the first deadline has passed: the order will expire'
  if (instalments === 0) return null
  return `${instalments} of ${of} instalments are overdue: ${majorText(BigInt(price), currency)} ${currency}`
}
