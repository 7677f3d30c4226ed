import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ColumnTable, mapColumns, readMapping } from './map-columns.ts'
import { FileRefused } from './row-source.ts'

const table: ColumnTable<'name' | 'mobile' | 'channel'> = {
  columns: {
    name: { aliases: ['full name', '姓名'] },
    mobile: { aliases: ['phone number', '手机号'] },
    channel: { aliases: ['lead source', '渠道'] },
  },
  missing: (found) => (found.has('name') ? undefined : 'The column name is missing.'),
}

test('columns are found by their names, in Chinese and in English', () => {
  const { names, unknown } = mapColumns(table, ['姓 名', 'PHONE_NUMBER', '', 'Lead-Source', 'Colour'])
  expect(names).toEqual(['name', 'mobile', undefined, 'channel', undefined])
  expect(unknown).toEqual(['Colour'])
})

test('for a header that is almost a name, the column is suggested and never assumed', () => {
  const { names, suggestions } = mapColumns(table, ['name', 'Mobil', 'Lead Sorce', '手机', 'Colour'])
  expect(names.slice(1)).toEqual([undefined, undefined, undefined, undefined])
  expect(suggestions).toEqual({ Mobil: 'mobile', 'Lead Sorce': 'channel', 手机: 'mobile' })
  expect(() => mapColumns(table, ['Nmae'])).toThrow(
    new FileRefused(
      'The column name is missing. Perhaps Nmae for name.',
      { option: 'mapping' },
      'missing_column',
    ),
  )
})

test('a column that another header has is not suggested', () => {
  expect(mapColumns(table, ['name', 'nam']).suggestions).toEqual({})
})

test('one typing error in a long name always leads to a suggestion', () => {
  const alias = fc.constantFrom(['phone number', 'mobile'] as const, ['lead source', 'channel'] as const)
  fc.assert(
    fc.property(alias, fc.nat(), fc.constantFrom('', 'q', 'qq'), ([written, name], at, slip) => {
      const place = at % written.length
      const header = `${written.slice(0, place)}${slip}${written.slice(place + 1)}`
      const { suggestions, names } = mapColumns(table, ['name', header])
      expect(names[1] ?? suggestions[header]).toBe(name)
    }),
  )
})

test('a mapping is an object of texts', () => {
  expect(readMapping('{"A":"email"}')).toEqual({ A: 'email' })
  for (const text of ['[]', '{"a":1}', 'x']) expect(() => readMapping(text)).toThrow('The mapping file')
})

describe('with rules for guesses', () => {
  const guessing: ColumnTable<'id' | 'name' | 'mobile' | 'second' | 'channel'> = {
    columns: { ...table.columns, id: { aliases: ['entry'] }, second: { aliases: [] } },
    missing: () => undefined,
    guess: {
      ids: new Set(['id'] as const),
      second: { mobile: 'second' },
      repeats: new Set<never>(),
      isDoubtful: () => false,
      fits: (name, values) =>
        name === 'mobile' && values.length > 0 ? values.every((value) => /^\d+$/.test(value)) : undefined,
      byValues: (values) => (values.some((value) => /^1\d{10}$/.test(value)) ? 'mobile' : undefined),
    },
  }

  test('a similar name is accepted and marked, unless the values contradict it', () => {
    const map = mapColumns(guessing, ['Lead Sorce', 'Mobil'], { samples: [['Baidu'], ['none']] })
    expect(map).toMatchObject({
      names: ['channel', undefined],
      guesses: { 'Lead Sorce': 60 },
      unknown: ['Mobil'],
    })
    const fitting = mapColumns(guessing, ['Mobil'], { samples: [['138']] })
    expect(fitting).toMatchObject({ names: ['mobile'], guesses: { Mobil: 75 } })
  })

  test('values alone reveal a column, and another one of its kind is the second column', () => {
    const map = mapColumns(guessing, ['A', 'phone number'], { samples: [['13800138000'], ['13800138001']] })
    expect(map).toMatchObject({ names: ['second', 'mobile'], guesses: { A: 70 } })
  })

  test('a similar name is never an id, and an ignored header gets no column', () => {
    expect(mapColumns(guessing, ['Country', 'name'], { mapping: { name: 'ignore' } })).toMatchObject({
      names: [undefined, undefined],
      unknown: ['Country'],
    })
  })
})
