import type { OrganizationContext } from '../../contract/endpoint.ts'
import { majorText } from '../../files/amounts.ts'
import { type ColumnFault, RowRefused } from '../../files/column-faults.ts'
import { requireRecordsPayments } from '../../orders/counsellors/allowance.ts'
import type { CounsellorRules } from '../../orders/counsellors/counsellor-rules-store.ts'
import { draftOrder, settleDraft } from '../../orders/draft-order.ts'
import type { OrderStates } from '../../orders/ledger/order-state-store.ts'
import type { MoneyLimits } from '../../orders/limits/money-limit-store.ts'
import type { BatchCopy, CourseCopy } from '../../orders/listing/copies-store.ts'
import type { OrderCreation } from '../../orders/order-creation.ts'
import { courseWithBatch, type OrderSources } from '../../orders/order-sources.ts'
import type { KnownCharges } from '../../orders/payments/known-charges.ts'
import type { KnownReceipts } from '../../orders/payments/known-receipts.ts'
import type { PaymentInput } from '../../orders/payments/payment-input.ts'
import { receivePayment } from '../../orders/payments/receive-payment.ts'
import { type OrderState, received } from '../../orders/rules/order-rules.ts'
import type { CouponTerms } from '../../orders/rules/prices.ts'
import { expirableStatuses } from '../../orders/rules/status.ts'
import type { OrderUpdate } from '../../orders/update-order.ts'
import { initialPool } from '../../people/users/reach.ts'
import type { PlannedUser, UserPlan } from '../../people/users/user-plan.ts'
import { asPayment, type OrderRow, type RowMembers } from './columns.ts'
import { chargeOf, creationOf, paymentInputOf } from './compose-inputs.ts'
import type { KnownOrder } from './import-lookup-store.ts'

/** The data of the rows of a batch, from the database. */
export interface Findings {
  known: Map<string, KnownOrder>
  states: OrderStates
  users: UserPlan
  courses: Map<string, CourseCopy>
  batches: BatchCopy[]
  coupons: CouponTerms[]
  /** By the keys of their charges. */
  charges: KnownCharges
  receipts: KnownReceipts
  discountLimits: MoneyLimits
  /** The discount limits of a counsellor. */
  rules: CounsellorRules
}

export interface Creation {
  outcome: 'create'
  user: PlannedUser
  input: OrderCreation
  sources: Omit<OrderSources, 'user'>
  currency: string
  total_price: number
  paymentInput?: PaymentInput
  overdue: Overdue
}

export interface Update {
  outcome: 'update'
  known: KnownOrder
  change?: OrderUpdate
  paymentInput?: PaymentInput
  remark?: string
}

export type RowPlan =
  | Creation
  | Update
  /** `isOther`: the row differs from its last import, but the order already has these values. */
  | { outcome: 'unchanged'; order_id: string; isOther: boolean }
  | { outcome: 'reject'; faults: ColumnFault[] }
  /** The row names an erased person. */
  | { outcome: 'erased'; faults: ColumnFault[] }

/** The instant for trying rules where nothing is stored. */
export const noInstant = '1970-01-01T00:00:00.000000Z'

/** Plans a row of a new order by the rules of order/create and payment/create. */
export function planCreation(
  context: OrganizationContext,
  { members }: OrderRow,
  findings: Findings,
): Creation {
  const { corp_id } = context.organization
  const found = findings.users.find(members)
  const { course, batch_id } = courseOf(members, findings)
  const currency = members.currency ?? course?.currency ?? context.organization.currency
  const input = creationOf(members, { corp_id, user_id: found?.user_id ?? 'new', currency, batch_id })
  const asked = findings.coupons.filter(({ coupon_id }) => input.coupon_ids?.includes(coupon_id))
  const { rules, discountLimits } = findings
  const sources = { course, coupons: asked, rules, discountLimits }
  const draft = draftOrder(context, input, { ...sources, user: nobody }, '')
  const { state } = settleDraft(draft, context.newId, noInstant)
  const { paymentInput, paid } = planPayment(context, members, state, findings)
  const user = takeUser(context, members, findings)
  return {
    outcome: 'create',
    user,
    input: { ...input, user_id: user.user_id },
    sources,
    currency,
    total_price: state.total_price,
    paymentInput,
    overdue: overdueOf(paid, context.now),
  }
}

/** The user of an accepted row: found and completed with the values of the row, or created. */
export function takeUser(
  { newId, now, organization, account, reach }: OrganizationContext,
  members: RowMembers,
  { users }: Findings,
): PlannedUser {
  const newUser = { user_id: newId(), pool: initialPool(organization), now, app_id: account.app_id, reach }
  return users.findOrMake(members, newUser).user
}

/** Prices and payment plans do not depend on the user. */
const nobody = { user_id: '', user_copy: {}, owner_ids: [] }

function courseOf(members: RowMembers, { courses, batches }: Findings) {
  const { course_code, batch: named } = members
  if (course_code === undefined) {
    if (named !== undefined) throw new RowRefused('batch', 'needs a course_code')
    return {}
  }
  const course = courses.get(course_code)
  const ofCourse = batches.filter(({ course_id }) => course_id === course?.course_id)
  const batch =
    ofCourse.find(({ batch_id }) => batch_id === named) ?? ofCourse.find(({ name }) => name === named)
  return { course: courseWithBatch(course, named === undefined ? 'none' : batch), batch_id: batch?.batch_id }
}

/** The payment of a row, if the order accepts it. */
function planPayment(
  context: OrganizationContext,
  members: RowMembers,
  state: OrderState,
  { charges, receipts, rules }: Findings,
): { paymentInput?: PaymentInput; paid: OrderState } {
  const { corp_id } = context.organization
  return asPayment(() => {
    const paymentInput = paymentInputOf(members, {
      corp_id,
      order_id: state.order_id,
      currency: state.currency,
    })
    if (!paymentInput) return { paid: state }
    requireRecordsPayments(context, rules)
    if (charges.find(chargeOf(members)))
      throw new RowRefused('charge_id', 'belongs to a payment of another order')
    const { payment, state: paid } = receivePayment(context, paymentInput, state, context.now.toISOString(), {
      receipt_use: receipts.nextUse(paymentInput.receipt_num),
    })
    receipts.add(payment)
    return { paymentInput, paid }
  })
}

/** The overdue part of a payment plan that started before the import. */
interface Overdue {
  instalments: number
  of: number
  price: number
  /** Nothing was paid: the order will expire. */
  isExpiring: boolean
}

function overdueOf(state: OrderState, now: Date): Overdue {
  const late = expirableStatuses.includes(state.status)
    ? state.subOrders.filter(
        ({ payment_deadline, paid, total_price }) =>
          payment_deadline !== null && new Date(payment_deadline) < now && paid < total_price,
      )
    : []
  return {
    instalments: late.length,
    of: state.subOrders.length,
    price: late.reduce((sum, { total_price, paid }) => sum + total_price - paid, 0),
    isExpiring: late.length > 0 && received(state) === 0,
  }
}

export function overdueNote(
  { instalments, of, price, isExpiring }: Overdue,
  currency: string,
): string | null {
  if (isExpiring) return 'nothing was paid and the first deadline has passed: the order will expire'
  if (instalments === 0) return null
  return `${instalments} of ${of} instalments are overdue: ${majorText(BigInt(price), currency)} ${currency}`
}
