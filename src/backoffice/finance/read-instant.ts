import { endOfDay } from '../../contract/days.ts'

const written =
  /^(?<day>(?!0000)\d{4}-\d{2}-\d{2})[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?$/i

/** An instant as people write it, in UTC to the microsecond; without an offset it is read off the clocks of the zone. */
function readInstant(text: string, timeZone: string): string {
  const { day, time, offset } = written.exec(text.trim())?.groups ?? {}
  try {
    const local = `${day}T${time}`
    const instant = offset
      ? Temporal.Instant.from(`${local}${offset}`)
      : Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone, { disambiguation: 'reject' }).toInstant()
    return instant.toString({ smallestUnit: 'microsecond' })
  } catch {
    throw new Error(
      `"${text}" is not an instant: write 2026-03-31T23:59:59Z, with an offset such as +08:00, or without one for a ` +
        `time that comes once in ${timeZone}.`,
    )
  }
}

/** The same; of a day, its last instant, which is that of its closing. */
export function readInstantOrDay(text: string, timeZone: string): string {
  const day = text.trim()
  return isDay(day) ? lastInstantOf(day, timeZone) : readInstant(text, timeZone)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

export function lastInstantOf(day: string, timeZone: string): string {
  Temporal.PlainDate.from(day)
  const end = Temporal.Instant.fromEpochMilliseconds(endOfDay(day, timeZone).getTime())
  return end.subtract({ microseconds: 1 }).toString({ smallestUnit: 'microsecond' })
}
