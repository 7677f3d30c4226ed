import { currencyExponents } from '../src/contract/currencies.ts'
import { rateDigits } from '../src/contract/money.ts'
import { basisPointsOf, divideHalfEven } from '../src/contract/rounding.ts'
import data from './content/orders.json' with { type: 'json' }
import type { Random } from './random.ts'

/** The value of a unit of one currency in another on some day, × 10,000. */
export function rateOfTheDay(random: Random, from: Currency, to: Currency): number {
  if (from === to) return Number(rateUnit)
  return Math.max(1, basisPointsOf(midRate(from, to), random.between(9800, 10_200)))
}

/** The least amount of `from` that is worth at least `price` of `to`. */
export function priceCovering(price: number, from: string, to: string, rate: number): number {
  const numerator = BigInt(price) * rateUnit * 10n ** exponentOf(from)
  const denominator = BigInt(rate) * 10n ** exponentOf(to)
  return Number((numerator + denominator - 1n) / denominator)
}

/** × 10,000. */
const { worthInCny } = data

export type Currency = keyof typeof worthInCny
export const currencies = Object.keys(worthInCny) as Currency[]

const rateUnit = 10n ** BigInt(rateDigits)

function midRate(from: Currency, to: Currency): number {
  return Number(divideHalfEven(BigInt(worthInCny[from]) * rateUnit, BigInt(worthInCny[to])))
}

function exponentOf(currency: string): bigint {
  return BigInt(currencyExponents[currency]!)
}
