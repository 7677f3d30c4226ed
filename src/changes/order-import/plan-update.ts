import { deadlineOf } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { inputValidator } from '../../contract/validate.ts'
import { RowRefused } from '../../files/column-faults.ts'
import { requireRecordsPayments } from '../../orders/counsellors/allowance.ts'
import type { PaymentInput } from '../../orders/payments/payment-input.ts'
import { isSameMoney, receivePayment } from '../../orders/payments/receive-payment.ts'
import type { OrderState } from '../../orders/rules/order-rules.ts'
import { manualDiscountOf } from '../../orders/rules/prices.ts'
import { basisPointsOfShares } from '../../orders/rules/shares.ts'
import { isRepricing, type OrderUpdate, repriced, updateOrder } from '../../orders/update-order.ts'
import { asPayment, type ColumnName, comparable, type OrderRow, type RowMembers } from './columns.ts'
import { chargeOf, paymentInputOf, paymentMembers, pricesOfRow } from './compose-inputs.ts'
import type { KnownOrder } from './import-lookup-store.ts'
import { type Findings, noInstant, type RowPlan, takeUser } from './plan-row.ts'

const validUpdate = inputValidator(updateOrder)

/** A row and its order: the content of the last import, and the differences from it. */
interface Comparison {
  members: RowMembers
  known: KnownOrder
  isChanged(name: ColumnName): boolean
  /** Whether the row had a value before and has an empty cell now. */
  isEmptied(name: ColumnName): boolean
  said: Record<string, unknown>
  saidBefore: Record<string, unknown> | null
}

/**
 * Plans a row of an existing order. Only differences from the last import of the row count, so that a row does not
 * revert later changes of the order. Of these, only values that the order does not have yet are changed.
 */
export function planUpdate(
  context: OrganizationContext,
  row: OrderRow,
  known: KnownOrder,
  findings: Findings,
): RowPlan {
  const { members } = row
  const comparison = compare(row, known)
  if (known.is_deleted) throw new RowRefused('external_id', 'names an order that was deleted')
  refuseFixed(comparison, findings, context.organization.time_zone)
  const change = changeOf(context.organization.corp_id, comparison, findings.states.get(known.order_id)!)
  const paymentInput = newPayment(context, comparison, findings)
  const remark =
    comparison.isChanged('remark') && !known.remarks.includes(members.remark!) ? members.remark : undefined
  if (!change && !paymentInput && remark === undefined)
    return { outcome: 'unchanged', order_id: known.order_id, isOther: true }
  const state = tryChange(context, known, change, findings)
  if (paymentInput) tryPayment(context, paymentInput, state, findings)
  takeUser(context, members, findings)
  return { outcome: 'update', known, change, paymentInput, remark }
}

function compare({ members, blanks }: OrderRow, known: KnownOrder): Comparison {
  const said = comparable(members)
  const saidBefore = known.members
  const isChanged = (name: ColumnName) =>
    said[name] !== undefined && (saidBefore === null || !isSame(said[name], saidBefore[name]))
  const isEmptied = (name: ColumnName) => blanks.has(name) && saidBefore?.[name] !== undefined
  return { members, known, isChanged, isEmptied, said, saidBefore }
}

/** Refuses changes of members that never change. */
function refuseFixed(
  { members, known, isChanged, saidBefore }: Comparison,
  findings: Findings,
  timeZone: string,
): void {
  if (findings.users.find(members)?.user_id !== known.user_id) {
    throw new RowRefused(
      members.user_id !== undefined ? 'user_id' : members.mobile !== undefined ? 'mobile' : 'email',
      'is not the user of the order',
    )
  }
  for (const name of ['course_code', 'type', 'currency'] as const) {
    if (isChanged(name) && members[name] !== known[name])
      throw new RowRefused(name, `cannot change: the order has ${known[name] ?? 'none'}`)
  }
  if (isChanged('batch') && members.batch !== known.batch_id && members.batch !== known.batch_name) {
    throw new RowRefused('batch', `cannot change: the order has ${known.batch_name ?? 'none'}`)
  }
  if (isChanged('status') && saidBefore !== null && members.status !== known.status) {
    throw new RowRefused(
      'status',
      `cannot change here: the order is ${known.status}; use order/status/update`,
    )
  }
  if (isChanged('installment_count') && members.installment_count !== known.sub_order_count) {
    throw new RowRefused(
      'installment_count',
      `cannot change here: the order has ${known.sub_order_count}; use order/update`,
    )
  }
  const deadline = members.first_payment_deadline
  if (
    isChanged('first_payment_deadline') &&
    deadlineOf(deadline!, timeZone).getTime() !== known.first_deadline?.getTime()
  ) {
    throw new RowRefused('first_payment_deadline', 'cannot change here: use order/update')
  }
}

function changeOf(
  corp_id: string,
  { members, known, isChanged, isEmptied }: Comparison,
  state: OrderState,
): OrderUpdate | undefined {
  const prices = pricesOfRow(members, known.currency)
  const differs = (name: keyof typeof prices) => isChanged(name) && prices[name] !== known[name]
  // A stated price stays next to a new listed price, unless the price of the order was changed since.
  const isStated = prices.discounted_price !== undefined && prices.discounted_price === known.discounted_price
  const hasCoupons = isChanged('coupon_ids') && !isSame(members.coupon_ids, known.coupon_ids)
  const shares = members.share_proportion
  const hasShares =
    isChanged('share_proportion') && !isSame(basisPointsOfShares(shares!), known.share_proportion)
  const change = {
    ...(differs('listed_price') && { listed_price: prices.listed_price }),
    ...((differs('discounted_price') || (differs('listed_price') && isStated)) && {
      discounted_price: prices.discounted_price,
    }),
    ...(isEmptied('discounted_price') && manualDiscountOf(state) > 0 && { manual_discount: 0 }),
    ...(hasCoupons && { coupon_ids: members.coupon_ids }),
    ...(isEmptied('coupon_ids') && known.coupon_ids.length > 0 && { coupon_ids: [] }),
    ...(differs('service_charge') && { service_charge: prices.service_charge }),
    ...(isEmptied('service_charge') && known.service_charge > 0 && { service_charge: 0 }),
    ...(hasShares && { share_proportion: shares }),
    ...(isChanged('contract_id') &&
      members.contract_id !== known.contract_id && { contract_id: members.contract_id }),
  }
  if (Object.keys(change).length === 0) return undefined
  const { order_id, version } = known
  return validUpdate({ corp_id, order_id, version, reason: 'import', ...change }) as OrderUpdate
}

/** Payments do not change: a row may add a further payment, but not replace one. */
function newPayment(
  { organization }: OrganizationContext,
  comparison: Comparison,
  { charges }: Findings,
): PaymentInput | undefined {
  const { members, known, said, saidBefore } = comparison
  if (saidBefore !== null && paymentMembers.every((name) => isSame(said[name], saidBefore[name])))
    return undefined
  const { order_id, currency } = known
  const paymentInput = asPayment(() =>
    paymentInputOf(members, { corp_id: organization.corp_id, order_id, currency }),
  )
  if (!paymentInput) return undefined
  const existing = charges.find(chargeOf(members))
  if (existing) {
    // The payment exists already, from this or another source.
    if (isSameMoney(existing, paymentInput, currency)) return undefined
    throw new RowRefused('charge_id', 'belongs to a payment of other content')
  }
  const hadPayment = saidBefore?.paid_price !== undefined && saidBefore.paid_price !== '0'
  const isFurther = members.charge_id !== undefined && members.charge_id !== saidBefore?.charge_id
  if (!isFurther && (hadPayment || (saidBefore === null && known.payments > 0))) {
    throw new RowRefused(
      'paid_price',
      'cannot change a recorded payment; a further payment needs its own charge_id',
    )
  }
  return paymentInput
}

/** Tries a change by the rules of the ledger, so that the plan contains only allowed changes. */
function tryChange(
  context: OrganizationContext,
  known: KnownOrder,
  change: OrderUpdate | undefined,
  { states, coupons, rules }: Findings,
): OrderState {
  const state = states.get(known.order_id)!
  if (!change) return state
  if (state.status === 'canceled')
    throw new RowRefused('external_id', 'names a canceled order, which cannot change')
  return isRepricing(change) ? repriced(context, change, state, { coupons, rules }, noInstant) : state
}

function tryPayment(
  context: OrganizationContext,
  paymentInput: PaymentInput,
  state: OrderState,
  { receipts, rules }: Findings,
): void {
  asPayment(() => {
    requireRecordsPayments(context, rules)
    const receipt_use = receipts.nextUse(paymentInput.receipt_num)
    const { payment } = receivePayment(context, paymentInput, state, context.now.toISOString(), {
      receipt_use,
    })
    receipts.add(payment)
  })
}

function isSame(a: unknown, b: unknown): boolean {
  return fingerprint([a ?? null]) === fingerprint([b ?? null])
}
