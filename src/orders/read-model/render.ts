import fastJson from 'fast-json-stringify'
import { type Static, Type } from 'typebox'
import { FinancialRow, financialRowOf, type LedgerSubOrder } from '../financial-row.ts'
import { OrderDetail, OrderListRow } from '../order-row.ts'
import { columnsOfSlots, paymentSlots } from '../payments/payment-slots.ts'

/** The JSON that a record is answered with: the serialiser that the server uses, over the same contract. */

const detailJson = fastJson(OrderDetail as never)
const listRowJson = fastJson(OrderListRow as never)

export function renderDetail(order: Static<typeof OrderDetail>): string {
  return detailJson(order)
}

export function renderListRow(row: Static<typeof OrderListRow>): string {
  return listRowJson(row)
}

/** A financial row up to its last payment: most slots are empty, and what is the same in every row need not be stored. */
export function renderFinancialStart(row: LedgerSubOrder): { row_start: string; used_slots: number } {
  const used_slots = Math.min(row.payments.length, paymentSlots)
  const text = startText(used_slots)(financialRowOf(row, used_slots))
  return { row_start: text.slice(0, -1), used_slots }
}

type Serializer = (row: Static<typeof FinancialRow>) => string
const startTexts = new Map<number, Serializer>()

/** The serialiser of rows with so many used slots. */
function startText(usedSlots: number): Serializer {
  let serializer = startTexts.get(usedSlots)
  if (!serializer) {
    const empty = new Set(columnsOfSlots(paymentSlots).slice(columnsOfSlots(usedSlots).length))
    const properties = Object.entries(FinancialRow.properties).filter(([name]) => !empty.has(name))
    const schema = Type.Object(Object.fromEntries(properties))
    serializer = fastJson(schema as never) as Serializer
    startTexts.set(usedSlots, serializer)
  }
  return serializer
}

/** The empty slots behind so many used ones, and the end of the row. */
export const emptySlots: readonly string[] = Array.from({ length: paymentSlots + 1 }, (_, used) => {
  const empty = columnsOfSlots(paymentSlots).slice(columnsOfSlots(used).length)
  return `${empty.map((column) => `,"${column}":null`).join('')}}`
})
