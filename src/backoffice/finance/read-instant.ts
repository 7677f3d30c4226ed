import { endOfDay } from '../../contract/days.ts'

const written =
  /^(?<day>(?!0000)\d{4}-\d{2}-\d{2})[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?$/i

/** Parses an instant and returns it in UTC, to the microsecond. Without an offset, the time zone applies. */
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
      `"${text}" is not an instant. Write 2026-03-31T23:59:59Z, or an offset such as +08:00. Without an offset, the time ` +
        `must occur exactly once in ${timeZone}.`,
    )
  }
}

/** Parses an instant, or a day. A day means its last instant, as in closings. */
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
