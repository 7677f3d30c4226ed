import { formats } from '../contract/formats.ts'
import type { ColumnFault } from './column-faults.ts'
import type { ColumnMap } from './map-columns.ts'
import type { RowSource, SourceRow } from './row-source.ts'

export type CellContext = Pick<RowSource, 'countsFrom1904'>

/** Thrown by the reader of a cell. The caller adds row and column. */
export class CellRefused extends Error {}

/** The aliases of a column, and the reader of its non-empty cells. */
export interface Column<T> {
  aliases: string[]
  /** Whether a cell may have several lines. */
  isLongText?: true
  read(text: string, context: CellContext): T
}

/** A column with its aliases in one text, separated by commas. */
export function column<T>(read: Column<T>['read'], aliases: string): Column<T> {
  return { aliases: aliases.split(', '), read }
}

/** A column whose cells may have several lines. */
export function longText(aliases: string): Column<string> {
  return { ...column((cell) => cell, aliases), isLongText: true }
}

export type Columns<Members> = { [Name in keyof Members & string]-?: Column<NonNullable<Members[Name]>> }

/** Reads the cells of a row. Returns all faults. */
export function readCells<Members extends object>(
  columns: Columns<Members>,
  { cells }: SourceRow,
  { names }: ColumnMap<keyof Members & string>,
  context: CellContext,
): { members: Partial<Members>; faults: ColumnFault[] } {
  const members: Record<string, unknown> = {}
  const faults: ColumnFault[] = []
  for (const [index, name] of names.entries()) {
    const cell = cells[index] ?? ''
    if (name === undefined || cell === '') continue
    const read = typeof cell === 'string' ? readCell(columns[name], cell, context) : { reason: cell.fault }
    if ('reason' in read) faults.push({ column: name, reason: read.reason })
    else members[name] = read.value
  }
  return { members: members as Partial<Members>, faults }
}

export function readCell<T>(
  column: Column<T>,
  cell: string,
  context: CellContext,
): { value: T } | { reason: string } {
  const [isRight, reason] = column.isLongText ? formats.text : formats.line
  if (!isRight(cell)) return { reason }
  try {
    return { value: column.read(cell, context) }
  } catch (error) {
    if (error instanceof CellRefused) return { reason: error.message }
    throw error
  }
}
