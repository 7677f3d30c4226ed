/**
 * Parses a time of the API: `YYYY-MM-DD HH:MM:SS` in the organization's zone, or ISO 8601 in UTC. Undefined if it is
 * invalid.
 */
export function instantOf(text: string, timeZone: string): Date | undefined {
  if (text === '') return undefined
  const wall = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/.exec(text)
  if (!wall) {
    const instant = new Date(text)
    return Number.isNaN(instant.getTime()) ? undefined : instant
  }
  const [year, month, day, hour, minute, second] = wall.slice(1).map((part) => Number(part ?? 0)) as number[]
  const asUtc = Date.UTC(year!, month! - 1, day!, hour, minute, second)
  // Applied twice: the offset may differ across a daylight saving change.
  const first = asUtc - offsetMs(new Date(asUtc), timeZone)
  return new Date(asUtc - offsetMs(new Date(first), timeZone))
}

function offsetMs(instant: Date, timeZone: string): number {
  const parts = partsFormat(timeZone).formatToParts(instant)
  const part = (type: string) => Number(parts.find((found) => found.type === type)!.value)
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(instant.getTime() / 1000) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function partsFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'iso8601', hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  formats.set(timeZone, made)
  return made
}

/** The calendar day of an instant in a time zone, as `YYYY-MM-DD`. */
export function dayOf(instant: Date, timeZone: string): string {
  const parts = partsFormat(timeZone).formatToParts(instant)
  const part = (type: string, length: number) =>
    parts.find((found) => found.type === type)!.value.padStart(length, '0')
  return `${part('year', 4)}-${part('month', 2)}-${part('day', 2)}`
}

/** The wall time of an instant in a time zone, as `YYYY-MM-DDTHH:MM`. */
export function wallTimeOf(instant: Date, timeZone: string): string {
  const parts = partsFormat(timeZone).formatToParts(instant)
  const part = (type: string) => parts.find((found) => found.type === type)!.value.padStart(2, '0')
  return `${dayOf(instant, timeZone)}T${part('hour')}:${part('minute')}`
}
