import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { exchangeOf } from './exchange.ts'

describe('an amount in another currency', () => {
  const amount = fc.integer({ min: 1, max: largestAmount })

  test('has exact amounts and rate, or is refused with the name of a parameter', () => {
    const settled = fc.record({ price: amount, settled_price: amount })
    const rate = fc.stringMatching(/^[1-9][0-9]{0,11}(\.[0-9]{1,30})?$/)
    const rated = fc.record({ price: amount, rate })
    fc.assert(
      fc.property(fc.oneof(settled, rated), (input) => {
        try {
          const { order_price, exchange_rate } = exchangeOf(input, 'USD', 'CNY')
          expect([order_price, exchange_rate].every(Number.isSafeInteger)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })

  test('that is one cent and settles as the largest amount is refused', () => {
    expect(() => exchangeOf({ price: 1, settled_price: largestAmount }, 'USD', 'CNY')).toThrow(
      /rate that is too high/,
    )
  })
})
