import type { ColumnFault } from './column-faults.ts'
import type { ColumnMap } from './map-columns.ts'
import { RepeatedKeys } from './repeated-keys.ts'
import type { RowSource } from './row-source.ts'

/** What the file as a whole says of a row. */
export interface Survey {
  rows: number
  faultOf(row: number): ColumnFault | undefined
}

/** What no two rows may have in common: told by its column, and made of the texts of a row. "" is nothing to compare. */
export interface RowKey<Name extends string> {
  column: Name
  keyOf(textOf: (name: Name) => string): string
}

/**
 * Reads the file through before anything is done: a fault of the file as a whole shows here, and so do rows that
 * repeat a key of each other, of which the first counts.
 */
export async function surveyRows<Name extends string>(
  source: RowSource,
  { names }: ColumnMap<Name>,
  keys: RowKey<Name>[],
): Promise<Survey> {
  const seen = await Promise.all(keys.map(() => RepeatedKeys.make()))
  try {
    const indexOf = new Map(names.map((name, index) => [name, index]))
    let rows = 0
    for await (const { row, cells } of source.rows()) {
      rows++
      const textOf = (name: Name) => {
        const cell = cells[indexOf.get(name) ?? -1]
        return typeof cell === 'string' ? cell : ''
      }
      for (const [index, { keyOf }] of keys.entries()) {
        const key = keyOf(textOf)
        if (key !== '') await seen[index]!.add(key, row)
      }
    }
    const repeated: [Name, Map<number, number>][] = []
    for (const [index, { column }] of keys.entries()) repeated.push([column, await seen[index]!.find(column)])
    return {
      rows,
      faultOf(row) {
        for (const [column, repetitions] of repeated) {
          const first = repetitions.get(row)
          if (first !== undefined) return { column, reason: `stands in row ${first} already` }
        }
        return undefined
      },
    }
  } finally {
    await Promise.all(seen.map((one) => one.close()))
  }
}
