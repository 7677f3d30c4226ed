import { list } from '../../files/cell-readers.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCell } from '../../files/read-cells.ts'
import { FileRefused, type SourceRow } from '../../files/row-source.ts'
import { type ColumnName, columns } from './columns.ts'

/** Columns whose values stand for something: in another file, the same may be written otherwise. */
export const valueColumns = [
  ...(['utm_source', 'utm_medium', 'utm_channel', 'utm_campaign', 'campaign'] as const),
  ...(['course_code', 'owner_ids', 'oid', 'is_corporate_training'] as const),
]
export type ValueColumn = (typeof valueColumns)[number]

/** By column, and by what stands in the file: what it is to stand for; "" is nothing. */
export type ValueMapping = Partial<Record<ValueColumn, Record<string, string>>>

export const longestValue = 100
export const mostMappedValues = 1000

export function isValueColumn(name: string | undefined): name is ValueColumn {
  return valueColumns.some((column) => column === name)
}

/** The values of a cell: some columns hold several. */
export function valuesOf(column: ValueColumn, cell: string): string[] {
  return column === 'owner_ids' ? list(cell) : [cell.trim()].filter((value) => value !== '')
}

/** A row with what its values stand for in their place; what was rejected is told as it stood there. */
export function withValues(
  row: SourceRow,
  { names }: ColumnMap<ColumnName>,
  mapping: ValueMapping,
): SourceRow {
  const cells = row.cells.map((cell, at) => {
    const name = names[at]
    const told = isValueColumn(name) ? mapping[name] : undefined
    if (!told || !isValueColumn(name) || typeof cell !== 'string') return cell
    return valuesOf(name, cell)
      .map((value) => (Object.hasOwn(told, value) ? told[value]! : value))
      .filter((value) => value !== '')
      .join(';')
  })
  return { ...row, cells }
}

/** Why a value cannot stand for this; undefined where it can. */
export function faultOfMeaning(column: ValueColumn, meaning: string): string | undefined {
  if (meaning === '') return undefined
  const read = readCell(columns[column] as Parameters<typeof readCell>[0], meaning, { countsFrom1904: false })
  return 'reason' in read ? read.reason : undefined
}

/** {"utm_channel": {"Baidu PC": "baidu", "n/a": ""}, …} */
export function readValueMapping(text: string): ValueMapping {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileRefused('The file of values is not JSON.')
  }
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  if (!isObject(value)) throw new FileRefused('The file of values must be an object of columns.')
  for (const [column, told] of Object.entries(value as object)) {
    if (!isValueColumn(column))
      throw new FileRefused(
        `The values of ${column} cannot be told; those of ${valueColumns.join(', ')} can.`,
      )
    if (!isObject(told)) throw new FileRefused(`The values of ${column} must be an object.`)
    for (const [each, meaning] of Object.entries(told as object)) {
      const fault = typeof meaning === 'string' ? faultOfMeaning(column, meaning) : 'must be a text'
      if (fault) throw new FileRefused(`What ${each} of ${column} stands for ${fault}.`)
    }
  }
  return value as ValueMapping
}
