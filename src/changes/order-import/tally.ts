import { majorText } from '../../files/amounts.ts'
import type { RowPlan } from './plan-row.ts'

export interface CurrencyTotal {
  currency: string
  /** New orders and their total price. */
  orders: number
  total_price: string
  /** Payments in this currency, for new and known orders. */
  payments: number
  paid_price: string
}

/** New orders whose payment plans have already started. */
export interface OverdueTotal {
  currency: string
  /** Paid in part, with their overdue amount. */
  orders: number
  overdue_price: string
  /** Unpaid: they will expire. */
  expiring: number
}

/** Counts outcomes, and sums amounts by currency in integers of any size. */
export class Tally {
  readonly rows: Record<RowPlan['outcome'], number> = {
    create: 0,
    update: 0,
    unchanged: 0,
    reject: 0,
    erased: 0,
  }
  private readonly sums = new Map<string, Sum>()

  add(rowPlan: RowPlan): void {
    this.rows[rowPlan.outcome]++
    if (rowPlan.outcome === 'create') {
      const sum = this.sumOf(rowPlan.currency)
      sum.orders++
      sum.total += BigInt(rowPlan.total_price)
      const { isExpiring, instalments, price } = rowPlan.overdue
      if (isExpiring) sum.expiring++
      else if (instalments > 0) {
        sum.late++
        sum.overdue += BigInt(price)
      }
    }
    const paymentInput = 'paymentInput' in rowPlan ? rowPlan.paymentInput : undefined
    if (!paymentInput) return
    const sum = this.sumOf(paymentInput.currency!)
    sum.payments++
    sum.paid += BigInt(paymentInput.price)
  }

  get totals(): CurrencyTotal[] {
    return [...this.sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { orders, total, payments, paid }]) => ({
        currency,
        orders,
        total_price: majorText(total, currency),
        payments,
        paid_price: majorText(paid, currency),
      }))
  }

  get overdue(): OverdueTotal[] {
    return [...this.sums]
      .filter(([, { late, expiring }]) => late + expiring > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { late, overdue, expiring }]) => ({
        currency,
        orders: late,
        overdue_price: majorText(overdue, currency),
        expiring,
      }))
  }

  private sumOf(currency: string) {
    let sum = this.sums.get(currency)
    if (!sum) {
      sum = { orders: 0, total: 0n, payments: 0, paid: 0n, late: 0, overdue: 0n, expiring: 0 }
      this.sums.set(currency, sum)
    }
    return sum
  }
}

interface Sum {
  orders: number
  total: bigint
  payments: number
  paid: bigint
  late: number
  overdue: bigint
  expiring: number
}
