import { open, stat } from 'node:fs/promises'
import { FileRefused } from '../../../../files/row-source.ts'
import { encodingOf, textOf } from '../../../../files/text-encoding.ts'
import { readCamt053 } from './camt053.ts'
import { readMt940 } from './mt940.ts'
import { refuseWrongBalance, type StatementFile, type StatementFormat } from './statement-file.ts'
import { readCsvRecords, readSheetRecords } from './table-records.ts'
import { readTable, type TableOptions } from './table-statement.ts'

export interface StatementReading extends TableOptions {
  /** Default: by the content. */
  format?: StatementFormat
  encoding?: string
  sheet?: string
}

/** A bank sends less in a file. It is read into memory. */
export const mostFileBytes = 64 * 1024 * 1024

/** Reads a statement file of any format. A file with a fault is refused as a whole. */
export async function readStatementFile(path: string, options: StatementReading): Promise<StatementFile> {
  const { size } = await stat(path)
  if (size === 0) throw new FileRefused('The file is empty.')
  if (size > mostFileBytes) throw new FileRefused(`The file has more than ${mostFileBytes} bytes.`)
  const read = await readByFormat(path, options)
  const statements = read.statements.filter(
    ({ lines, opening_price }) => lines.length > 0 || opening_price !== null,
  )
  if (statements.length === 0) throw new FileRefused('The file has no lines.')
  for (const statement of statements) refuseWrongBalance(statement)
  return { ...read, statements }
}

async function readByFormat(path: string, options: StatementReading): Promise<StatementFile> {
  const head = await firstBytes(path)
  if (options.format === 'xlsx' || (options.format === undefined && head.subarray(0, 4).equals(zipMark)))
    return {
      encoding: null,
      ...readTable(await readSheetRecords(path, options.sheet), options),
      format: 'xlsx',
    }
  const encoding = await encodingOf(path, options.encoding, true)
  const format = options.format ?? guessed(new TextDecoder(encoding).decode(head))
  if (format === 'camt053')
    return { format, encoding, table: null, statements: await readCamt053(textOf(path, encoding)) }
  if (format === 'mt940') {
    let text = ''
    for await (const piece of textOf(path, encoding)) text += piece
    return { format, encoding, table: null, statements: readMt940(text) }
  }
  return { encoding, ...readTable(await readCsvRecords(path, encoding), options) }
}

/** The start of a workbook, which is a ZIP file. */
const zipMark = Buffer.from('PK\u0003\u0004', 'latin1')

function guessed(head: string): StatementFormat {
  const start = head.replace(/^\uFEFF/, '').trimStart()
  if (start.startsWith('<')) return 'camt053'
  return /^(\{1:|:20:)/m.test(start.slice(0, 400)) ? 'mt940' : 'csv'
}

async function firstBytes(path: string): Promise<Buffer> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
  return buffer.subarray(0, bytesRead)
}
