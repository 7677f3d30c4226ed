import { currencyExponents } from '../contract/currencies.ts'
import { largestAmount } from '../contract/rounding.ts'

/** An amount as written: its digits, and a currency mark if there is one. */
export interface WrittenAmount {
  /** Major units, with as many decimals as written. */
  decimal: string
  mark?: string
  /** Written with one comma, which may be a thousands or a decimal separator: 1,250. */
  hasLoneComma?: true
}

const groupMark = "[,' ’]"
const marks = '[¥$€£₩元円圆]|[A-Z]{3}'
const written = new RegExp(`^(${marks})? ?(.*?) ?(${marks})?$`, 'u')
/** 12,800.00 · 1 280 · 1,28,000 */
const grouped = new RegExp(
  `^[1-9][0-9]{0,2}(?:${groupMark}[0-9]{2,3})*${groupMark}[0-9]{3}(?:\\.[0-9]+)?$`,
  'u',
)
const plain = /^[0-9]+(?:\.[0-9]+)?$/
const loneComma = /^[0-9]+,[0-9]+$/
/** 12.800,00: unambiguous because both separators occur. */
const continental = /^[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+$/

/** Reads a written amount; undefined if it is none or ambiguous. Full-width characters count as plain ones. */
export function readAmount(text: string): WrittenAmount | undefined {
  const [, before, number = '', after] =
    written.exec(text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()) ?? []
  if (before !== undefined && after !== undefined && before !== after) return undefined
  const decimal = decimalOf(number)
  if (decimal === undefined) return undefined
  const mark = before ?? after
  const hasLoneComma = loneComma.test(number)
  return { decimal, ...(mark !== undefined && { mark }), ...(hasLoneComma && { hasLoneComma }) }
}

function decimalOf(number: string): string | undefined {
  if (plain.test(number)) return number
  if (grouped.test(number)) return number.replaceAll(new RegExp(groupMark, 'gu'), '')
  if (continental.test(number)) return number.replaceAll('.', '').replace(',', '.')
  return undefined
}

/** The currencies of each mark. A currency code means itself. */
const currenciesOfMark: Record<string, RegExp> = {
  '¥': /^(CNY|JPY)$/,
  元: /^CNY$/,
  圆: /^CNY$/,
  円: /^JPY$/,
  '€': /^EUR$/,
  '£': /^(GBP|EGP|GIP|FKP|SHP|SSP|SYP|LBP)$/,
  '₩': /^(KRW|KPW)$/,
  $: /^(USD|AUD|BBD|BMD|BND|BSD|BZD|CAD|FJD|GYD|HKD|JMD|KYD|LRD|NAD|NZD|SBD|SGD|SRD|TTD|TWD|XCD|ARS|CLP|COP|MXN|UYU|DOP|NIO|CVE|BRL)$/,
}

/** Minor units of a currency, or the fault. */
export function minorUnits(
  { decimal, mark, hasLoneComma }: WrittenAmount,
  currency: string,
): number | string {
  if (mark !== undefined && !(currenciesOfMark[mark]?.test(currency) ?? mark === currency)) {
    return `is written in ${mark}, but the currency is ${currency}`
  }
  const exponent = currencyExponents[currency]
  if (exponent === undefined) return `has a currency, ${currency}, that is not in ISO 4217`
  if (hasLoneComma && exponent >= 3) return ambiguous(decimal, currency)
  const minor = scaled(decimal, exponent)
  if (minor === undefined) return `must have at most ${exponent} decimals in ${currency}`
  return minor > BigInt(largestAmount) ? 'is more than the ledger takes' : Number(minor)
}

/** Three digits after a comma are thousands, unless the currency has three decimals: then the amount is ambiguous. */
function ambiguous(decimal: string, currency: string): string {
  const asDecimal = `${decimal.slice(0, -3)}.${decimal.slice(-3)}`
  return `may be ${decimal} or ${asDecimal} in ${currency}: write it without a comma`
}

function scaled(decimal: string, places: number): bigint | undefined {
  const [whole, decimals = ''] = decimal.split('.')
  return decimals.length > places ? undefined : BigInt(whole + decimals.padEnd(places, '0'))
}

/** Minor units as a decimal of major units. */
export function majorText(minor: bigint, currency: string): string {
  const places = currencyExponents[currency] ?? 2
  const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, '0')
  const point = digits.length - places
  return `${minor < 0n ? '-' : ''}${digits.slice(0, point)}${places > 0 ? `.${digits.slice(point)}` : ''}`
}
