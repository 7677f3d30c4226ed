import { RepeatedKeys } from './repeated-keys.ts'
import type { RowSource, SourceRow } from './row-source.ts'

/** What a first pass finds in a file. */
export interface Survey<Name extends string> {
  rows: number
  /** The first repeated key of the row, and the earlier row that has it. */
  repetitionOf(row: number): { column: Name; first: number } | undefined
}

/** The unique keys of a row, by column. "" is no key. */
export type RowKeys<Name extends string> = (row: SourceRow) => Record<Name, string>

/**
 * Reads the whole file before anything is done. Finds faults of the file, and rows that repeat a key of an earlier
 * row.
 */
export async function surveyRows<Name extends string>(
  source: RowSource,
  columns: Name[],
  keysOf: RowKeys<Name>,
): Promise<Survey<Name>> {
  const seen = await Promise.all(columns.map(async (column) => ({ column, keys: await RepeatedKeys.make() })))
  try {
    let rows = 0
    for await (const row of source.rows()) {
      rows++
      const keysOfRow = keysOf(row)
      for (const { column, keys } of seen)
        if (keysOfRow[column] !== '') await keys.add(keysOfRow[column], row.row)
    }
    const repeated: [Name, Map<number, number>][] = []
    for (const { column, keys } of seen) repeated.push([column, await keys.find(column)])
    return {
      rows,
      repetitionOf(row) {
        for (const [column, repetitions] of repeated) {
          const first = repetitions.get(row)
          if (first !== undefined) return { column, first }
        }
        return undefined
      },
    }
  } finally {
    await Promise.all(seen.map(({ keys }) => keys.close()))
  }
}
