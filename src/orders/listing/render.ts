import fastJson from 'fast-json-stringify'
import { type Static, Type } from '../../contract/type.ts'
import { columnsOfSlots, paymentSlots, renderSlots } from '../rules/payment-slots.ts'
import { FinancialRow, financialRowOf, type LedgerSubOrder } from './financial-row.ts'
import { OrderDetail, OrderListRow } from './order-row.ts'

/** Renders records as JSON, with the serialiser of the server and the same contracts. */

const detailJson = fastJson(OrderDetail as never)
const listRowJson = fastJson(OrderListRow as never)

export function renderDetail(order: Static<typeof OrderDetail>): string {
  return detailJson(order)
}

export function renderListRow(row: Static<typeof OrderListRow>): string {
  return listRowJson(row)
}

const slotColumns = new Set(columnsOfSlots(paymentSlots))
const beforeSlots = Object.entries(FinancialRow.properties).filter(([name]) => !slotColumns.has(name))
const beforeSlotsJson = fastJson(Type.Object(Object.fromEntries(beforeSlots)) as never)

/** A financial row up to its last payment. Empty slots are not stored, since they are the same in every row. */
export function renderFinancialStart(row: LedgerSubOrder): { row_start: string; used_slots: number } {
  const used_slots = Math.min(row.payments.length, paymentSlots)
  const text = beforeSlotsJson(financialRowOf(row, 0))
  return { row_start: text.slice(0, -1) + renderSlots(row.payments.slice(0, used_slots)), used_slots }
}

/** By number of used slots: the empty slots and the end of the row. */
export const emptySlots: readonly string[] = Array.from({ length: paymentSlots + 1 }, (_, used) => {
  const empty = columnsOfSlots(paymentSlots).slice(columnsOfSlots(used).length)
  return `${empty.map((column) => `,"${column}":null`).join('')}}`
})
