import { RepeatedKeys } from './repeated-keys.ts'
import type { RowSource, SourceRow } from './row-source.ts'

/** What the file as a whole says of a row. */
export interface Survey<Name extends string> {
  rows: number
  /** The first key of the row that an earlier row has already, and that row. */
  repetitionOf(row: number): { column: Name; first: number } | undefined
}

/** What no two rows may have in common, by column, made of a row. "" is nothing to compare. */
export type RowKeys<Name extends string> = (row: SourceRow) => Record<Name, string>

/**
 * Reads the file through before anything is done: a fault of the file as a whole shows here, and so do rows that
 * repeat a key of each other, of which the first counts.
 */
export async function surveyRows<Name extends string>(
  source: RowSource,
  columns: Name[],
  keysOf: RowKeys<Name>,
): Promise<Survey<Name>> {
  const seen = await Promise.all(columns.map(() => RepeatedKeys.make()))
  try {
    let rows = 0
    for await (const row of source.rows()) {
      rows++
      const keys = keysOf(row)
      for (const [index, column] of columns.entries())
        if (keys[column] !== '') await seen[index]!.add(keys[column], row.row)
    }
    const repeated: [Name, Map<number, number>][] = []
    for (const [index, column] of columns.entries()) repeated.push([column, await seen[index]!.find(column)])
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
    await Promise.all(seen.map((one) => one.close()))
  }
}
