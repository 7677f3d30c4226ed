import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { changeOrders, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { type Approval, orAskSecondPerson, requireWithinLimit } from '../limits/ask-second-person.ts'
import { findLimits } from '../limits/money-limit-store.ts'
import { takeOffPayment } from '../rules/allocation.ts'
import { loseMoney } from '../rules/order-rules.ts'
import { balanceOf, requireBalance } from '../rules/payment-balance.ts'
import { type CurrentPayment, findPayments, findVoidedSum } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  reason: described(Reason, 'Why the payment is void'),
  dry_run: DryRun,
})

const Voided = Type.Object({
  payment_id: Id,
  order_id: described(Id, 'The order that the payment was reported for'),
  price: described(Money, 'The voided amount: the payment less its refunds'),
  state: oneOf(['void', 'waiting'], 'waiting: for a second approver; nothing is voided yet'),
  request_id: described(NullableString, 'The id for approval/approve, if it waits'),
  order_status: oneOf(orderStatuses, 'Of that order, as it is now'),
  order_version: Type.Integer(),
})

/** Voids a payment that bounced or was recorded by mistake. */
export const voidPayment = endpoint({
  id: 'voidPayment',
  method: 'POST',
  path: '/api/v5/entity/order/payment/void',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'money limit' },
  summary: 'Void a payment',
  description:
    'The payment bounced, or was recorded by mistake. The paid price decreases, and the order moves back from success to ' +
    'pending or created. Both entries stay in the history. Money that was returned by agreement is a refund. A partly ' +
    'refunded payment is void for the rest, as after a chargeback.',
  input: Input,
  data: Type.Object({ ...Voided.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      payment_id: '019c79d295d07b8c83f76d4c8f6a8756',
      reason: 'The direct debit was returned by the bank',
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 1_280_000,
      state: 'void',
      request_id: null,
      order_status: 'created',
      order_version: 3,
    },
  },
  errors: ['paymentNotFound', 'stateForbids'],
  handle: withDryRun((input, { db }) => ordersOf(db, input), voidOrAsk),
})

type VoidInput = Static<typeof Input>
type Voided = Static<typeof Voided>

const mostAttempts = 4

async function voidOrAsk(context: OrganizationContext, input: VoidInput): Promise<Voided> {
  return orAskSecondPerson(
    context,
    input,
    () => recordVoid(context, input, { isApproved: false }),
    ({ order_id, price, order_status, order_version }, request_id) => ({
      payment_id: input.payment_id,
      order_id,
      price,
      state: 'waiting' as const,
      request_id,
      order_status,
      order_version,
    }),
  )
}

/** Voids the payment on all orders that have its money. If money moved before these were locked, it tries again. */
export async function recordVoid(
  { db, account }: OrganizationContext,
  input: VoidInput,
  approval: Approval,
): Promise<Voided> {
  const changer = { db, corp_id: input.corp_id, executor_id: account.app_id }
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const orderIds = await ordersOf(db, input)
    if (orderIds.length === 0) throw new ApiError('paymentNotFound')
    const changes = orderIds.map((order_id) => ({ order_id, input, orderIds }))
    const [result] = await changeOrders(changer, changes, voidRule(account.app_id, approval))
    if (result && result !== 'moved') return result
  }
  throw new Error('The money of a payment kept moving')
}

/** The order that the payment was reported for, first, and the other orders that have its money. */
async function ordersOf(db: Queryable, input: Pick<VoidInput, 'corp_id' | 'payment_id'>): Promise<string[]> {
  const payment = (await findPayments(db, [input])).get(input.payment_id)
  return payment ? orderIdsOf(payment) : []
}

function orderIdsOf({ order_id, lines }: CurrentPayment): string[] {
  return [...new Set([order_id, ...lines.map((line) => line.order_id)])]
}

interface VoidChange {
  order_id: string
  input: VoidInput
  orderIds: string[]
}

function voidRule(executor_id: string, approval: Approval): FindRule<VoidChange, Voided | 'moved'> {
  const findRule: ReturnType<typeof voidRule> = async (tx, changes) => {
    const inputs = changes.map(({ input }) => input)
    const payments = await findPayments(tx, inputs)
    const { corp_id = '' } = inputs[0] ?? {}
    const limits = await findLimits(tx, corp_id, 'void')
    const [payment] = payments.values()
    const earlier = payment ? await findVoidedSum(tx, corp_id, payment.order_id) : 0
    return ({ order_id, input: { payment_id, reason }, orderIds }, before, at) => {
      const payment = payments.get(payment_id)
      if (!payment) throw new ApiError('paymentNotFound')
      if (orderIdsOf(payment).some((id) => !orderIds.includes(id))) return { unchanged: 'moved' }
      requireBalance(payment, 'all')
      const price = balanceOf(payment)
      const { allocations } = takeOffPayment(before.allocations, payment_id)
      const isReported = order_id === payment.order_id
      // Its money left this order before the orders were locked.
      if (!isReported && !orderIdsOf(payment).includes(order_id)) return { unchanged: 'moved' }
      if (isReported) requireWithinLimit('void', limits, before, earlier + price, approval)
      const fact = { payment_id, order_id, price, reason, executor_id, at }
      return {
        state: loseMoney(before, allocations, at),
        ...(isReported && { facts: { payment_voids: [fact] } }),
        cause: { change: 'void', reason, subject_id: payment_id },
        result: ({ version, to_status }) => ({
          payment_id,
          order_id,
          price,
          state: 'void',
          request_id: null,
          order_status: to_status,
          order_version: version,
        }),
      }
    }
  }
  findRule.includesAccounts = true
  return findRule
}
