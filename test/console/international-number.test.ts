import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import { expect, test } from 'vitest'
import { readInternational } from '../../console/src/screens/people/international-number.ts'

test('a number with a calling code is split, in any notation', () => {
  expect(readInternational('+44 7700 900123')).toEqual({ area_code: '44', mobile: '7700900123' })
  expect(readInternational(' 0044 (0)7700-900123')).toEqual({ area_code: '44', mobile: '7700900123' })
  expect(readInternational('＋８５２ 9123 4567')).toEqual({ area_code: '852', mobile: '91234567' })
  expect(readInternational('138 0013 8000')).toBeUndefined()
  for (const none of ['+0 123', '+999 12345', '+210 12345', '+', '+86'])
    expect(readInternational(none)).toBeNull()
})

test('the codes are those of all countries, and no others', () => {
  const known = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))
  const read = new Set<string>()
  for (let first = 1; first < 1000; first++) {
    const found = readInternational(`+${String(first).padEnd(3, '0')}5550000`)
    if (found) read.add(found.area_code)
  }
  expect([...read].sort()).toEqual([...known].sort())
})
