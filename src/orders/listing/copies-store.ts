import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { findCouponUses } from '../offerings/coupon-use-store.ts'
import type { CouponTerms } from '../rules/prices.ts'
import { financialUserAttributes } from './financial-row.ts'
import { userAttributes } from './order-row.ts'

/** An order shows its user, course and batch as copied at its creation. These statements read the copies. */

/** Attributes of the copy that have another name in the user's record. */
const columnOf: Record<string, string> = { account_name: 'name', work_experience: 'work_exp' }

const userColumns = new Set([
  'name',
  'first_name',
  'last_name',
  'mobile',
  'email',
  'gender',
  'age',
  'city',
  'city_raw',
  'city_mobile',
  'company_name',
  'job_title',
  'department',
  'industry',
  'work_exp',
  'professional_profile_url',
])

const copyOfUser = raw(
  `jsonb_strip_nulls(jsonb_build_object(${[...new Set([...userAttributes, ...financialUserAttributes])]
    .map((name) => {
      const column = columnOf[name] ?? name
      return `'${name}', ${userColumns.has(column) ? `u.${column}::text` : `u.attributes->>'${name}'`}`
    })
    .join(', ')}))`,
)

/** The copy of a user, and the user's owners. */
export interface UserCopy {
  user_id: string
  user_copy: object
  owner_ids: string[]
}

/** The users that exist. They stay locked until the orders refer to them: a copy must not be older than an erasure. */
export async function copyUsers(tx: Queryable, corp_id: string, user_ids: string[]): Promise<UserCopy[]> {
  return tx.query<UserCopy>(sql`
    select u.user_id, ${copyOfUser} as user_copy, u.owner_ids
      from users u where u.corp_id = ${corp_id} and u.user_id = any(${user_ids})
     order by u.user_id
       for key share`)
}

export interface CourseCopy {
  course_id: string
  course_code: string
  currency: string
  listed_price: number
  start_time: Date | null
  end_time: Date | null
  is_active: boolean
  copy: object
}

const courseColumns = raw(`
  c.course_id, c.course_code, c.currency, c.listed_price, c.start_time, c.end_time, c.is_active,
  jsonb_strip_nulls(jsonb_build_object(
    'school_name', c.school_name, 'program_code', c.program_code, 'course_code', c.course_code,
    'course_name', c.name, 'online_application_name', c.online_application_name,
    'product_family_or_lob_category', c.product_family_or_lob_category)) as copy`)

/** The courses that exist, by id or code. */
export async function copyCourses(
  on: Queryable,
  corp_id: string,
  course_ids: string[],
  course_codes: string[],
): Promise<CourseCopy[]> {
  if (course_ids.length + course_codes.length === 0) return []
  return on.query<CourseCopy>(sql`
    select ${courseColumns} from courses c
     where c.corp_id = ${corp_id} and (c.course_id = any(${course_ids}) or c.course_code = any(${course_codes}))`)
}

export interface BatchCopy {
  batch_id: string
  name: string
  course_id: string
  copy: object
}

const batchColumns = raw(`
  b.batch_id, b.name, b.course_id,
  jsonb_strip_nulls(jsonb_build_object(
    'batch_id', b.batch_id, 'batch_name', b.name, 'batch_date', b.start_date::text,
    'batch_start_date', b.start_date::text, 'batch_end_date', b.end_date::text,
    'month', to_char(b.start_date, 'YYYY-MM'))) as copy`)

/** Batches with one of these ids or names; a name is unique within its course only. */
export async function copyBatches(
  on: Queryable,
  corp_id: string,
  idsOrNames: string[],
): Promise<BatchCopy[]> {
  if (idsOrNames.length === 0) return []
  return on.query<BatchCopy>(sql`
    select ${batchColumns} from batches b
     where b.corp_id = ${corp_id} and (b.batch_id = any(${idsOrNames}) or b.name = any(${idsOrNames}))`)
}

export interface LeadCopy {
  leads_id: string
  user_id: string
  utm_source: string | null
}

/** The campaigns of the leads that exist. */
export async function copyLeads(on: Queryable, corp_id: string, leads_ids: string[]): Promise<LeadCopy[]> {
  if (leads_ids.length === 0) return []
  return on.query<LeadCopy>(sql`
    select lead_id as leads_id, user_id, fields->>'utm_source' as utm_source
      from leads where corp_id = ${corp_id} and lead_id = any(${leads_ids})`)
}

export async function findCouponTerms(
  on: Queryable,
  corp_id: string,
  coupon_ids: string[],
): Promise<CouponTerms[]> {
  if (coupon_ids.length === 0) return []
  // Creations, changes and new coupon limits take the same lock. A plan outside of a transaction
  // changes nothing.
  if (on.isTransaction) await holdClock(on, corp_id)
  const terms = await on.query<Omit<CouponTerms, 'uses' | 'used_price'>>(sql`
    select coupon_id, amount, currency, basis_points, is_active, valid_from, valid_until, max_uses, budget_price, budget_currency
      from coupons where corp_id = ${corp_id} and coupon_id = any(${coupon_ids})`)
  const limited = terms.filter(({ max_uses, budget_price }) => max_uses !== null || budget_price !== null)
  const used = await findCouponUses(
    on,
    corp_id,
    limited.map(({ coupon_id }) => coupon_id),
  )
  return terms.map((coupon) => {
    const own = used.filter(({ coupon_id }) => coupon_id === coupon.coupon_id)
    const uses = own.reduce((all, each) => all + each.uses, 0)
    const used_price = own.find(({ currency }) => currency === coupon.budget_currency)?.price ?? 0
    return { ...coupon, uses, used_price }
  })
}
