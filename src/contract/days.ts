/** The ends of the calendar. As the ends of a range they mean that it is open. */
export const firstDay = '0001-01-01'
export const lastDay = '9999-12-31'

/** The instant at which a calendar day begins in a zone; where a DST change skips midnight, the first that exists. */
export function startOfDay(date: string, timeZone: string): Date {
  return instantOf(Temporal.PlainDate.from(date), timeZone)
}

/** The instant at which the day is over: the next one's beginning, 23 to 25 hours later. */
export function endOfDay(date: string, timeZone: string): Date {
  return instantOf(Temporal.PlainDate.from(date).add({ days: 1 }), timeZone)
}

/** The instant of a date or time that is written in a zone. */
export function instantOfLocal(text: string, timeZone: string): Date {
  const written = Temporal.PlainDateTime.from(text.replace(' ', 'T'))
  return new Date(written.toZonedDateTime(timeZone).epochMilliseconds)
}

/** A deadline: the time itself or, where only the day is given, its last second, however long the day is. */
export function deadlineOf(text: string, timeZone: string): Date {
  return text.includes(' ')
    ? instantOfLocal(text, timeZone)
    : new Date(endOfDay(text, timeZone).getTime() - 1000)
}

/** The same day months later, or the last of a shorter month; counted from the first day, so that none drifts. */
export function monthsLater(day: string, months: number): string {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

function instantOf(day: Temporal.PlainDate, timeZone: string): Date {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
}
