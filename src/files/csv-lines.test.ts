import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFolder, rowsOf } from '../../test/support/sheets.ts'
import { csvLines, unescapeFormulas } from './csv-lines.ts'
import { readRows } from './read-rows.ts'
import { rejectedRows } from './rejected-rows.ts'
import type { RowSource, SourceRow } from './row-source.ts'

let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder.remove())

/** Texts with many characters that break cells, lines and spreadsheets. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...['=', '+', '-', '@', '＝', '＋', '－', '＠', "'", '"', ',', ';', ' ', '\t', '\r', '\n', '\r\n'],
      ...['\v', '\f', '\u0085', '\u2028', '\u2029', '\u00a0', '\ufeff', '\x1b', 'cmd', '王', '😀', '1'],
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

describe('a line of CSV', () => {
  test.each(['\r', '\n', '\r\n', '\u2028', '\u2029', '\u0085', '\t', ';'])(
    'quotes a cell that holds %j',
    (divider) => {
      expect(csvLines([[`Ann${divider}B`, 1]], 'windows')).toBe(`"Ann${divider}B",1\r\n`)
    },
  )

  test.each([' Ann', 'Ann ', '\u00a0Ann'])('quotes the blank at an end of %j', (text) => {
    expect(csvLines([[text]], 'windows')).toBe(`"${text}"\r\n`)
  })

  test('holds no text that a spreadsheet evaluates, even if it splits lines at every break', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [[cell]] = parse(csvLines([[text, 'x']], 'windows')) as [[string]]
        for (const line of cell.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/))
          expect(line).not.toMatch(/^[=+\-@\t＝＋－＠]/)
        expect(unescapeFormulas(cell)).toBe(text)
      }),
    )
  })

  test('keeps numbers unchanged', () => {
    expect(csvLines([[-5, { decimal: '-1280.10' }, null, '-5']], 'unix')).toBe(`-5,-1280.10,,'-5\n`)
  })
})

describe('rejected rows', () => {
  async function rejected(name: string, content: string) {
    const source = await readRows(await folder.file(name, content))
    const rows = await rowsOf(source)
    return { source, rows, again: await readAgain(source, rows) }
  }

  async function readAgain(source: RowSource, rows: SourceRow[]) {
    const path = `${folder.folder}/rejects.${source.format === 'ndjson' ? 'ndjson' : 'csv'}`
    const rejects = rejectedRows(path, source)
    for (const row of rows) await rejects.add(row, '=why, "so"\nand how')
    await rejects.finish()
    const read = await readRows(path)
    return { source: read, rows: await rowsOf(read) }
  }

  const cells = fc.array(fc.tuple(hostile, hostile, hostile), { minLength: 1, maxLength: 5 })
  const isTold = ([a, b, c]: string[]) => [a, b, c].some((cell) => cell!.trim() !== '')

  test('are read back unchanged, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (lines) => {
        // Without rejected rows there is no file.
        fc.pre(lines.some(isTold))
        const quoted = lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
        const { rows, again } = await rejected('a.csv', `id,"=b","'+c"\n${quoted.join('\n')}\n`)
        expect(rows).toHaveLength(lines.filter(isTold).length)
        expect(again.source.headers).toEqual(['id', '=b', "'+c", 'reject_reason'])
        expect(again.rows.map((row) => row.cells.slice(0, 3))).toEqual(rows.map((row) => row.cells))
        const third = await readAgain(again.source, again.rows)
        expect(third.source.headers).toEqual(again.source.headers)
        expect(third.rows).toEqual(again.rows)
      }),
    )
  })

  test('of JSON lines too', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (lines) => {
        const objects = lines.filter(isTold).map(([id, b, c]) => ({ id, b, c }))
        fc.pre(objects.length > 0)
        const text = objects.map((object) => `${JSON.stringify(object)}\n`).join('')
        const { rows, source, again } = await rejected('a.ndjson', text)
        const told = again.rows.map((row) =>
          source.headers.map((header) => row.cells[again.source.headers.indexOf(header)] ?? ''),
        )
        expect(told).toEqual(rows.map((row) => row.cells))
      }),
    )
  })

  test('that do not fit their header keep all their cells, and are rejected again', async () => {
    const { again } = await rejected('a.csv', 'a,b\n1,2,3\n4\n')
    expect(again.rows.map(({ unfitted }) => unfitted?.slice(0, -1))).toEqual([['1', '2', '3'], ['4']])
  })
})
