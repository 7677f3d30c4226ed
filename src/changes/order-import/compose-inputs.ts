import { fingerprint } from '../../contract/fingerprint.ts'
import { inputValidator } from '../../contract/validate.ts'
import { minorUnits, type WrittenAmount } from '../../files/amounts.ts'
import { RowRefused } from '../../files/column-faults.ts'
import { createOrder } from '../../orders/create-order.ts'
import type { OrderCreation } from '../../orders/order-creation.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import type { PaymentInput } from '../../orders/payments/payment-input.ts'
import type { Charge } from '../../orders/payments/payment-store.ts'
import { comparable, type RowMembers } from './columns.ts'

/** Composes the inputs of the operations from rows, and validates them by the same contracts. */

const validCreation = inputValidator(createOrder)
const validPaymentInput = inputValidator(createPayment)

export function creationOf(
  members: RowMembers,
  order: { corp_id: string; user_id: string; currency: string; batch_id: string | undefined },
): OrderCreation {
  const { external_id, course_code, type, status, coupon_ids, installment_count } = members
  const input = {
    ...order,
    external_id,
    course_code,
    type,
    status,
    source: 'import',
    ...pricesOfRow(members, order.currency),
    coupon_ids,
    installment_count,
    first_payment_deadline: members.first_payment_deadline,
    share_proportion: members.share_proportion,
    contract_id: members.contract_id,
  }
  return validCreation(stripped(input)) as OrderCreation
}

const priceColumns = ['listed_price', 'discounted_price', 'service_charge'] as const

/** The prices of a row, in minor units. */
export function pricesOfRow(
  members: RowMembers,
  currency: string,
): Partial<Record<(typeof priceColumns)[number], number>> {
  return Object.fromEntries(
    priceColumns.flatMap((name) => {
      const amount = members[name]
      return amount === undefined ? [] : [[name, exact(amount, currency, name)]]
    }),
  )
}

/** The payment of a row; undefined if it has none. */
export function paymentInputOf(
  members: RowMembers,
  order: { corp_id: string; order_id: string; currency: string },
): PaymentInput | undefined {
  if (members.paid_price === undefined) return undefined
  const currency = members.paid_currency ?? order.currency
  const price = exact(members.paid_price, currency, 'paid_price')
  if (price === 0) return undefined
  const charge = chargeOf(members)
  const input = {
    corp_id: order.corp_id,
    order_id: order.order_id,
    price,
    currency,
    // Files often fill the column of rates to the end, also where no rate is needed.
    rate:
      currency === order.currency && Number(members.exchange_rate) === 1 ? undefined : members.exchange_rate,
    settled_price:
      members.settled_price === undefined
        ? undefined
        : exact(members.settled_price, order.currency, 'settled_price'),
    source: members.payment_source ?? 'import',
    method: members.payment_method,
    charge_id: charge.charge_id,
    ...(charge.provider !== '' && { provider: charge.provider }),
    receipt_num: members.receipt_num,
    comments: members.payment_comments,
    completed_time: members.paid_time,
  }
  return validPaymentInput(stripped(input)) as PaymentInput
}

/** A payment without an id gets one made of its content: the same row has the same payment each time. */
export function chargeOf(members: RowMembers): Charge {
  const provider = members.payment_provider ?? ''
  if (members.charge_id !== undefined) return { provider, charge_id: members.charge_id }
  const said = comparable(members)
  const content = [members.external_id, paymentMembers.map((name) => said[name] ?? null)]
  return { provider, charge_id: `import-${fingerprint(content).slice(0, 40)}` }
}

/** The members of the payment. */
export const paymentMembers = [
  'paid_price',
  'paid_currency',
  'exchange_rate',
  'paid_time',
  'charge_id',
  'settled_price',
  'payment_source',
  'payment_provider',
  'payment_method',
  'receipt_num',
  'payment_comments',
] as const satisfies (keyof RowMembers)[]

function exact(amount: WrittenAmount, currency: string, column: string): number {
  const minor = minorUnits(amount, currency)
  if (typeof minor === 'string') throw new RowRefused(column, minor)
  return minor
}

function stripped(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}
