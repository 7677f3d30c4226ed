export type List = 'orders' | 'sub_orders'

/** What a row of a list is counted under. */
export interface CountedRow {
  status: string
  /** Of the organization's calendar. */
  ctime_day: string
  mtime_day: string
  /** Lists leave the orders out that are deleted. */
  is_deleted?: boolean
}

/** A change of the number of rows of a list, by one of its times, in one status or in all (''), on a day or in a month. */
export interface CountChange {
  list: List
  time: 'ctime' | 'mtime'
  status: string
  span: 'day' | 'month'
  day: string
  rows: number
}

/** How counts change as rows come and go. */
export class CountChanges {
  private readonly changes = new Map<string, CountChange>()

  add(list: List, rows: CountedRow[], sign: 1 | -1 = 1): void {
    for (const row of rows) if (!row.is_deleted) this.addRow(list, row, sign)
  }

  /** Those that are not nothing, always in the same order, so that two who store theirs never wait for each other. */
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
