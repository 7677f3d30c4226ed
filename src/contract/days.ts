/** The instant at which a calendar day begins in a zone; where a DST change skips midnight, the first that exists. */
export function startOfDay(date: string, timeZone: string): Date {
  return instantOf(Temporal.PlainDate.from(date), timeZone)
}

/** The instant at which the day is over: the next one's beginning, 23 to 25 hours later. */
export function endOfDay(date: string, timeZone: string): Date {
  return instantOf(Temporal.PlainDate.from(date).add({ days: 1 }), timeZone)
}

function instantOf(day: Temporal.PlainDate, timeZone: string): Date {
  return new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
}
