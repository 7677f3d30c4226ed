import { randomInt } from 'node:crypto'

const bodyDigits = 9

/** A new reference of an order: RF, two check digits and nine digits (ISO 11649). Banks of all countries pass it on. */
export function newReference(body = String(randomInt(10 ** bodyDigits))): string {
  const digits = body.padStart(bodyDigits, '0')
  return `RF${checkDigitsOf(digits)}${digits}`
}

/** The reference as people write it, in groups of four. */
export function writtenReference(reference: string): string {
  return reference.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Digits in groups, in any width, after the letters of the standard. */
const written = new RegExp(`RF((?:[\\s.-]?[0-9]){${bodyDigits + 2}})(?![0-9])`, 'gi')

/** The references of orders in a text, such as the purpose of a transfer. A reference with a typing error is not one. */
export function orderReferencesIn(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .matchAll(written)
    .map(([, digits = '']) => digits.replaceAll(/[^0-9]/g, ''))
    .filter((digits) => digits.slice(0, 2) === checkDigitsOf(digits.slice(2)))
    .map((digits) => `RF${digits}`)
  return [...new Set(found)]
}

/** ISO 7064, MOD 97-10: the letters R and F count as 27 and 15. */
function checkDigitsOf(body: string): string {
  const rest = Number(BigInt(`${body}271500`) % 97n)
  return String(98 - rest).padStart(2, '0')
}
