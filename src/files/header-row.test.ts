import { describe, expect, test } from 'vitest'
import { findHeader } from './header-row.ts'

const known = new Set(['姓名', '手机', '邮箱', '来源', '备注', '联系方式', '电话', '活动', 'Name', 'Mobile'])
const isHeader = (text: string) => known.has(text)

/** Rows as in a spreadsheet; a blank row is "". */
function rowsOf(...lines: string[]) {
  return lines
    .map((line, index) => ({ row: index + 1, cells: line.split('|') }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

describe('the header row is found', () => {
  test.each<[string, string[], { row: number; names: string[] }]>([
    ['in the first row', ['姓名|手机', '王小明|13800138000'], { row: 1, names: ['姓名', '手机'] }],
    [
      'below a title and a note',
      ['开放日报名表', '', '导出时间|2026-11-01 09:30', '姓名|手机|备注', '王小明|13800138000|'],
      { row: 4, names: ['姓名', '手机', '备注'] },
    ],
    ['below a title, in a table of one column', ['名单', '手机', '13800138000'], { row: 2, names: ['手机'] }],
    [
      'in the lower one of two rows, completed by the upper one',
      ['姓名|联系方式||备注', '|手机|邮箱|', '王小明|13800138000|a@example.com|'],
      { row: 2, names: ['姓名', '手机', '邮箱', '备注'] },
    ],
    [
      'in the lower one of two rows, with the group where a name repeats',
      ['学员||家长|', '姓名|手机|姓名|手机', '王小明|13800138000|王强|13800138001'],
      { row: 2, names: ['学员 姓名', '学员 手机', '家长 姓名', '家长 手机'] },
    ],
    [
      'above rows that hold names of columns',
      ['客户|渠道|联系', '王小明|活动|电话', '李雷|活动|电话'],
      { row: 1, names: ['客户', '渠道', '联系'] },
    ],
    [
      'above people who lack most values',
      ['姓名|手机|备注', '王小明||', '|13800138000|来源'],
      { row: 1, names: ['姓名', '手机', '备注'] },
    ],
    [
      'by its width where no name is known',
      ['Fair 2026', 'Kunde|Handy|Stadt', 'Meier|0171 2345678|Köln'],
      { row: 2, names: ['Kunde', 'Handy', 'Stadt'] },
    ],
    [
      'nowhere, in a file of people only',
      ['王小明|13800138000', '李雷|13800138001'],
      { row: 0, names: ['A', 'B'] },
    ],
  ])('%s', (_, lines, expected) => {
    const { row, names } = findHeader(rowsOf(...lines), { isHeader })
    expect({ row, names }).toEqual(expected)
  })
})

test('the header row can be chosen, and a blank one is refused', () => {
  const rows = rowsOf('姓名|手机', '', 'Name|Mobile', '王小明|13800138000')
  expect(findHeader(rows, { isHeader, headerRow: 3 })).toMatchObject({ row: 3, names: ['Name', 'Mobile'] })
  expect(findHeader(rows, { isHeader, headerRow: 0 })).toEqual({ row: 0, names: ['A', 'B'] })
  expect(() => findHeader(rows, { isHeader, headerRow: 2 })).toThrow('Row 2 is empty or missing')
})

test('without names of columns, the first row has the headers', () => {
  expect(findHeader(rowsOf('', 'Statement', 'a|b'), {})).toEqual({ row: 2, names: ['Statement'] })
})
