import { type Static, Type } from 'typebox'
import { instantOfLocal } from '../contract/days.ts'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, type InputFault } from '../contract/errors.ts'
import { Id, OrganizationId, oneOf, optionalLine, ShortText } from '../contract/fields.ts'
import { longest } from '../contract/lengths.ts'
import type { Queryable } from '../database/database.ts'
import { changeOrder, type MadeVersion } from './change-order.ts'
import { type CouponTerms, findCouponTerms } from './copies-store.ts'
import { IdList, LocalTime, PlannedSubOrders, Price, Reason, ShareProportion, Version } from './fields.ts'
import { readPrices, storeOrderFields, storePrices } from './order-update-store.ts'
import { movesFrom, type OrderState, settleRepriced } from './rules/order-rules.ts'
import { type Prices, pricesOf, validCoupons } from './rules/prices.ts'
import { replan } from './rules/replan.ts'
import { basisPointsOfShares, sharesAreWhole } from './rules/shares.ts'
import { refuseStale } from './rules/stale.ts'
import { orderStatuses, repriceableStatuses } from './rules/status.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  version: Version,
  reason: Type.Optional(Reason),
  listed_price: Type.Optional(Price),
  discounted_price: Type.Optional(Price),
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
})

export type OrderUpdate = Static<typeof Input>

const pricing = [
  'listed_price',
  'discounted_price',
  'service_charge',
  'foreign_service_charge',
  'coupon_ids',
  'sub_orders',
] as const satisfies (keyof OrderUpdate)[]

const discounting = [
  'listed_price',
  'discounted_price',
  'coupon_ids',
] as const satisfies (keyof OrderUpdate)[]

/** Changes an order, building on the version that the caller has seen. What is left out stays as it is. */
export const updateOrder = endpoint({
  id: 'updateOrder',
  method: 'POST',
  path: '/api/v5/entity/order/update',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  summary: 'Change an order',
  description:
    `Prices, coupons and instalments can change while the order is ${repriceableStatuses.join(', ')}; sub-orders that ` +
    'are listed with their sub_order_id are kept, those without are new, those left out go, unless money came in on ' +
    'them. Where a new total comes without sub_orders, the instalments that nothing was paid on share the difference.',
  input: Input,
  rules: ({ share_proportion }): InputFault[] => sharesAreWhole(share_proportion),
  data: Type.Object({
    order_id: Id,
    status: oneOf(orderStatuses),
    version: Type.Integer(),
    sub_order_ids: Type.Array(Id),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      version: 1,
      contract_id: 'C-2026-0815',
    },
    data: {
      order_id: '0198c0de11117c41a2f0d8e6b4937215',
      status: 'created',
      version: 2,
      sub_order_ids: ['0198c0de22227c41a2f0d8e6b4937215'],
    },
  },
  errors: ['orderNotFound', 'subOrderNotFound', 'couponNotFound', 'staleVersion', 'stateForbids'],
  handle: editOrder,
})

/** Also the way in for spreadsheets. */
export async function editOrder(context: OrganizationContext, input: OrderUpdate) {
  const { corp_id, order_id } = input
  const changer = { ...context, corp_id, executor_id: context.account.app_id }
  return changeOrder(changer, order_id, async (tx, state, at) => {
    refuseStale(state.version, input.version)
    if (state.status === 'canceled') {
      throw new ApiError('stateForbids', { msg: 'A canceled order does not change any more.', allowed: [] })
    }
    await storeOrderFields(tx, corp_id, order_id, fieldsOf(input, context.organization.time_zone))
    const changed = isRepricing(input) ? await reprice(tx, context, input, state, at) : state
    return {
      state: changed,
      change: { change: 'updated', reason: input.reason ?? null, subject_id: null },
      result: ({ version, to_status }: MadeVersion) => ({
        order_id,
        status: to_status,
        version,
        sub_order_ids: changed.subOrders.map(({ sub_order_id }) => sub_order_id),
      }),
    }
  })
}

/** Whether an update touches prices or the plan. */
export function isRepricing(input: OrderUpdate): boolean {
  return pricing.some((name) => input[name] !== undefined)
}

function fieldsOf(input: OrderUpdate, timeZone: string) {
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

async function reprice(
  tx: Queryable,
  context: OrganizationContext,
  input: OrderUpdate,
  state: OrderState,
  at: string,
): Promise<OrderState> {
  const { corp_id, order_id } = input
  const current = await readPrices(tx, corp_id, order_id)
  const found = await findCouponTerms(tx, corp_id, input.coupon_ids ?? current.coupon_ids)
  const changed = repriced(context, input, { state, current, found }, at)
  await storePrices(
    tx,
    corp_id,
    order_id,
    { ...changed, currency: state.currency, subOrders: changed.state.subOrders },
    at,
  )
  return changed.state
}

/** The rules of a change of prices, without a database. */
export function repriced(
  context: OrganizationContext,
  input: OrderUpdate,
  {
    state,
    current,
    found,
  }: { state: OrderState; current: Prices & { coupon_ids: string[] }; found: CouponTerms[] },
  at: string,
): Prices & { coupon_ids: string[]; state: OrderState } {
  if (!repriceableStatuses.includes(state.status)) {
    const msg = `Prices and instalments do not change while the order is ${state.status}.`
    throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
  }
  const coupon_ids = input.coupon_ids ?? current.coupon_ids
  // Coupons that the order has already are not planned again: they were valid when it was made.
  const coupons = input.coupon_ids ? validCoupons(coupon_ids, found, context.now) : found
  // Nor are they read anew where nothing asks for it: a coupon that was changed since does not rewrite an order.
  const keepsDiscount = discounting.every((name) => input[name] === undefined)
  const discounted_price = keepsDiscount ? current.discounted_price : input.discounted_price
  const prices = pricesOf(
    { ...current, ...defined(input), discounted_price, currency: state.currency },
    keepsDiscount ? [] : coupons,
  )
  const subOrders = replan(input, state, prices.total_price, context)
  return {
    ...prices,
    coupon_ids,
    state: settleRepriced({ ...state, total_price: prices.total_price, subOrders }, at),
  }
}

function defined(input: OrderUpdate) {
  const { listed_price, service_charge, foreign_service_charge } = input
  return {
    ...(listed_price !== undefined && { listed_price }),
    ...(service_charge !== undefined && { service_charge }),
    ...(foreign_service_charge !== undefined && { foreign_service_charge }),
  }
}
