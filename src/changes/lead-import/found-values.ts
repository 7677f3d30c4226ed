import { storableText } from '../../contract/formats.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import type { SourceRow } from '../../files/row-source.ts'
import type { ColumnName } from './columns.ts'
import { isValueColumn, longestValue, type ValueColumn, valuesOf } from './value-mapping.ts'

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
