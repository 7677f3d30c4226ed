import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyExponents } from './currencies.ts'
import { majorUnits, plainRate } from './money.ts'

const largest = 999_999_999_999_999
const currencyByExponent = ['JPY', undefined, 'CNY', 'KWD', 'CLF'] as const
const amounts = fc.oneof(
  fc.integer({ min: -largest, max: largest }),
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.constantFrom(0, 1, -1, largest, -largest, largest - 1, 100_000_000_000_000),
)

test.each([0, 2, 3, 4])('every amount comes out digit for digit with %i decimals', (exponent) => {
  const currency = currencyByExponent[exponent]!
  expect(currencyExponents[currency]).toBe(exponent)
  fc.assert(
    fc.property(amounts, (minor) => {
      expect(JSON.stringify(majorUnits(minor, currency))).toBe(shifted(minor, exponent))
    }),
    { numRuns: 2000 },
  )
})

test('exchange rates keep every digit', () => {
  fc.assert(
    fc.property(amounts, (rate) => JSON.stringify(plainRate(rate)) === shifted(rate, 4)),
    { numRuns: 2000 },
  )
})

test.each([
  [5, 'CNY', 0.05],
  [-5, 'CNY', -0.05],
  [29, 'CNY', 0.29],
  [1_280_000, 'JPY', 1_280_000],
  [1, 'KWD', 0.001],
  [1, 'CLF', 0.0001],
  [largest, 'CNY', 9_999_999_999_999.99],
])('%i of the minor unit of %s is %d', (minor, currency, major) => {
  expect(majorUnits(minor, currency)).toBe(major)
})

test('zero has no sign', () => {
  expect(Object.is(majorUnits(0, 'CNY'), 0)).toBe(true)
  expect(Object.is(majorUnits(-0, 'CNY'), 0)).toBe(true)
})

test('a currency outside the standard has two decimals', () => {
  expect(majorUnits(12_345, 'QQQ')).toBe(123.45)
})

/** The same with integers only: quotient and remainder. */
function shifted(minor: number, exponent: number): string {
  const unit = 10n ** BigInt(exponent)
  const amount = BigInt(Math.abs(minor))
  const decimals =
    exponent === 0
      ? ''
      : String(amount % unit)
          .padStart(exponent, '0')
          .replace(/0+$/, '')
  return `${minor < 0 ? '-' : ''}${amount / unit}${decimals && `.${decimals}`}`
}
