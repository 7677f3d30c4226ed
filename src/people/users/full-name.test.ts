import { expect, test } from 'vitest'
import { fullName } from './full-name.ts'

test('the full name has priority over its parts', () => {
  expect(fullName({ name: 'Mei L.', first_name: 'Mei', last_name: 'Lin' })).toBe('Mei L.')
})

test('a missing name is composed of its parts, in the order of their script', () => {
  expect(fullName({ name: '', first_name: 'Mei', last_name: 'Lin' })).toBe('Mei Lin')
  expect(fullName({ name: null, first_name: '梅', last_name: '林' })).toBe('林梅')
})

test('a single part is the name, and without parts the name is empty', () => {
  expect(fullName({ name: null, first_name: null, last_name: 'Lin' })).toBe('Lin')
  expect(fullName({ name: null, first_name: null, last_name: null })).toBe('')
})
