const placesOf = new Map<string, number>()

/** How many of a currency's units are written behind the point: JPY 0, CNY 2, KWD 3. */
export function minorDigits(currency: string): number {
  const known = placesOf.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const told = format.resolvedOptions().maximumFractionDigits ?? 2
  placesOf.set(currency, told)
  return told
}

/** Minor units as a plain decimal, as a field is filled with it. */
export function majorText(amount: number, currency: string): string {
  const places = minorDigits(currency)
  const figures = String(Math.abs(amount)).padStart(places + 1, '0')
  const whole = figures.slice(0, figures.length - places)
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${figures.slice(-places)}`
}

/** Marks between figures group thousands and nothing else: 100,5 is no amount, rather than 1,005. */
const typedAmount = /^(\d{1,3}(?:[,\s_]\d{3})+|\d+)(?:\.(\d*))?$/

/** What somebody typed as an amount, in minor units; undefined where it is none of this currency. */
export function readMoney(text: string, currency: string): number | undefined {
  const places = minorDigits(currency)
  const match = typedAmount.exec(text.trim())
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const minor = fraction.slice(0, places).padEnd(places, '0')
  // More places than the currency has say nothing only where they are zeros.
  if (/[^0]/.test(fraction.slice(places))) return undefined
  const amount = Number(`${whole.replaceAll(/\D/g, '')}${minor}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}

/** The same figure in another currency, 1000 of one as 1000 of the other; undefined where that one has no such amount. */
export function inCurrency(amount: number | undefined, from: string, to: string): number | undefined {
  return amount === undefined ? undefined : readMoney(majorText(amount, from), to)
}
