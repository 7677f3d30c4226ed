import { type Static, Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { type OrderStatus, orderStatuses } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { type Changer, changeOrder, changeOrders, type FindRule, resultOf } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { forbidden, isShort, loseMoney } from '../rules/order-rules.ts'
import { findPayments, type StandingPayment } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  reason: described(Reason, 'Why it never stood'),
  dry_run: DryRun,
})

/** Takes a payment back that never stood: it bounced, or was booked by mistake. */
export const voidPayment = endpoint({
  id: 'voidPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/void',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder },
  summary: 'Void a payment that never stood',
  description:
    'The payment bounced, or was booked by mistake: what is paid falls, and the order falls back from success to pending or ' +
    'created. Both stay in the history. Money that was returned by agreement is a refund; a payment that was refunded ' +
    'cannot be void.',
  input: Input,
  data: Type.Object({
    payment_id: Id,
    order_id: described(Id, 'The order that it was told for'),
    state: oneOf(['void']),
    order_status: oneOf(orderStatuses, 'Of that order, as it is now'),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      reason: 'The direct debit was returned by the bank',
    },
    data: {
      payment_id: '0198c0de44447c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      state: 'void',
      order_status: 'created',
      order_version: 3,
    },
  },
  errors: ['paymentNotFound', 'stateForbids'],
  handle: withDryRun(async ({ corp_id, payment_id }, { db }) => {
    const payment = (await findPayments(db, corp_id, [payment_id])).get(payment_id)
    return payment ? ordersOf(payment) : []
  }, recordVoid),
})

type VoidInput = Static<typeof Input>

interface Voided {
  payment_id: string
  order_id: string
  state: 'void'
  order_status: OrderStatus
  order_version: number
}

const mostAttempts = 4

async function recordVoid(context: OrganizationContext, input: VoidInput): Promise<Voided> {
  const { db, account } = context
  const changer = { db, corp_id: input.corp_id, executor_id: account.app_id }
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const payment = (await findPayments(db, input.corp_id, [input.payment_id])).get(input.payment_id)
    if (!payment) throw new ApiError('paymentNotFound')
    const result = await voidOn(changer, input, payment)
    if (result !== 'moved') return result
  }
  throw new Error('The money of a payment kept moving')
}

interface VoidChange {
  order_id: string
  input: VoidInput
  /** The order that it was told for, first, and those that its money lies on: all of them are locked. */
  orderIds: string[]
  executor_id: string | null
}

/** A payment whose money was moved lies on several orders, which change together or not at all. */
async function voidOn(
  changer: Changer,
  input: VoidInput,
  payment: StandingPayment,
): Promise<Voided | 'moved'> {
  const orderIds = ordersOf(payment)
  const changes = orderIds.map(
    (order_id): VoidChange => ({
      ...{ order_id, input, orderIds, executor_id: changer.executor_id },
    }),
  )
  if (changes.length === 1) return changeOrder(changer, changes[0]!, voidRule)
  return changer.db.transaction(async (db: Queryable) => {
    const results = await changeOrders({ ...changer, db }, changes, voidRule)
    return results.map(resultOf)[0]!
  })
}

function ordersOf({ order_id, lines }: StandingPayment): string[] {
  return [...new Set([order_id, ...lines.map((line) => line.order_id)])]
}

const voidRule: FindRule<VoidChange, Voided | 'moved'> = async (tx, changes) => {
  const { corp_id } = changes[0]!.input
  const payments = await findPayments(
    tx,
    corp_id,
    changes.map(({ input }) => input.payment_id),
  )
  return ({ order_id, input, orderIds, executor_id }, before, at) => {
    const { payment_id, reason } = input
    const payment = payments.get(payment_id)!
    if (ordersOf(payment).some((id) => !orderIds.includes(id))) return { unchanged: 'moved' }
    if (payment.is_void) throw forbidden(before, 'The payment is void already.')
    const left = before.allocations.filter((line) => line.payment_id !== payment_id)
    const state = loseMoney(before, left, at)
    if (isShort(state) || payment.refunded > 0)
      throw forbidden(
        before,
        'Money of the payment has been refunded: a payment that never stood returns nothing.',
      )
    const isTold = order_id === payment.order_id
    return {
      state,
      ...(isTold && { facts: { payment_voids: [{ payment_id, order_id, reason, executor_id, at }] } }),
      cause: { change: 'void', reason, subject_id: payment_id },
      result: ({ version, to_status }) => ({
        ...{ payment_id, order_id, state: 'void', order_status: to_status, order_version: version },
      }),
    }
  }
}
