import { parse } from 'csv-parse/sync'

export type ExportedRow = Record<string, string>

/** The rows of an exported file. */
export function rowsOf(csv: string): ExportedRow[] {
  return parse(csv, { bom: true, columns: true })
}

const minor = (major: string | undefined) => Math.round(Number(major) * 100)

function sumBy(rows: ExportedRow[], currency: string, amountOf: (row: ExportedRow) => number) {
  const sums: Record<string, number> = {}
  for (const row of rows) {
    const of = row[currency]!
    sums[of] = (sums[of] ?? 0) + amountOf(row)
  }
  return sums
}

interface Exports {
  payments: ExportedRow[]
  refunds: ExportedRow[]
  financial_rows: ExportedRow[]
}

/** The figures of a closing by account and currency of receipt, added up from exported rows. */
export function accountFiguresOf({ payments, refunds }: Pick<Exports, 'payments' | 'refunds'>) {
  const none = { received: 0, voided: 0, moved: 0, refunded: 0 }
  const sums = new Map<string, typeof none & Record<'account' | 'currency' | 'order_currency', string>>()
  const sumOf = ({ account = '', currency = '', order_currency = '' }: ExportedRow) => {
    const key = JSON.stringify([account, currency, order_currency])
    const sum = sums.get(key) ?? { account, currency, order_currency, ...none }
    sums.set(key, sum)
    return sum
  }
  for (const row of payments) {
    const sum = sumOf(row)
    sum.received += minor(row.price)
    sum.voided += minor(row.voided_price)
    sum.moved += minor(row.moved_price)
  }
  // A refund is reversed as a whole.
  for (const row of refunds)
    if (minor(row.reversed_price) === 0) sumOf(row).refunded += minor(row.returned_price)
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => ({
      ...sum,
      closing: { held: sum.received - sum.voided - sum.moved - sum.refunded },
    }))
}

/** The figures of a closing by order currency, added up from exported rows. All amounts have two decimals. */
export function figuresOf({ payments, refunds, financial_rows }: Exports) {
  const received = sumBy(payments, 'order_currency', (row) => minor(row.order_price))
  const voided = sumBy(payments, 'order_currency', (row) =>
    row.state === 'void' ? minor(row.order_price) : 0,
  )
  const refunded = sumBy(refunds, 'order_currency', (row) => minor(row.price) - minor(row.reversed_price))
  const unapplied = sumBy(payments, 'order_currency', (row) => minor(row.unapplied_price))
  const outstanding = sumBy(financial_rows, 'currency', (row) => minor(row.unpaid_price))
  return Object.keys(received).map((currency) => {
    const of = (sums: Record<string, number>) => sums[currency] ?? 0
    const held = of(received) - of(voided) - of(refunded)
    return {
      ...{ currency, received: of(received), voided: of(voided), refunded: of(refunded) },
      closing: { held, unapplied: of(unapplied), outstanding: of(outstanding) },
    }
  })
}
