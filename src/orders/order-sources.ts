import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { findRulesFor } from './counsellors/allowance.ts'
import type { CounsellorRules } from './counsellors/counsellor-rules-store.ts'
import { findLimits, type MoneyLimits } from './limits/money-limit-store.ts'
import {
  type BatchCopy,
  type CourseCopy,
  copyBatches,
  copyCourses,
  copyLeads,
  copyUsers,
  findCouponTerms,
  type LeadCopy,
  type UserCopy,
} from './listing/copies-store.ts'
import type { OrderCreation } from './order-creation.ts'
import type { CouponTerms } from './rules/prices.ts'

/** The records that a new order is based on. */
export interface OrderSources {
  user: UserCopy
  course?: CourseCopy
  utm_source?: string | null
  coupons: CouponTerms[]
  /** The limits of the caller, if a counsellor. */
  rules: CounsellorRules
  /** The manual discounts that need no second approver. */
  discountLimits: MoneyLimits
}

/** The records that creations name, as far as they exist. */
interface FoundSources {
  users: UserCopy[]
  courses: CourseCopy[]
  batches: BatchCopy[]
  leads: LeadCopy[]
  coupons: CouponTerms[]
  rules: CounsellorRules
  discountLimits: MoneyLimits
}

export async function findSources(
  tx: Queryable,
  corp_id: string,
  inputs: OrderCreation[],
  callers: Pick<OrganizationContext, 'role'>[],
): Promise<FoundSources> {
  const named = (pick: (input: OrderCreation) => string | string[] | undefined) => [
    ...new Set(inputs.flatMap((input) => pick(input) ?? [])),
  ]
  const ids = {
    users: named(({ user_id }) => user_id),
    courses: named(({ course_id }) => course_id),
    courseCodes: named(({ course_code }) => course_code),
    batches: named(({ batch_id }) => batch_id),
    leads: named(({ leads_id }) => leads_id),
    coupons: named(({ coupon_ids }) => coupon_ids),
  }
  return {
    users: await copyUsers(tx, corp_id, ids.users),
    courses: await copyCourses(tx, corp_id, ids.courses, ids.courseCodes),
    batches: await copyBatches(tx, corp_id, ids.batches),
    leads: await copyLeads(tx, corp_id, ids.leads),
    coupons: await findCouponTerms(tx, corp_id, ids.coupons),
    rules: await findRulesFor(tx, corp_id, callers),
    discountLimits: inputs.some(isDiscounted) ? await findLimits(tx, corp_id, 'discount') : {},
  }
}

/** Whether an order may cost less than its list price. */
function isDiscounted(input: OrderCreation): boolean {
  const { discounted_price, manual_discount, listed_price, course_id, course_code } = input
  const ofCourse = course_id !== undefined || course_code !== undefined
  return (
    discounted_price !== undefined ||
    manual_discount !== undefined ||
    (listed_price !== undefined && ofCourse)
  )
}

/** The sources of one creation; throws if one is missing. */
export function sourcesOf(input: OrderCreation, found: FoundSources): OrderSources {
  const user = found.users.find(({ user_id }) => user_id === input.user_id)
  if (!user) throw new ApiError('userNotFound')
  const course = courseOf(input, found)
  const lead = found.leads.find(
    ({ leads_id, user_id }) => leads_id === input.leads_id && user_id === input.user_id,
  )
  if (input.leads_id !== undefined && !lead) throw new ApiError('leadNotFound')
  const { coupons, rules, discountLimits } = found
  return { user, course, utm_source: lead?.utm_source, coupons, rules, discountLimits }
}

function courseOf({ course_id, course_code, batch_id }: OrderCreation, { courses, batches }: FoundSources) {
  if (course_id === undefined && course_code === undefined) return undefined
  const course = courses.find((each) =>
    course_id === undefined ? each.course_code === course_code : each.course_id === course_id,
  )
  const batch = batch_id === undefined ? 'none' : batches.find((each) => each.batch_id === batch_id)
  return courseWithBatch(course, batch)
}

/** The course of an order, if it exists and is active, with the batch if the order names one. */
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
