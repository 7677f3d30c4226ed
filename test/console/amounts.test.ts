import { expect, test } from 'vitest'
import { inCurrency, readMoney } from '../../console/src/parts/amount-text.ts'

test.each([
  ['1000', 'CNY', 100_000],
  ['1,000.5', 'CNY', 100_050],
  ['12 345 678', 'CNY', 1_234_567_800],
  ['1000.00', 'JPY', 1000],
  ['100,5', 'CNY', undefined],
  ['1,00', 'CNY', undefined],
  ['1,0000', 'CNY', undefined],
  ['1.234,50', 'CNY', undefined],
  ['10%', 'CNY', undefined],
  ['-5', 'CNY', undefined],
  ['0.005', 'CNY', undefined],
  ['10.5', 'JPY', undefined],
  ['', 'CNY', undefined],
])('%s typed as %s is %s', (text, currency, amount) => {
  expect(readMoney(text, currency)).toBe(amount)
})

test('a figure keeps its value in another currency, or is invalid there', () => {
  expect(inCurrency(100_000, 'CNY', 'JPY')).toBe(1000)
  expect(inCurrency(1000, 'JPY', 'KWD')).toBe(1_000_000)
  expect(inCurrency(1050, 'CNY', 'JPY')).toBeUndefined()
})
