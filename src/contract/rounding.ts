import { currencyExponents } from './currencies.ts'
import { rateDigits } from './money.ts'

/** The largest amount of the ledger, in minor units: 15 digits are exact in a JSON number. */
export const largestAmount = 999_999_999_999_999

/** Divides whole numbers, rounding half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n
  return quotient
}

/** Converts an amount by a decimal rate of any length. Rounds once, half-even, in integers. */
export function convert(minor: number, from: string, to: string, rate: string): number {
  const { digits, places } = wholeOf(rate)
  return scaledBy(BigInt(minor) * digits, exponentOf(to) - exponentOf(from) - places)
}

/** The rate between two amounts, to twenty decimals. */
export function rateBetween(minor: number, from: string, to: string, settled: number): string {
  const shift = exponentOf(from) - exponentOf(to) + 20
  const quotient = divideHalfEven(BigInt(settled) * 10n ** BigInt(shift), BigInt(minor))
  return decimalOf(quotient, 20)
}

/** Converts the interface's integer rate (× 10,000) to a decimal, and back, rounded half-even. */
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

/** A decimal as an integer of its last place. */
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

/** Splits an amount into equal parts, with the remainder on the last. The sum is always the amount. */
export function split(amount: number, count: number): number[] {
  const share = Math.floor(amount / count)
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? amount - share * (count - 1) : share,
  )
}

/**
 * Splits an amount by weights. Each part is rounded down; the rest goes to the largest remainders, one unit each, earlier
 * parts first.
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
