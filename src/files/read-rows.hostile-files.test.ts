import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attemptsOf } from '../../test/harness/attempts.ts'
import { bareEnvironment } from '../../test/harness/bare-environment.ts'
import { openFolder, packParts, rowsOf, writeXlsx } from '../../test/support/sheets.ts'
import { readRows } from './read-rows.ts'

let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder.remove())

/** A beginning, a text repeated many times in pieces, and an end. */
function* repeated(text: string, times: number, before = '', after = ''): Generator<string> {
  const most = Math.ceil(65_536 / text.length)
  yield before
  for (let left = times; left > 0; left -= most) yield text.repeat(Math.min(left, most))
  yield after
}

const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>external_id</t></is></c></row>'
const [begin, end] = [`<worksheet><sheetData>${header}`, '</sheetData></worksheet>']
const inA2 = [`${begin}<row r="2"><c r="A2" t="inlineStr"><is><t>`, `</t></is></c></row>${end}`] as const

function workbook(parts: Record<string, string | Iterable<string>>) {
  return {
    'xl/workbook.xml':
      '<workbook xmlns:r="urn:r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': begin + end,
    ...parts,
  }
}

const sheet = (xml: string | Iterable<string>) => workbook({ 'xl/worksheets/sheet1.xml': xml })
const sharedText = (length: number) => repeated('y', length, '<sst><si><t>', '</t></si></sst>')

/** Random, so that it compresses badly. */
function packedBadly(characters: number): string {
  return randomBytes(characters / 2).toString('hex')
}

const workbooks: [string, Record<string, string | Iterable<string>>, string][] = [
  ['a text of 100 MB', sheet(repeated('x', 1e8, ...inA2)), 'unpacks to more than 200 times its size'],
  [
    'a long text that packs badly',
    sheet([inA2[0], packedBadly(3e6), inA2[1]]),
    'a tag or a text of more than 1048576 characters',
  ],
  [
    'a text that is longer than a row',
    sheet(repeated('x', 3e5, ...inA2)),
    'Row 2, column A: a row has at most',
  ],
  [
    'an attribute of 12 MB',
    sheet(repeated('x', 1.2e7, `${begin}<row r="2" x="`, `"></row>${end}`)),
    'a tag or a text of more than 1048576 characters',
  ],
  ['tags in tags', sheet(repeated('<a>', 4e6, begin, end)), 'nests its parts more than 64 deep'],
  [
    'a cell in the last column of a sheet',
    sheet(`${begin}<row r="2"><c r="XFD2"><v>1</v></c></row>${end}`),
    'Row 2, column XFD: a row has at most 1000 columns.',
  ],
  [
    'a row number beyond a sheet',
    sheet(`${begin}<row r="1048577"><c r="A1"><v>1</v></c></row>${end}`),
    'more than 1048576 rows',
  ],
  [
    'row numbers that decrease',
    sheet(`${begin}<row r="9"/><row r="3"/>${end}`),
    'damaged: its cells are not in order',
  ],
  [
    'a shared text of 12 MB',
    workbook({ 'xl/sharedStrings.xml': sharedText(1.2e7) }),
    'a tag or a text of more than 1048576 characters',
  ],
  [
    'cells that share a long text, many in a row',
    workbook({
      'xl/sharedStrings.xml': sharedText(200_000),
      'xl/worksheets/sheet1.xml': repeated(
        '<c t="s"><v>0</v></c>',
        900,
        `${begin}<row r="2">`,
        `</row>${end}`,
      ),
    }),
    'Row 2, column B: a row has at most 262144 characters.',
  ],
  [
    'more cell formats than a spreadsheet has',
    workbook({
      'xl/styles.xml': repeated('<xf/>', 70_000, '<styleSheet><cellXfs>', '</cellXfs></styleSheet>'),
    }),
    'more than 65536 formats',
  ],
  [
    'a list of formats of 17 MB',
    workbook({ 'xl/styles.xml': repeated(' ', 1.7e7, '<styleSheet>', '</styleSheet>') }),
    'The part xl/styles.xml of the workbook is too large.',
  ],
  [
    'a document type',
    sheet(`<!DOCTYPE worksheet [<!ENTITY a "aaaa">]>${begin}${end}`),
    'declares a document type',
  ],
  [
    'ten thousand parts',
    workbook(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`xl/media/${n}`, '']))),
    'more than 10000 parts',
  ],
]

const texts: [string, string, Iterable<string>, string][] = [
  [
    'a line of 20 MB',
    'csv',
    repeated('x', 2e7, 'a,b\n1,'),
    'Row 2, column B: a row has at most 262144 characters.',
  ],
  ['a header of 10 MB', 'csv', repeated('x', 1e7), 'Row 1, column A: a row has at most 262144'],
  ['a header of 300 characters', 'csv', ['a,', 'b'.repeat(300)], 'Row 1, column B: the header is longer'],
  ['100,000 columns', 'csv', repeated('a,', 1e5), 'Row 1, column ALM: a row has at most 1000 columns.'],
  [
    '20 MB of commas',
    'csv',
    repeated(',', 2e7, 'a,b\n'),
    'Row 2, column ALM: a row has at most 1000 columns.',
  ],
  [
    'a quote before a line of 20 MB',
    'csv',
    repeated('1,2', 5e6, 'a,b\n"'),
    'Row 2, column ALM: a row has at most',
  ],
  ['a long line', 'ndjson', repeated('x', 2e7, '{"a":1}\n{"a":"', '"}'), 'Row 2 is longer than 262144'],
  ['deep lists', 'ndjson', repeated('[', 2e5, '{"a":'), 'Row 1: the line is not JSON.'],
  [
    'members without end',
    'ndjson',
    Array.from({ length: 1001 }, (_, n) => `{"m${n}":1}\n`),
    'Row 1001, column ALM: a row has at most 1000 columns.',
  ],
]

/** Reads files in a process with little memory. Returns the fault of each; the process dies if it needs more. */
async function readInLittleMemory(files: string[]): Promise<string[]> {
  const program = `
    import { readRows } from ${JSON.stringify(join(import.meta.dirname, 'read-rows.ts'))}
    for (const file of process.argv.slice(1)) {
      let rows = 0
      let source
      try {
        source = await readRows(file)
        for await (const _ of source.rows()) rows++
        console.log(JSON.stringify(rows + ' rows'))
      } catch (error) {
        console.log(JSON.stringify(error.message))
      }
      await source?.close()
    }`
  const limited = ['--max-old-space-size=128', '--input-type=module', '--eval', program, ...files]
  const env = { ...process.env, NODE_COMPILE_CACHE: bareEnvironment.NODE_COMPILE_CACHE }
  const { stdout } = await promisify(execFile)(process.execPath, limited, { env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** One process for all files: memory that one file leaks counts against the next. */
describe('a file is refused with one sentence, in little memory, for', () => {
  let said: string[]
  beforeAll(async () => {
    const files: string[] = []
    for (const [name, parts] of workbooks) {
      files.push(join(folder.folder, `${name}.xlsx`))
      await packParts(files.at(-1)!, parts)
    }
    for (const [, format, pieces] of texts)
      files.push(await folder.file(`hostile.${format}`, [...pieces].join('')))
    said = await readInLittleMemory(files)
  })

  test.each(
    [
      ...workbooks.map(([name, , sentence]) => [name, sentence]),
      ...texts.map(([name, , , sentence]) => [name, sentence]),
    ].map(([name, sentence], index) => [name, sentence, index] as const),
  )('%s', (_, sentence, index) => {
    expect(said[index]).toContain(sentence)
    expect(said[index]).toMatch(/^[A-Z][^\n]*\.$/)
  })

  test('a part that unpacks to more than its declared size', async () => {
    const path = join(folder.folder, 'honest.xlsx')
    await packParts(path, sheet(repeated('<row/>', 1000, begin, end)))
    const bytes = await readFile(path)
    const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 24) - 1000, at + 24)
    await writeFile(path, bytes)
    await expect(readRows(path).then(rowsOf)).rejects.toThrow('a part of it cannot be unpacked')
  })
})

describe('one fault leaves the other rows readable, in little memory and in time', () => {
  const lines = attemptsOf('MATRICULA_BROKEN_LINES', 50_000)
  const spread = lines / 2500
  const files: [string, string, Iterable<string>, number][] = [
    // Longer than the longest row, up to which the reader waits for the end of the quote.
    ['a quote that never ends', 'csv', repeated('1,2\n', 200_000, 'a,b\n"'), 200_000],
    ['a quote in each line', 'csv', repeated('"1,2\n', lines, 'a,b\n'), lines],
    ['quotes far apart', 'csv', repeated(`"1,2\n${'1,2\n'.repeat(2000)}`, spread, 'a,b\n'), spread * 2001],
    ['lines that fit no header', 'csv', repeated('"x\ny\n', lines / 2, 'a,b\n'), lines],
    ['a line that is not JSON, often', 'ndjson', repeated('{"a":1}\n{"a":\n', lines / 4), lines / 2],
  ]
  test('quotes, and lines that are not JSON', async () => {
    const paths: string[] = []
    for (const [, format, pieces] of files)
      paths.push(await folder.file(`broken.${format}`, [...pieces].join('')))
    expect(await readInLittleMemory(paths)).toEqual(files.map(([, , , rows]) => `${rows} rows`))
  })
})

describe('real files are read', () => {
  test('cells with a format only, up to the end of a sheet', async () => {
    const path = join(folder.folder, 'formatted.xlsx')
    await packParts(path, sheet(`${begin}<row r="2"><c r="A2"><v>1</v></c><c r="XFD2" s="1"/></row>${end}`))
    const source = await readRows(path)
    expect(await rowsOf(source)).toEqual([{ row: 2, cells: ['1'] }])
    await source.close()
  })

  test('many rows that share a long text, in little memory', async () => {
    const path = join(folder.folder, 'shared.xlsx')
    const rows = repeated('<row><c t="s"><v>0</v></c></row>', 5000, begin, end)
    await packParts(
      path,
      workbook({ 'xl/sharedStrings.xml': sharedText(50_000), 'xl/worksheets/sheet1.xml': rows }),
    )
    expect(await readInLittleMemory([path])).toEqual(['5000 rows'])
  })

  test('a row of 250,000 characters, in every format', async () => {
    const long = '王'.repeat(250_000)
    const csv = await folder.file('long.csv', `a,b\n${long},2\n`)
    const ndjson = await folder.file('long.ndjson', `${JSON.stringify({ a: long, b: '2' })}\n`)
    const xlsx = await writeXlsx(join(folder.folder, 'long.xlsx'), [
      ['a', 'b'],
      [long, '2'],
    ])
    for (const file of [csv, ndjson, xlsx]) {
      const source = await readRows(file)
      expect((await rowsOf(source))[0]!.cells).toEqual([long, '2'])
      await source.close()
    }
  })
})
