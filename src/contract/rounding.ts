import { currencyExponents } from './currencies.ts'
import { rateDigits } from './money.ts'

/** The largest amount the ledger takes, in minor units: 15 digits survive every JSON number. */
export const largestAmount = 999_999_999_999_999

/** Divides whole numbers, rounding half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n
  return quotient
}

/** An amount of one currency in another, by a decimal rate of any length; rounded once, half-even, in whole numbers. */
export function convert(minor: number, from: string, to: string, rate: string): number {
  const { digits, places } = wholeOf(rate)
  return scaledBy(BigInt(minor) * digits, exponentOf(to) - exponentOf(from) - places)
}

/** The rate by which an amount of one currency came to be one of another, to twenty decimals. */
export function rateBetween(minor: number, from: string, to: string, settled: number): string {
  const shift = exponentOf(from) - exponentOf(to) + 20
  const quotient = divideHalfEven(BigInt(settled) * 10n ** BigInt(shift), BigInt(minor))
  return decimalOf(quotient, 20)
}

/** The interface's integer for a rate, × 10,000, as a decimal; and the other way round, rounded half-even. */
export function rateOfInteger(exchange_rate: number): string {
  return decimalOf(BigInt(exchange_rate), rateDigits)
}

export function integerOfRate(rate: string): number {
  const { digits, places } = wholeOf(rate)
  return scaledBy(digits, rateDigits - places)
}

function scaledBy(value: bigint, shift: number): number {
  return Number(shift >= 0 ? value * 10n ** BigInt(shift) : divideHalfEven(value, 10n ** BigInt(-shift)))
}

/** A decimal as a whole number of its last places. */
function wholeOf(decimal: string): { digits: bigint; places: number } {
  const [whole, decimals = ''] = decimal.split('.')
  return { digits: BigInt(whole + decimals), places: decimals.length }
}

/** The shortest way to write it. */
function decimalOf(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0')
  const decimals = digits.slice(-places).replace(/0+$/, '')
  return `${digits.slice(0, -places)}${decimals && `.${decimals}`}`
}

function exponentOf(currency: string): number {
  return currencyExponents[currency] ?? 2
}

/** Equal parts of an amount, the remainder on the last: their sum is the amount, always. */
export function split(amount: number, count: number): number[] {
  const share = Math.floor(amount / count)
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? amount - share * (count - 1) : share,
  )
}

/**
 * An amount shared out by weights, to the unit: each gets its share rounded down, and what is left goes to the largest
 * remainders, a unit each, earlier ones first among equals.
 */
export function shareOut(amount: number, weights: number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  if (sum === 0n) return weights.map(() => 0)
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = products.map((product) => Number(product / sum))
  const left = amount - shares.reduce((all, share) => all + share, 0)
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) shares[index]!++
  return shares
}

/** Basis points of an amount, rounded half-even. */
export function basisPointsOf(amount: number, basisPoints: number): number {
  return Number(divideHalfEven(BigInt(amount) * BigInt(basisPoints), 10_000n))
}
