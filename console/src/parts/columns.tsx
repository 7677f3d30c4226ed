import type { ReactNode } from 'react'
import { Day, Instant } from './instant.tsx'
import { Money } from './money.tsx'
import type { Column } from './table-rows.tsx'

type More<Row> = Omit<Column<Row>, 'id' | 'title' | 'cell'>

/** A column of amounts in minor units. */
export function moneyColumn<Row>(
  id: string,
  title: string,
  amountOf: (row: Row) => [amount: number, currency: string],
  more: More<Row> & { isZeroDimmed?: boolean } = {},
): Column<Row> {
  const { isZeroDimmed, ...rest } = more
  const cell = (row: Row): ReactNode => {
    const [amount, currency] = amountOf(row)
    return <Money amount={amount} currency={currency} isZeroDimmed={isZeroDimmed} />
  }
  return { id, title, isNumber: true, cell, ...rest }
}

/** A column of times. */
export function timeColumn<Row>(
  id: string,
  title: string,
  timeOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Instant at={timeOf(row)} />, ...more }
}

/** A column of calendar days. */
export function dayColumn<Row>(
  id: string,
  title: string,
  dayOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Day at={dayOf(row)} />, ...more }
}
