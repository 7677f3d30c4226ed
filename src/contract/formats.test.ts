import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isAreaCode,
  isBase64,
  isCalendarDate,
  isEmail,
  isLine,
  isLocalTime,
  isMobile,
  isText,
} from './formats.ts'

test('any text is valid, unless it has NUL or half a surrogate pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(isText(text)).toBe(!text.includes('\0'))
      expect(isText(`${text}\0`)).toBe(false)
      expect(isText(`\ud83d${text}`)).toBe(false)
      expect(isText(`${text}\udc00`)).toBe(false)
    }),
  )
  expect(isText('')).toBe(true)
  expect(isText('林晓 🎓')).toBe(true)
})

test('a line is text without control characters, line breaks and tabs among them', () => {
  const isControl = (code: number) =>
    code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029
  for (let code = 0; code < 0xd800; code++) {
    const text = `a${String.fromCharCode(code)}b`
    expect(isLine(text), code.toString(16)).toBe(!isControl(code))
  }
  expect(isLine('a\ud800')).toBe(false)
  expect(isLine('林晓 🎓')).toBe(true)
})

test.each(['a@example.com', 'A.B+c@EXAMPLE.com', '林晓@example.com', "o'neil@sub.example.co.uk"])(
  '%s is an e-mail address',
  (email) => expect(isEmail(email)).toBe(true),
)

test.each([
  '',
  'a',
  'a@',
  '@example.com',
  'a@b',
  'a b@example.com',
  'a@example..com',
  'a@example.com ',
  'a\0@example.com',
  '"a\tb"@example.com',
  '"a\u0001b"@example.com',
  `${'a'.repeat(100_000)}@example.com`,
])('%j is no e-mail address', (email) => expect(isEmail(email)).toBe(false))

test('base64 has whole groups of four characters, so that a truncated text is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(isBase64(text)).toBe(true)
      expect(isBase64(text.slice(0, -1))).toBe(false)
      expect(isBase64(`${text}A`)).toBe(false)
    }),
  )
  for (const text of ['', 'A', 'AAAAA', 'A===', '====', 'AA=A', 'AA==AAAA', 'AA-_', 'AAA\n']) {
    expect(isBase64(text), text).toBe(false)
  }
})

test.each(['1', '86', '44', '852', '998'])('%s is a calling code', (code) =>
  expect(isAreaCode(code)).toBe(true),
)

test.each(['', '0', '999', '+86', '086', '86 ', '８６', '99999', 'constructor'])(
  '%j is no calling code',
  (code) => expect(isAreaCode(code)).toBe(false),
)

test('a mobile number is one to fourteen digits and nothing else', () => {
  const digits = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
  fc.assert(fc.property(digits(1, 14), isMobile))
  fc.assert(fc.property(digits(15, 30), (number) => !isMobile(number)))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 14 }), (text) => {
      if (isMobile(text)) expect(text).toMatch(/^\d+$/)
    }),
  )
  for (const text of [
    '',
    '+1380013',
    '138 0013',
    '138-0013',
    '１３８',
    '138\n',
    '\n138',
    '1e5',
    '-1',
    '1.0',
  ]) {
    expect(isMobile(text), text).toBe(false)
  }
})

test('the days of the calendar are dates, in one format only', () => {
  const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(days, (day) => isCalendarDate(day.toISOString().slice(0, 10))))
  for (const text of ['2024-02-29', '2000-02-29', '2024-12-31']) expect(isCalendarDate(text), text).toBe(true)
})

test.each([
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '0000-01-01',
  '0000-12-31',
  '10000-01-01',
  '2024-1-1',
  '20240101',
  '2024/01/01',
  '2024-01-01T00:00:00',
  '2024-01-01 ',
  '+002024-01-01',
  '-000001-01-01',
  '２０２４-01-01',
  'today',
  '',
])('%j is no calendar date', (text) => expect(isCalendarDate(text)).toBe(false))

test('a local time is a day of the calendar, with or without a time of day', () => {
  for (const text of ['0001-01-01', '9999-12-31', '2024-02-29 00:00:00', '9999-12-31 23:59:59'])
    expect(isLocalTime(text), text).toBe(true)
  for (const text of [
    '0000-01-01',
    '0000-06-30 10:00:00',
    '2023-02-29 10:00:00',
    '2024-01-01 24:00:00',
    '2024-01-01 10:60:00',
    '2024-01-01 10:00:60',
    '2024-01-01 10:00',
    '2024-01-01T10:00:00',
    '2024-01-01 10:00:00 ',
    '2024-01-01  10:00:00',
    '2024-01-01 10:00:00 UTC',
    '2024-01-01 10:00:00.5',
    '',
  ])
    expect(isLocalTime(text), text).toBe(false)
})
