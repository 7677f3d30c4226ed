import { currencyExponents } from './currencies.ts'

/**
 * Minor units as the exact decimal number of major units: the point is inserted in the digits, without floating point. A
 * JSON number is exact for 15 digits, which is the largest amount of the ledger.
 */
export function majorUnits(minor: number, currency: string): number {
  return shiftPoint(minor, currencyExponents[currency] ?? 2)
}

/** Exchange rates are stored as the rate × 10,000. */
export const rateDigits = 4

export function plainRate(rate: number): number {
  return shiftPoint(rate, rateDigits)
}

function shiftPoint(value: number, places: number): number {
  const sign = value < 0 ? '-' : ''
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return Number(`${sign}${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}0`)
}
