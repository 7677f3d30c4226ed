import type { Readable } from 'node:stream'
import { longestRow, refusedAt, tooLongRow } from './limits.ts'
import { type Cell, FileRefused, type SourceRow, textOf } from './row-source.ts'

/** A place in a sheet. Rows count from 1, columns from 0. */
interface Place {
  row: number
  column: number
}

interface Merge {
  range: string
  from: Place
  to: Place
}

/** The place of a reference such as B2. */
export function placeOf(reference: string): Place | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?([0-9]+)$/.exec(reference) ?? []
  if (letters === undefined) return undefined
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits), column }
}

const mostMerges = 65_536
const longestTag = 1024
const tagName = 'mergeCell '
const tag = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*\s)?ref="([^"]*)"/

/**
 * The merged cells of a sheet, from top to bottom. They follow the rows in the file, so that they are searched for
 * without parsing the rows.
 */
export async function readMerges(sheet: Readable): Promise<Merge[]> {
  const merges: Merge[] = []
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of sheet as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([rest, chunk])
      let end = 0
      for (let at = bytes.indexOf(tagName); at >= 0; at = bytes.indexOf(tagName, at + 1)) {
        const close = bytes.indexOf('>', at)
        if (close < 0) break
        end = close
        const [, range] =
          tag.exec(bytes.toString('latin1', Math.max(0, at - 20), Math.min(close, at + longestTag))) ?? []
        const merge = mergeOf(range)
        if (merge) merges.push(merge)
        if (merges.length > mostMerges)
          throw new FileRefused(`The sheet has more than ${mostMerges} merged cells.`)
      }
      rest = bytes.subarray(Math.max(end, bytes.length - longestTag))
    }
  } catch (error) {
    if (error instanceof FileRefused) throw error
    throw new FileRefused('The workbook is damaged: a part of it cannot be unpacked.')
  } finally {
    sheet.destroy()
  }
  return merges.sort((a, b) => a.from.row - b.from.row)
}

function mergeOf(range: string | undefined): Merge | undefined {
  const [from, to] = (range ?? '').split(':').map(placeOf)
  return from && to && range !== undefined ? { range, from, to } : undefined
}

/**
 * Gives merged cells below the headers the value of the first of them in every row, or a fault: an amount that two
 * rows share would count twice.
 */
export function mergeResolver(
  merges: Merge[],
  { headerRow, width }: { headerRow: number; width: number },
  as: 'value' | 'fault',
): (row: SourceRow) => SourceRow {
  const below = merges.filter(({ from, to }) =>
    as === 'value'
      ? from.row > headerRow && to.row > from.row && from.column < width
      : to.row > headerRow && from.column < width,
  )
  if (below.length === 0) return (row) => row
  const byColumn = new Map<number, { lastRow: number; cell: (own: Cell) => Cell }>()
  let next = 0
  return (source) => {
    for (; (below[next]?.from.row ?? Number.POSITIVE_INFINITY) <= source.row; next++) {
      const { from, to, range } = below[next]!
      const value = from.row === source.row ? (source.cells[from.column] ?? '') : ''
      const fault = `is one of the merged cells ${range}: split them`
      const cell = as === 'value' ? () => value : (own: Cell) => ({ fault, text: textOf(own) })
      const last = as === 'value' ? from.column : Math.min(to.column, width - 1)
      for (let column = from.column; column <= last; column++) byColumn.set(column, { lastRow: to.row, cell })
    }
    if (byColumn.size === 0 || source.cells.every((cell) => cell === '')) return source
    const cells = [...source.cells]
    for (const [column, { lastRow, cell }] of byColumn) {
      if (lastRow < source.row) {
        byColumn.delete(column)
        continue
      }
      while (cells.length < column) cells.push('')
      cells[column] = cell(cells[column] ?? '')
    }
    const characters = cells.reduce((sum, cell) => sum + textOf(cell).length, 0)
    if (characters > longestRow) throw refusedAt(source.row, cells.length - 1, tooLongRow)
    return { ...source, cells }
  }
}
