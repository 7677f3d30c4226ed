import { firstDay, lastDay } from '../../contract/days.ts'

/** A range of days as whole months and the remaining days at either end. */
export interface DaySpans {
  from: string
  until: string
  /** The whole months go from here … */
  wholeFrom: string
  /** … to the day before this one. */
  wholeUntil: string
}

/** An open range extends to the end of the calendar. */
export function spansOf(asked: { from?: string | undefined; until?: string | undefined }): DaySpans {
  const { from = firstDay, until = lastDay } = asked
  const first = Temporal.PlainDate.from(from)
  const behind = Temporal.PlainDate.from(until).add({ days: 1 })
  const wholeFrom = first.day === 1 ? first : first.with({ day: 1 }).add({ months: 1 })
  const wholeUntil = behind.with({ day: 1 })
  if (Temporal.PlainDate.compare(wholeFrom, wholeUntil) >= 0)
    return { from, until, wholeFrom: from, wholeUntil: from }
  return { from, until, wholeFrom: written(wholeFrom), wholeUntil: written(wholeUntil) }
}

/** In the format of PostgreSQL: the day after the end of the calendar has a year of five digits without a sign. */
function written(day: Temporal.PlainDate): string {
  return day.toString().replace(/^\+0/, '')
}
