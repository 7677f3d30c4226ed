import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyExponents } from './currencies.ts'
import {
  basisPointsOf,
  convert,
  divideHalfEven,
  integerOfRate,
  largestAmount,
  rateBetween,
  rateOfInteger,
  shareOut,
  split,
} from './rounding.ts'

const amount = fc.integer({ min: 0, max: largestAmount })
const rate = fc.integer({ min: 1, max: 100_000_000_000 })
const currency = fc.constantFrom('JPY', 'CNY', 'USD', 'KWD', 'CLF')

test.each([
  [5n, 2n, 2n],
  [7n, 2n, 4n],
  [15n, 10n, 2n],
  [25n, 10n, 2n],
  [26n, 10n, 3n],
  [24n, 10n, 2n],
  [0n, 7n, 0n],
])('%i / %i is %i: halves go to the even neighbour', (numerator, denominator, quotient) => {
  expect(divideHalfEven(numerator, denominator)).toBe(quotient)
})

describe('an exchange', () => {
  test('is never off by more than half a unit, and a half is even', () => {
    fc.assert(
      fc.property(amount, currency, currency, rate, (minor, from, to, by) => {
        const n = BigInt(minor) * BigInt(by) * 10n ** BigInt(currencyExponents[to]!)
        const d = 10_000n * 10n ** BigInt(currencyExponents[from]!)
        const exact = divideHalfEven(n, d)
        // The number is exact for all amounts of the ledger.
        if (exact > BigInt(largestAmount)) return
        const result = BigInt(convert(minor, from, to, rateOfInteger(by)))
        const off = 2n * (result * d - n)
        expect(off <= d && off >= -d).toBe(true)
        if (off === d || off === -d) expect(result % 2n).toBe(0n)
      }),
      { numRuns: 2000 },
    )
  })

  test('into the same currency at 1 is the amount itself', () => {
    fc.assert(
      fc.property(amount, currency, (minor, own) => {
        expect(convert(minor, own, own, '1')).toBe(minor)
      }),
    )
  })

  test.each([
    ['7.1234', 71_234],
    ['0.00072222', 7],
    ['0.00025', 2],
    ['0.00035', 4],
    ['1', 10_000],
    ['1384.6153846153846153', 13_846_154],
  ])('the rate %s is shown as %i', (decimal, integer) => {
    expect(integerOfRate(decimal)).toBe(integer)
    if (decimal.length < 7) expect(rateOfInteger(integer)).toBe(decimal)
  })

  test('by the rate between the paid and the settled amount returns the settled amount', () => {
    const small = fc.integer({ min: 1, max: 1_000_000_000 })
    fc.assert(
      fc.property(small, currency, currency, small, (minor, from, to, settled) => {
        expect(convert(minor, from, to, rateBetween(minor, from, to, settled))).toBe(settled)
      }),
    )
    expect(rateBetween(1_384_615, 'KRW', 'USD', 100_000)).toBe('0.0007222224228395619')
  })

  test('is monotonic', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        currency,
        currency,
        fc.integer({ min: 1, max: 100_000 }),
        (minor, from, to, by) => {
          expect(convert(minor + 1, from, to, rateOfInteger(by))).toBeGreaterThanOrEqual(
            convert(minor, from, to, rateOfInteger(by)),
          )
        },
      ),
    )
  })
})

describe('a split', () => {
  test('is exact: equal parts, the remainder on the last', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 60 }), (whole, count) => {
        const parts = split(whole, count)
        expect(parts).toHaveLength(count)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
        expect(new Set(parts.slice(0, -1)).size).toBeLessThanOrEqual(1)
        expect(parts.at(-1)! - parts[0]!).toBeLessThan(count)
        expect(parts.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('basis points', () => {
  test('of an amount are between zero and the amount', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (whole, points) => {
        const share = basisPointsOf(whole, points)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(whole)
        expect(Math.abs(share + basisPointsOf(whole, 10_000 - points) - whole)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each([
    [25, 1000, 2],
    [35, 1000, 4],
    [10_000, 3333, 3333],
    [1, 5000, 0],
    [3, 5000, 2],
  ])('of %i: %i are %i', (whole, points, share) => {
    expect(basisPointsOf(whole, points)).toBe(share)
  })
})

describe('sharing out', () => {
  test('is exact, within a unit of the exact shares; equal weights differ by at most a unit, and earlier ones get more', () => {
    fc.assert(
      fc.property(
        amount,
        fc.array(fc.integer({ min: 0, max: largestAmount }), { minLength: 1 }),
        (all, weights) => {
          const shares = shareOut(all, weights)
          const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n)
          if (sum === 0n) return
          expect(shares.reduce((total, share) => total + BigInt(share), 0n)).toBe(BigInt(all))
          for (const [index, weight] of weights.entries()) {
            const off = BigInt(shares[index]!) * sum - BigInt(all) * BigInt(weight)
            expect(off < sum && off > -sum).toBe(true)
            const equal = weights.lastIndexOf(weight)
            expect([0, 1]).toContain(shares[index]! - shares[equal]!)
          }
        },
      ),
    )
  })
})
