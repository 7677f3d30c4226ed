/** The days of a list that are asked for, as whole months and the days at either end that make none. */
export interface DaySpans {
  from: string
  until: string
  /** The whole months go from here … */
  wholeFrom: string
  /** … to the day before this one. */
  wholeUntil: string
}

/** Nothing is before or after: open ranges end here, and days beyond, which PostgreSQL cannot write, count as these. */
const firstDay = '0001-01-01'
const lastDay = '9999-11-30'

export function spansOf(asked: { from?: string | undefined; until?: string | undefined }): DaySpans {
  const from = within(asked.from ?? firstDay)
  const until = within(asked.until ?? lastDay)
  const first = Temporal.PlainDate.from(from)
  const behind = Temporal.PlainDate.from(until).add({ days: 1 })
  const wholeFrom = first.day === 1 ? first : first.with({ day: 1 }).add({ months: 1 })
  const wholeUntil = behind.with({ day: 1 })
  if (Temporal.PlainDate.compare(wholeFrom, wholeUntil) >= 0)
    return { from, until, wholeFrom: from, wholeUntil: from }
  return { from, until, wholeFrom: wholeFrom.toString(), wholeUntil: wholeUntil.toString() }
}

function within(day: string): string {
  if (day < firstDay) return firstDay
  return day > lastDay ? lastDay : day
}
