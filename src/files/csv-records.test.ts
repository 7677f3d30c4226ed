import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedOfRun } from '../../test/harness/seed.ts'
import { type CsvRecord, type CsvShape, csvRecords } from './csv-records.ts'

/** Reads a text that arrives in pieces of this length. */
async function read(text: string, shape: Partial<CsvShape> = {}, length = 7): Promise<CsvRecord[]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
  }
  const records: CsvRecord[] = []
  for await (const { row, cells, fault } of csvRecords(pieces(), {
    delimiter: ',',
    startsWithSeparator: false,
    ...shape,
  }))
    records.push(fault === undefined ? { row, cells } : { row, cells, fault })
  return records
}

const table = { width: 2, headerRow: 1 }
const cellsOf = (records: CsvRecord[]) =>
  records.map(({ cells, fault }) => (fault ? 'fault' : cells.join('|')))

test('text is read unchanged, in pieces of any length', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '王', '"', ',', '\n', '\r', ' ', ';'), maxLength: 6 })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 6 })
  const lineBreak = fc.constantFrom<'unix' | 'windows'>('unix', 'windows')
  await fc.assert(
    fc.asyncProperty(
      rows,
      lineBreak,
      fc.integer({ min: 1, max: 9 }),
      async (cells, record_delimiter, length) => {
        const text = stringify(cells, { record_delimiter, quoted: true })
        const records = await read(text, { table }, length)
        expect(records).toEqual(cells.map((each, index) => ({ row: index + 1, cells: each })))
      },
    ),
    { numRuns: 200, seed: seedOfRun() },
  )
})

test.each<[string, string, string[]]>([
  ['never ends', 'a,b\n1,"2\n3,4\n5,6', ['a|b', 'fault', '3|4', '5|6']],
  ['ends in the quote of a later row', 'a,b\n1,"2\n3,4\n5,"6"\n7,8\n', ['a|b', 'fault', '3|4', '5|6', '7|8']],
  ['ends at the end of a later row', 'a,b\n"1,2\n3,4"\n5,6\n', ['a|b', 'fault', '3|4"', '5|6']],
  ['is not doubled', 'a,b\n"say "hi" now",2\n3,4\n', ['a|b', 'fault', '3|4']],
  ['starts a text of several lines', 'a,b\n1,"x\ny\nz\n3,4\n', ['a|b', 'fault', '3|4']],
  ['is in the last line', 'a,b\n1,2\n3,"', ['a|b', '1|2', 'fault']],
])('a quote that %s costs its own row only', async (_, text, expected) => {
  for (const length of [1, 5, 1000]) expect(cellsOf(await read(text, { table }, length))).toEqual(expected)
})

test('a quote that is not at the start of a cell is a character', async () => {
  expect(cellsOf(await read('a,b\n5" pipe,John "Joe" Smith\n'))).toEqual(['a|b', '5" pipe|John "Joe" Smith'])
})

test('the fault names the line, also below cells of several lines', async () => {
  const [, , broken] = await read('a,b\n"1\n1",2\n3,"4', { table })
  expect(broken).toEqual({
    row: 3,
    cells: ['3', '"4'],
    fault: 'line 4 has a quoted cell that does not end',
  })
})
