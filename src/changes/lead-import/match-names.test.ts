import { expect, test } from 'vitest'
import { createMatcher } from './match-names.ts'

const staff = createMatcher([
  { id: 's1', name: '王芳', also: ['wang@example.com'] },
  { id: 's2', name: '李雷', also: [] },
  { id: 's3', name: '李娜', also: [] },
  { id: 's4', name: '赵磊 Zhao Lei', also: [] },
])

test.each([
  ['s1', 's1', 100],
  ['王芳', 's1', 95],
  ['WANG@example.com', 's1', 95],
  ['王芳老师', 's1', 90],
  ['王老师', 's1', 70],
  ['赵磊', 's4', 70],
  ['zhao lei', 's4', 70],
])('%s is one member of staff', (text, id, confidence) => {
  expect(staff(text)).toMatchObject({ id, confidence })
})

test.each(['李老师', '孙老师', '芳芳', '', 'li'])('%j is nobody, or more than one', (text) => {
  expect(staff(text)).toBeUndefined()
})
