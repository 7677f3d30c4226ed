import { createHash } from 'node:crypto'
import { majorText } from '../../files/amounts.ts'
import type { WrittenControl } from '../../files/write-xlsx.ts'

/** The requested filters of an export by name; null for those not requested. */
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

/** Counts and sums that the recipient compares an export with. */
export interface ControlSheet extends Asked {
  row_count: number
  /** Hash of the rows as canonical NDJSON, independent of the file format. */
  sha256: string
  /** Sum of every amount column and currency, in column order. Major units as text, because numbers would round. */
  sums: { column: string; currency: string; sum: string }[]
}

export interface OpenControl {
  add(amounts: Amount[], line: string): void
  sheet(): ControlSheet & Chosen
}

/** Counts and sums a stream of rows without keeping them. */
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

/** Payment columns first occur in ascending order, so insertion order is column order. */
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
