import { type Static, Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { PaidPrice, Reason } from '../fields.ts'
import { findVersionsOf, type MadeVersion } from '../history-store.ts'
import type { LedgerInstant } from '../ledger-clock-store.ts'
import { giveRefund, movesFrom, type OrderState, refundable } from '../rules/order-rules.ts'
import { orderStatuses } from '../rules/status.ts'
import { findRefundablePayments, type RefundablePayment } from './payment-store.ts'
import { findRefundsByCharge, type Refund, type RefundRow } from './refund-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  sub_order_id: Type.Optional(described(Id, 'The sub-order to refund, or payment_id')),
  payment_id: Type.Optional(described(Id, 'The payment to refund, or sub_order_id')),
  price: described(PaidPrice, 'What goes back, in minor units of the order’s currency'),
  reason: Type.Optional(Reason),
  charge_id: Type.Optional(
    described(Id, 'The gateway’s id: the same charge is one refund, however often it is told'),
  ),
})

type RefundInput = Static<typeof Input>

/** Adds a refund to the ledger: of any order, at most what was received and has not gone back yet. */
export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/api/v5/entity/order/refund/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  summary: 'Record a refund',
  description:
    'A refund needs no outstanding balance and is possible in every status; it is capped at what the sub-order (and the ' +
    'payment, where one is named) received net of earlier refunds. The same charge_id is answered alike.',
  input: Input,
  oneOfSets: [['sub_order_id'], ['payment_id']],
  rules: namesWhatToRefund,
  data: Type.Object({
    refund_id: Id,
    order_id: Id,
    sub_order_id: Id,
    price: Type.Integer(),
    order_status: oneOf(orderStatuses, 'Of the order, as this refund left it'),
    order_version: Type.Integer(),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      price: 100_000,
      reason: 'Moved to the autumn batch',
      charge_id: 're_20240402_0001',
    },
    data: {
      refund_id: '0198c0de77777c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      price: 100_000,
      order_status: 'success',
      order_version: 3,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'paymentNotFound', 'taken', 'stateForbids'],
  handle: recordRefund,
})

function namesWhatToRefund(_input: Partial<RefundInput>, isSent: (name: string) => boolean): InputFault[] {
  if (isSent('sub_order_id') || isSent('payment_id')) return []
  return [{ param: 'sub_order_id', reason: 'is required (or payment_id)', missing: true }]
}

async function recordRefund(context: OrganizationContext, input: RefundInput) {
  const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, input, refundRule(context))
}

/** Gives refunds; a charge that made one before is answered as it was then. */
function refundRule(context: OrganizationContext): FindRule<RefundInput, ReturnType<typeof answer>> {
  const { corp_id } = context.organization
  return async (tx, inputs) => {
    const charges = inputs.flatMap(({ charge_id }) => charge_id ?? [])
    const refunds = await findRefundsByCharge(tx, corp_id, charges)
    const made = [...refunds.values()].map(({ order_id, refund_id: subject_id }) => ({
      order_id,
      subject_id,
    }))
    const versions = await findVersionsOf(tx, corp_id, made)
    const named = inputs.flatMap(({ payment_id }) => payment_id ?? [])
    const payments = await findRefundablePayments(tx, corp_id, named)
    return (input, state, at) => {
      const existing = input.charge_id === undefined ? undefined : refunds.get(input.charge_id)
      if (existing) {
        if (!isRepetition(existing, input))
          throw taken('charge_id', 'belongs to a refund of other content', { refund_id: existing.refund_id })
        const now = { version: state.version, to_status: state.status }
        return { unchanged: answer(existing, versions.get(existing.refund_id) ?? now) }
      }
      const refund = refundOf(context, input, state, payments, at)
      if (input.charge_id !== undefined) refunds.set(input.charge_id, refund)
      return {
        state: giveRefund(state, refund.sub_order_id, refund.price, at),
        refund,
        cause: { change: 'refund', reason: refund.reason, subject_id: refund.refund_id },
        result: (version) => answer(refund, version),
      }
    }
  }
}

function isRepetition(existing: Refund, input: RefundInput): boolean {
  return (
    existing.order_id === input.order_id &&
    existing.price === input.price &&
    (existing.payment_id ?? undefined) === input.payment_id &&
    (input.sub_order_id === undefined || existing.sub_order_id === input.sub_order_id) &&
    (existing.reason ?? undefined) === input.reason
  )
}

function refundOf(
  { newId, account }: OrganizationContext,
  input: RefundInput,
  state: OrderState,
  payments: RefundablePayment[],
  at: LedgerInstant,
): Refund & RefundRow {
  const { sub_order_id, most } = whatMayGoBack(input, state, payments)
  if (input.price > most) {
    const msg = `At most ${most} can be refunded: what was received, less what has gone back already.`
    throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
  }
  return {
    refund_id: newId(),
    order_id: input.order_id,
    sub_order_id,
    payment_id: input.payment_id ?? null,
    price: input.price,
    reason: input.reason ?? null,
    charge_id: input.charge_id ?? null,
    executor_id: account.app_id,
    completed_time: at,
    ctime: at,
  }
}

/** Capped by the sub-order and, where a payment is named, by that payment too. */
function whatMayGoBack(
  input: RefundInput,
  state: OrderState,
  payments: RefundablePayment[],
): { sub_order_id: string; most: number } {
  const payment = payments.find(
    ({ payment_id, order_id }) => payment_id === input.payment_id && order_id === input.order_id,
  )
  if (input.payment_id !== undefined && !payment) throw new ApiError('paymentNotFound')
  const wanted = input.sub_order_id ?? payment!.sub_order_id
  const subOrder = state.subOrders.find(({ sub_order_id }) => sub_order_id === wanted)
  if (!subOrder) throw new ApiError('subOrderNotFound')
  if (payment && payment.sub_order_id !== subOrder.sub_order_id) throw new ApiError('paymentNotFound')
  const ofPayment = payment ? payment.order_price - payment.refunded : Number.POSITIVE_INFINITY
  return { sub_order_id: subOrder.sub_order_id, most: Math.min(refundable(subOrder), ofPayment) }
}

function answer({ refund_id, order_id, sub_order_id, price }: Refund, { version, to_status }: MadeVersion) {
  return { refund_id, order_id, sub_order_id, price, order_status: to_status, order_version: version }
}
