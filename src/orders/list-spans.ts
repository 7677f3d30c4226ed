/** The days of a list that are asked for, as whole months and the days at either end that make none. */
export interface DaySpans {
  /** First and last day; far beyond all data where the range is open. */
  from: string
  until: string
  /** The whole months go from here … */
  wholeFrom: string
  /** … to the day before this one. */
  wholeUntil: string
}

const openEnds = { from: '0001-01-01', until: '9999-11-30' }

export function spansOf(from = openEnds.from, until = openEnds.until): DaySpans {
  const first = Temporal.PlainDate.from(from)
  const behind = Temporal.PlainDate.from(until).add({ days: 1 })
  const wholeFrom = first.day === 1 ? first : first.with({ day: 1 }).add({ months: 1 })
  const wholeUntil = behind.with({ day: 1 })
  if (Temporal.PlainDate.compare(wholeFrom, wholeUntil) >= 0)
    return { from, until, wholeFrom: from, wholeUntil: from }
  return { from, until, wholeFrom: wholeFrom.toString(), wholeUntil: wholeUntil.toString() }
}
