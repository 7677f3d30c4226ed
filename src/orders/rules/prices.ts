import { ApiError, invalid } from '../../contract/errors.ts'
import { basisPointsOf, largestAmount } from '../../contract/rounding.ts'
import { sum } from './allocation.ts'

/** The terms of a coupon that decide its discount. */
export interface CouponTerms {
  coupon_id: string
  amount: number | null
  currency: string | null
  basis_points: number | null
  is_active: boolean
  valid_from: Date | null
  valid_until: Date | null
  /** Null: no limit. */
  max_uses: number | null
  budget_price: number | null
  budget_currency: string | null
  /** The orders that have the coupon, and the sum of its discounts in the currency of the budget. */
  uses: number
  used_price: number
}

/** A coupon on an order: its terms when it was applied, and the discount. Later changes of the coupon do not affect it. */
export interface CouponLine {
  coupon_id: string
  amount: number | null
  /** Of the listed price. */
  basis_points: number | null
  price: number
}

export interface PriceInput {
  listed_price: number
  /** After all discounts. The part that no coupon explains is the manual discount. */
  discounted_price?: number
  /** Instead of discounted_price. */
  manual_discount?: number
  service_charge?: number
  foreign_service_charge?: number
  coupon_lines: CouponLine[]
}

export interface Prices {
  listed_price: number
  discounted_price: number
  service_charge: number
  foreign_service_charge: number
  total_price: number
  coupon_lines: CouponLine[]
}

/** listed − coupons − manual discount = discounted; discounted + charges = total. */
export function pricesOf(input: PriceInput): Prices {
  const { listed_price, service_charge = 0, foreign_service_charge = 0, manual_discount = 0 } = input
  const coupon_lines = input.coupon_lines.map((line) => ({ ...line, price: worthOf(line, listed_price) }))
  const left = listed_price - sum(coupon_lines)
  if (left < 0) {
    const taken = sum(coupon_lines)
    throw invalid('coupon_ids', `must not exceed the listed price (${listed_price}), but amount to ${taken}`)
  }
  if (manual_discount > left) {
    throw invalid('manual_discount', `must be at most ${left}, the listed price less the coupons`)
  }
  const discounted_price = input.discounted_price ?? left - manual_discount
  if (discounted_price > left) {
    throw invalid(
      'discounted_price',
      `must be at most ${left}, the listed price (${listed_price}) less the coupons`,
    )
  }
  const total_price = discounted_price + service_charge + foreign_service_charge
  if (total_price > largestAmount) {
    throw invalid('service_charge', `must not bring the total price above ${largestAmount}`)
  }
  return { listed_price, discounted_price, service_charge, foreign_service_charge, total_price, coupon_lines }
}

/** The discount in addition to the coupons. */
export function manualDiscountOf({ listed_price, discounted_price, coupon_lines }: Prices): number {
  return listed_price - discounted_price - sum(coupon_lines)
}

/**
 * The manually discounted amount: the manual discount, and a listed price below `full`, the highest that the order
 * had or the list price of its course.
 */
export function givenAwayOf(prices: Prices, full: number): number {
  const listed_price = Math.max(prices.listed_price, full)
  const coupons = sum(prices.coupon_lines.map((line) => ({ price: worthOf(line, listed_price) })))
  return listed_price - coupons - prices.discounted_price
}

/** The requested coupons of an order. Coupons that it has keep their terms; new ones must be valid now. */
export function couponLinesOf(
  asked: string[],
  order: { currency: string; coupon_lines: CouponLine[] },
  found: CouponTerms[],
  now: Date,
): CouponLine[] {
  if (new Set(asked).size !== asked.length) throw invalid('coupon_ids', 'must name each coupon once')
  return asked.map((id) => {
    const line = order.coupon_lines.find(({ coupon_id }) => coupon_id === id)
    return line ?? newLine(validCoupon(id, found, now), order.currency)
  })
}

/**
 * Counts the coupons of an order that is created or changed. Refuses a coupon without a use left, and a discount beyond the
 * budget. The caller holds the ledger's clock, so that nobody else counts at the same time.
 */
export function countCoupons(
  before: CouponLine[],
  after: CouponLine[],
  currency: string,
  found: CouponTerms[],
): void {
  const counted = after.flatMap((line) => {
    const coupon = found.find(({ coupon_id }) => coupon_id === line.coupon_id)
    const old = before.find(({ coupon_id }) => coupon_id === line.coupon_id)
    return coupon ? [{ coupon, isNew: !old, more: line.price - (old?.price ?? 0) }] : []
  })
  for (const each of counted) requireLeft(each, currency)
  for (const { coupon, isNew, more } of counted) {
    if (isNew) coupon.uses++
    if (currency === coupon.budget_currency) coupon.used_price += more
  }
}

function requireLeft(
  { coupon, isNew, more }: { coupon: CouponTerms; isNew: boolean; more: number },
  currency: string,
): void {
  const { coupon_id, max_uses, uses, budget_price, budget_currency, used_price } = coupon
  if (isNew && max_uses !== null && uses >= max_uses)
    throw invalid('coupon_ids', `names ${coupon_id}, which is used up: ${uses} of ${max_uses} uses`)
  if (budget_price === null || more <= 0) return
  if (currency !== budget_currency)
    throw invalid(
      'coupon_ids',
      `names ${coupon_id}, whose budget is in ${budget_currency}, not in ${currency}`,
    )
  const left = Math.max(0, budget_price - used_price)
  if (more > left)
    throw invalid(
      'coupon_ids',
      `names ${coupon_id}, which has ${left} of its budget of ${budget_price} left, and needs ${more} more`,
    )
}

function newLine({ coupon_id, amount, currency, basis_points }: CouponTerms, of: string): CouponLine {
  if (basis_points === null && currency !== of)
    throw invalid('coupon_ids', `names a coupon in ${currency}, not in ${of}`)
  return { coupon_id, amount, basis_points, price: 0 }
}

function validCoupon(id: string, found: CouponTerms[], now: Date): CouponTerms {
  const coupon = found.find(({ coupon_id }) => coupon_id === id)
  if (!coupon) {
    throw new ApiError('couponNotFound', {
      errors: [{ param: 'coupon_ids', reason: 'names a coupon that does not exist' }],
    })
  }
  if (!coupon.is_active) throw invalid('coupon_ids', 'names a coupon that is not active')
  if (coupon.valid_from && coupon.valid_from > now)
    throw invalid('coupon_ids', 'names a coupon that is not valid yet')
  if (coupon.valid_until && coupon.valid_until < now)
    throw invalid('coupon_ids', 'names a coupon that is no longer valid')
  return coupon
}

/** The discount of a coupon on a listed price. */
export function worthOf({ amount, basis_points }: CouponLine, listedPrice: number): number {
  return basis_points === null ? amount! : basisPointsOf(listedPrice, basis_points)
}

/** The manual discount is given directly or by the discounted price, not by both. */
export function discountIsGivenOnce(isSent: (name: string) => boolean) {
  return isSent('manual_discount') && isSent('discounted_price')
    ? [{ param: 'manual_discount', reason: 'must not be sent with discounted_price' }]
    : []
}
