import { isAreaCode } from '../../contract/formats.ts'
import type { ContactHasher } from './contact-hash.ts'

/** Shorter numbers would match unrelated texts. */
export const leastDigits = 5
/** Includes 00 and a calling code. */
const mostDigits = 19
/** Maximum number of digit groups in a written number. */
const mostGroups = 6

/**
 * Whether a text holds one of these contacts. Numbers match with or without calling code, in any grouping, and in
 * full-width digits.
 */
export function holdsContact(
  text: string,
  hasher: ContactHasher,
  isSought: (hash: string) => boolean,
): boolean {
  const plain = text.normalize('NFKC')
  for (const [address] of plain.matchAll(/[^\s,;:<>()[\]{}"'|\\/]+@[^\s,;:<>()[\]{}"'|\\/]+/g))
    if (isSought(hasher.email(address))) return true
  for (const [run] of plain.matchAll(/[0-9][0-9 \t.()+/‐-―-]{3,}[0-9]/g))
    for (const number of numbersIn(run)) if (isSought(hasher.digits(number))) return true
  return false
}

/** Every number that a run of digits and separators can stand for, with and without calling code. */
function* numbersIn(run: string): Generator<string> {
  const groups = run.match(/[0-9]+/g) ?? []
  for (let first = 0; first < groups.length; first++) {
    let digits = ''
    for (const group of groups.slice(first, first + mostGroups)) {
      digits += group
      if (digits.length > mostDigits) break
      const number = digits.replace(/^0+/, '')
      if (number.length < leastDigits) continue
      yield number
      for (const length of [1, 2, 3])
        if (number.length - length >= leastDigits && isAreaCode(number.slice(0, length)))
          yield number.slice(length)
    }
  }
}
