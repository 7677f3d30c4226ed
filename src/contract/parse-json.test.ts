import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test('JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!text.includes('time_stamp'))
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
  expect(() => parseJson('{')).toThrow(SyntaxError)
})

test('a numeric time stamp keeps its text', () => {
  const number = fc
    .tuple(fc.stringMatching(/^[1-9][0-9]{0,40}$/), fc.option(fc.stringMatching(/^[0-9]{1,20}$/)))
    .map(([whole, decimals]) => (decimals === null ? whole : `${whole}.${decimals}`))
  fc.assert(
    fc.property(number, fc.json(), (written, other) => {
      const value = parseJson(`{"a":${other}, "time_stamp" : ${written}}`)
      expect(value).toMatchObject({ a: JSON.parse(other), time_stamp: written })
    }),
  )
})

test('only a time stamp directly in the body keeps its text, and the last of several counts', () => {
  expect(parseJson('{"time_stamp":1,"time_stamp":1731628800.50,"a":{"time_stamp":2.0},"b":7}')).toEqual({
    time_stamp: '1731628800.50',
    a: { time_stamp: 2 },
    b: 7,
  })
  expect(parseJson('{"__proto__":{"time_stamp":1}}')).toEqual(JSON.parse('{"__proto__":{"time_stamp":1}}'))
  for (const text of [
    '{"time_stamp":"1.0"}',
    '{"time_stamp":null}',
    '[1]',
    '1',
    'null',
    '{"time_stamp":[1]}',
  ])
    expect(parseJson(text)).toEqual(JSON.parse(text))
})
