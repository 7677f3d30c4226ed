export type List = 'orders' | 'sub_orders'

/** The values that a row of a list is counted by. */
export interface CountedRow {
  status: string
  /** Of the organization's calendar. */
  ctime_day: string
  mtime_day: string
  /** Lists exclude deleted orders. */
  is_deleted?: boolean
}

/** A delta of the number of rows of a list on a day or in a month, by one of its times, in one status or all (''). */
export interface CountChange {
  list: List
  time: 'ctime' | 'mtime'
  status: string
  span: 'day' | 'month'
  day: string
  rows: number
}

/** Collects count deltas of added and removed rows. */
export class CountChanges {
  private readonly changes = new Map<string, CountChange>()

  add(list: List, rows: CountedRow[], sign: 1 | -1 = 1): void {
    for (const row of rows) if (!row.is_deleted) this.addRow(list, row, sign)
  }

  /** The deltas other than 0, sorted, so that two transactions never deadlock. */
  all(): CountChange[] {
    return [...this.changes]
      .filter(([, { rows }]) => rows !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, change]) => change)
  }

  private addRow(list: List, row: CountedRow, sign: 1 | -1): void {
    for (const time of ['ctime', 'mtime'] as const) {
      const day = row[`${time}_day`]
      for (const status of [row.status, '']) {
        this.addTo({ list, time, status, span: 'day', day, rows: sign })
        this.addTo({ list, time, status, span: 'month', day: `${day.slice(0, 7)}-01`, rows: sign })
      }
    }
  }

  private addTo(change: CountChange): void {
    const key = `${change.list} ${change.time} ${change.span} ${change.day} ${change.status}`
    const known = this.changes.get(key)
    if (known) known.rows += change.rows
    else this.changes.set(key, change)
  }
}
