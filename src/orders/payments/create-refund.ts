import { Type } from 'typebox'
import { actingFor } from '../../access/staff/one-person.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { taken } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder } from '../ledger/fields.ts'
import { findVersionsOf, type MadeVersion } from '../ledger/history-store.ts'
import { giveRefund, type OrderState } from '../rules/order-rules.ts'
import { amountsOf, findGoneBack } from './approvals/gone-back.ts'
import { findRefundLimits } from './approvals/refund-limit-store.ts'
import { findSameWaiting, insertRequest } from './approvals/refund-request-store.ts'
import { isSameRefund, refundOf } from './give-refund.ts'
import { chargeKey, chargeOf, findPayments } from './payment-store.ts'
import { RefundInput } from './refund-input.ts'
import { findRefundsByCharge, type Refund } from './refund-store.ts'

/** Where a refund's money had lain. */
export const RefundAllocation = namedObject('RefundAllocation', {
  sub_order_id: Id,
  price: Money,
  surplus_price: described(Money, 'How much of it was paid too much'),
})

/** Adds a refund to the ledger: of any order, at most what was received and has not gone back yet. */
export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/api/v5/entity/order/refund/create',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'refund limit' },
  summary: 'Record a refund',
  description:
    'Money returned by agreement, in every status; it reopens no debt. First goes what was paid too much, then what lies on ' +
    'the named sub-order, or on the last that was paid, and those before it. It is capped at what was received (of the ' +
    'payment, where one is named) net of earlier refunds. The same charge_id of a provider is answered alike. ' +
    'Where the organization sets a limit, what goes back of an order beyond it waits until a second person approves: then ' +
    'state is waiting, and nothing has gone back yet.',
  input: Type.Object({ ...RefundInput.properties, dry_run: DryRun }),
  data: Type.Object({
    state: oneOf(['done', 'waiting'], 'waiting: for the approval of a second person'),
    refund_id: described(NullableString, 'Null while it waits'),
    request_id: described(NullableString, 'Of a refund that waits: for order/refund/approval/approve'),
    order_id: Id,
    sub_order_id: described(NullableString, 'The named one, or the first it was taken from'),
    price: Money,
    allocations: Type.Array(RefundAllocation),
    order_status: oneOf(orderStatuses, 'Of the order, as this refund left it'),
    order_version: Type.Integer(),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      price: 100_000,
      reason: 'Moved to the autumn batch',
      method: 'transfer',
      charge_id: 're_20240402_0001',
    },
    data: {
      state: 'done',
      request_id: null,
      refund_id: '0198c0de77777c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      sub_order_id: '0198c0de22227c41a2f0d8e6b4937215',
      price: 100_000,
      allocations: [{ sub_order_id: '0198c0de22227c41a2f0d8e6b4937215', price: 100_000, surplus_price: 0 }],
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
      return { ...answer, request_id: await askSecondPerson(context, input, currency) }
    },
  ),
})

/** Makes the refund, unless it has to be approved and is not: then it is only found to be possible. */
export function makeRefund(
  context: OrganizationContext,
  input: RefundInput,
  { isApproved }: { isApproved: boolean },
) {
  const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, { order_id: input.order_id, context, input, isApproved }, refundRule)
}

/** Whoever asks again for the same while it waits has asked once. */
async function askSecondPerson(
  { db, account, newId, now }: OrganizationContext,
  input: RefundInput,
  currency: string,
): Promise<string> {
  const { corp_id, order_id, price } = input
  const request = { order_id, price, currency, input, requested_by: account.app_id }
  const same = await findSameWaiting(db, corp_id, request)
  if (same) return same.request_id
  const request_id = newId()
  const acting_for = await actingFor(db, corp_id, account.app_id)
  await insertRequest(db, corp_id, { ...request, request_id, acting_for }, now)
  return request_id
}

interface RefundChange {
  isApproved: boolean
  order_id: string
  context: OrganizationContext
  input: RefundInput
}

/** Gives refunds; a charge that made one before is answered as it was then. */
const refundRule: FindRule<RefundChange, Answered> = async (tx, changes) => {
  const { corp_id } = changes[0]!.context.organization
  const charges = changes.flatMap(({ input }) => chargeOf(input) ?? [])
  const refunds = await findRefundsByCharge(tx, corp_id, charges)
  const made = [...refunds.values()].map(({ order_id, refund_id: subject_id }) => ({ order_id, subject_id }))
  const versions = await findVersionsOf(tx, corp_id, made)
  const inputs = changes.map(({ input }) => input)
  const payments = await findPayments(tx, inputs)
  const limits = await findRefundLimits(tx, corp_id)
  const hasLimits = Object.keys(limits).length > 0
  const orderIds = hasLimits ? changes.map(({ order_id }) => order_id) : []
  const goneBack = await findGoneBack(tx, corp_id, orderIds)
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
      const isBeyond =
        amountsOf(given).some(
          ([currency, price]) => goneBack.sum(input.order_id, currency) + price > (limits[currency] ?? 0),
        ) || (payment?.refunded ?? 0) > (limits[before.currency] ?? 0)
      if (!isApproved && isBeyond) return { unchanged: waiting(input, before) }
      goneBack.add(given)
    }
    if (charge) refunds.set(chargeKey(charge), refund)
    // Another change of the same moment may name the same payment.
    if (payment) payments.set(payment.payment_id, payment)
    return {
      state: giveRefund(before, refund.allocations, at),
      facts,
      cause: { change: 'refund', reason: refund.reason, subject_id: refund.refund_id },
      result: (version) => answer(refund, version, before.currency),
    }
  }
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
  allocations: Refund['allocations']
  order_status: MadeVersion['to_status']
  order_version: number
  /** Of the order; nothing that is answered. */
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
    sub_order_id: refund.sub_order_id ?? allocations[0]?.sub_order_id ?? null,
    price,
    allocations,
    order_status: to_status,
    order_version: version,
  }
}
