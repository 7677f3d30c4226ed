import { ApiError, invalid } from '../../contract/errors.ts'
import { basisPointsOf, largestAmount } from '../../contract/rounding.ts'
import type { CouponTerms } from '../copies-store.ts'

export interface PriceInput {
  currency: string
  listed_price: number
  /** Given only where no coupon makes it. */
  discounted_price?: number
  service_charge?: number
  foreign_service_charge?: number
}

export interface Prices {
  listed_price: number
  discounted_price: number
  service_charge: number
  foreign_service_charge: number
  total_price: number
}

/** listed − coupons = discounted; discounted + charges = total. */
export function pricesOf(input: PriceInput, coupons: CouponTerms[]): Prices {
  const { listed_price, service_charge = 0, foreign_service_charge = 0 } = input
  const discount = coupons.reduce((sum, coupon) => sum + worthOf(coupon, input), 0)
  if (discount > listed_price) {
    throw invalid(
      'coupon_ids',
      `must not take off more (${discount}) than the listed price (${listed_price})`,
    )
  }
  const discounted_price =
    coupons.length > 0 ? listed_price - discount : (input.discounted_price ?? listed_price)
  if (discounted_price > listed_price) throw invalid('discounted_price', 'must not exceed listed_price')
  if (input.discounted_price !== undefined && input.discounted_price !== discounted_price) {
    throw invalid(
      'discounted_price',
      `must be ${discounted_price}, which the coupons leave of the listed price`,
    )
  }
  const total_price = discounted_price + service_charge + foreign_service_charge
  if (total_price > largestAmount) {
    throw invalid('service_charge', `must not bring the total price above ${largestAmount}`)
  }
  return { listed_price, discounted_price, service_charge, foreign_service_charge, total_price }
}

/** The coupons as they are asked for, each known, once, and valid now. */
export function validCoupons(asked: string[], found: CouponTerms[], now: Date): CouponTerms[] {
  if (new Set(asked).size !== asked.length) throw invalid('coupon_ids', 'must name each coupon once')
  return asked.map((id) => {
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
  })
}

function worthOf({ amount, currency, basis_points }: CouponTerms, input: PriceInput): number {
  if (basis_points !== null) return basisPointsOf(input.listed_price, basis_points)
  if (currency !== input.currency)
    throw invalid('coupon_ids', `names a coupon in ${currency}, not in ${input.currency}`)
  return amount!
}
