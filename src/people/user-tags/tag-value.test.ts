import { expect, test } from 'vitest'
import { readTagValue } from './tag-value.ts'

test.each([
  ['0.10', 0.1],
  ['-12', -12],
  ['+5', 5],
  ['1e3', 1000],
  ['-0', 0],
  ['0e999', 0],
  ['123456789012345', 123_456_789_012_345],
  [`1${'0'.repeat(300)}`, 1e300],
])('%s is a number that JSON reproduces exactly', (text, number) => {
  expect(readTagValue(text).number).toBe(number)
})

test.each([
  '',
  ' 1',
  '.5',
  '5.',
  '1_0',
  '0x1',
  '1,5',
  'NaN',
  'Infinity',
  '1e400',
  '1e-400',
  '1234567890123456',
])('"%s" is no number', (text) => {
  expect(readTagValue(text).number).toBeNull()
})

test('a yes-or-no tag accepts only true and false, in lower case', () => {
  expect(['true', 'false', 'True', '1', 'yes'].map((text) => readTagValue(text).define)).toEqual([
    true,
    false,
    null,
    null,
    null,
  ])
})

test('text is stored unchanged', () => {
  expect(readTagValue(' 文 ').string).toBe(' 文 ')
})
