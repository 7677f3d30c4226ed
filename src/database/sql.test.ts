import fc from 'fast-check'
import { expect, test } from 'vitest'
import { raw, type Statement, sql } from './sql.ts'

test('values become parameters, never text', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'grapheme' }), (first, second) => {
      const { text, values } = sql`select ${first}, ${second}`
      expect(text).toBe('select $1, $2')
      expect(values).toEqual([first, second])
    }),
  )
})

test('a value that looks like SQL changes no text', () => {
  const injection = `'; drop table users; --`
  expect(sql`select 1 where a = ${injection}`.text).toBe(sql`select 1 where a = ${'x'}`.text)
  expect(sql`select ${'$1'}, ${'$2'}`).toMatchObject({ text: 'select $1, $2', values: ['$1', '$2'] })
})

test('a value that has the members of a statement is a value', () => {
  const statement = sql`select ${1}`
  const { text, name, values } = statement
  for (const value of [{ text, values }, { text, name, values }, JSON.parse(JSON.stringify(statement))])
    expect(sql`select ${value}`).toMatchObject({ text: 'select $1', values: [value] })
})

test('a nested statement gets the next placeholders', () => {
  const inner = sql`a = ${1} and b = ${2}`
  const outer = sql`select ${0} where ${inner} and c = ${3} and ${inner}`
  expect(outer.text).toBe('select $1 where a = $2 and b = $3 and c = $4 and a = $5 and b = $6')
  expect(outer.values).toEqual([0, 1, 2, 3, 1, 2])
})

test('in any nesting, the n-th placeholder is at the position of the n-th value', () => {
  const tree = fc.letrec<{ statement: Statement; part: unknown }>((tie) => ({
    part: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.integer(), tie('statement')),
    statement: fc
      .array(tie('part'), { maxLength: 14 })
      .map((parts) => sql(['<', ...parts.map(() => '|')] as unknown as TemplateStringsArray, ...parts)),
  })).statement
  fc.assert(
    fc.property(tree, ({ text, values }) => {
      const numbers = [...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]))
      expect(numbers).toEqual(values.map((_, index) => index + 1))
    }),
  )
})

test('a literal is text without a parameter', () => {
  expect(sql`select ${raw('a, b')} from t where c = ${1}`).toMatchObject({
    text: 'select a, b from t where c = $1',
    values: [1],
  })
})

test('equal texts have the same name, different texts different names', () => {
  const find = (id: string) => sql`select 1 where id = ${id}`
  expect(find('a').name).toBe(find('b').name)
  expect(find('a').name).not.toBe(sql`select 1 where id = ${'a'} `.name)
  expect(find('a').name).toMatch(/^[0-9a-f]{24}$/)
})

test('null, undefined, lists and dates become parameters', () => {
  const now = new Date()
  expect(sql`select ${null}, ${undefined}, ${['a']}, ${now}`.values).toEqual([null, undefined, ['a'], now])
})
