import { Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { taken } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { findRulesFor, requireRecordsPayments } from '../counsellors/allowance.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder } from '../ledger/fields.ts'
import { findVersionsOf, type MadeVersion } from '../ledger/history-store.ts'
import { paymentSlots } from '../rules/payment-slots.ts'
import { PaymentInput } from './payment-input.ts'
import { chargeKey, chargeOf, findPaymentsByCharge, type Payment } from './payment-store.ts'
import { isRepetition, receivePayment } from './receive-payment.ts'

/** Where a payment's money lies. */
export const PaymentAllocation = namedObject('PaymentAllocation', { sub_order_id: Id, price: Money })

/** Adds a payment to the ledger. Gateways tell twice: the same charge makes one payment and is answered alike. */
export const createPayment = endpoint({
  id: 'createPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder, setting: 'counsellors record payments' },
  summary: 'Record a payment',
  description:
    'Its money is put on the sub-orders in their order, from the named one on; a surplus lies on the last. The first ' +
    'payment moves an order from created to pending, the one that completes it to success. Money that has arrived is never ' +
    `refused: what the order cannot take now (it is canceled, locked or not confirmed, it expired before the payment was made, ` +
    `or the sub-order has ${paymentSlots} payments) is kept unapplied, and \`because\` says why. Paid before its deadline, an ` +
    'expired order is open again. The same charge_id of a provider with the same content is answered alike; with other ' +
    'content it is 40901.',
  input: Type.Object({ ...PaymentInput.properties, dry_run: DryRun }),
  data: Type.Object({
    payment_id: Id,
    order_id: Id,
    sub_order_id: described(NullableString, 'The named one, or the first that took money'),
    order_price: Type.Integer({ description: 'What it counts for, in minor units of the order’s currency' }),
    applied: Type.Boolean({ description: 'Whether the order took the money' }),
    because: described(NullableString, 'Why it did not'),
    allocations: Type.Array(PaymentAllocation),
    order_status: oneOf(orderStatuses, 'Of the order, as this payment left it'),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      price: 1_280_000,
      currency: 'CNY',
      source: 'payment_gateway',
      charge_id: 'ch_20240311_0001',
      completed_time: '2024-03-11 09:30:00',
    },
    data: {
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      order_price: 1_280_000,
      applied: true,
      because: null,
      allocations: [{ sub_order_id: '0198c0de22227c41a2f0d8e6b4937215', price: 1_280_000 }],
      order_status: 'success',
      order_version: 2,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'taken'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    async (context, input) => {
      const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
      return changeOrder(changer, { order_id: input.order_id, context, input }, paymentRule)
    },
  ),
})

/** A payment of somebody. */
export interface PaymentChange {
  order_id: string
  context: OrganizationContext
  input: PaymentInput
}

/** Takes payments; a charge that made one before is answered as it was then. Spreadsheets come in by the same door. */
export const paymentRule: FindRule<PaymentChange, ReturnType<typeof answer>> = async (tx, changes) => {
  const { corp_id } = changes[0]!.context.organization
  const charges = changes.flatMap(({ input }) => chargeOf(input) ?? [])
  const payments = await findPaymentsByCharge(tx, corp_id, charges)
  const made = [...payments.values()].map(({ order_id, payment_id: subject_id }) => ({
    order_id,
    subject_id,
  }))
  const versions = await findVersionsOf(tx, corp_id, made)
  const contexts = changes.map(({ context }) => context)
  const rules = await findRulesFor(tx, corp_id, contexts)
  return ({ context, input }, before, at) => {
    requireRecordsPayments(context, rules)
    const charge = chargeOf(input)
    const existing = charge && payments.get(chargeKey(charge))
    if (existing) {
      if (!isRepetition(existing, input, before.currency, context.organization.time_zone))
        throw taken('charge_id', 'belongs to a payment of other content', { payment_id: existing.payment_id })
      // Payments from before the history stand for the order as it is.
      const now = { version: before.version, to_status: before.status }
      return { unchanged: answer(existing, versions.get(existing.payment_id) ?? now) }
    }
    const { payment, fact, state } = receivePayment(context, input, before, at)
    if (charge) payments.set(chargeKey(charge), payment)
    const { payment_id, unapplied_reason, comments } = payment
    return {
      state,
      facts: { payments: [fact] },
      cause: { change: 'payment', reason: unapplied_reason ?? comments, subject_id: payment_id },
      result: (version) => answer(payment, version),
    }
  }
}
// A charge that another order gets meanwhile is refused by payments_by_charge, and looked for again.
paymentRule.isFoundBeforeClock = true

function answer(payment: Payment, { version, to_status }: MadeVersion) {
  const { payment_id, order_id, order_price, unapplied_reason: because, allocations } = payment
  return {
    payment_id,
    order_id,
    sub_order_id: payment.sub_order_id ?? allocations[0]?.sub_order_id ?? null,
    order_price,
    applied: because === null,
    because,
    allocations,
    order_status: to_status,
    order_version: version,
  }
}
