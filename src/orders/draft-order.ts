import { instantOfLocal } from '../contract/days.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, invalid } from '../contract/errors.ts'
import type { OrderStatus } from '../contract/order-statuses.ts'
import { requirePriceOfNew } from './counsellors/allowance.ts'
import type { LedgerInstant } from './ledger/ledger-clock-store.ts'
import { newSubOrder, type OrderRow, type SubOrderRow } from './ledger/order-write-store.ts'
import { isBeyond } from './limits/money-limit-store.ts'
import type { OrderCreation } from './order-creation.ts'
import type { OrderSources } from './order-sources.ts'
import { noMoney, type OrderState, settleFirst } from './rules/order-rules.ts'
import { type PlannedSubOrder, planOf } from './rules/plan.ts'
import { countCoupons, couponLinesOf, givenAwayOf, type Prices, pricesOf } from './rules/prices.ts'
import { basisPointsOfShares } from './rules/shares.ts'

/** Members that an order gets when it enters the ledger. */
type Settled = 'status' | 'completed_time' | 'ctime' | 'mtime'

/** An order with prices and a plan that is not yet in the ledger. */
export interface OrderDraft {
  order: Omit<OrderRow, Settled | keyof Prices> &
    Prices & { order_id: string; currency: string; coupon_ids: string[] }
  status: OrderStatus
  subOrders: PlannedSubOrder[]
}

/** The prices with the discount, and the listed price without it. */
interface TooLargeDiscount extends Prices {
  discount: number
  currency: string
  full_price: number
}

/** Refuses a first price beyond the limit. The operation creates the order without the discount; an import rejects the row. */
export class DiscountBeyondLimit extends ApiError {
  readonly wanted: TooLargeDiscount

  constructor(wanted: TooLargeDiscount) {
    super('stateForbids', {
      msg: `A second person must approve a discount of ${wanted.discount} ${wanted.currency}: create the order, then send the discount with order/update.`,
      allowed: ['order/update'],
      extra: { reason: 'approval_needed' },
    })
    this.wanted = wanted
  }
}

/** The rules of a creation, without a database. */
export function draftOrder(
  context: Pick<OrganizationContext, 'organization' | 'account' | 'newId' | 'now' | 'role'>,
  input: OrderCreation,
  { user, course, utm_source, coupons: found, rules, discountLimits }: OrderSources,
  creation_hash: string,
): OrderDraft {
  const { organization, account, newId, now } = context
  const { time_zone } = organization
  const currency = input.currency ?? course?.currency ?? organization.currency
  const list_price = course?.currency === currency ? course.listed_price : undefined
  const listed_price = input.listed_price ?? list_price
  if (listed_price === undefined) {
    throw invalid('listed_price', 'is required unless the course has a price in the currency of the order')
  }
  const coupon_ids = input.coupon_ids ?? []
  const coupon_lines = couponLinesOf(coupon_ids, { currency, coupon_lines: [] }, found, now)
  const prices = pricesOf({ ...input, listed_price, coupon_lines })
  requirePriceOfNew(context, rules, { currency, list_price }, prices)
  const full_price = Math.max(listed_price, list_price ?? 0)
  const discount = givenAwayOf(prices, full_price)
  if (isBeyond(discountLimits, currency, discount))
    throw new DiscountBeyondLimit({ ...prices, discount, currency, full_price })
  countCoupons([], prices.coupon_lines, currency, found)
  const order = {
    ...unused,
    ...prices,
    order_id: newId(),
    user_id: input.user_id,
    leads_id: input.leads_id ?? null,
    external_id: input.external_id ?? null,
    creation_hash,
    type: input.type ?? 'course',
    source: input.source ?? 'open_api',
    currency,
    exchange_rate: input.exchange_rate ?? 10_000,
    course_id: course?.course_id ?? null,
    course_code: course?.course_code ?? null,
    contract_id: input.contract_id ?? null,
    business_id: input.business_id ?? null,
    product_id: input.product_id ?? null,
    application_fee_price: input.application_fee_price ?? null,
    application_fee_currency: input.application_fee_currency ?? null,
    application_fee_status: input.application_fee_status ?? null,
    coupon_ids,
    share_proportion: basisPointsOfShares(input.share_proportion ?? {}),
    user_copy: user.user_copy,
    course_copy: {
      ...course?.copy,
      ...(utm_source && { utm_source }),
      owner_relationship_managers: user.owner_ids.join(', '),
    },
    course_start_time: input.course_start_time
      ? instantOfLocal(input.course_start_time, time_zone)
      : (course?.start_time ?? null),
    course_end_time: input.course_end_time
      ? instantOfLocal(input.course_end_time, time_zone)
      : (course?.end_time ?? null),
    executor_id: account.app_id,
  }
  const status = input.status ?? 'created'
  return { order, status, subOrders: planOf(input, prices.total_price, time_zone) }
}

/** The members that a creation does not set. */
const unused = {
  application_fee_exchange_rate: 10_000,
  transferred_id: null,
  receipt_url: null,
  user_underling_number: 0,
  is_deleted: false,
  is_locked: false,
  is_transferred: false,
  is_payment_changed: false,
  have_pre: false,
  is_company_transfer: false,
  invoice_ids: [],
  pre_sub_order_ids: [],
  expired_time: null,
  version: 1,
}

/** An order as it enters the ledger. */
export interface SettledDraft {
  order: OrderRow
  subOrders: SubOrderRow[]
  state: OrderState
  at: LedgerInstant
}

/** The first state of a draft: an order with nothing to pay is complete from the start. */
export function settleDraft(draft: OrderDraft, newId: () => string, at: LedgerInstant): SettledDraft {
  const state = settleFirst(firstState(draft, newId), at)
  const { status, completed_time } = state
  return {
    order: { ...draft.order, status, completed_time, ctime: at, mtime: at },
    subOrders: state.subOrders.map((subOrder) => newSubOrder(state, subOrder, at)),
    state,
    at,
  }
}

function firstState({ order, status, subOrders }: OrderDraft, newId: () => string): OrderState {
  return {
    order_id: order.order_id,
    status,
    currency: order.currency,
    version: 1,
    completed_time: null,
    expired_time: null,
    coupon_ids: order.coupon_ids,
    coupon_lines: order.coupon_lines,
    listed_price: order.listed_price,
    discounted_price: order.discounted_price,
    service_charge: order.service_charge,
    foreign_service_charge: order.foreign_service_charge,
    total_price: order.total_price,
    subOrders: subOrders.map(({ type, total_price, payment_deadline }, index) => ({
      sub_order_id: newId(),
      seq: index + 1,
      type,
      status,
      total_price,
      payment_deadline: payment_deadline?.toISOString() ?? null,
      completed_time: null,
      ...noMoney,
    })),
    allocations: [],
  }
}
