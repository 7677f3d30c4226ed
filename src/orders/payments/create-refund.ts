import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { taken } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder } from '../ledger/fields.ts'
import { findVersionsOf, type MadeVersion } from '../ledger/history-store.ts'
import { requestApproval } from '../limits/ask-second-person.ts'
import { findLimits, isBeyond } from '../limits/money-limit-store.ts'
import { type OrderState, refundLines } from '../rules/order-rules.ts'
import { isSameRefund, refundOf } from './give-refund.ts'
import { chargeKey, chargeOf, findPayments } from './payment-store.ts'
import { RefundInput } from './refund-input.ts'
import { findRefundsByCharge, type Refund } from './refund-store.ts'
import { amountsOf, findRefundSums } from './refund-sums.ts'

/** The part of a refund that came from one payment on one sub-order. */
export const RefundAllocation = namedObject('RefundAllocation', {
  payment_id: Id,
  sub_order_id: described(Type.String(), '"" for money that was unapplied'),
  price: Money,
  surplus_price: described(Money, 'The part that was overpaid'),
  credited_price: described(Money, 'The part that a credit note takes off the price'),
})

/** Records a refund: at most the money that the order, or the named payment, holds. */
export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/api/v5/entity/order/refund/create',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'refund limit' },
  summary: 'Record a refund',
  description:
    'The refund takes the surplus first, then the named sub-order (or the last paid one) and those before it. Beyond the ' +
    'surplus it is a credit, which reduces the price, or a return (`as`), after which the debt is open again. At most the ' +
    'held money can be refunded. Without payment_id, the refund is allocated to the payments of these sub-orders, the ' +
    'oldest first, as `allocations` shows. A repeated charge_id of a provider returns the first response. Refunds of an ' +
    'order beyond the organization’s limit wait for a second approver: then state is waiting, and nothing is refunded yet.',
  input: Type.Object({ ...RefundInput.properties, dry_run: DryRun }),
  data: Type.Object({
    state: oneOf(['done', 'waiting'], 'waiting: for the approval of a second person'),
    refund_id: described(NullableString, 'Null while it waits'),
    request_id: described(NullableString, 'The id for approval/approve, if it waits'),
    order_id: Id,
    sub_order_id: described(NullableString, 'The named one, or the first of the allocations'),
    price: Money,
    credited_price: described(Money, 'The part that a credit note takes off the price'),
    allocations: Type.Array(RefundAllocation),
    order_status: oneOf(orderStatuses, 'Of the order, as this refund left it'),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '01a07b1352787adaaabfbadec9e1ece3',
      sub_order_id: '01a07b1352787b44810088d5023299ae',
      price: 100_000,
      reason: 'Moved to the autumn batch',
      method: 'transfer',
      charge_id: 're_20261118_0001',
    },
    data: {
      state: 'done',
      request_id: null,
      refund_id: '01a10ee6a1307fcabc7ed003b46ba6cc',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      sub_order_id: '01a00491d408759aa7e124d4a9581a85',
      price: 100_000,
      credited_price: 100_000,
      allocations: [
        {
          payment_id: '01a0121322587365aa30fc31c91b3d5f',
          sub_order_id: '01a00491d408759aa7e124d4a9581a85',
          price: 100_000,
          surplus_price: 0,
          credited_price: 100_000,
        },
      ],
      order_status: 'success',
      order_version: 3,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'paymentNotFound', 'taken', 'stateForbids'],

  handle: withDryRun(
    ({ order_id }) => [order_id],
    async (context, input) => {
      const { currency, ...answer } = await makeRefund(context, input, { isApproved: false })
      if (answer.state === 'done') return answer
      const { order_id, price } = input
      const needed = { kind: 'refund' as const, order_id, price, currency }
      return { ...answer, request_id: await requestApproval(context, needed, input) }
    },
  ),
})

/** Makes the refund, or only checks it if it needs an approval that it does not have. */
export function makeRefund(
  context: OrganizationContext,
  input: RefundInput,
  { isApproved }: { isApproved: boolean },
) {
  const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, { order_id: input.order_id, context, input, isApproved }, refundRule)
}

interface RefundChange {
  isApproved: boolean
  order_id: string
  context: OrganizationContext
  input: RefundInput
}

/** Makes refunds. A repeated charge returns the first response. */
const refundRule: FindRule<RefundChange, Answered> = async (tx, changes, states) => {
  const { corp_id } = changes[0]!.context.organization
  const charges = changes.flatMap(({ input }) => chargeOf(input) ?? [])
  const refunds = await findRefundsByCharge(tx, corp_id, charges)
  const made = [...refunds.values()].map(({ order_id, refund_id: subject_id }) => ({ order_id, subject_id }))
  const versions = await findVersionsOf(tx, corp_id, made)
  const payments = await findPayments(
    tx,
    changes.flatMap(({ input }) => paymentsToRead(input, states.get(input.order_id))),
  )
  const limits = await findLimits(tx, corp_id, 'refund')
  const hasLimits = Object.keys(limits).length > 0
  const orderIds = hasLimits ? changes.map(({ order_id }) => order_id) : []
  const returned = await findRefundSums(tx, corp_id, orderIds)
  return ({ context, input, isApproved }, before, at) => {
    const charge = chargeOf(input)
    const existing = charge && refunds.get(chargeKey(charge))
    if (existing) {
      if (!isSameRefund(existing, input, context.organization.time_zone))
        throw taken('charge_id', 'belongs to a refund of other content', { refund_id: existing.refund_id })
      const now = { version: before.version, to_status: before.status }
      return { unchanged: answer(existing, versions.get(existing.refund_id) ?? now, before.currency) }
    }
    const { refund, facts, payment } = refundOf(context, input, before, payments, at)
    if (hasLimits) {
      const given = { ...input, order_currency: before.currency }
      const needsApproval =
        amountsOf(given).some(([currency, price]) =>
          isBeyond(limits, currency, returned.sum(input.order_id, currency) + price),
        ) || isBeyond(limits, before.currency, payment?.refunded ?? 0)
      if (!isApproved && needsApproval) return { unchanged: waiting(input, before) }
      returned.add(given)
    }
    if (charge) refunds.set(chargeKey(charge), refund)
    // Another refund of the batch may name the same payment.
    if (payment) payments.set(payment.payment_id, payment)
    return {
      state: refundLines(
        before,
        refund.allocations.filter(({ sub_order_id }) => sub_order_id !== ''),
        at,
      ),
      facts,
      cause: { change: 'refund', reason: refund.reason, subject_id: refund.refund_id },
      result: (version) => answer(refund, version, before.currency),
    }
  }
}
refundRule.includesAccounts = true

/** The named payment. Dates and foreign amounts are compared with the payments that the refund may come from. */
function paymentsToRead(input: RefundInput, state: OrderState | undefined) {
  const { corp_id, payment_id, completed_time, currency } = input
  if (payment_id !== undefined) return [{ corp_id, payment_id }]
  if (completed_time === undefined && currency === undefined) return []
  const ids = new Set(state?.allocations.map((line) => line.payment_id))
  return [...ids].map((id) => ({ corp_id, payment_id: id }))
}

function waiting(
  { order_id, sub_order_id, price }: RefundInput,
  { status, version, currency }: OrderState,
): Answered {
  return {
    state: 'waiting',
    refund_id: null,
    request_id: null,
    order_id,
    sub_order_id: sub_order_id ?? null,
    price,
    credited_price: 0,
    allocations: [],
    order_status: status,
    order_version: version,
    currency,
  }
}

interface Answered {
  state: 'done' | 'waiting'
  refund_id: string | null
  request_id: string | null
  order_id: string
  sub_order_id: string | null
  price: number
  credited_price: number
  allocations: Refund['allocations']
  order_status: MadeVersion['to_status']
  order_version: number
  /** The status of the order; not part of the response. */
  currency: string
}

function answer(refund: Refund, { version, to_status }: MadeVersion, currency: string): Answered {
  const { refund_id, order_id, price, allocations } = refund
  return {
    state: 'done',
    request_id: null,
    currency,
    refund_id,
    order_id,
    sub_order_id: refund.sub_order_id ?? (allocations[0]?.sub_order_id || null),
    price,
    credited_price: allocations.reduce((all, line) => all + line.credited_price, 0),
    allocations,
    order_status: to_status,
    order_version: version,
  }
}
