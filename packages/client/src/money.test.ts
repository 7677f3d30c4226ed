import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyExponents } from '../../../src/contract/currencies.ts'
import { majorUnits } from '../../../src/contract/money.ts'
import type { OrderRow } from './generated/types.ts'
import { Money, money } from './money.ts'

const currencies = fc.constantFrom(...Object.keys(currencyExponents))
const amounts = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n })

test('an amount is the decimal of the service, and is read back from it', () => {
  fc.assert(
    fc.property(currencies, amounts, (currency, minor) => {
      const { decimal } = new Money(minor, currency)
      expect(Number(decimal)).toBe(majorUnits(Number(minor), currency) || 0)
      expect(Money.parse(decimal, currency).minor).toBe(minor)
    }),
  )
  expect(String(new Money(900_000, 'CNY'))).toBe('9000.00 CNY')
  expect(String(new Money(-5n, 'KWD'))).toBe('-0.005 KWD')
  expect(JSON.stringify(new Money(500, 'JPY'))).toBe('{"minor":"500","currency":"JPY"}')
})

test('more decimals than the currency has are refused', () => {
  expect(Money.parse('9000.5', 'CNY').minor).toBe(900_050n)
  for (const [text, currency] of [
    ['0.001', 'CNY'],
    ['1.5', 'JPY'],
    ['1,000.00', 'CNY'],
    ['', 'CNY'],
    ['1.', 'CNY'],
  ])
    expect(() => Money.parse(text!, currency!), text).toThrow(RangeError)
})

test('amounts of two currencies are not added', () => {
  expect(new Money(1, 'CNY').plus(new Money(2, 'CNY')).minor).toBe(3n)
  expect(() => new Money(1, 'CNY').plus(new Money(2, 'USD'))).toThrow('0.02 USD cannot be added to 0.01 CNY')
})

test('a price of a record has the currency of the record', () => {
  const row = { currency: 'USD', total_price: 100, application_fee_price: 5, application_fee_currency: 'JPY' }
  const order = row as unknown as OrderRow
  expect(String(money(order, 'total_price'))).toBe('1.00 USD')
  expect(
    String(money(row as never, 'application_fee_price' as never, 'application_fee_currency' as never)),
  ).toBe('5 JPY')
  // @ts-expect-error A number that is not a price
  void (() => money(order, 'installment_count'))
  // @ts-expect-error A member that is not there
  void (() => money(order, 'total_cost'))
})
