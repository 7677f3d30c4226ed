const placesOf = new Map<string, number>()

/** Decimal places of a currency: JPY 0, CNY 2, KWD 3. */
export function minorDigits(currency: string): number {
  const known = placesOf.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  placesOf.set(currency, places)
  return places
}

/** Formats minor units as a plain decimal for a field. */
export function majorText(amount: number, currency: string): string {
  const places = minorDigits(currency)
  const figures = String(Math.abs(amount)).padStart(places + 1, '0')
  const whole = figures.slice(0, figures.length - places)
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${figures.slice(-places)}`
}

/** Separators group thousands only: 100,5 is invalid, not 1,005. */
const typedAmount = /^(\d{1,3}(?:[,\s_]\d{3})+|\d+)(?:\.(\d*))?$/

/** Parses a typed amount into minor units; undefined if it is no amount of the currency. */
export function readMoney(text: string, currency: string): number | undefined {
  const places = minorDigits(currency)
  const match = typedAmount.exec(text.trim())
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const minor = fraction.slice(0, places).padEnd(places, '0')
  // Extra decimal places must be zeros.
  if (/[^0]/.test(fraction.slice(places))) return undefined
  const amount = Number(`${whole.replaceAll(/\D/g, '')}${minor}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}

/** The same major amount in another currency: 1000 stays 1000; undefined if that currency has no such amount. */
export function inCurrency(amount: number | undefined, from: string, to: string): number | undefined {
  return amount === undefined ? undefined : readMoney(majorText(amount, from), to)
}
