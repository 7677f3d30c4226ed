import { assignPayer } from '../../src/orders/payers/assign-payer.ts'
import { applyPayment } from '../../src/orders/payments/apply-payment.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createRefund } from '../../src/orders/payments/create-refund.ts'
import { movePayment } from '../../src/orders/payments/move-payment.ts'
import { recordReceipt } from '../../src/orders/payments/record-receipt.ts'
import { reverseRefund } from '../../src/orders/payments/reverse-refund.ts'
import { reverseTransfer } from '../../src/orders/payments/reverse-transfer.ts'
import { reverseVoid } from '../../src/orders/payments/reverse-void.ts'
import { reverseWriteOff } from '../../src/orders/payments/reverse-write-off.ts'
import { transferMoney } from '../../src/orders/payments/transfer-money.ts'
import { unapplyPayment } from '../../src/orders/payments/unapply-payment.ts'
import { voidPayment } from '../../src/orders/payments/void-payment.ts'
import { updateOrder } from '../../src/orders/update-order.ts'
import { updateStatus } from '../../src/orders/update-status.ts'
import { writeOffOrder } from '../../src/orders/write-off-order.ts'
import type { Call, CallStep } from './call-step.ts'
import { type Found, pickFrom } from './found.ts'

const reason = 'Random'
const mostPaid = 10 ** 12

/** Statement lines have the current day, so that they can return money of the day before. */
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replace('T', ' ')

type LedgerCall = (step: CallStep, found: Found) => Call

/** Operations on orders, payments, refunds and payers, with input from the records found so far. */
export const ledgerCalls = {
  pay(step, found) {
    const { isOther, isPartial, price, picks } = step
    const foreign = isOther ? { currency: 'EUR', exchange_rate: 12_345 } : {}
    const day = picks[2] % 3 === 0 ? {} : { completed_time: yesterday() }
    const payer_id = picks[3] % 4 === 0 ? pickFrom(found.payers, picks[3]) : undefined
    const more = { ...foreign, ...day, ...chargeOf(step), ...(payer_id && { payer_id }) }
    return [
      createPayment,
      { ...orderOf(step, found), price: Math.min(price, isPartial ? mostPaid : 9000), ...more },
    ]
  },
  receipt(step, found) {
    const { isOther, price, picks } = step
    const { order_id } = orderOf(step, found)
    const parts = [order_id, ...(isOther ? [otherOf(step, found)] : [])]
    const allocations = parts.map((id) => ({ order_id: id, price: Math.ceil(price / 3) }))
    const known = pickFrom(found.payers, picks[2])
    const payer = known === undefined || picks[3] % 3 === 0 ? { payer_name: 'Somebody' } : { payer_id: known }
    return [
      recordReceipt,
      {
        ...payer,
        price: Math.min(price, mostPaid),
        allocations,
        completed_time: yesterday(),
        ...chargeOf(step),
      },
    ]
  },
  refundAccount({ picks, price, isPartial }, found) {
    const named = isPartial ? { payment_id: pickFrom(found.payments, picks[2])?.id } : {}
    return [createRefund, { order_id: pickFrom(found.accounts, picks[0]) ?? 'none', price, reason, ...named }]
  },
  refund(step, found) {
    const { isPartial, isOther, price, picks } = step
    const named = isPartial ? paymentOf(step, found) : {}
    const charge = picks[3] % 3 === 0 ? { charge_id: `charge ${picks[1] % 5}` } : {}
    const as = isOther ? 'return' : 'credit'
    return [createRefund, { ...orderOf(step, found), price, reason, as, ...named, ...charge }]
  },
  void: (step, found) => [voidPayment, { ...paymentOf(step, found), reason }],
  apply: (step, found) => [
    applyPayment,
    { ...paymentOf(step, found), ...orderOf(step, found), ...someOf(step) },
  ],
  unapply: (step, found) => [unapplyPayment, { ...paymentOf(step, found), ...orderOf(step, found) }],
  transfer(step, found) {
    const { order_id: from_order_id } = orderOf(step, found)
    const { price } = step
    return [transferMoney, { from_order_id, to_order_id: otherOf(step, found), price, reason }]
  },
  writeOff: (step, found) => [writeOffOrder, { ...orderOf(step, found), reason, ...someOf(step) }],
  move(step, found) {
    const settled = step.isOther && { settled_price: step.price }
    return [movePayment, { ...paymentOf(step, found), to_order_id: otherOf(step, found), reason, ...settled }]
  },
  reverseRefund: ({ picks }, found) => [
    reverseRefund,
    { refund_id: pickFrom(found.refunds, picks[2])?.id ?? 'none', reason },
  ],
  reverseVoid: (step, found) => [reverseVoid, { ...paymentOf(step, found), reason }],
  reverseTransfer: ({ picks }, found) => [
    reverseTransfer,
    { transfer_id: pickFrom(found.transfers, picks[2]) ?? 'none', reason },
  ],
  reverseWriteOff: (step, found) => [reverseWriteOff, { ...orderOf(step, found), reason, ...someOf(step) }],
  status(step, found) {
    const { status, isOther } = step
    const retained = status === 'canceled' && { retain: isOther }
    return [updateStatus, { ...orderOf(step, found), status, reason, ...retained }]
  },
  update(step, found) {
    const changed = { version: 1 + (step.picks[1] % 4), listed_price: Math.min(step.price, mostPaid) }
    return [updateOrder, { ...orderOf(step, found), ...changed }]
  },
  assign(step, found) {
    const payer_id = step.isOther ? undefined : pickFrom(found.payers, step.picks[1])
    return [assignPayer, { ...paymentOf(step, found), payer_id }]
  },
} satisfies Record<string, LedgerCall>

function orderOf({ picks }: CallStep, found: Found) {
  return { order_id: pickFrom(found.orders, picks[0]) ?? 'none' }
}

/** An order other than that of `orderOf`. */
function otherOf(step: CallStep, found: Found): string {
  const { order_id } = orderOf(step, found)
  const others = found.orders.filter((id) => id !== order_id)
  return pickFrom(others, step.picks[1]) ?? 'none'
}

function paymentOf({ picks }: CallStep, found: Found) {
  return { payment_id: pickFrom(found.payments, picks[2])?.id ?? 'none' }
}

/** Histories of a school share a few charges. */
function chargeOf({ isPartial, isOther, picks }: CallStep) {
  return isPartial ? { charge_id: `charge ${picks[1] % 5}`, reinstate: isOther } : {}
}

function someOf({ isPartial, price }: CallStep) {
  return isPartial ? { price } : {}
}
