import { expect, test } from 'vitest'
import { mobileFault, readMobile } from './read-mobile.ts'

const china = { country: 'CN' }
const number = { area_code: '86', mobile: '13900000034' }

test.each([
  '13900000034',
  '13,900,000,034',
  '13,900,000,034.00',
  "'13900000034",
  '="13900000034"',
  'p:+8613900000034',
  'tel:139-0000-0034',
  '手机：13900000034',
  '1.3900000034E+10',
  '13900000034.0',
  '(0086) 139 0000 0034',
])('%j is read, because nothing is lost', (written) => {
  expect(readMobile(written, china)).toEqual({ number })
})

test.each([
  ['1.39E+10', 'was shortened by Excel: format the column as text, and enter the whole number'],
  ['1.390000003E+10', 'was shortened by Excel: format the column as text, and enter the whole number'],
  ['13900000034 ext 3', 'has the extension 3, which a mobile number cannot have: remove it'],
  ['13900000034转3', 'has the extension 3, which a mobile number cannot have: remove it'],
  ['139****1234', 'is masked: the hidden digits are lost'],
  ['1390000', 'is not a mobile number of CN (7 digits)'],
  ['1390000301', 'is not a mobile number of CN (10 digits)'],
  ['11111111111', 'is not a mobile number of CN (11 digits)'],
  ['010-62780000', 'is a number of a landline or a service (CN), not a mobile number'],
  ['none', 'is not a phone number'],
  ['+999 1', 'is not a mobile number (4 digits)'],
  ['13900000034/13900000035/13900000036', 'has 3 numbers: leave at most two'],
  ['13900000034/139', 'is not a mobile number of CN (3 digits)'],
])('%j is rejected with what happened', (written, reason) => {
  expect(readMobile(written, china)).toEqual({ reason })
})

test.each([
  ['886-912-345-679', { looksLike: '886', number: { area_code: '886', mobile: '912345679' } }],
  ['85291234568', { looksLike: '852', number: { area_code: '852', mobile: '91234568' } }],
  ['14155552699', { looksLike: '1', number: { area_code: '1', mobile: '4155552699' } }],
])('%j looks like the number of another country', (written, read) => {
  expect(readMobile(written, china)).toEqual(read)
  expect(readMobile(`+${written}`, china)).toEqual({ number: read.number })
})

test('a cell may hold two numbers, and the same one twice is one', () => {
  const second = { area_code: '86', mobile: '13900000035' }
  for (const written of [
    '13900000034/13900000035',
    '13900000034 ::: +86 13900000035',
    '13900000034；13900000035',
  ])
    expect(readMobile(written, china)).toEqual({ number, second })
  expect(readMobile('13900000034;+8613900000034', china)).toEqual({ number })
})

test('a second phone may be a landline', () => {
  const read = readMobile('010-62780000', china, { allowsLandline: true })
  expect(read).toEqual({ number: { area_code: '86', mobile: '1062780000' } })
})

test('a stored number is checked as one of its calling code', () => {
  expect(mobileFault(number)).toBeUndefined()
  expect(mobileFault({ area_code: '1', mobile: '4155552671' })).toBeUndefined()
  expect(mobileFault({ area_code: '86', mobile: '1390000' })).toBe(
    'is not a mobile number of calling code 86',
  )
  expect(mobileFault({ area_code: '86', mobile: '013900000034' })).toBeDefined()
})
