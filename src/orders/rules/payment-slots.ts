import {
  NullableBigInteger,
  NullableNumber,
  NullableString,
  NullableTimestamp,
} from '../../contract/fields.ts'
import { majorUnits } from '../../contract/money.ts'
import { Type } from '../../contract/type.ts'

/** The number of payment slots in a financial row. A further payment stays unapplied. */
export const paymentSlots = 15

/** A payment as the ledger has it, with the part that is allocated to a sub-order. */
export interface LedgerPayment {
  payment_id: string
  status: string
  source: string
  currency: string
  price: number
  exchange_rate: number
  /** The exact rate. */
  rate: string
  charge_id: string
  receipt_num: number | null
  comments: string
  completed_time: string
}

/** The attributes of a slot: their type, how a payment fills them, and their description. */
const attributes = {
  id: [NullableString, (payment: LedgerPayment) => payment.payment_id, 'its id'],
  status: [NullableString, (payment: LedgerPayment) => payment.status, 'its state'],
  source: [NullableString, (payment: LedgerPayment) => payment.source, 'how it was recorded'],
  currency: [NullableString, (payment: LedgerPayment) => payment.currency, 'its currency'],
  charge_id: [NullableString, (payment: LedgerPayment) => payment.charge_id, 'its charge id'],
  comments: [NullableString, (payment: LedgerPayment) => payment.comments, 'comments'],
  completed_time: [
    NullableTimestamp,
    (payment: LedgerPayment) => payment.completed_time,
    'when the money moved',
  ],
  price: [
    NullableNumber,
    (payment: LedgerPayment) => majorUnits(payment.price, payment.currency),
    'the amount in major units',
  ],
  exchange_rate: [NullableNumber, (payment: LedgerPayment) => Number(payment.rate), 'its exchange rate'],
  receipt_num: [NullableBigInteger, (payment: LedgerPayment) => payment.receipt_num, 'its receipt number'],
} as const

const slots = Array.from({ length: paymentSlots }, (_, index) => index + 1)
const columns = slots.flatMap((slot) =>
  Object.entries(attributes).map(([name, [type, fill, description]]) => ({
    column: `payment${slot}_${name}`,
    slot,
    type,
    fill,
    description,
  })),
)

export type PaymentColumns = Record<`payment${number}_${keyof typeof attributes}`, string | number | null>

/** Interface › Order financial row: payment<NUM>_<ATTRIBUTE>, 15 × 10 columns. */
export const PaymentColumnFields = Object.fromEntries(
  columns.map(({ column, slot, type, description }) => [
    column,
    Type.Unsafe<string | number | null>({ ...type, description: `Payment ${slot}: ${description}` }),
  ]),
)

/** The columns of the first slots. */
export function columnsOfSlots(slots: number): string[] {
  return columns.slice(0, slots * Object.keys(attributes).length).map(({ column }) => column)
}

/** Payments in order of completion fill the slots; the rest is null. */
export function fillSlots(payments: LedgerPayment[], slots = paymentSlots): PaymentColumns {
  const filled: PaymentColumns = {}
  for (const { column, slot, fill } of columns) {
    if (slot > slots) break
    const payment = payments[slot - 1]
    filled[column as keyof PaymentColumns] = payment ? fill(payment) : null
  }
  return filled
}

const names = columns.map(({ column }) => `,"${column}":`)
const fills = Object.values(attributes).map(([, fill]) => fill)

/** The used slots as JSON members. Building an object with so many members would take longer than the text. */
export function renderSlots(payments: LedgerPayment[]): string {
  let text = ''
  for (const [slot, payment] of payments.entries())
    for (const [index, fill] of fills.entries())
      text += names[slot * fills.length + index]! + JSON.stringify(fill(payment))
  return text
}
