import { type Language, locales } from '../../languages/locales.ts'
import { dateOf } from './calendar-days.ts'

/** A date value (`YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM`) as its field shows it. `readDate` reads it back. */
export function writeDate(value: string, language: Language): string {
  const day = formatOf(language, 'short').format(dateOf(value))
  return value.length > 10 ? `${day} ${value.slice(11, 16)}` : day
}

/** With the weekday, as a confirmation of what was typed. */
export function writeFullDate(value: string, language: Language): string {
  const day = formatOf(language, 'full').format(dateOf(value))
  return value.length > 10 ? `${day} ${value.slice(11, 16)}` : day
}

/** The month of a calendar: November 2026. */
export function writeMonth(day: string, language: Language): string {
  return formatOf(language, 'month').format(dateOf(day))
}

/** The initials of the week from Monday. */
export function weekdayNames(language: Language): string[] {
  return Array.from({ length: 7 }, (_, n) =>
    formatOf(language, 'weekday').format(dateOf(`2024-01-0${n + 1}`)),
  )
}

const styles = {
  short: { dateStyle: 'medium' },
  full: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'narrow' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: Language, style: keyof typeof styles): Intl.DateTimeFormat {
  const key = `${language} ${style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locales[language], {
    ...{ ...styles[style], timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
  })
  formats.set(key, made)
  return made
}
