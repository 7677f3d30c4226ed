import { createRequire } from 'node:module'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import type validator from 'validator'

// Imported alone: the whole package takes long to load. Its types differ by how an import is resolved.
const isMailAddress: typeof validator.isEmail = createRequire(import.meta.url)('validator/lib/isEmail')

/** Text that PostgreSQL and UTF-8 can store: no NUL, no lone surrogate. */
export function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** Replaces characters that PostgreSQL cannot store. */
export function storableText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Text of one line: no control characters, line breaks or tabs. */
export function isLine(value: string): boolean {
  return value.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value)
}

/** An e-mail address. The local part may have letters of any script. */
export function isEmail(value: string): boolean {
  return isLine(value) && isMailAddress(value, { allow_utf8_local_part: true })
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

/** Bytes in padded base64: without padding, a truncated text would be valid. */
export function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
}

/** An existing day, from year 1: PostgreSQL has no year 0. */
export function isCalendarDate(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) || value.startsWith('0000')) return false
  try {
    Temporal.PlainDate.from(value)
    return true
  } catch {
    return false
  }
}

/** An existing day, optionally with a time. */
export function isLocalTime(value: string): boolean {
  // No second 60, which a clock never shows.
  const [, day] = /^([0-9-]{10})( ([01][0-9]|2[0-3])(:[0-5][0-9]){2})?$/.exec(value) ?? []
  return day !== undefined && isCalendarDate(day)
}

/** A day or a time, or an empty text that clears the field. */
function clearable(isValid: (value: string) => boolean) {
  return (value: string) => value === '' || isValid(value)
}

const date = 'a date (YYYY-MM-DD, from 0001-01-01 to 9999-12-31)'

/** The fault of each format. It follows the name of the parameter in messages. */
export const formats = {
  line: [isLine, 'must be one line of text, without control characters or lone surrogates'],
  text: [isText, 'must be text without NUL characters or lone surrogates'],
  email: [isEmail, 'must be an e-mail address'],
  'area-code': [isAreaCode, 'must be an existing country calling code, digits without a leading plus'],
  mobile: [isMobile, 'must be digits only, at most 14'],
  base64: [isBase64, 'must be bytes in base64, padded to a multiple of four characters'],
  date: [isCalendarDate, `must be ${date} that exists`],
  'local-time': [isLocalTime, `must be ${date} or a time (YYYY-MM-DD HH:MM:SS) that exists`],
  'clearable-date': [clearable(isCalendarDate), `must be ${date} that exists, or empty`],
  'clearable-time': [
    clearable(isLocalTime),
    `must be ${date} or a time (YYYY-MM-DD HH:MM:SS) that exists, or empty`,
  ],
} as const satisfies Record<string, readonly [(value: string) => boolean, string]>
