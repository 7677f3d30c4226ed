import fc from 'fast-check'
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { readPhoneNumber } from './phone-number.ts'

const china = { country: 'CN' }
const mei = { area_code: '86', mobile: '13800138000' }

test.each([
  '13800138000',
  '+86 138-0013-8000',
  '0086 138 0013 8000',
  '(0086)13800138000',
  '8613800138000',
  '013800138000',
  '(0)138 0013 8000',
  '１３８００１３８０００',
  '＋８６　１３８－００１３－８０００',
  '138.0013.8000',
  '13800138000.0',
  ' 138\u00a00013\u20118000 ',
])('%j is the same number to everybody in China', (written) => {
  expect(readPhoneNumber(written, china)).toEqual(mei)
})

test.each([
  '',
  'none',
  '12',
  '1.38E+10',
  '13800138000/13900139000',
  '13800138000 ext 5',
  '+999 1',
  'tel:138',
])('%j is no number', (written) => {
  expect(readPhoneNumber(written, china)).toBeUndefined()
})

test('a separate calling code applies, and one in the number has priority', () => {
  expect(readPhoneNumber('13800138000', { area_code: '86' })).toEqual(mei)
  expect(readPhoneNumber('0086 13800138000', { area_code: '1' })).toEqual(mei)
  expect(readPhoneNumber('001 415 555 2671', china)).toEqual({ area_code: '1', mobile: '4155552671' })
})

test('the numbers of every country are read, with any separators', () => {
  const countries = getCountries().filter((country) => getExampleNumber(country, examples))
  const separators = fc.constantFrom('', ' ', '-', '  ', ' - ', '.')
  fc.assert(
    fc.property(fc.constantFrom(...countries), fc.infiniteStream(separators), (country, stream) => {
      const { nationalNumber: mobile } = getExampleNumber(country, examples)!
      const area_code = getCountryCallingCode(country)
      const divided = [...mobile].reduce((text, digit) => text + stream.next().value + digit)
      expect(readPhoneNumber(divided, { country })).toEqual({ area_code, mobile })
      expect(readPhoneNumber(`+${area_code} ${divided}`, china)).toEqual({ area_code, mobile })
      expect(readPhoneNumber(`00${area_code}${divided}`, china)).toEqual({ area_code, mobile })
    }),
  )
})
