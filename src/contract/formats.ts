import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import validator from 'validator'

/** Text that PostgreSQL and UTF-8 can hold: no NUL, no half of a surrogate pair. */
export function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** An address as its domain's mail server would take it; letters of any script may stand before the @. */
export function isEmail(value: string): boolean {
  return isText(value) && validator.isEmail(value, { allow_utf8_local_part: true })
}

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** A calling code that exists, digits without a leading plus. */
export function isAreaCode(value: string): boolean {
  return callingCodes.has(value)
}

/** E.164 leaves at least one digit for the calling code. */
export function isMobile(value: string): boolean {
  return /^[0-9]{1,14}$/.test(value)
}

/** A day that the calendar has. */
export function isCalendarDate(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false
  try {
    Temporal.PlainDate.from(value)
    return true
  } catch {
    return false
  }
}

/** A day, or a day with a time, that the calendar and the clock have. */
export function isLocalTime(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?$/.test(value)) return false
  try {
    Temporal.PlainDateTime.from(value.replace(' ', 'T'))
    // Temporal takes a leap second as the one before it; a clock that never shows it should not be believed.
    return !value.endsWith(':60')
  } catch {
    return false
  }
}

/** What is wrong with a value of each format, to be read after the parameter's name. */
export const formats = {
  text: [isText, 'must be text without NUL characters or lone surrogates'],
  email: [isEmail, 'must be an e-mail address'],
  'area-code': [isAreaCode, 'must be an existing country calling code, digits without a leading plus'],
  mobile: [isMobile, 'must be digits only, at most 14'],
  'local-time': [isLocalTime, 'must be a date (YYYY-MM-DD) or a time (YYYY-MM-DD HH:MM:SS) that exists'],
  'calendar-date': [isCalendarDate, 'must be a calendar date of the form YYYY-MM-DD'],
} as const satisfies Record<string, readonly [(value: string) => boolean, string]>
