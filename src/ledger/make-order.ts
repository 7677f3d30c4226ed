import { instantOfLocal } from '../contract/days.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../contract/errors.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Queryable } from '../database/database.ts'
import { copyBatch, copyCourse, copyLead, copyUser, findCouponTerms } from './copies-store.ts'
import type { OrderCreation } from './create-order.ts'
import { type OrderState, settleFirst } from './ledger.ts'
import { type Change, nextInstant, recordVersion } from './ledger-store.ts'
import { findByExternalId, findCreated, insertOrder, insertParts, type NewOrder, type StoredPart } from './order-write-store.ts'
import { planOf } from './plan.ts'
import { pricesOf, validCoupons } from './prices.ts'
import { basisPointsOfShares } from './shares.ts'

/** What a creation answers; taken from the first version, so that a repetition is answered alike for ever. */
export interface CreatedOrder {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}

/** Makes an order, or finds the one that this external_id made. Spreadsheets come in by the same door. */
export async function makeOrder(context: OrganizationContext, input: OrderCreation): Promise<CreatedOrder> {
  const { organization, now } = context
  const { corp_id } = organization
  const creation_hash = fingerprint(input)
  return context.db.transaction(async (tx) => {
    const known = await answerKnown(tx, input, creation_hash)
    if (known) return known
    const order = await assemble(tx, context, input, creation_hash)
    const parts = planOf(input, order.total_price, organization.time_zone)
    const at = await nextInstant(tx, corp_id, now)
    const settled = settleFirst(firstState(order, parts, context.newId), at)
    if (!(await insertOrder(tx, corp_id, { ...order, ...completionOf(settled) }, at))) {
      return (await answerKnown(tx, input, creation_hash))!
    }
    const { order_id, currency } = order
    const stored: StoredPart[] = settled.parts.map((part, index) => ({ ...parts[index]!, ...part, payment_deadline: parts[index]!.payment_deadline }))
    await insertParts(tx, { corp_id, order_id, currency, firstSeq: 1 }, stored, at)
    await recordVersion(tx, corp_id, order_id, creationBy(context.account.app_id), at)
    return (await findCreated(tx, corp_id, order_id))!
  })
}

async function answerKnown(tx: Queryable, input: OrderCreation, creation_hash: string): Promise<CreatedOrder | undefined> {
  if (input.external_id === undefined) return undefined
  const known = await findByExternalId(tx, input.corp_id, input.external_id)
  if (!known) return undefined
  if (known.creation_hash === creation_hash) return findCreated(tx, input.corp_id, known.order_id)
  throw taken('external_id', 'belongs to an order of other content', { order_id: known.order_id })
}

async function assemble(
  tx: Queryable,
  { organization, account, newId, now }: OrganizationContext,
  input: OrderCreation,
  creation_hash: string,
): Promise<NewOrder> {
  const { corp_id, time_zone } = organization
  const user = await copyUser(tx, corp_id, input.user_id)
  if (!user) throw new ApiError('userNotFound')
  const course = await courseOf(tx, input)
  const lead = input.leads_id === undefined ? undefined : await leadOf(tx, corp_id, input.leads_id, input.user_id)
  const currency = input.currency ?? course?.currency ?? organization.currency
  const listed_price = input.listed_price ?? (course?.currency === currency ? course.listed_price : undefined)
  if (listed_price === undefined) {
    throw invalid('listed_price', 'is required where no course gives one in the currency of the order')
  }
  const coupon_ids = input.coupon_ids ?? []
  const coupons = validCoupons(coupon_ids, await findCouponTerms(tx, corp_id, coupon_ids), now)
  return {
    ...pricesOf({ ...input, currency, listed_price }, coupons),
    order_id: newId(),
    user_id: input.user_id,
    leads_id: input.leads_id ?? null,
    external_id: input.external_id ?? null,
    creation_hash,
    type: input.type ?? 'course',
    source: input.source ?? 'open_api',
    status: input.status ?? 'created',
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
      ...(lead?.utm_source && { utm_source: lead.utm_source }),
      owner_relationship_managers: user.owner_ids.join(', '),
    },
    course_start_time: input.course_start_time ? instantOfLocal(input.course_start_time, time_zone) : (course?.start_time ?? null),
    course_end_time: input.course_end_time ? instantOfLocal(input.course_end_time, time_zone) : (course?.end_time ?? null),
    completed_time: null,
    executor_id: account.app_id,
  }
}

async function courseOf(tx: Queryable, input: OrderCreation) {
  if (input.course_id === undefined && input.course_code === undefined) return undefined
  const course = await copyCourse(tx, input.corp_id, input)
  if (!course) throw new ApiError('courseNotFound')
  if (!course.is_active) throw new ApiError('stateForbids', { msg: 'The course is not active.', allowed: ['course/upsert'] })
  if (input.batch_id === undefined) return course
  const batch = await copyBatch(tx, input.corp_id, input.batch_id)
  if (batch?.course_id !== course.course_id) throw new ApiError('batchNotFound')
  return { ...course, copy: { ...course.copy, ...batch.copy } }
}

async function leadOf(tx: Queryable, corp_id: string, leads_id: string, user_id: string) {
  const lead = await copyLead(tx, corp_id, { leads_id, user_id })
  if (!lead) throw new ApiError('leadNotFound')
  return lead
}

function firstState(order: NewOrder, parts: ReturnType<typeof planOf>, newId: () => string): OrderState {
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
    parts: parts.map(({ type, total_price }, index) => ({
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

function completionOf({ status, completed_time }: OrderState) {
  return { status, completed_time }
}

function creationBy(executor_id: string): Change {
  return { change: 'created', from_status: null, executor_id, reason: null, subject_id: null }
}
