import { expect, test } from 'vitest'
import { reasonIn, rowReasonIn } from './row-reasons.ts'

const headers = ['姓名', '手机']

test('a reason names the columns by the headers of the file, in the language of the reader', () => {
  const faults = [{ at: 1, reason: 'is not a mobile number of CN (7 digits)' }]
  expect(rowReasonIn('en', 17, faults, headers)).toBe(
    'row 17, column 手机: is not a mobile number of CN (7 digits)',
  )
  expect(rowReasonIn('zh', 17, faults, headers)).toBe('第 17 行：“手机”不是 CN 的手机号（共 7 位）')
})

test('a fault without a column in the file names none', () => {
  const faults = [{ at: null, reason: 'belongs to another user' }]
  expect(rowReasonIn('en', 2, faults, headers)).toBe('row 2, belongs to another user')
  expect(rowReasonIn('zh', 2, faults, headers)).toBe('第 2 行：已属于另一位客户')
})

test('values are not translated, and an unknown reason stays in English', () => {
  expect(reasonIn('zh', 'names no course: EMBA $1. Choose one, or leave it empty')).toBe(
    '没有课程“EMBA $1”：请选择，或留空',
  )
  expect(reasonIn('zh', 'is odd')).toBe('is odd')
})
