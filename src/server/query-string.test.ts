import { parse } from 'node:querystring'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQueryString } from './query-string.ts'

const pieces = [
  '&',
  '=',
  'corp_id',
  'page',
  '10',
  'x',
  '王',
  '',
  '%E7%8E%8B',
  '%2',
  '+',
  '__proto__',
  'toString',
  '?',
  '#',
]

test('a query string is read as the platform reads it, whatever is in it', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
  const decodable = text.filter((text) => !/%(?![0-9A-F]{2})/.test(text) && !/%E7(?!%8E%8B)/.test(text))
  fc.assert(
    fc.property(decodable, (text) => {
      expect({ ...parseQueryString(text) }).toEqual({ ...parse(text, '&', '=', { maxKeys: 0 }) })
    }),
    { numRuns: 5000 },
  )
})

test('an escape that is no UTF-8 becomes what every parameter refuses', () => {
  expect(parseQueryString('a=%FF&b=1')).toEqual({ a: '\ud800', b: '1' })
})
