/** Calendar days as `YYYY-MM-DD`, without a time zone. */
const dayMs = 86_400_000

/** The day, or undefined if the calendar has none: 31 April. */
export function dayAt(year: number, month: number, day: number): string | undefined {
  if (year < 1 || year > 9999) return undefined
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal ? textOf(at) : undefined
}

export function addDays(day: string, days: number): string {
  return textOf(new Date(dateOf(day).getTime() + days * dayMs))
}

/** The same day of another month; the last one if that month is shorter. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = partsOf(day)
  const first = new Date(dateOf(day))
  first.setUTCFullYear(year, month - 1 + months, 1)
  const [toYear, toMonth] = partsOf(textOf(first))
  return dayAt(toYear, toMonth, Math.min(date, daysIn(toYear, toMonth)))!
}

export function lastOfMonth(day: string): string {
  const [year, month] = partsOf(day)
  return dayAt(year, month, daysIn(year, month))!
}

/** 1 Monday to 7 Sunday. */
export function weekdayOf(day: string): number {
  return dateOf(day).getUTCDay() || 7
}

export function partsOf(day: string): [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))]
}

/** Noon in UTC, for formats in the zone UTC. */
export function dateOf(day: string): Date {
  return new Date(`${day.slice(0, 10)}T12:00:00Z`)
}

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / dayMs)
}

function daysIn(year: number, month: number): number {
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return last.getUTCDate()
}

function textOf(at: Date): string {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
