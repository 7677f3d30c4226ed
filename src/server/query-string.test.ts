import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readQuery } from './query-string.ts'

const operation = { input: Type.Object({ corp_id: Type.String(), page: Type.Integer() }) }
const read = (text: string) => ({ ...readQuery(operation, text) })

test('parameters are decoded, and one that comes twice is a list', () => {
  expect(read('corp_id=%E7%8E%8B+x&page=&odd&page=2')).toEqual({ corp_id: '王 x', page: ['', '2'], odd: '' })
})

test('names that objects have by themselves are names like any other', () => {
  expect(Object.keys(readQuery(operation, '__proto__=a&toString=b&constructor=c'))).toEqual([
    '__proto__',
    'toString',
    'constructor',
  ])
})

test('an escape that is no UTF-8 is refused by the name of its parameter, and so said', () => {
  for (const text of ['%E0%A4', '%FF', 'a%', '%zz', '%C3%28', '%ED%A0%80'])
    expect(() => read(`page=1&corp_id=${text}`), text).toThrow('corp_id has escapes (%…) that are no UTF-8.')
  expect(() => read('corp_id=a&corp_id=%FF')).toThrow('corp_id has escapes')
})

test('in a parameter that nobody knows it is ignored like the parameter', () => {
  expect(read('corp_id=a&other=%FF')).toMatchObject({ corp_id: 'a' })
})
