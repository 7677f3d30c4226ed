import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openFolder,
  rowsOf,
  writeBook,
  writeXlsx,
  type XlsxCell,
  type XlsxOptions,
} from '../../test/support/sheets.ts'
import { type ReadOptions, readRows } from './read-rows.ts'

let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder.remove())

async function read(name: string, content: string | Buffer, encoding?: string) {
  const source = await readRows(await folder.file(name, content), { encoding })
  return { headers: source.headers, encoding: source.encoding, rows: await rowsOf(source) }
}

/** An encoder of GBK, made by inverting the decoder. */
function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gb18030')
  const bytes = new Map<string, number[]>()
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++)
      if (trail !== 0x7f) bytes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  }
  return Buffer.from(
    [...text].flatMap((character) =>
      character < '\x80' ? [character.charCodeAt(0)] : bytes.get(character)!,
    ),
  )
}

describe('text', () => {
  const text = '订单号,姓名\r\nA-1,王小明\r\n'
  const utf16le = Buffer.from(`\ufeff${text}`, 'utf16le')
  const expected = { headers: ['订单号', '姓名'], rows: [{ row: 2, cells: ['A-1', '王小明'] }] }

  test.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16, little end first', utf16le, 'utf-16le'],
    ['UTF-16, big end first', Buffer.from(utf16le).swap16(), 'utf-16be'],
    ['GBK', gbk(text), 'gb18030'],
  ])('%s is understood by itself', async (_, content, encoding) => {
    expect(await read('a.csv', content)).toEqual({ ...expected, encoding })
  })

  test('the byte order mark of GB 18030 belongs neither to a quoted header nor to the first line of JSON', async () => {
    const marked = (content: string) => Buffer.concat([Uint8Array.of(0x84, 0x31, 0x95, 0x33), gbk(content)])
    for (const told of [undefined, 'gbk']) {
      const csv = await read('a.csv', marked(text.replace('订单号', '"订单号"')), told)
      expect(csv).toEqual({ ...expected, encoding: 'gb18030' })
      const ndjson = await read('a.ndjson', marked('{"姓名":"王小明"}\n'), told)
      expect(ndjson).toMatchObject({ headers: ['姓名'], rows: [{ cells: ['王小明'] }] })
    }
  })

  test('a character that is not UTF-8 is found at any position', async () => {
    const late = Buffer.concat([Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`), gbk('1,王\n')])
    const { encoding, rows } = await read('a.csv', late)
    expect([encoding, rows.at(-1)]).toEqual(['gb18030', { row: 100_002, cells: ['1', '王'] }])
  })

  test('an encoding can be given, and is required for UTF-16 without a mark', async () => {
    const bare = Buffer.from(text, 'utf16le')
    const ascii = Buffer.from('a,b\n1,2\n', 'utf16le')
    expect(await read('a.csv', bare, 'UTF-16LE')).toMatchObject(expected)
    await expect(read('a.csv', ascii)).rejects.toThrow('looks like UTF-16 without a byte order mark')
    await expect(read('a.csv', text, 'klingon')).rejects.toThrow('The encoding klingon is not known')
    await expect(read('a.csv', gbk(text), 'utf-8')).rejects.toThrow('The text of the file is not utf-8')
  })

  test.each([',', ';', '\t'])('cells are divided by %j', async (delimiter) => {
    const { headers, rows } = await read(
      'a.csv',
      `${['a', 'b', 'c'].join(delimiter)}\n1${delimiter}"x${delimiter}""y""\nz"${delimiter}3\n`,
    )
    expect({ headers, rows }).toEqual({
      headers: ['a', 'b', 'c'],
      rows: [{ row: 2, cells: ['1', `x${delimiter}"y"\nz`, '3'] }],
    })
  })

  test('rows are numbered as in a spreadsheet, including blank ones', async () => {
    const { rows } = await read('a.csv', '\n\na,b\n1,2\n,\n"3\n3",4\n5,6\n')
    expect(rows.map(({ row, cells }) => [row, cells[1]])).toEqual([
      [4, '2'],
      [6, '4'],
      [7, '6'],
    ])
  })

  test('an unclosed quote is a fault of its row; the rest is read', async () => {
    const { rows } = await read('a.csv', 'a,b\n1,2\n3,"4\n5,6\n')
    expect(rows.map(({ row, fault, unfitted }) => ({ row, fault, unfitted }))).toEqual([
      { row: 2 },
      { row: 3, fault: 'line 3 has a quoted cell that does not end', unfitted: ['3', '"4'] },
      { row: 4 },
    ])
  })

  test('a separator in the first line applies, and the line is not a row', async () => {
    const { headers, rows } = await read('a.csv', 'sep=;\r\na;b,c\r\n1;2\r\n')
    expect({ headers, rows }).toEqual({ headers: ['a', 'b,c'], rows: [{ row: 2, cells: ['1', '2'] }] })
  })

  test('a number written as a formula is read as its text', async () => {
    const { rows } = await read('a.csv', 'a,b,c\n="00123","=""139""","=1+1"\n')
    expect(rows[0]!.cells).toEqual(['00123', '139', '=1+1'])
  })

  test('a row with more or fewer cells than the header is a fault of the row', async () => {
    const { rows } = await read('a.csv', 'a,b\n1,2,3\n4\n5,6,\n')
    expect(rows.map(({ cells }) => typeof cells[0])).toEqual(['object', 'object', 'string'])
  })

  test('JSON lines keep numbers as written', async () => {
    const { headers, rows } = await read(
      'a.ndjson',
      '{"a":12800.10,"b":["x","y"]}\n\n{"c":{"o":0.5,"p":0.50},"a":null}\n',
    )
    expect(headers).toEqual(['a', 'b', 'c'])
    expect(rows).toEqual([
      { row: 1, cells: ['12800.10', 'x;y', ''] },
      { row: 3, cells: ['', '', 'o:0.5;p:0.50'] },
    ])
  })

  test('a line that is not JSON is a fault of its row; the rest is read', async () => {
    const { rows } = await read('a.ndjson', '{"a":"1"}\n{"a":\n[1]\n{"a":"4"}\n')
    expect(rows.map(({ row, fault, unfitted }) => ({ row, fault, unfitted }))).toEqual([
      { row: 1 },
      { row: 2, fault: 'the line is not JSON', unfitted: ['{"a":'] },
      { row: 3, fault: 'the line is not a JSON object', unfitted: ['[1]'] },
      { row: 4 },
    ])
    await expect(read('a.ndjson', 'a,b\n')).rejects.toThrow('Row 1: the line is not JSON.')
  })
})

describe('workbooks', () => {
  let count = 0
  async function workbook(rows: XlsxCell[][], options?: XlsxOptions, reading?: ReadOptions) {
    const path = await writeXlsx(join(folder.folder, `${++count}.xlsx`), rows, options)
    const source = await readRows(path, reading)
    try {
      return { headers: source.headers, rows: await rowsOf(source) }
    } finally {
      await source.close()
    }
  }

  test.each([{}, { inline: true }])('texts, numbers, booleans and gaps are read %j', async (options) => {
    const read = await workbook(
      [['id', 'price', 'flag', 'x'], [], ['A<1 & 2', 1280.1, true, null], [null, 0.1 + 0.2, null, '王']],
      options,
    )
    expect(read.headers).toEqual(['id', 'price', 'flag', 'x'])
    expect(read.rows).toEqual([
      { row: 3, cells: ['A<1 & 2', '1280.1', 'true', ''] },
      { row: 4, cells: ['', '0.3', '', '王'] },
    ])
  })

  test('days are read by their number format, in both systems', async () => {
    const rows = [['d'], [{ date: 45_351 }], [{ date: 45_351.5 }], [{ date: 59 }], [{ date: 60 }]]
    const days = (await workbook(rows)).rows.map(({ cells }) => cells[0])
    expect(days).toEqual([
      '2024-02-29',
      '2024-02-29 12:00:00',
      '1900-02-28',
      expect.objectContaining({ fault: expect.stringContaining('not a date') }),
    ])
    const since1904 = await workbook([['d'], [{ date: 43_889 }]], { date1904: true })
    expect(since1904.rows[0]!.cells).toEqual(['2024-02-29'])
  })

  test('a formula has its stored value; a missing value or an error is a fault', async () => {
    const { rows } = await workbook([
      ['a', 'b', 'c', 'd'],
      [
        { xml: (r) => `<c r="${r}"><f>1+1</f><v>2</v></c>` },
        { xml: (r) => `<c r="${r}"><f>1+1</f></c>` },
        { xml: (r) => `<c r="${r}" t="e"><v>#N/A</v></c>` },
        { xml: (r) => `<c r="${r}"><v>1.23456789012345678E+17</v></c>` },
      ],
    ])
    const faults = [/without a stored value/, /#N\/A/, /more than 15 digits/].map((text) =>
      expect.objectContaining({ fault: expect.stringMatching(text) }),
    )
    expect(rows[0]!.cells).toEqual(['2', ...faults])
  })

  test.each(['<f>1+1</f><v/>', '<f>1+1</f><v></v>', '<f t="shared" si="0"/><v/>'])(
    'a payment that was never calculated (%s) is a fault, of a header too',
    async (formula) => {
      const cell: XlsxCell = { xml: (r) => `<c r="${r}">${formula}</c>` }
      const { rows } = await workbook([
        ['external_id', 'paid_price'],
        ['A', cell],
      ])
      const fault = expect.stringContaining('holds a formula without a stored value')
      expect(rows[0]!.cells).toEqual(['A', { fault }])
      await expect(workbook([['external_id', cell], ['A']])).rejects.toThrow(
        'Row 1, column B: the header holds a formula without a stored value',
      )
    },
  )

  test('empty texts of formulas, and cells with a format only, are empty', async () => {
    const xml = [
      '<c t="str"><f>IF(1,"","")</f><v></v></c>',
      '<c s="2"/>',
      '<c t="s"><v/></c>',
      '<c s="2"><v/></c>',
    ]
    const { rows } = await workbook([
      ['a', 'b', 'c', 'd', 'e'],
      [...xml.map((text) => ({ xml: (r: string) => text.replace('<c', `<c r="${r}"`) })), 'x'],
    ])
    expect(rows[0]!.cells).toEqual(['', '', '', '', 'x'])
  })

  test('escaped characters that XML cannot hold are read unchanged', async () => {
    const { rows } = await workbook([['a'], ['x_x000D_y_x005F_x0041_z']], { inline: true })
    expect(rows[0]!.cells).toEqual(['x\ry_x0041_z'])
  })

  test('merged cells are faults of their rows, or repeat their value in columns that people share', async () => {
    const rows = [
      ['external_id', 'campus'],
      ['A', 'West'],
      ['B', null],
      ['C', 'East'],
    ]
    const merges = { merges: ['A1:A1', 'B2:B3', 'E2:F3'] }
    const fault = 'is one of the merged cells B2:B3: split them'
    expect((await workbook(rows, merges)).rows).toEqual([
      { row: 2, cells: ['A', { fault, text: 'West' }] },
      { row: 3, cells: ['B', { fault, text: '' }] },
      { row: 4, cells: ['C', 'East'] },
    ])
    const shared = await workbook(rows, merges, { mergedCells: 'value' })
    expect(shared.rows.map(({ cells }) => cells[1])).toEqual(['West', 'West', 'East'])
  })

  test('the first visible sheet with content is read, and all sheets are listed', async () => {
    const path = join(folder.folder, `${++count}.xlsx`)
    const sheets = [
      { name: 'Lists', state: 'hidden', rows: [['hidden'], ['1']] },
      { name: 'Cover', rows: [] },
      { name: '报名', rows: [['姓名'], ['王小明']] },
      { name: 'Archive', state: 'veryHidden', rows: [['old'], ['2']] },
    ]
    await writeBook(path, sheets)
    const first = await readRows(path)
    expect(first).toMatchObject({ sheet: '报名', headers: ['姓名'] })
    expect(first.sheets).toEqual([
      { name: 'Lists', isHidden: true, rows: 2 },
      { name: 'Cover', isHidden: false, rows: 0 },
      { name: '报名', isHidden: false, rows: 2 },
      { name: 'Archive', isHidden: true, rows: 2 },
    ])
    await first.close()
    const chosen = await readRows(path, { sheet: 'Archive' })
    expect(chosen).toMatchObject({ sheet: 'Archive', headers: ['old'] })
    await chosen.close()
  })

  test('another sheet can be named, and a file that is no workbook is refused', async () => {
    await expect(workbook([['a']], {}, { sheet: 'Fees' })).rejects.toThrow(
      'The workbook has no sheet Fees; it has Orders.',
    )
    await expect(readRows(await folder.file('a.xlsx', 'a,b'))).rejects.toThrow('not an XLSX workbook')
  })
})
