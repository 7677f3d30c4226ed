import { expect, test } from 'vitest'
import { mapColumns, readMapping } from '../spreadsheet/map-columns.ts'
import { majorText, minorUnits, readAmount, scaledRate } from './amounts.ts'
import { readCell } from './columns.ts'

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

test.each(['12,80', '1,2345', '-5', '1.28E+04', 'abc', '', '1.2.3', '¥12€', '12,800,00'])(
  '%j is no amount',
  (text) => {
    expect(readAmount(text)).toBeUndefined()
  },
)

test('decimals that the currency does not have, and marks of another, are refused', () => {
  expect(minorUnits(readAmount('1.280')!, 'CNY')).toBe('must have at most 2 decimals in CNY')
  expect(minorUnits(readAmount('12.5')!, 'JPY')).toBe('must have at most 0 decimals in JPY')
  expect(minorUnits(readAmount('€12')!, 'CNY')).toBe('is written in €, but the currency is CNY')
  expect(minorUnits(readAmount('90071992547409.93')!, 'CNY')).toBe('is more than the ledger takes')
  expect(scaledRate('7.1234')).toBe(71_234)
  expect(scaledRate('7.12345')).toBeUndefined()
  expect(majorText(5n, 'KWD')).toBe('0.005')
})

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026/2/8', '2026-02-08'],
  ['2026年2月8日', '2026-02-08'],
  ['2026-02-08T9:30', '2026-02-08 09:30:00'],
  ['45351', '2024-02-29'],
  ['2026-02-30', undefined],
  ['03/04/2026', undefined],
  ['12', undefined],
])('the day %s', (cell, day) => {
  const read = readCell('paid_time', cell, { countsFrom1904: false })
  expect(day === undefined ? 'reason' in read : read).toEqual(day === undefined ? true : { value: day })
})

test('columns are found by their names, however they are written', () => {
  const { names, unknown } = mapColumns(
    ['External ID', '手机号', ' Area-Code', 'listed price', 'Colour', 'Total', 'reject_reason'],
    { Total: 'discounted_price' },
  )
  expect(names).toEqual([
    'external_id',
    'mobile',
    'area_code',
    'listed_price',
    undefined,
    'discounted_price',
    undefined,
  ])
  expect(unknown).toEqual(['Colour'])
})

test.each([
  [['external_id', 'email', 'email'], {}, 'The header email stands twice, in the columns B and C.'],
  [['external_id', 'email', 'E-Mail'], {}, 'The columns email and E-Mail both mean email.'],
  [['email'], {}, 'The column external_id is missing'],
  [['external_id', 'mobile'], {}, 'The column area_code is missing beside mobile.'],
  [['external_id', 'name'], {}, 'A column that tells the user is missing'],
  [
    ['external_id', 'email'],
    { Price: 'listed_price' },
    'The mapping names the header Price, which the file does not have.',
  ],
  [
    ['external_id', 'email'],
    { email: 'mail_address' },
    'The mapping sends email to mail_address, which is no column',
  ],
])('headers %j with %j are refused', (headers, mapping, reason) => {
  expect(() => mapColumns(headers, mapping as Record<string, string>)).toThrow(reason)
})

test('a mapping is an object of texts', () => {
  expect(readMapping('{"A":"email"}')).toEqual({ A: 'email' })
  for (const text of ['[]', '{"a":1}', 'x']) expect(() => readMapping(text)).toThrow('The mapping file')
})
