import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '../postgres/durable-files.ts'

/**
 * A file of rows: lines of JSON in UTF-8, compressed with gzip. docs/operating.md describes the formats.
 *
 *     {"format":"matricula school","version":1,"schema":1,…}    the header
 *     {"table":"users","columns":["user_id","name",…]}          the beginning of a table
 *     ["0198…","Wren",…]                                        a row: each cell is a text, or null
 *     {"end":{"rows":{"users":1,…},"sha256":"…"}}               the hash of all bytes before this line
 */
export interface TableFileHeader {
  /** The kind of file, such as `matricula school`. */
  format: string
  version: number
}

export interface TableStart {
  table: string
  columns: string[]
}

export interface TableFileEnd {
  rows: Record<string, number>
  sha256: string
}

/** Bytes that are gathered before they are compressed. */
const chunkBytes = 256 * 1024

/** A table with its rows, as they are read. */
export interface WrittenTable extends TableStart {
  pages(): AsyncIterable<string[]>
}

/** Writes a file that appears complete or not at all. */
export async function writeTableFile(
  file: string,
  header: TableFileHeader,
  tables: WrittenTable[],
): Promise<TableFileEnd> {
  const partial = `${file}.partial`
  let end: TableFileEnd | undefined
  async function* chunks() {
    const hash = createHash('sha256')
    const rows: Record<string, number> = {}
    let gathered = `${JSON.stringify(header)}\n`
    const flush = () => {
      const chunk = Buffer.from(gathered)
      gathered = ''
      hash.update(chunk)
      return chunk
    }
    for (const { table, columns, pages } of tables) {
      gathered += `${JSON.stringify({ table, columns })}\n`
      rows[table] = 0
      for await (const page of pages()) {
        rows[table] += page.length
        for (const row of page) {
          gathered += `${row}\n`
          if (gathered.length > chunkBytes) yield flush()
        }
      }
    }
    yield flush()
    end = { rows, sha256: hash.digest('hex') }
    yield Buffer.from(`${JSON.stringify({ end })}\n`)
  }
  try {
    const target = createWriteStream(partial, { flags: 'w', mode: 0o600, flush: true })
    await pipeline(Readable.from(chunks()), createGzip(), target)
    await refuseExisting(file)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return end!
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

export async function refuseExisting(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(() => undefined)
  await handle?.close()
  if (handle) throw new Error(`The file ${file} exists. Name a new one.`)
}

/** A line of the file after its header: the beginning of a table, a row as it is written, or the end. */
export type TableFileLine = { start: TableStart } | { row: string } | { end: TableFileEnd }

const damaged = (file: string, what: string) => new Error(`The file ${file} is damaged: ${what}.`)

/** Reads a file line by line. The end is yielded only if its hash is that of all lines before. */
export async function* readTableFile<Header extends TableFileHeader>(
  file: string,
  format: Header['format'],
  /** The expected kind of file, with its article. */
  what: string,
): AsyncGenerator<{ header: Header } | TableFileLine, void, void> {
  const hash = createHash('sha256')
  let isFirst = true
  for await (const line of linesOf(file)) {
    const text = line.toString('utf8')
    if (isFirst) {
      isFirst = false
      yield { header: readHeader<Header>(file, format, what, text) }
    } else if (text.startsWith('[')) yield { row: text }
    else {
      const { end, ...start } = parse(file, text)
      if (end) {
        if (end.sha256 !== hash.digest('hex')) throw damaged(file, 'its checksum does not match')
        yield { end }
        return
      }
      yield { start: start as TableStart }
    }
    hash.update(line)
    hash.update('\n')
  }
  throw damaged(file, 'its end is missing')
}

function readHeader<Header extends TableFileHeader>(
  file: string,
  format: Header['format'],
  what: string,
  text: string,
): Header {
  let header: Partial<TableFileHeader> = {}
  try {
    header = JSON.parse(text)
  } catch {
    // Not a file of this service.
  }
  if (header?.format !== format) throw new Error(`The file ${file} is not ${what}.`)
  return header as Header
}

function parse(file: string, text: string): Partial<TableStart> & { end?: TableFileEnd } {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(file, 'a line is not JSON')
  }
}

/** Not readline, which also ends lines at other characters than the line feed. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const unpacked = createGunzip()
  const failed = pipeline(source, unpacked).catch((error: NodeJS.ErrnoException) => error)
  let pieces: Buffer[] = []
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        pieces.push(chunk.subarray(from, at))
        yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
        pieces = []
        from = at + 1
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code?.startsWith('E')) throw new Error(`The file ${file} cannot be read (${code}).`)
    throw code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR' ? damaged(file, 'it cannot be unpacked') : error
  } finally {
    source.destroy()
    await failed
  }
}
