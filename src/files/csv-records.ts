import { longestRow, mostColumns, placeOfExcess, refusedAt, tooLongRow, tooManyColumns } from './limits.ts'

export interface CsvRecord {
  /** The row number of a spreadsheet: a quoted cell with several lines is in one row. */
  row: number
  cells: string[]
  /** Why the row cannot be read. Its cells are its text, divided at the separators. */
  fault?: string
}

export interface CsvShape {
  delimiter: string
  /** The number of columns below a row, by which a row is recognised after a quote that does not end. */
  table?: { width: number; headerRow: number }
  /** Whether the first line names the separator. It is no row. */
  startsWithSeparator: boolean
}

/** Text that a row within the limits has at most: its quotes are doubled, and its cells are quoted. */
const longestText = 2 * longestRow + 4 * mostColumns
/** The lines that one quote may make unreadable. */
const mostSkipped = 20

/**
 * The rows of a CSV text. A quote that does not end, or that is not doubled, is a fault of its row: reading continues
 * with the next line that has the right number of cells.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  { delimiter, table, startsWithSeparator }: CsvShape,
): AsyncGenerator<CsvRecord> {
  let [row, line] = [startsWithSeparator ? -1 : 0, 1]
  let rest = ''
  const parse = function* (isEnd: boolean): Generator<CsvRecord> {
    const scanner = createScanner(rest, delimiter, isEnd)
    let at = 0
    while (at < rest.length) {
      const isLong = rest.length - at > longestText
      const width = table && row >= table.headerRow ? table.width : undefined
      const found = scanner.recordAt(at)
      if (found === undefined && !isLong) break
      if (found === undefined) refuseLongLine(scanner, at, row + 1)
      const isWhole = found && 'cells' in found && (found.lines === 1 || fits(found.cells, width))
      const taken = isWhole ? found : brokenAt(scanner, at, { found, line, width, mayWait: !isLong })
      if (taken === undefined) break
      row++
      if (row > 0) yield { ...taken, row, cells: bounded(row, taken.cells) }
      at = taken.end
      line += taken.lines
    }
    rest = rest.slice(at)
  }
  for await (const piece of pieces) {
    rest += piece
    yield* parse(false)
  }
  yield* parse(true)
}

/** Whether a row has a cell for each header, and nothing after them. */
export function fits(cells: string[], width: number | undefined): boolean {
  if (width === undefined) return true
  return cells.length >= width && !cells.slice(width).some((cell) => cell.trim() !== '')
}

interface Scanned {
  cells: string[]
  fault?: string
  /** The position after the line break. */
  end: number
  lines: number
}

interface Scanner {
  text: string
  delimiter: string
  /** Undefined if the row does not end in this text. */
  recordAt(at: number): Scanned | { broken: 'open' | 'quote' } | undefined
  /** The end of the line, and the start of the next one. Undefined if the line does not end in this text. */
  lineAt(at: number): { end: number; next: number } | undefined
}

function createScanner(text: string, delimiter: string, isEnd: boolean): Scanner {
  const [lineFeed, carriageReturn] = [finder(text, '\n'), finder(text, '\r')]
  const [quote, separatorFrom] = [finder(text, '"'), finder(text, delimiter)]
  const lineAt = (at: number) => {
    const [feed, back] = [lineFeed(at), carriageReturn(at)]
    if (back >= 0 && (feed < 0 || back < feed)) {
      if (feed === back + 1) return { end: back, next: feed + 1 }
      if (back + 1 < text.length || isEnd) return { end: back, next: back + 1 }
      return undefined
    }
    if (feed >= 0) return { end: feed, next: feed + 1 }
    return isEnd ? { end: text.length, next: text.length } : undefined
  }
  /** The cell that a quote starts; "open" if it does not end. */
  const quotedAt = (at: number): { cell: string; end: number } | 'open' | undefined => {
    let cell = ''
    for (let from = at + 1; ; ) {
      const close = quote(from)
      if (close < 0) return isEnd ? 'open' : undefined
      if (close + 1 === text.length && !isEnd) return undefined
      if (text[close + 1] !== '"') return { cell: cell + text.slice(from, close), end: close + 1 }
      cell += text.slice(from, close + 1)
      from = close + 2
    }
  }
  const recordAt = (at: number): ReturnType<Scanner['recordAt']> => {
    const cells: string[] = []
    let lines = 1
    for (let from = at; ; ) {
      const line = lineAt(from)
      const nextQuote = quote(from)
      if (line && (nextQuote < 0 || nextQuote >= line.end)) {
        cells.push(...cellsOf(text.slice(from, line.end), delimiter))
        return { cells, end: line.next, lines }
      }
      if (text[from] === '"') {
        const quoted = quotedAt(from)
        if (quoted === undefined) return undefined
        if (quoted === 'open') return { broken: 'open' }
        cells.push(quoted.cell)
        lines += quoted.cell.match(/\r\n|\n|\r/g)?.length ?? 0
        let end = quoted.end
        while (text[end] === ' ') end++
        const behind = text[end]
        if (behind === undefined) return isEnd ? { cells, end, lines } : undefined
        if (behind === '\n' || behind === '\r') {
          const ended = lineAt(end)
          return ended && { cells, end: ended.next, lines }
        }
        if (behind !== delimiter) return { broken: lines > 1 ? 'open' : 'quote' }
        from = end + 1
        continue
      }
      // In an unquoted cell, a quote is an ordinary character.
      const separator = separatorFrom(from)
      if (line && (separator < 0 || separator >= line.end)) {
        cells.push(text.slice(from, line.end))
        return { cells, end: line.next, lines }
      }
      if (separator < 0) return undefined
      cells.push(text.slice(from, separator))
      from = separator + 1
    }
  }
  return { text, delimiter, recordAt, lineAt }
}

/** Remembers the last position found: most searches start before it. */
function finder(text: string, character: string): (from: number) => number {
  let found = -2
  let asked = 0
  return (from) => {
    const isKnown = from >= asked && (found === -1 || found >= from)
    if (!isKnown) {
      found = text.indexOf(character, from)
      asked = from
    }
    return found
  }
}

/** No more cells than needed to see that there are too many. */
function cellsOf(line: string, delimiter: string): string[] {
  return line.split(delimiter, mostColumns + 2)
}

const reasons = {
  open: (line: number) => `line ${line} has a quoted cell that does not end`,
  quote: (line: number) => `line ${line} has a quote in a quoted cell that is not doubled`,
}

interface Broken {
  found: Scanned | { broken: keyof typeof reasons } | undefined
  line: number
  width: number | undefined
  /** Whether to wait for more text to find a line that fits. */
  mayWait: boolean
}

/** A row that cannot be read, up to the next line that fits. Undefined if more text is needed to find it. */
function brokenAt(
  scanner: Scanner,
  at: number,
  { found, line, width, mayWait }: Broken,
): Scanned | undefined {
  const first = scanner.lineAt(at)
  // A line without an end was refused before.
  if (!first) return undefined
  const fitting = width === undefined ? undefined : fittingBehind(scanner, first, width, mayWait)
  if (fitting === 'later') return undefined
  // A row of several lines that does not fit the header, without a line that fits by itself.
  if (found && 'cells' in found && !(fitting && fitting.next < found.end)) return found
  const { end, next, lines } = fitting ?? { ...first, lines: 1 }
  const cells = scanner.text.slice(at, Math.min(end, at + longestRow)).split(scanner.delimiter, mostColumns)
  const fault = reasons[found && 'broken' in found ? found.broken : 'open'](line)
  return { cells, end: next, lines, fault }
}

type Line = { end: number; next: number }

/** The last of the lines, starting with this one, before a line that fits; undefined if none of the next does. */
function fittingBehind(
  { recordAt, lineAt }: Scanner,
  first: Line,
  width: number,
  mayWait: boolean,
): (Line & { lines: number }) | 'later' | undefined {
  let last = first
  for (let lines = 1; lines <= mostSkipped; lines++) {
    const record = recordAt(last.next)
    const following = lineAt(last.next)
    if (following?.next === last.next) return undefined
    if (record && 'cells' in record && fits(record.cells, width)) return { ...last, lines }
    if (mayWait && (record === undefined || following === undefined)) return 'later'
    if (following === undefined) return undefined
    last = following
  }
  return undefined
}

function refuseLongLine({ text, delimiter, lineAt }: Scanner, at: number, row: number): void {
  const line = text.slice(at, lineAt(at)?.end ?? text.length)
  if (line.length > longestText) bounded(row, cellsOf(line, delimiter))
}

function bounded(row: number, cells: string[]): string[] {
  if (cells.length > mostColumns + 1) throw refusedAt(row, mostColumns, tooManyColumns)
  const excess = placeOfExcess(cells)
  if (excess !== undefined) throw refusedAt(row, excess, tooLongRow)
  return cells
}
