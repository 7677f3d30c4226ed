/** The ends of the calendar. As the ends of a range they mean that it is open. */
export const firstDay = '0001-01-01'
export const lastDay = '9999-12-31'

/**
 * Instants stay within these years on the clocks of UTC, too: beyond, neither PostgreSQL nor JSON would write them as they
 * read them. The first and the last day lose some hours by it, in zones far enough to the east or to the west, but are
 * still the same day there.
 */
const firstInstantMs = Date.parse('0001-01-01T00:00:00Z')
const lastInstantMs = Date.parse('9999-12-31T23:59:59Z')

/** The instant at which a calendar day begins in a zone; where a DST change skips midnight, the first that exists. */
export function startOfDay(date: string, timeZone: string): Date {
  return dateOf(beginningMs(Temporal.PlainDate.from(date), timeZone))
}

/** The instant at which the day is over: the next one's beginning, 23 to 25 hours later. */
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

/** A deadline: the time itself or, where only the day is given, its last second, however long the day is. */
export function deadlineOf(text: string, timeZone: string): Date {
  return text.includes(' ') ? instantOfLocal(text, timeZone) : dateOf(endMs(text, timeZone) - 1000)
}

/** The same day months later, or the last of a shorter month; counted from the first day, so that none drifts. */
export function monthsLater(day: string, months: number): string {
  return withinCalendar(Temporal.PlainDate.from(day).add({ months }))
}

/** How far two instants are from each other on the clocks of a zone, in days and what is left. */
export function localDistance(from: Date, to: Date, timeZone: string): Temporal.Duration {
  return localOf(from, timeZone).until(localOf(to, timeZone), { largestUnit: 'days' })
}

/** An instant so much later on the clocks of a zone: a change of DST between does not move it on them. */
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
