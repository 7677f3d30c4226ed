import { describe, expect, test } from 'vitest'
import type { CouponTerms } from './prices.ts'
import { type CouponLine, couponLinesOf, manualDiscountOf, pricesOf } from './prices.ts'

const coupon = (terms: Partial<CouponTerms>): CouponTerms => ({
  coupon_id: 'c',
  amount: null,
  currency: null,
  basis_points: null,
  is_active: true,
  valid_from: null,
  valid_until: null,
  ...{ max_uses: null, budget_price: null, budget_currency: null, uses: 0, used_price: 0 },
  ...terms,
})
const line = (terms: Partial<CouponLine>): CouponLine => ({
  ...{ coupon_id: 'c', amount: null, basis_points: null, price: 0 },
  ...terms,
})
const amount = (value: number) => line({ amount: value })
const share = (basis_points: number) => line({ basis_points })
const priced = (listed_price: number, ...coupon_lines: CouponLine[]) =>
  pricesOf({ listed_price, coupon_lines })

describe('prices', () => {
  test('without discounts and charges are the listed price', () => {
    expect(priced(500)).toEqual({
      listed_price: 500,
      discounted_price: 500,
      service_charge: 0,
      foreign_service_charge: 0,
      total_price: 500,
      coupon_lines: [],
    })
  })

  test('listed − coupons − manual discount = discounted; discounted + charges = total', () => {
    const charges = { service_charge: 3, foreign_service_charge: 4 }
    const coupon_lines = [amount(200), share(1000)]
    const prices = pricesOf({ listed_price: 1005, ...charges, manual_discount: 5, coupon_lines })
    expect(prices).toMatchObject({ discounted_price: 700, total_price: 707 })
    // 10 % of 1005 is 100.5, which goes to the even 100.
    expect(prices.coupon_lines.map(({ price }) => price)).toEqual([200, 100])
    expect(manualDiscountOf(prices)).toBe(5)
  })

  test('a coupon discounts at most the whole price', () => {
    expect(priced(500, amount(500)).total_price).toBe(0)
    expect(priced(500, share(10_000)).total_price).toBe(0)
    expect(() => priced(500, amount(501))).toThrow('coupon_ids')
    expect(() => priced(500, share(10_000), amount(1))).toThrow('coupon_ids')
  })

  test('a given discounted price determines the manual discount', () => {
    const given = { listed_price: 500, coupon_lines: [] }
    expect(manualDiscountOf(pricesOf({ ...given, discounted_price: 400 }))).toBe(100)
    expect(() => pricesOf({ ...given, discounted_price: 501 })).toThrow('discounted_price')
    const withCoupon = { ...given, coupon_lines: [amount(50)] }
    expect(manualDiscountOf(pricesOf({ ...withCoupon, discounted_price: 450 }))).toBe(0)
    expect(manualDiscountOf(pricesOf({ ...withCoupon, discounted_price: 449 }))).toBe(1)
    expect(() => pricesOf({ ...withCoupon, discounted_price: 451 })).toThrow('must be at most 450')
  })

  test('a total has at most 15 digits', () => {
    const input = { listed_price: 999_999_999_999_999, coupon_lines: [] }
    expect(pricesOf(input).total_price).toBe(999_999_999_999_999)
    expect(() => pricesOf({ ...input, service_charge: 1 })).toThrow('service_charge')
  })
})

describe('coupons', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const order = { currency: 'CNY', coupon_lines: [] as CouponLine[] }
  const check = (terms: Partial<CouponTerms>) => () =>
    couponLinesOf(['c'], order, [coupon({ basis_points: 1, ...terms })], now)

  test('are valid from the first moment to the last', () => {
    expect(check({ valid_from: now, valid_until: now })()).toHaveLength(1)
    expect(check({ valid_from: new Date(now.getTime() + 1) })).toThrow('not valid yet')
    expect(check({ valid_until: new Date(now.getTime() - 1) })).toThrow('no longer valid')
    expect(check({ is_active: false })).toThrow('not active')
  })

  test('of another currency are refused', () => {
    expect(check({ basis_points: null, amount: 5, currency: 'JPY' })).toThrow('in JPY, not in CNY')
  })

  test('keep the requested order, each once', () => {
    const found = [coupon({ coupon_id: 'a', basis_points: 1 }), coupon({ coupon_id: 'b', basis_points: 1 })]
    const asked = (...ids: string[]) =>
      couponLinesOf(ids, order, found, now).map(({ coupon_id }) => coupon_id)
    expect(asked('b', 'a')).toEqual(['b', 'a'])
    expect(() => asked('a', 'a')).toThrow('once')
    expect(() => asked('x')).toThrow('coupon')
  })

  test('of an order are not checked again, and keep their terms', () => {
    const had = line({ basis_points: 77, price: 7 })
    const ended = coupon({ basis_points: 1, is_active: false })
    expect(couponLinesOf(['c'], { ...order, coupon_lines: [had] }, [ended], now)).toEqual([had])
    expect(couponLinesOf(['c'], { ...order, coupon_lines: [had] }, [], now)).toEqual([had])
  })
})
