import { currencyExponents } from '../contract/currencies.ts'
import { rateDigits } from '../contract/money.ts'

/** Minor units of one currency as minor units of another; `rate` is what a major unit is worth, × 10,000. */
export function exchange(price: number, from: string, to: string, rate: number): number {
  const numerator = BigInt(price) * BigInt(rate) * 10n ** exponentOf(to)
  return Number(divideHalfEven(numerator, 10n ** exponentOf(from) * rateUnit))
}

/** The least amount of `from` that is worth at least `price` of `to`. */
export function priceCovering(price: number, from: string, to: string, rate: number): number {
  const numerator = BigInt(price) * rateUnit * 10n ** exponentOf(from)
  const denominator = BigInt(rate) * 10n ** exponentOf(to)
  return Number((numerator + denominator - 1n) / denominator)
}

/** A share of an amount, in basis points. */
export function shareOf(price: number, basisPoints: number): number {
  return Number(divideHalfEven(BigInt(price) * BigInt(basisPoints), 10_000n))
}

/** What a unit of one currency was worth in another, × 10,000, before the wobble of the day. */
export function midRate(from: Currency, to: Currency): number {
  return Number(divideHalfEven(BigInt(worthInCny[from]) * rateUnit, BigInt(worthInCny[to])))
}

const worthInCny = {
  CNY: 10_000,
  USD: 72_000,
  EUR: 78_500,
  JPY: 480,
  HKD: 9_200,
  KWD: 234_000,
  SGD: 54_000,
  GBP: 92_500,
} as const

export type Currency = keyof typeof worthInCny
export const currencies = Object.keys(worthInCny) as Currency[]

const rateUnit = 10n ** BigInt(rateDigits)

function exponentOf(currency: string): bigint {
  return BigInt(currencyExponents[currency]!)
}

/** Of numbers that are not negative. */
function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  const roundsUp = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return roundsUp ? quotient + 1n : quotient
}
