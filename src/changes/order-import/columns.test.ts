import { expect, test } from 'vitest'
import { mapColumns } from '../../files/map-columns.ts'
import { readCell } from '../../files/read-cells.ts'
import { columns, orderColumns } from './columns.ts'

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
  const read = readCell(columns.paid_time, cell, { countsFrom1904: false })
  expect(day === undefined ? 'reason' in read : read).toEqual(day === undefined ? true : { value: day })
})

test('columns are found by their names, in any spelling', () => {
  const { names, unknown } = mapColumns(
    orderColumns,
    ['External ID', '手机号', ' Area-Code', 'listed price', 'Colour', 'Total', 'reject_reason'],
    { mapping: { Total: 'discounted_price' } },
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
  [['external_id', 'email', 'email'], {}, 'The header email occurs twice, in the columns B and C.'],
  [['external_id', 'email', 'E-Mail'], {}, 'The columns email and E-Mail both mean email.'],
  [['email'], {}, 'The column external_id is missing'],
  [['external_id', 'mobile'], {}, 'The column area_code is missing; mobile needs it.'],
  [['external_id', 'name'], {}, 'A column for the user is missing'],
  [
    ['external_id', 'email'],
    { Price: 'listed_price' },
    'The mapping names the header Price, which the file does not have.',
  ],
  [
    ['external_id', 'email'],
    { email: 'mail_address' },
    'The mapping sends email to mail_address, which is not a column',
  ],
])('headers %j with %j are refused', (headers, mapping, reason) => {
  expect(() => mapColumns(orderColumns, headers, { mapping: mapping as Record<string, string> })).toThrow(
    reason,
  )
})
