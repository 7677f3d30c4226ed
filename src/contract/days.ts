/** First and last day of the calendar. As the end of a range they mean that it is open. */
export const firstDay = '0001-01-01'
export const lastDay = '9999-12-31'

/**
 * Instants are within these years in UTC too: beyond, PostgreSQL and JSON would write other texts than they read. In some
 * zones, the first and the last day lose a few hours.
 */
const firstInstantMs = Date.parse('0001-01-01T00:00:00Z')
const lastInstantMs = Date.parse('9999-12-31T23:59:59Z')

/** The begin of a day in a zone. If a DST change skips midnight: the first instant of the day. */
export function startOfDay(date: string, timeZone: string): Date {
  return dateOf(beginningMs(Temporal.PlainDate.from(date), timeZone))
}

/** The end of a day, which is the begin of the next one, 23 to 25 hours later. */
export function endOfDay(date: string, timeZone: string): Date {
  return dateOf(endMs(date, timeZone))
}

/** The instant of a date or time that is written in a zone. */
export function instantOfLocal(text: string, timeZone: string): Date {
  const written = Temporal.PlainDateTime.from(text.replace(' ', 'T'))
  return dateOf(written.toZonedDateTime(timeZone).epochMilliseconds)
}

/** An instant as records show it: YYYY-MM-DD HH:MM:SS in a zone. */
export function localTime(instant: string, timeZone: string): string {
  const time = localOf(new Date(instant), timeZone)
  return time.toString({ smallestUnit: 'second' }).replace('T', ' ')
}

/** A deadline: the given time, or the last second of the given day. */
export function deadlineOf(text: string, timeZone: string): Date {
  return text.includes(' ') ? instantOfLocal(text, timeZone) : dateOf(endMs(text, timeZone) - 1000)
}

/** The same day, months later, or the last day of a shorter month. Always counted from the first day, so none drifts. */
export function monthsLater(day: string, months: number): string {
  return withinCalendar(Temporal.PlainDate.from(day).add({ months }))
}

/** The time between two instants on the clocks of a zone: days and the rest. */
export function localDistance(from: Date, to: Date, timeZone: string): Temporal.Duration {
  return localOf(from, timeZone).until(localOf(to, timeZone), { largestUnit: 'days' })
}

/** Adds a duration on the clocks of a zone: a DST change in between does not shift the result. */
export function shifted(instant: Date, by: Temporal.Duration, timeZone: string): Date {
  return dateOf(localOf(instant, timeZone).add(by).toZonedDateTime(timeZone).epochMilliseconds)
}

/** The year of an instant on the calendar of a zone. */
export function yearOf(instant: Date, timeZone: string): number {
  return localOf(instant, timeZone).year
}

function localOf(instant: Date, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
}

function withinCalendar(day: Temporal.PlainDate): string {
  return day.year > 9999 ? lastDay : day.toString()
}

function beginningMs(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime(timeZone).epochMilliseconds
}

function endMs(date: string, timeZone: string): number {
  return beginningMs(Temporal.PlainDate.from(date).add({ days: 1 }), timeZone)
}

function dateOf(ms: number): Date {
  return new Date(Math.min(Math.max(ms, firstInstantMs), lastInstantMs))
}
