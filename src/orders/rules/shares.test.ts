import fc from 'fast-check'
import { expect, test } from 'vitest'
import { basisPointsOfShares, sharesAreWhole } from './shares.ts'

test('any basis points that sum to 10,000 are read off their decimals exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (points) => {
      const shares = { a: points / 10_000, b: (10_000 - points) / 10_000 }
      expect(sharesAreWhole(shares)).toEqual([])
      expect(basisPointsOfShares(shares)).toEqual({ a: points, b: 10_000 - points })
    }),
  )
})

test.each([
  [{ a: 0.5, b: 0.4999 }, 'must sum to 1'],
  [{ a: 1, b: 0.0001 }, 'must sum to 1'],
  [{ a: 0 }, 'must sum to 1'],
  [{ a: 0.33333, b: 0.66667 }, 'four decimals'],
  [{ a: 0.000_001, b: 0.999_999 }, 'four decimals'],
])('%j is refused: %s', (shares, reason) => {
  expect(sharesAreWhole(shares as unknown as Record<string, number>)[0]!.reason).toContain(reason)
})

test('none at all is fine', () => {
  expect(sharesAreWhole(undefined)).toEqual([])
  expect(sharesAreWhole({})).toEqual([])
})
