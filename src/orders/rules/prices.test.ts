import { describe, expect, test } from 'vitest'
import type { CouponTerms } from '../copies-store.ts'
import { pricesOf, validCoupons } from './prices.ts'

const coupon = (terms: Partial<CouponTerms>): CouponTerms => ({
  coupon_id: 'c',
  amount: null,
  currency: null,
  basis_points: null,
  is_active: true,
  valid_from: null,
  valid_until: null,
  ...terms,
})
const amount = (value: number, currency = 'CNY') => coupon({ amount: value, currency })
const subOrder = (basis_points: number) => coupon({ basis_points })

describe('prices', () => {
  test('without anything else are the listed price', () => {
    expect(pricesOf({ currency: 'CNY', listed_price: 500 }, [])).toEqual({
      listed_price: 500,
      discounted_price: 500,
      service_charge: 0,
      foreign_service_charge: 0,
      total_price: 500,
    })
  })

  test('listed − coupons = discounted; discounted + charges = total', () => {
    const input = { currency: 'CNY', listed_price: 1005, service_charge: 3, foreign_service_charge: 4 }
    // 10 % of 1005 is 100.5, which goes to the even 100.
    expect(pricesOf(input, [amount(200), subOrder(1000)])).toMatchObject({
      discounted_price: 705,
      total_price: 712,
    })
  })

  test('a coupon may take all, and not a unit more', () => {
    expect(pricesOf({ currency: 'CNY', listed_price: 500 }, [amount(500)]).total_price).toBe(0)
    expect(pricesOf({ currency: 'CNY', listed_price: 500 }, [subOrder(10_000)]).total_price).toBe(0)
    expect(() => pricesOf({ currency: 'CNY', listed_price: 500 }, [amount(501)])).toThrow('coupon_ids')
    expect(() => pricesOf({ currency: 'CNY', listed_price: 500 }, [subOrder(10_000), amount(1)])).toThrow(
      'coupon_ids',
    )
  })

  test('a coupon in another currency is refused', () => {
    expect(() => pricesOf({ currency: 'CNY', listed_price: 500 }, [amount(5, 'JPY')])).toThrow(
      'in JPY, not in CNY',
    )
  })

  test('a discounted price that is given stands below the listed one, and agrees with the coupons', () => {
    const given = { currency: 'CNY', listed_price: 500 }
    expect(pricesOf({ ...given, discounted_price: 400 }, []).total_price).toBe(400)
    expect(() => pricesOf({ ...given, discounted_price: 501 }, [])).toThrow('discounted_price')
    expect(pricesOf({ ...given, discounted_price: 450 }, [amount(50)]).total_price).toBe(450)
    expect(() => pricesOf({ ...given, discounted_price: 449 }, [amount(50)])).toThrow('must be 450')
  })

  test('a total has at most 15 digits', () => {
    const input = { currency: 'CNY', listed_price: 999_999_999_999_999 }
    expect(pricesOf(input, []).total_price).toBe(999_999_999_999_999)
    expect(() => pricesOf({ ...input, service_charge: 1 }, [])).toThrow('service_charge')
  })
})

describe('coupons', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const check = (terms: Partial<CouponTerms>) => () =>
    validCoupons(['c'], [subOrder(1), coupon(terms)].slice(-1), now)

  test('are valid from the first moment to the last', () => {
    expect(check({ valid_from: now, valid_until: now })()).toHaveLength(1)
    expect(check({ valid_from: new Date(now.getTime() + 1) })).toThrow('not valid yet')
    expect(check({ valid_until: new Date(now.getTime() - 1) })).toThrow('no longer valid')
    expect(check({ is_active: false })).toThrow('not active')
  })

  test('come in the order that was asked for, each once', () => {
    const found = [coupon({ coupon_id: 'a' }), coupon({ coupon_id: 'b' })]
    expect(validCoupons(['b', 'a'], found, now).map(({ coupon_id }) => coupon_id)).toEqual(['b', 'a'])
    expect(() => validCoupons(['a', 'a'], found, now)).toThrow('once')
    expect(() => validCoupons(['x'], found, now)).toThrow('coupon')
  })
})
