import fastJson from 'fast-json-stringify'
import type { Static } from 'typebox'
import { FinancialRow, financialRowOf, type LedgerSubOrder } from '../orders/financial-row.ts'
import { OrderDetail, OrderListRow } from '../orders/order-row.ts'
import { fillSlots, paymentSlots } from '../orders/payment-slots.ts'

/** The text that a record is answered with: the serialiser that the server uses, over the same contract. */

const detailText = fastJson(OrderDetail as never)
const listRowText = fastJson(OrderListRow as never)
const financialText = fastJson(FinancialRow as never)

export function renderDetail(order: Static<typeof OrderDetail>): string {
  return detailText(order)
}

export function renderListRow(row: Static<typeof OrderListRow>): string {
  return listRowText(row)
}

/** A financial row up to its last payment: most slots are empty, and what is the same in every row need not be kept. */
export function renderFinancialStart(row: LedgerSubOrder): { row_start: string; used_slots: number } {
  const text = financialText(financialRowOf(row))
  const used_slots = Math.min(row.payments.length, paymentSlots)
  return { row_start: text.slice(0, text.length - emptySlots[used_slots]!.length), used_slots }
}

/** The empty slots behind so many used ones, and the end of the row. */
export const emptySlots: readonly string[] = Array.from({ length: paymentSlots + 1 }, (_, used) => {
  const empty = Object.entries(fillSlots([])).filter(([column]) => Number(/\d+/.exec(column)![0]) > used)
  return `${empty.map(([column]) => `,"${column}":null`).join('')}}`
})
