import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import '../../access/staff/console-context.ts'
import { roles } from '../../access/staff/roles.ts'
import { sum } from '../rules/allocation.ts'
import { type CouponLine, manualDiscountOf, type Prices, worthOf } from '../rules/prices.ts'
import { type CounsellorRules, findCounsellorRules, noCounsellorRules } from './counsellor-rules-store.ts'

type Caller = Pick<OrganizationContext, 'role'>

/** Members of staff without the permission finance. Programs have no role: their permissions alone decide. */
function isCounsellor({ role }: Caller): boolean {
  return role !== undefined && !(roles[role] as readonly string[]).includes('finance')
}

/** Reads nothing where no caller is a counsellor. */
export async function findRulesFor(
  on: Queryable,
  corp_id: string,
  callers: Caller[],
): Promise<CounsellorRules> {
  return callers.some(isCounsellor) ? findCounsellorRules(on, corp_id) : noCounsellorRules
}

export function requireRecordsPayments(caller: Caller, { records_payments }: CounsellorRules): void {
  if (!isCounsellor(caller) || records_payments) return
  throw refused(
    'payments_by_finance',
    'Counsellors of this organization do not record payments. Ask a colleague with the permission finance.',
  )
}

/** The list price of a new order; undefined if the course has none in the currency of the order. */
interface ListPrice {
  currency: string
  list_price: number | undefined
}

/** The price of a new order. */
export function requirePriceOfNew(
  caller: Caller,
  rules: CounsellorRules,
  { currency, list_price }: ListPrice,
  prices: Prices,
): void {
  if (!isCounsellor(caller)) return
  if (list_price === undefined)
    throw refused(
      'no_list_price',
      'A counsellor sells courses in the currency of their list price. Other orders require the permission finance.',
    )
  const lowest = lowestPrice(list_price, prices.coupon_lines, rules)
  requireAtLeast(prices, { ...noCharges, listed_price: list_price, discounted_price: lowest }, currency)
}

const noCharges = { service_charge: 0, foreign_service_charge: 0 }

/**
 * A new price of an order, compared with the list price that the order has. A discount that finance gave stays; a
 * counsellor neither adds to it nor turns the discount of a coupon into one by hand.
 */
export function requirePriceOfChanged(
  caller: Caller,
  rules: CounsellorRules,
  before: Prices & { currency: string },
  prices: Prices,
): void {
  if (!isCounsellor(caller)) return
  const { listed_price, discounted_price } = before
  const lowest = lowestPrice(listed_price, prices.coupon_lines, rules)
  const coupons = worthOfAll(prices.coupon_lines, listed_price)
  const byHand = Math.max(manualDiscountOf(before), mostOff(listed_price, rules))
  const least = Math.max(Math.min(discounted_price, lowest), listed_price - byHand - coupons)
  requireAtLeast(prices, { ...before, discounted_price: least }, before.currency)
}

/**
 * Coupons count by their terms, of the list price: a higher listed price makes none of them worth more. Free orders are
 * for finance, regardless of the share and the coupons.
 */
function lowestPrice(listPrice: number, couponLines: CouponLine[], rules: CounsellorRules): number {
  return Math.max(1, listPrice - mostOff(listPrice, rules) - worthOfAll(couponLines, listPrice))
}

function mostOff(listPrice: number, { discount_basis_points }: CounsellorRules): number {
  return Number((BigInt(listPrice) * BigInt(discount_basis_points)) / 10_000n)
}

function worthOfAll(couponLines: CouponLine[], listPrice: number): number {
  return sum(couponLines.map((line) => ({ price: worthOf(line, listPrice) })))
}

type Least = Pick<Prices, 'listed_price' | 'discounted_price' | 'service_charge' | 'foreign_service_charge'>

const reasons = {
  listed_price: 'listed_price_too_low',
  discounted_price: 'price_too_low',
  service_charge: 'charge_too_low',
  foreign_service_charge: 'charge_too_low',
} as const

function requireAtLeast(prices: Prices, least: Least, currency: string): void {
  for (const param of Object.keys(reasons) as (keyof Least)[]) {
    if (prices[param] >= least[param]) continue
    const isFree = param === 'discounted_price' && prices.discounted_price === 0
    const reason = `must be at least ${least[param]} for a counsellor`
    const msg = isFree
      ? `A free order takes the permission finance: ${param} ${reason}.`
      : `${param} ${reason}: a lower one takes the permission finance.`
    throw new ApiError('permissionMissing', {
      msg,
      errors: [{ param, reason }],
      extra: { reason: isFree ? 'free_order' : reasons[param], lowest_price: least[param], currency },
    })
  }
}

function refused(reason: string, msg: string): ApiError {
  return new ApiError('permissionMissing', { msg, extra: { reason } })
}
