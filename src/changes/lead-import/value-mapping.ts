import { storableText } from '../../contract/formats.ts'
import { list } from '../../files/cell-readers.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCell } from '../../files/read-cells.ts'
import { FileRefused, type SourceRow } from '../../files/row-source.ts'
import { type ColumnName, columns } from './read-lead-row.ts'

/** Columns whose values have a meaning, which files may spell differently. */
export const valueColumns = [
  ...(['utm_source', 'utm_medium', 'utm_channel', 'utm_campaign', 'campaign'] as const),
  ...(['course_code', 'owner_ids', 'oid', 'is_corporate_training'] as const),
]
export type ValueColumn = (typeof valueColumns)[number]

/** By column and value of the file, the meaning; "" is no value. */
export type ValueMapping = Partial<Record<ValueColumn, Record<string, string>>>

export const longestValue = 100
export const mostMappedValues = 1000

export function isValueColumn(name: string | undefined): name is ValueColumn {
  return valueColumns.some((column) => column === name)
}

/** The values of a cell: some columns hold several. */
function valuesOf(column: ValueColumn, cell: string): string[] {
  return column === 'owner_ids' ? list(cell) : [cell.trim()].filter((value) => value !== '')
}

/** Replaces the values of a row by their meanings. Rejected rows keep the values of the file. */
export function withValues(
  row: SourceRow,
  { names }: ColumnMap<ColumnName>,
  mapping: ValueMapping,
): SourceRow {
  const cells = row.cells.map((cell, at) => {
    const name = names[at]
    const meanings = isValueColumn(name) ? mapping[name] : undefined
    if (!meanings || !isValueColumn(name) || typeof cell !== 'string') return cell
    return valuesOf(name, cell)
      .map((value) => (Object.hasOwn(meanings, value) ? (meanings[value] ?? value) : value))
      .filter((value) => value !== '')
      .join(';')
  })
  return { ...row, cells }
}

/** Why a value cannot have this meaning; undefined if it can. */
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
    throw new FileRefused('The values file is not JSON.')
  }
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  if (!isObject(value)) throw new FileRefused('The values file must be a JSON object of columns.')
  for (const [column, meanings] of Object.entries(value as object)) {
    if (!isValueColumn(column))
      throw new FileRefused(
        `The values of ${column} cannot be mapped; only those of ${valueColumns.join(', ')}.`,
      )
    if (!isObject(meanings)) throw new FileRefused(`The values of ${column} must be an object.`)
    for (const [each, meaning] of Object.entries(meanings as object)) {
      const fault = typeof meaning === 'string' ? faultOfMeaning(column, meaning) : 'must be text'
      if (fault) throw new FileRefused(`The meaning of ${each} in ${column} ${fault}.`)
    }
  }
  return value as ValueMapping
}

/** The values of a column of a file, most frequent first. */
export interface FoundValues {
  column: ValueColumn
  header: string
  /** The number of different values, up to the limit of counting. */
  distinct: number
  /** The number of cells with a value that is not listed. */
  others: number
  list: { value: string; rows: number }[]
}

const mostCounted = 1000
const mostListed = 50

/** Counts values while a file is read, up to a fixed number per column. */
export function createValueCounts(
  { names }: ColumnMap<ColumnName>,
  headers: string[],
): { add(row: SourceRow): void; found(): FoundValues[] } {
  const counted = names.flatMap((column, at) =>
    isValueColumn(column)
      ? [{ column, at, header: headers[at] ?? '', counts: new Map<string, number>(), others: 0 }]
      : [],
  )
  return {
    add({ cells }) {
      for (const each of counted) {
        const cell = cells[each.at]
        if (typeof cell !== 'string') continue
        for (const value of valuesOf(each.column, cell)) {
          const rows = each.counts.get(value)
          if (rows !== undefined) each.counts.set(value, rows + 1)
          else if (each.counts.size < mostCounted && value.length <= longestValue) each.counts.set(value, 1)
          else each.others++
        }
      }
    },
    found: () =>
      counted.map(({ column, header, counts, others }) => {
        const all = [...counts]
          .map(([value, rows]) => ({ value: storableText(value), rows }))
          .sort((a, b) => b.rows - a.rows)
        const list = all.slice(0, mostListed)
        const left = all.slice(mostListed).reduce((sum, { rows }) => sum + rows, 0)
        return { column, header, distinct: counts.size, others: others + left, list }
      }),
  }
}
