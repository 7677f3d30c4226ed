import type { Language } from '../languages/language.ts'
import { locales } from '../languages/language.ts'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, language: Language): Intl.NumberFormat {
  const key = `${language} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'symbol',
  })
  formats.set(key, made)
  return made
}

/** How many of a currency's units are written behind the point: JPY 0, CNY 2, KWD 3. */
export function minorDigits(currency: string): number {
  return formatOf(currency, 'en').resolvedOptions().maximumFractionDigits ?? 2
}

/** Minor units as people write the amount. Never by way of a floating point number. */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const text = majorText(amount, currency)
  // Intl takes a decimal as text and keeps every digit of it.
  return formatOf(currency, language)
    .format(text as unknown as number)
    .replace('-', '−')
}

/** About how much it is, for the axis of a chart: CN¥1.5M, ¥150万. */
export function shortMoney(amount: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(locales[language], {
    ...{ style: 'currency', currency, notation: 'compact' },
  }).format(amount / 10 ** minorDigits(currency))
}

/** Minor units as a plain decimal, as a field is filled with it. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const figures = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = figures.slice(0, figures.length - digits)
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${figures.slice(-digits)}`
}

/** What somebody typed as an amount, in minor units; undefined where it is none of this currency. */
export function readMoney(text: string, currency: string): number | undefined {
  const digits = minorDigits(currency)
  const plain = text.trim().replaceAll(/[,\s_]/g, '')
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(plain)
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > digits) return undefined
  const amount = Number(`${whole}${fraction.padEnd(digits, '0')}`)
  if (!Number.isSafeInteger(amount)) return undefined
  return sign === '-' ? -amount : amount
}
