import { firstDay, lastDay } from '../../contract/days.ts'

/** The days of a list that are asked for, as whole months and the days at either end that make none. */
export interface DaySpans {
  from: string
  until: string
  /** The whole months go from here … */
  wholeFrom: string
  /** … to the day before this one. */
  wholeUntil: string
}

/** A range without an end goes to that of the calendar. */
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

/** As PostgreSQL reads it: the day after the last of the calendar has a year of five digits, and no sign. */
function written(day: Temporal.PlainDate): string {
  return day.toString().replace(/^\+0/, '')
}
