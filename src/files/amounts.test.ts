import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyExponents } from '../contract/currencies.ts'
import { majorText, minorUnits, readAmount } from './amounts.ts'

test.each([
  ['12800', 'CNY', 1_280_000],
  ['12,800.00', 'CNY', 1_280_000],
  ['1 280', 'CNY', 128_000],
  ['1\u00a0280\u202f000,50'.replace(',50', '.50'), 'CNY', 128_000_050],
  ['￥12,800', 'CNY', 1_280_000],
  ['１２，８００．５０', 'CNY', 1_280_050],
  ['12.800,50', 'EUR', 1_280_050],
  ['1,28,000', 'INR', 12_800_000],
  ["12'800.05", 'CHF', 1_280_005],
  ['CNY 12,800', 'CNY', 1_280_000],
  ['12800元', 'CNY', 1_280_000],
  ['12,800', 'JPY', 12_800],
  ['1.280', 'KWD', 1280],
  ['9999999999999.99', 'CNY', 999_999_999_999_999],
] as const)('%s in %s is exact', (text, currency, minor) => {
  expect(minorUnits(readAmount(text)!, currency)).toBe(minor)
})

test.each(['12,80', '1,2345', '-5', '1.28E+04', 'abc', '', '1.2.3', '¥12€', '12,800,00', '0,250', '012,800'])(
  '%j is no amount',
  (text) => {
    expect(readAmount(text)).toBeUndefined()
  },
)

test('decimals that the currency does not have, and marks of another currency, are refused', () => {
  expect(minorUnits(readAmount('1.280')!, 'CNY')).toBe('must have at most 2 decimals in CNY')
  expect(minorUnits(readAmount('12.5')!, 'JPY')).toBe('must have at most 0 decimals in JPY')
  expect(minorUnits(readAmount('€12')!, 'CNY')).toBe('is written in €, but the currency is CNY')
  expect(minorUnits(readAmount('90071992547409.93')!, 'CNY')).toBe('is more than the ledger takes')
  expect(majorText(5n, 'KWD')).toBe('0.005')
})

const currency = fc.constantFrom(...Object.keys(currencyExponents))
const minor = fc.bigInt({ min: 0n, max: 900_000_000_000_000n })

test('one comma is ambiguous in currencies with three decimals, for any digits, and nowhere else', () => {
  expect(minorUnits(readAmount('1,250')!, 'TND')).toBe(
    'may be 1250 or 1.250 in TND: write it without a comma',
  )
  const digits = (count: number) =>
    fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), digits(3), currency, (whole, group, code) => {
      const read = minorUnits(readAmount(`${whole},${group}`)!, code)
      if (currencyExponents[code]! >= 3) expect(read).toContain(`or ${whole}.${group} in ${code}`)
      else expect(read).toBe(Number(`${whole}${group}`) * 10 ** currencyExponents[code]!)
    }),
  )
})

test('unambiguous amounts are read exactly, in every currency, grouped or not', () => {
  fc.assert(
    fc.property(minor, currency, fc.constantFrom('', ',', ' ', "'"), (amount, code, mark) => {
      const [whole, decimals] = majorText(amount, code).split('.')
      const grouped = whole!.replaceAll(/\B(?=([0-9]{3})+$)/g, mark)
      const written = decimals === undefined ? grouped : `${grouped}.${decimals}`
      expect(minorUnits(readAmount(written)!, code)).toBe(Number(amount))
    }),
  )
})
