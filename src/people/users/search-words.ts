import { getCountries, getCountryCallingCode, validatePhoneNumberLength } from 'libphonenumber-js'

/** Normalizes text for search: width, letter case and accents are ignored. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
}

const maxWords = 8
const maxWordLength = 40
/** A run of Chinese characters is one word, also next to other letters: Chinese is written without spaces. */
const word = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+/gu

/** The normalized words of a name. */
export function wordsOf(text: string): string[] {
  const words = plain(text).replaceAll(/['’`]/g, '').match(word) ?? []
  return words.slice(0, maxWords).map((each) => Array.from(each).slice(0, maxWordLength).join(''))
}

export function isHan(text: string): boolean {
  return /^\p{Script=Han}/u.test(text)
}

/** A key that ignores spaces, punctuation and the order of words of a name or company. */
export function sameNameKey(text: string): string {
  return wordsOf(text).sort().join('')
}

/** A national number without leading zeros, which are only dialled, and without a repeated calling code. */
export function nationalNumber(area_code: string, mobile: string): string {
  const number = mobile.replace(/^0+/, '')
  const rest = number.slice(area_code.length).replace(/^0+/, '')
  const isRepeated = number.startsWith(area_code) && !isWhole(area_code, number) && isWhole(area_code, rest)
  return isRepeated ? rest : number
}

/** Whether the length of a number is valid for the country. */
function isWhole(area_code: string, number: string): boolean {
  return validatePhoneNumberLength(`+${area_code}${number}`) === undefined
}

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** A number as a user typed it. */
export interface TypedNumber {
  /** Without a leading plus or 00. */
  digits: string
  /** Calling code and national number, if the digits start with a calling code. */
  split?: { area_code: string; mobile: string }
  /** Digits that a number may start with: without a calling code after a plus or 00. */
  beginning: string
  /** Digits that a number may end with; undefined after a plus, which starts a number. */
  ending: string | undefined
  /** Whether the number has a plus or 00 and a calling code. */
  isInternational: boolean
  /** Calling code and national number, if the digits are a complete number. */
  whole?: { area_code: string; mobile: string }
}

export const minDigits = 3

/** Parses a typed number; undefined for other text. */
export function typedNumber(text: string): TypedNumber | undefined {
  const compact = plain(text).replaceAll(/[\s\p{Pd}()./·]/gu, '')
  const [, plus, digits] = /^(\+|00)?([0-9]+)$/.exec(compact) ?? []
  // 00 can also be part of the end of a number, so that the end keeps it.
  const ending = plus === '+' ? undefined : compact
  if (digits === undefined || (ending ?? digits).length < minDigits) return undefined
  const area_code = [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => callingCodes.has(code))
  const isWholeNumber = area_code !== undefined && isWhole(area_code, digits.slice(area_code.length))
  const rest = area_code === undefined ? digits : digits.slice(area_code.length)
  const isInternational = plus !== undefined && area_code !== undefined
  const split = area_code === undefined ? undefined : { area_code, mobile: nationalNumber(area_code, rest) }
  return {
    digits,
    beginning: isInternational ? rest : digits,
    ending,
    isInternational,
    ...(split && { split, ...(isWholeNumber && { whole: split }) }),
  }
}
