import { isDeepStrictEqual } from 'node:util'
import { instantOfLocal } from '../contract/days.ts'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, type InputFault, requireFinance } from '../contract/errors.ts'
import {
  described,
  Id,
  LocalTime,
  NullableString,
  OrganizationId,
  oneOf,
  optionalLine,
  ShortText,
} from '../contract/fields.ts'
import { longest } from '../contract/lengths.ts'
import { type OrderStatus, orderStatuses } from '../contract/order-statuses.ts'
import { type Static, Type } from '../contract/type.ts'
import { changeOrder, type FindRule } from './change-orders.ts'
import { findRulesFor, requirePriceOfChanged } from './counsellors/allowance.ts'
import type { CounsellorRules } from './counsellors/counsellor-rules-store.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import {
  anyOrder,
  IdList,
  PlannedSubOrders,
  Price,
  Reason,
  ShareProportion,
  Version,
} from './ledger/fields.ts'
import { findFullPrices } from './ledger/history-store.ts'
import type { LedgerInstant } from './ledger/ledger-clock-store.ts'
import type { OrderFields } from './ledger/order-state-store.ts'
import { type Approval, orAskSecondPerson, requireWithinLimit } from './limits/ask-second-person.ts'
import { findLimits } from './limits/money-limit-store.ts'
import { findCouponTerms } from './listing/copies-store.ts'
import { forbidden, type OrderState, settleRepriced, subOrderChanged } from './rules/order-rules.ts'
import type { CouponTerms } from './rules/prices.ts'
import {
  countCoupons,
  couponLinesOf,
  discountIsGivenOnce,
  givenAwayOf,
  manualDiscountOf,
  type Prices,
  pricesOf,
} from './rules/prices.ts'
import { replan } from './rules/replan.ts'
import { basisPointsOfShares, sharesAreWhole } from './rules/shares.ts'
import { refuseStale } from './rules/stale.ts'
import { repriceableStatuses } from './rules/status.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  version: Version,
  reason: Type.Optional(Reason),
  listed_price: Type.Optional(Price),
  discounted_price: Type.Optional(described(Price, 'After all discounts; determines the manual discount')),
  manual_discount: Type.Optional(
    described(Price, 'Instead of discounted_price: a discount in addition to the coupons'),
  ),
  service_charge: Type.Optional(Price),
  foreign_service_charge: Type.Optional(Price),
  coupon_ids: Type.Optional(IdList),
  sub_orders: Type.Optional(PlannedSubOrders),
  share_proportion: Type.Optional(ShareProportion),
  invoice_ids: Type.Optional(IdList),
  contract_id: Type.Optional(Id),
  business_id: Type.Optional(Id),
  product_id: Type.Optional(Id),
  receipt_url: optionalLine(longest.url),
  application_fee_status: Type.Optional(ShortText),
  course_start_time: Type.Optional(LocalTime),
  course_end_time: Type.Optional(LocalTime),
  dry_run: DryRun,
})

export type OrderUpdate = Static<typeof Input>

const pricing = [
  'listed_price',
  'discounted_price',
  'manual_discount',
  'service_charge',
  'foreign_service_charge',
  'coupon_ids',
  'sub_orders',
] as const satisfies (keyof OrderUpdate)[]

/** Changes an order that has the version that the caller knows. Omitted members stay unchanged. */
export const updateOrder = endpoint({
  id: 'updateOrder',
  method: 'POST',
  path: '/api/v5/entity/order/update',
  group: 'Orders',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder, limit: 'counsellor discount', secondApprover: 'money limit' },
  summary: 'Change an order',
  description:
    `Prices, coupons and instalments can change while the order is ${repriceableStatuses.join(', ')}. Sub-orders with a ` +
    'sub_order_id are kept, those without are new, and omitted ones are removed unless they received money. Coupons of the ' +
    'order keep their terms. If a new total comes without sub_orders, the difference is distributed over the sub-orders in ' +
    'proportion to their unpaid amounts.',
  input: Input,
  rules: ({ share_proportion }, isSent): InputFault[] => [
    ...sharesAreWhole(share_proportion),
    ...discountIsGivenOnce(isSent),
  ],
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    sub_order_ids: Type.Array(Id),
    state: oneOf(
      ['done', 'waiting'],
      'waiting: for a second approver of the discount; the order is unchanged',
    ),
    request_id: described(NullableString, 'The id for approval/approve, if it waits'),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      order_id: '0195fdb94b707ab4b30ce5258993a1f3',
      version: 1,
      contract_id: 'C-2026-0815',
    },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      status: 'created',
      version: 2,
      sub_order_ids: ['01a00491d408759aa7e124d4a9581a85'],
      state: 'done',
      request_id: null,
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'couponNotFound', 'staleVersion', 'stateForbids'],
  handle: withDryRun(({ order_id }) => [order_id], editOrAsk),
})

async function editOrAsk(context: OrganizationContext, input: OrderUpdate) {
  return orAskSecondPerson(
    context,
    input,
    () => editOrder(context, input, { isApproved: false }),
    ({ order_id, order_status: status, order_version: version }, request_id) => ({
      order_id,
      status,
      version,
      sub_order_ids: [],
      state: 'waiting' as const,
      request_id,
    }),
  )
}

export async function editOrder(context: OrganizationContext, input: OrderUpdate, approval: Approval) {
  const changer = { db: context.db, corp_id: input.corp_id, executor_id: context.account.app_id }
  const updated = await changeOrder(changer, input, updateRule(context, approval))
  return { ...updated, state: 'done' as const, request_id: null }
}

/** Changes orders, for the operation and for imports. */
export function updateRule(
  context: OrganizationContext,
  approval: Approval = { isApproved: false },
): FindRule<
  OrderUpdate,
  { order_id: string; status: OrderStatus; version: number; sub_order_ids: string[] }
> {
  const { corp_id, time_zone } = context.organization
  return async (tx, inputs, states) => {
    const couponIds = inputs
      .filter(isRepricing)
      .flatMap(({ order_id, coupon_ids = [] }) => [
        ...coupon_ids,
        ...(states.get(order_id)?.coupon_ids ?? []),
      ])
    const coupons = await findCouponTerms(tx, corp_id, [...new Set(couponIds)])
    const rules = await findRulesFor(tx, corp_id, [context])
    const repricedIds = inputs.filter(isRepricing).map(({ order_id }) => order_id)
    const limits = repricedIds.length > 0 ? await findLimits(tx, corp_id, 'discount') : {}
    const hasLimits = Object.keys(limits).length > 0
    const fullPrices = hasLimits ? await findFullPrices(tx, corp_id, repricedIds) : new Map<string, number>()
    return (input, state, at) => {
      refuseStale(state.version, input.version)
      if (state.status === 'canceled') {
        throw new ApiError('stateForbids', { msg: 'A canceled order cannot be changed.', allowed: [] })
      }
      const changed = isRepricing(input) ? repriced(context, input, state, { coupons, rules }, at) : state
      const fields = fieldsOf(input, time_zone)
      const full = fullPrices.get(input.order_id) ?? 0
      const discount = givenAwayOf(changed, full)
      if (discount > givenAwayOf(state, full))
        requireWithinLimit('discount', limits, state, discount, approval)
      const isRepriced = changed !== state && !isSameInPrice(state, changed)
      const answer = (version: number, status: OrderStatus) => ({
        order_id: input.order_id,
        status,
        version,
        sub_order_ids: changed.subOrders.map(({ sub_order_id }) => sub_order_id),
      })
      if (isRepricing(input) && !isRepriced && Object.values(fields).every((value) => value === undefined))
        return { unchanged: answer(state.version, state.status) }
      return {
        state: changed,
        fields: { ...fields, ...(isRepriced && { is_payment_changed: true }) },
        cause: { change: 'updated', reason: input.reason ?? null, subject_id: null },
        result: ({ version, to_status }) => answer(version, to_status),
      }
    }
  }
}

/** Whether an update touches prices or the plan. */
export function isRepricing(input: OrderUpdate): boolean {
  return pricing.some((name) => input[name] !== undefined)
}

function fieldsOf(input: OrderUpdate, timeZone: string): OrderFields {
  const time = (text: string | undefined) => (text === undefined ? undefined : instantOfLocal(text, timeZone))
  return {
    contract_id: input.contract_id,
    business_id: input.business_id,
    product_id: input.product_id,
    receipt_url: input.receipt_url,
    application_fee_status: input.application_fee_status,
    invoice_ids: input.invoice_ids,
    share_proportion: input.share_proportion && basisPointsOfShares(input.share_proportion),
    course_start_time: time(input.course_start_time),
    course_end_time: time(input.course_end_time),
  }
}

/** The rules of a change of prices, without a database. */
export function repriced(
  context: OrganizationContext,
  input: OrderUpdate,
  state: OrderState,
  { coupons, rules }: { coupons: CouponTerms[]; rules: CounsellorRules },
  at: LedgerInstant,
): OrderState {
  if (!repriceableStatuses.includes(state.status))
    throw forbidden(state, `Prices and instalments do not change while the order is ${state.status}.`)
  const coupon_lines = input.coupon_ids
    ? couponLinesOf(input.coupon_ids, state, coupons, context.now)
    : state.coupon_lines
  const { discounted_price, manual_discount = manualDiscountOf(state) } = input
  const prices = pricesOf({
    ...chargesOf(input, state),
    coupon_lines,
    ...(discounted_price === undefined ? { manual_discount } : { discounted_price }),
  })
  requirePriceOfChanged(context, rules, state, prices)
  if (prices.total_price === 0 && state.total_price > 0)
    requireFinance(context.account, 'making an order free')
  const subOrders = replan(input, state, prices.total_price, context)
  countCoupons(state.coupon_lines, prices.coupon_lines, state.currency, coupons)
  const coupon_ids = coupon_lines.map(({ coupon_id }) => coupon_id)
  return settleRepriced({ ...state, ...prices, coupon_ids, subOrders }, at)
}

function chargesOf(input: OrderUpdate, state: Prices) {
  const {
    listed_price = state.listed_price,
    service_charge = state.service_charge,
    foreign_service_charge = state.foreign_service_charge,
  } = input
  return { listed_price, service_charge, foreign_service_charge }
}

/** Whether prices, coupon lines and plan are equal. A status that follows from them does not count as a change. */
function isSameInPrice(before: OrderState, after: OrderState): boolean {
  const [was, is] = [before, after].map(({ subOrders: _, status: __, completed_time: ___, ...rest }) => rest)
  return (
    isDeepStrictEqual(was, is) &&
    before.subOrders.length === after.subOrders.length &&
    before.subOrders.every((subOrder, index) => {
      const { status, completed_time } = subOrder
      return !subOrderChanged(subOrder, { ...after.subOrders[index]!, status, completed_time })
    })
  )
}
