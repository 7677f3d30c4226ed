import { majorText } from '../spreadsheet/amounts.ts'
import type { RowPlan } from './plan-row.ts'

const outcomes = ['create', 'update', 'unchanged', 'reject'] as const

export interface CurrencyTotal {
  currency: string
  /** New orders, and what is owed for them in all. */
  orders: number
  total_price: string
  /** Payments in this currency, of new and of known orders. */
  payments: number
  paid_price: string
}

/** Counts outcomes, and sums money by currency, in whole numbers of any size. */
export class Tally {
  readonly rows: Record<(typeof outcomes)[number], number> = { create: 0, update: 0, unchanged: 0, reject: 0 }
  private readonly sums = new Map<string, { orders: number; total: bigint; payments: number; paid: bigint }>()

  add(rowPlan: RowPlan): void {
    this.rows[rowPlan.outcome]++
    if (rowPlan.outcome === 'create') {
      const sum = this.sumOf(rowPlan.currency)
      sum.orders++
      sum.total += BigInt(rowPlan.total_price)
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

  private sumOf(currency: string) {
    let sum = this.sums.get(currency)
    if (!sum) {
      sum = { orders: 0, total: 0n, payments: 0, paid: 0n }
      this.sums.set(currency, sum)
    }
    return sum
  }
}
