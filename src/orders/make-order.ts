import { instantOfLocal } from '../contract/days.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Queryable } from '../database/database.ts'
import {
  type BatchCopy,
  type CouponTerms,
  type CourseCopy,
  copyBatch,
  copyCourse,
  copyLead,
  copyUser,
  findCouponTerms,
  type UserCopy,
} from './copies-store.ts'
import type { OrderCreation } from './order-creation.ts'
import { type Change, type LedgerInstant, nextInstant, recordVersion } from './order-state-store.ts'
import {
  type CreatedOrder,
  findByExternalId,
  findCreated,
  insertOrder,
  insertSubOrders,
  type NewOrder,
  type StoredSubOrder,
} from './order-write-store.ts'
import { projectOrders } from './read-model/project-orders.ts'
import { type OrderState, settleFirst } from './rules/order-rules.ts'
import { type PlannedSubOrder, planOf } from './rules/plan.ts'
import { pricesOf, validCoupons } from './rules/prices.ts'
import { basisPointsOfShares } from './rules/shares.ts'
import { orderDefaults } from './rules/status.ts'

/** Makes an order, or finds the one that this external_id made. Spreadsheets come in by the same door. */
export async function makeOrder(context: OrganizationContext, input: OrderCreation): Promise<CreatedOrder> {
  const { organization, now } = context
  const { corp_id } = organization
  const creation_hash = fingerprint(input)
  return context.db.transaction(async (tx) => {
    const known = await answerKnown(tx, input, creation_hash)
    if (known) return known
    const draft = draftOrder(context, input, await findSources(tx, organization, input), creation_hash)
    const at = await nextInstant(tx, corp_id, now)
    const { order, subOrders } = settleDraft(draft, context.newId, at)
    if (!(await insertOrder(tx, corp_id, order, at))) {
      return (await answerKnown(tx, input, creation_hash))!
    }
    const { order_id, currency } = order
    await insertSubOrders(tx, { corp_id, order_id, currency, firstSeq: 1 }, subOrders, at)
    await recordVersion(tx, corp_id, order_id, creationBy(context.account.app_id), at)
    await projectOrders(tx, corp_id, [order_id])
    return (await findCreated(tx, corp_id, order_id))!
  })
}

/** What an order is made from, beside what the caller says. */
export interface OrderSources {
  user: UserCopy
  course?: CourseCopy
  utm_source?: string | null
  coupons: CouponTerms[]
}

/** An order that is priced and planned, but not yet in the ledger. */
export interface OrderDraft {
  order: NewOrder
  subOrders: PlannedSubOrder[]
}

async function answerKnown(
  tx: Queryable,
  input: OrderCreation,
  creation_hash: string,
): Promise<CreatedOrder | undefined> {
  if (input.external_id === undefined) return undefined
  const known = await findByExternalId(tx, input.corp_id, input.external_id)
  if (!known) return undefined
  if (known.creation_hash === creation_hash) return findCreated(tx, input.corp_id, known.order_id)
  throw taken('external_id', 'belongs to an order of other content', { order_id: known.order_id })
}

async function findSources(
  tx: Queryable,
  { corp_id }: OrganizationContext['organization'],
  input: OrderCreation,
): Promise<OrderSources> {
  const user = await copyUser(tx, corp_id, input.user_id)
  if (!user) throw new ApiError('userNotFound')
  const course = await courseOf(tx, input)
  const lead =
    input.leads_id === undefined ? undefined : await leadOf(tx, corp_id, input.leads_id, input.user_id)
  const coupons = await findCouponTerms(tx, corp_id, input.coupon_ids ?? [])
  return { user, course, utm_source: lead?.utm_source, coupons }
}

/** The rules of a creation, without a database. */
export function draftOrder(
  context: Pick<OrganizationContext, 'organization' | 'account' | 'newId' | 'now'>,
  input: OrderCreation,
  { user, course, utm_source, coupons: found }: OrderSources,
  creation_hash: string,
): OrderDraft {
  const { organization, account, newId, now } = context
  const { time_zone } = organization
  const currency = input.currency ?? course?.currency ?? organization.currency
  const listed_price = input.listed_price ?? (course?.currency === currency ? course.listed_price : undefined)
  if (listed_price === undefined) {
    throw invalid('listed_price', 'is required where no course gives one in the currency of the order')
  }
  const coupon_ids = input.coupon_ids ?? []
  const prices = pricesOf({ ...input, currency, listed_price }, validCoupons(coupon_ids, found, now))
  const order: NewOrder = {
    ...prices,
    order_id: newId(),
    user_id: input.user_id,
    leads_id: input.leads_id ?? null,
    external_id: input.external_id ?? null,
    creation_hash,
    type: input.type ?? orderDefaults.type,
    source: input.source ?? orderDefaults.source,
    status: input.status ?? orderDefaults.status,
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
    completed_time: null,
    executor_id: account.app_id,
  }
  return { order, subOrders: planOf(input, prices.total_price, time_zone) }
}

/** The first state of a draft: an order with nothing to pay is complete from the start. */
export function settleDraft(
  { order, subOrders }: OrderDraft,
  newId: () => string,
  at: LedgerInstant,
): { order: NewOrder; subOrders: StoredSubOrder[]; state: OrderState } {
  const state = settleFirst(firstState(order, subOrders, newId), at)
  const { status, completed_time } = state
  const stored = state.subOrders.map((subOrder, index) => ({
    ...subOrders[index]!,
    ...subOrder,
    payment_deadline: subOrders[index]!.payment_deadline,
  }))
  return { order: { ...order, status, completed_time }, subOrders: stored, state }
}

async function courseOf(tx: Queryable, input: OrderCreation) {
  if (input.course_id === undefined && input.course_code === undefined) return undefined
  const course = await copyCourse(tx, input.corp_id, input)
  return courseWithBatch(
    course,
    input.batch_id === undefined ? 'none' : await copyBatch(tx, input.corp_id, input.batch_id),
  )
}

/** The course an order is for, as far as it exists and is sold; with the batch, where the order names one. */
export function courseWithBatch(
  course: CourseCopy | undefined,
  batch: BatchCopy | undefined | 'none',
): CourseCopy {
  if (!course) throw new ApiError('courseNotFound')
  if (!course.is_active)
    throw new ApiError('stateForbids', { msg: 'The course is not active.', allowed: ['course/upsert'] })
  if (batch === 'none') return course
  if (batch?.course_id !== course.course_id) throw new ApiError('batchNotFound')
  return { ...course, copy: { ...course.copy, ...batch.copy } }
}

async function leadOf(tx: Queryable, corp_id: string, leads_id: string, user_id: string) {
  const lead = await copyLead(tx, corp_id, { leads_id, user_id })
  if (!lead) throw new ApiError('leadNotFound')
  return lead
}

function firstState(order: NewOrder, subOrders: PlannedSubOrder[], newId: () => string): OrderState {
  const { order_id, currency, total_price } = order
  const status = order.status as OrderState['status']
  return {
    order_id,
    status,
    currency,
    total_price,
    version: 1,
    completed_time: null,
    expired_time: null,
    subOrders: subOrders.map(({ type, total_price }, index) => ({
      sub_order_id: newId(),
      seq: index + 1,
      type,
      status,
      total_price,
      payment_deadline: null,
      completed_time: null,
      paid: 0,
      refunded: 0,
      payments: 0,
    })),
  }
}

export function creationBy(executor_id: string): Change {
  return { change: 'created', from_status: null, executor_id, reason: null, subject_id: null }
}
