import { parse } from 'node:querystring'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Type } from '../../contract/type.ts'
import { queryStringReader } from './query-string.ts'

const read = queryStringReader({ input: Type.Object({ corp_id: Type.String(), page: Type.Integer() }) })

test('parameters are decoded, and a repeated one is a list', () => {
  const { values, unknown } = read('corp_id=%E7%8E%8B+x&page=&odd&page=2')
  expect(values).toEqual({ corp_id: '王 x', page: ['', '2'] })
  expect(unknown).toEqual(['odd'])
})

test('any text is parsed as the platform parses it', () => {
  const piece = fc.constantFrom(
    'corp_id',
    'page',
    'p',
    '=',
    '==',
    '&',
    '&&',
    '+',
    '%41',
    '%E7%8E%8B',
    'x',
    '?',
    '#',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const { corp_id, page, ...others } = parse(text, '&', '=', { maxKeys: 0 })
      const { values, unknown } = read(text)
      expect([values.corp_id, values.page]).toEqual([corp_id, page])
      expect(unknown).toEqual(Object.keys(others))
    }),
    { numRuns: 2000 },
  )
})

test('names of Object.prototype are ordinary names', () => {
  const { values, unknown } = read('__proto__=a&toString=b&constructor=c')
  expect(Object.keys(values)).toEqual([])
  expect(unknown).toEqual(['__proto__', 'toString', 'constructor'])
})

test('of unknown names, the first twenty are kept, each once', () => {
  const names = Array.from({ length: 5000 }, (_, n) => `x${n % 2500}`)
  expect(read(names.join('&')).unknown).toEqual(names.slice(0, 20))
})

test('an escape that is not UTF-8 is refused, and the fault names the parameter', () => {
  for (const text of ['%E0%A4', '%FF', 'a%', '%zz', '%C3%28', '%ED%A0%80'])
    expect(() => read(`page=1&corp_id=${text}`), text).toThrow('corp_id has escapes (%…) that are no UTF-8.')
  expect(() => read('corp_id=a&corp_id=%FF')).toThrow('corp_id has escapes')
})

test('an escape in an unknown parameter is ignored, like the parameter', () => {
  expect(read('corp_id=a&other=%FF&%FF=b')).toEqual({
    values: { corp_id: 'a' },
    unknown: ['other', '\ufffd'],
  })
})
