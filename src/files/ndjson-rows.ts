import { shownRowsOf } from './header-row.ts'
import { longestRow, refuseWideHeader } from './limits.ts'
import {
  type Cell,
  FileRefused,
  type FirstRow,
  plainText,
  type RowSource,
  textOf as textOfCell,
  unreadableRow,
} from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'

/** One JSON object per line. Its members are the columns, in any order. An invalid line is a fault of its row. */
export async function ndjsonSource(file: string, bytes: number, given?: string): Promise<RowSource> {
  const encoding = await encodingOf(file, given)
  const headers = new Set<string>()
  const first: { row: number; members: Members }[] = []
  let fault: string | undefined
  for await (const read of objectsOf(file, encoding)) {
    if ('fault' in read) {
      fault ??= `Row ${read.row}: ${read.fault}.`
      continue
    }
    const before = headers.size
    for (const name of Object.keys(read.members)) headers.add(name)
    if (headers.size > before) refuseWideHeader(read.row, [...headers])
    if (first.length < shownObjects) first.push(read)
  }
  if (headers.size === 0) throw new FileRefused(fault ?? 'The file has no rows.', undefined, 'no_rows')
  const names = [...headers]
  const cellsOf = (members: Members) => names.map((name) => cellOf(members[name]))
  const firstRows = first.map(
    ({ row, members }): FirstRow => ({ row, cells: cellsOf(members).map(textOfCell) }),
  )
  return {
    format: 'ndjson',
    headers: names,
    headerRow: 0,
    firstRows: shownRowsOf(firstRows),
    encoding,
    countsFrom1904: false,
    bytes,
    async *rows(onProgress) {
      for await (const read of objectsOf(file, encoding, onProgress)) {
        if ('fault' in read) yield unreadableRow(read.row, read.fault, [read.line], names.length)
        else yield { row: read.row, cells: cellsOf(read.members) }
      }
    },
    async close() {},
  }
}

const shownObjects = 15

type Members = Record<string, unknown>
type ReadLine = { row: number } & ({ members: Members } | { fault: string; line: string })

async function* objectsOf(
  file: string,
  encoding: string,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<ReadLine> {
  let row = 0
  for await (const line of linesOf(textOf(file, encoding, onProgress))) {
    row++
    if (line.length > longestRow) throw new FileRefused(`Row ${row} is longer than ${longestRow} characters.`)
    if (line.trim() !== '') yield { row, ...parseLine(line) }
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

function parseLine(line: string): { members: Members } | { fault: string; line: string } {
  let value: unknown
  try {
    value = JSON.parse(line, asWritten)
  } catch {
    return { fault: 'the line is not JSON', line: line.trim() }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { members: value as Members }
  return { fault: 'the line is not a JSON object', line: line.trim() }
}

/** Numbers as written, never rounded by floating point. */
function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}

/** Lists and shares in the notation of cells. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return plainText(value)
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
