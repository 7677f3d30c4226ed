import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** What is meant where a number says no more than its digits: a country, or a calling code that stands beside it. */
export type NumberContext = { country: string } | { area_code: string }

export interface PhoneNumber {
  area_code: string
  mobile: string
}

/**
 * Reads a number as people write it: with a plus or 00 before the calling code, with the trunk nought, with spaces, hyphens
 * and brackets, in full-width digits, or as a spreadsheet makes it of a number. Undefined where it is none.
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
      ? { defaultCountry: context.country as CountryCode }
      : { defaultCallingCode: context.area_code }),
    extract: false,
  })
  if (!found?.isPossible()) return undefined
  return { area_code: found.countryCallingCode, mobile: found.nationalNumber }
}
