import { expect, test } from 'vitest'
import { fullName } from './full-name.ts'

test('the name itself goes before its parts', () => {
  expect(fullName({ name: 'Mei L.', first_name: 'Mei', last_name: 'Lin' })).toBe('Mei L.')
})

test('a missing name is made of its parts, in the order of their script', () => {
  expect(fullName({ name: '', first_name: 'Mei', last_name: 'Lin' })).toBe('Mei Lin')
  expect(fullName({ name: null, first_name: '梅', last_name: '林' })).toBe('林梅')
})

test('one part alone is the name, and no part is an empty one', () => {
  expect(fullName({ name: null, first_name: null, last_name: 'Lin' })).toBe('Lin')
  expect(fullName({ name: null, first_name: null, last_name: null })).toBe('')
})
