import { createHash } from 'node:crypto'
import { majorText } from '../../files/amounts.ts'
import type { WrittenControl } from '../../files/sheet-writer.ts'

/** What an export was asked for, by name; null where it was not. */
export type Chosen = Record<string, string | null>

interface Asked {
  corp_id: string
  time_zone: string
  as_of: string
  /** The last day of the closed period that ends at this instant: its closing agrees with the export. Null where none does. */
  closing: string | null
}

/** An amount in a row, in minor units. */
export interface Amount {
  column: string
  currency: string
  minor: number
}

/** What whoever receives an export holds it against. */
export interface ControlSheet extends Asked {
  row_count: number
  /** Of the rows as canonical NDJSON: the same whatever the format. */
  sha256: string
  /** Every money column, in the order of the columns, for every currency in it; in major units, exactly, hence text. */
  sums: { column: string; currency: string; sum: string }[]
}

export interface OpenControl {
  add(amounts: Amount[], line: string): void
  sheet(): ControlSheet & Chosen
}

/** Counts rows while they pass by: it holds sums, never rows. */
export function openControl(asked: Asked & Chosen): OpenControl {
  const hash = createHash('sha256')
  const sums = new Map<string, Map<string, bigint>>()
  let row_count = 0
  const count = ({ column, currency, minor }: Amount) => {
    const ofColumn = sums.get(column) ?? new Map<string, bigint>()
    sums.set(column, ofColumn.set(currency, (ofColumn.get(currency) ?? 0n) + BigInt(minor)))
  }
  return {
    add(amounts, line) {
      row_count++
      hash.update(line)
      for (const amount of amounts) count(amount)
    },
    sheet: () =>
      ({ ...asked, row_count, sha256: hash.copy().digest('hex'), sums: sumsInOrder(sums) }) as ControlSheet &
        Chosen,
  }
}

/** A payment column is first seen behind all lower ones, so the order of arrival is the order of columns. */
function sumsInOrder(sums: Map<string, Map<string, bigint>>): ControlSheet['sums'] {
  return [...sums].flatMap(([column, ofColumn]) =>
    [...ofColumn]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, minor]) => ({ column, currency, sum: majorText(minor, currency) })),
  )
}

/** The sheet as lines under headings; a sum is a number where a spreadsheet's numbers carry all its digits. */
export function writtenControl(control: ControlSheet): WrittenControl {
  const { sums, ...rest } = control
  const numberOf = (sum: string) => (sum.replace(/\D/g, '').length <= 15 ? { decimal: sum } : sum)
  return {
    json: control,
    headings: ['item', 'currency', 'value'],
    lines: [
      ...Object.entries(rest).map(([item, value]) => [item, '', value]),
      ...sums.map(({ column, currency, sum }) => [column, currency, numberOf(sum)]),
    ],
  }
}
