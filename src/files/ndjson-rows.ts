import { longestRow, refuseWideHeader } from './limits.ts'
import { type Cell, FileRefused, type RowSource } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'

/** One JSON object per line. Its members are the columns, in any order. */
export async function ndjsonSource(file: string, bytes: number, given?: string): Promise<RowSource> {
  const encoding = await encodingOf(file, given)
  const headers = new Set<string>()
  for await (const { row, members } of objectsOf(file, encoding)) {
    const before = headers.size
    for (const name of Object.keys(members)) headers.add(name)
    if (headers.size > before) refuseWideHeader(row, [...headers])
  }
  const names = [...headers]
  return {
    format: 'ndjson',
    headers: names,
    encoding,
    countsFrom1904: false,
    bytes,
    async *rows(onProgress) {
      for await (const { row, members } of objectsOf(file, encoding, onProgress)) {
        yield { row, cells: names.map((name) => cellOf(members[name])) }
      }
    },
    async close() {},
  }
}

async function* objectsOf(file: string, encoding: string, onProgress?: (bytes: number) => void) {
  let row = 0
  for await (const line of linesOf(textOf(file, encoding, onProgress))) {
    row++
    if (line.length > longestRow) throw new FileRefused(`Row ${row} is longer than ${longestRow} characters.`)
    if (line.trim() !== '') yield { row, members: parseLine(line, row) }
  }
}

/** Only line feeds end a line, because JSON may contain other line breaks. Lines that are too long are cut. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > longestRow) break
  }
  if (rest !== '') yield rest
}

function parseLine(line: string, row: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line, asWritten)
  } catch {
    throw new FileRefused(`Row ${row} is not JSON.`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new FileRefused(`Row ${row} is not a JSON object.`)
}

/** Numbers as written, never rounded by floating point. */
function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}

/** Lists and shares in the notation of cells. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return value.every(isScalar) ? value.join(';') : { fault: 'holds a list with values that are not texts' }
  const members = Object.entries(value as object)
  if (!members.every(([, member]) => isScalar(member))) return { fault: 'holds an object in an object' }
  return members.map(([name, member]) => `${name}:${member}`).join(';')
}

function isScalar(value: unknown): value is string {
  return typeof value === 'string'
}
