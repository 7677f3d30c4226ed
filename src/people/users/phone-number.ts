import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** The country or calling code of a number that is written without one. */
export type NumberContext = { country: string } | { area_code: string }

export interface PhoneNumber {
  area_code: string
  mobile: string
}

/**
 * Parses a number as people write it: with + or 00 and calling code, with a trunk zero, with spaces, hyphens and brackets, in
 * full-width digits, or as a spreadsheet formats a number. Undefined for other text.
 */
export function readPhoneNumber(text: string, context: NumberContext): PhoneNumber | undefined {
  const written = text
    .normalize('NFKC')
    .trim()
    .replace(/^\(?00/, '+')
    .replace(/^([0-9]+)\.0+$/, '$1')
  if (!/^[+0-9()\s.‐-―-]+$/.test(written)) return undefined
  const found = parsePhoneNumberFromString(written, {
    ...('country' in context
      ? // Organizations store only countries that the library supports.
        { defaultCountry: context.country as CountryCode }
      : { defaultCallingCode: context.area_code }),
    extract: false,
  })
  if (!found?.isPossible()) return undefined
  return { area_code: found.countryCallingCode, mobile: found.nationalNumber }
}
