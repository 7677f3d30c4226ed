import {
  type CountryCode,
  type PhoneNumber as Parsed,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import type { NumberContext, PhoneNumber } from './phone-number.ts'
import { plainNumber } from './plain-number.ts'

/** The numbers of a cell, the reason why it cannot be read, or a question. */
export type ReadMobile =
  | { number: PhoneNumber; second?: PhoneNumber }
  | { reason: string }
  /** Written without calling code, it is no number of the country, but one of this other country. */
  | { looksLike: string; number: PhoneNumber }

interface ReadOptions {
  /** A second phone may be a landline. */
  allowsLandline?: boolean
}

/**
 * Reads a mobile number as files contain it: as people write it, with the marks of the program that exported it, or as
 * a spreadsheet changed it. It must be a mobile number of its country. Two numbers in a cell are both read.
 */
export function readMobile(text: string, context: NumberContext, options: ReadOptions = {}): ReadMobile {
  const parts = text
    .split(/:::|[/;；、|\n]|，(?=\s*[+\d])|,(?=\s*\+)|\s+or\s+|或/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length < 2) return readOne(text, context, options)
  if (parts.length > 2) return { reason: `has ${parts.length} numbers: leave at most two` }
  const [first, second] = parts.map((part) => readOne(part, context, options))
  if (!first || !('number' in first) || 'looksLike' in first) return first!
  if (!second || !('number' in second) || 'looksLike' in second) return second!
  return isSame(first.number, second.number) ? first : { number: first.number, second: second.number }
}

export function isSame(one: PhoneNumber, other: PhoneNumber): boolean {
  return one.area_code === other.area_code && one.mobile === other.mobile
}

function readOne(text: string, context: NumberContext, { allowsLandline }: ReadOptions): ReadMobile {
  const plain = plainNumber(text)
  if ('reason' in plain) return plain
  const found = parse(plain.text, context)
  const type = found?.getType()
  if (found && type && (isMobile(type) || allowsLandline)) return { number: numberOf(found) }
  const isInternational = plain.text.startsWith('+')
  const foreign = isInternational || 'area_code' in context ? undefined : parse(`+${digitsOf(plain.text)}`)
  if (foreign && isMobile(foreign.getType()))
    return { looksLike: foreign.countryCallingCode, number: numberOf(foreign) }
  if (type)
    return { reason: `is a number of a landline or a service (${found!.country}), not a mobile number` }
  return { reason: invalidReason(digitsOf(plain.text), isInternational ? undefined : context) }
}

function parse(text: string, context?: NumberContext): Parsed | undefined {
  return parsePhoneNumberFromString(text, {
    ...(context &&
      ('country' in context
        ? // Organizations store only countries that the library supports.
          { defaultCountry: context.country as CountryCode }
        : { defaultCallingCode: context.area_code })),
    extract: false,
  })
}

/** Some countries do not distinguish landlines. */
function isMobile(type: ReturnType<Parsed['getType']>): boolean {
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
}

function numberOf({ countryCallingCode, nationalNumber }: Parsed): PhoneNumber {
  return { area_code: countryCallingCode, mobile: nationalNumber }
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

function invalidReason(digits: string, context: NumberContext | undefined): string {
  const of = !context
    ? ''
    : 'country' in context
      ? ` of ${context.country}`
      : ` of calling code ${context.area_code}`
  return `is not a mobile number${of} (${digits.length} digits)`
}

/** The reason why a stored pair is no mobile number; undefined if it is one. */
export function mobileFault({ area_code, mobile }: PhoneNumber): string | undefined {
  const found = parse(`+${area_code}${mobile}`)
  const isWhole = found?.countryCallingCode === area_code && found.nationalNumber === mobile
  return isWhole && isMobile(found.getType())
    ? undefined
    : `is not a mobile number of calling code ${area_code}`
}
