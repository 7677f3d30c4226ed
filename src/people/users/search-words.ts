import { getCountries, getCountryCallingCode, validatePhoneNumberLength } from 'libphonenumber-js'

/** As people type it and as it is stored come to the same: width, letter case and accents do not count. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
}

const mostWords = 8
const longestWord = 40
/** Chinese is written without spaces, so that its words stand by themselves; an apostrophe divides nothing. */
const word = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+/gu

/** The words of a name, as they are looked for. */
export function wordsOf(text: string): string[] {
  const words = plain(text).replaceAll(/['’`]/g, '').match(word) ?? []
  return words.slice(0, mostWords).map((each) => Array.from(each).slice(0, longestWord).join(''))
}

export function isHan(text: string): boolean {
  return /^\p{Script=Han}/u.test(text)
}

/** A name or a company whatever its spaces, marks and the order of its words. */
export function sameNameKey(text: string): string {
  return wordsOf(text).sort().join('')
}

/** Less zeros in front, which are dialled and not part of a number, and less a calling code that is there twice. */
export function nationalNumber(area_code: string, mobile: string): string {
  const number = mobile.replace(/^0+/, '')
  const rest = number.slice(area_code.length).replace(/^0+/, '')
  const isRepeated = number.startsWith(area_code) && !isWhole(area_code, number) && isWhole(area_code, rest)
  return isRepeated ? rest : number
}

/** Whether a number has as many digits as those of the country have. */
function isWhole(area_code: string, number: string): boolean {
  return validatePhoneNumberLength(`+${area_code}${number}`) === undefined
}

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** A number as it was typed. */
export interface TypedNumber {
  /** Less a plus or two zeros in front. */
  digits: string
  /** The calling code that the digits begin with, where they begin with one, and the number behind it. */
  split?: { area_code: string; mobile: string }
  /** How the number may begin, less a calling code behind a plus or two zeros. */
  beginning: string
  /** How it may end; with a plus in front it is the beginning alone. */
  ending: string | undefined
  /** Whether it was told which country the number is of. */
  isInternational: boolean
  /** Where the digits are those of a whole number with its calling code. */
  whole?: { area_code: string; mobile: string }
}

export const fewestDigits = 3

/** What was typed as a number; undefined where it is none. */
export function typedNumber(text: string): TypedNumber | undefined {
  const compact = plain(text).replaceAll(/[\s\p{Pd}()./·]/gu, '')
  const [, plus, digits] = /^(\+|00)?([0-9]+)$/.exec(compact) ?? []
  // Two zeros may also be those of a number's end, and count as digits.
  const ending = plus === '+' ? undefined : compact
  if (digits === undefined || (ending ?? digits).length < fewestDigits) return undefined
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
