import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { requireFinance, taken } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import { changeOrder, type FindRule, type Rule, settled } from '../change-orders.ts'
import { findRulesFor, requireRecordsPayments } from '../counsellors/allowance.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder } from '../ledger/fields.ts'
import { findVersionsOf, type MadeVersion } from '../ledger/history-store.ts'
import { findPayersOf } from '../payers/named-payers.ts'
import { paymentSlots } from '../rules/payment-slots.ts'
import { findKnownCharges, type KnownCharges } from './known-charges.ts'
import { findKnownReceipts } from './known-receipts.ts'
import { PaymentInput } from './payment-input.ts'
import { type Charge, chargeOf, type Payment } from './payment-store.ts'
import { isRepetition, receivePayment } from './receive-payment.ts'

/** The part of a payment on one sub-order. */
export const PaymentAllocation = namedObject('PaymentAllocation', { sub_order_id: Id, price: Money })

/** Records a payment. A repeated charge makes one payment and returns the first response. */
export const createPayment = endpoint({
  id: 'createPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/create',
  group: 'Orders',
  permission: 'write',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder, setting: 'counsellors record payments' },
  summary: 'Record a payment',
  description:
    'The money is allocated to the sub-orders in their order, starting at the named one; a surplus goes to the last. The ' +
    'first payment moves an order from created to pending, the last one to success. Money that has arrived is never ' +
    'refused: if the order cannot take it (it is canceled, locked or not confirmed, it expired before the payment, or the ' +
    `sub-order has ${paymentSlots} payments), it stays unapplied, and \`because\` gives the reason. A payment before the ` +
    'deadline reopens an expired order. A repeated charge_id of a provider with the same content returns the first ' +
    'response; with other content it is 40901. So is a receipt_num of another payment that is not void.',
  input: Type.Object({ ...PaymentInput.properties, dry_run: DryRun }),
  data: Type.Object({
    payment_id: Id,
    order_id: Id,
    sub_order_id: described(NullableString, 'The named one, or the first of the allocations'),
    order_price: described(Money, 'The amount in minor units of the order’s currency'),
    applied: Type.Boolean({ description: 'Whether the order took the money' }),
    because: described(NullableString, 'The reason why it did not'),
    allocations: Type.Array(PaymentAllocation),
    order_status: oneOf(orderStatuses, 'Of the order, after this payment'),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '0198577e4dc07760adac43fad4399f2c',
      price: 1_280_000,
      currency: 'CNY',
      source: 'payment_gateway',
      charge_id: 'ch_20261118_0001',
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      sub_order_id: '01a00491d408759aa7e124d4a9581a85',
      order_price: 1_280_000,
      applied: true,
      because: null,
      allocations: [{ sub_order_id: '01a00491d408759aa7e124d4a9581a85', price: 1_280_000 }],
      order_status: 'success',
      order_version: 2,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'payerNotFound', 'taken'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    async (context, input) => {
      const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
      return changeOrder(changer, { order_id: input.order_id, context, input }, paymentRule)
    },
  ),
})

/** A payment and its caller. */
export interface PaymentChange {
  order_id: string
  context: OrganizationContext
  input: PaymentInput
}

/** Records payments, for the operation, imports and statements. A repeated charge returns the first response. */
export const paymentRule: FindRule<PaymentChange, ReturnType<typeof paymentAnswer>> = async (tx, changes) => {
  const contexts = changes.map(({ context }) => context)
  const { corp_id = '' } = contexts[0]?.organization ?? {}
  const charges = changes.flatMap(({ input }) => chargeOf(input) ?? [])
  const known = await findKnownCharges(tx, corp_id, charges)
  const receipts = await findKnownReceipts(
    tx,
    corp_id,
    changes.map(({ input }) => input.receipt_num),
  )
  const existing = charges.flatMap((charge) => settledFind(known, charge) ?? [])
  const versions = await findVersionsOf(
    tx,
    corp_id,
    existing.map(({ order_id, payment_id }) => ({ order_id, subject_id: payment_id })),
  )
  const rules = await findRulesFor(tx, corp_id, contexts)
  const requirePayer = await findPayersOf(tx, corp_id, changes)
  const rule: Rule<PaymentChange, ReturnType<typeof paymentAnswer>> = ({ context, input }, before, at) => {
    requireRecordsPayments(context, rules)
    requirePayer(input)
    const charge = chargeOf(input)
    const earlier = charge && known.find(charge)
    if (earlier && !(earlier.is_void && input.reinstate)) {
      requireRepetition(earlier, input, before.currency, context.organization.time_zone)
      // A payment older than the history has no version.
      const now = { version: before.version, to_status: before.status }
      return { unchanged: paymentAnswer(earlier, versions.get(earlier.payment_id) ?? now) }
    }
    if (earlier) requireFinance(context.account, 'recording a voided charge again')
    const { payment, fact, state } = receivePayment(context, input, before, at, {
      again: earlier && known.again(earlier),
      receipt_use: receipts.nextUse(input.receipt_num),
    })
    if (charge) known.add(payment)
    receipts.add(payment)
    const { payment_id, unapplied_reason, comments } = payment
    return {
      state,
      facts: { payments: [fact] },
      cause: { change: 'payment', reason: unapplied_reason ?? comments, subject_id: payment_id },
      result: (version) => paymentAnswer(payment, version),
    }
  }
  rule.charges = known.read
  return rule
}
// If another order gets the charge or receipt number first, a unique index refuses this one, and it is tried again.
paymentRule.isFoundBeforeClock = true

/** An ambiguous charge is refused by the rule of its own change. */
function settledFind(known: KnownCharges, charge: Charge): Payment | undefined {
  const found = settled(() => known.find(charge))
  return found.status === 'fulfilled' ? found.value : undefined
}

function requireRepetition(earlier: Payment, input: PaymentInput, currency: string, timeZone: string): void {
  if (isRepetition(earlier, input, currency, timeZone)) return
  const reason = earlier.is_void
    ? 'belongs to a voided payment of other content: send reinstate to record the charge again'
    : 'belongs to a payment of other content'
  throw taken('charge_id', reason, { payment_id: earlier.payment_id })
}

/** A repeated report of a voided charge changes nothing, and the response says so. */
const voidReason = 'the payment of this charge is void: to record the charge again, send reinstate'

export function paymentAnswer(payment: Payment, { version, to_status }: MadeVersion) {
  const { payment_id, order_id, order_price, is_void, unapplied_reason, allocations } = payment
  const because = is_void ? voidReason : unapplied_reason
  return {
    payment_id,
    order_id,
    sub_order_id: payment.sub_order_id ?? allocations[0]?.sub_order_id ?? null,
    order_price,
    applied: because === null,
    because,
    allocations: is_void ? [] : allocations,
    order_status: to_status,
    order_version: version,
  }
}
