import fc from 'fast-check'
import { expect, test } from 'vitest'
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

test('any table of columns is found by its names, in Chinese and in English', () => {
  const { names, unknown } = mapColumns(table, ['姓 名', 'PHONE_NUMBER', '', 'Lead-Source', 'Colour'])
  expect(names).toEqual(['name', 'mobile', undefined, 'channel', undefined])
  expect(unknown).toEqual(['Colour'])
})

test('a header that is nearly a name is suggested, and never taken for it', () => {
  const { names, suggestions } = mapColumns(table, ['name', 'Mobil', 'Lead Sorce', '手机', 'Colour'])
  expect(names.slice(1)).toEqual([undefined, undefined, undefined, undefined])
  expect(suggestions).toEqual({ Mobil: 'mobile', 'Lead Sorce': 'channel', 手机: 'mobile' })
  expect(() => mapColumns(table, ['Nmae'])).toThrow(
    new FileRefused('The column name is missing. Perhaps Nmae for name.', { option: 'mapping' }),
  )
})

test('a column that a header has already is not suggested', () => {
  expect(mapColumns(table, ['name', 'nam']).suggestions).toEqual({})
})

test('one slip in a long name is always suggested', () => {
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
