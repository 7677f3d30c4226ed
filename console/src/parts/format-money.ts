import { type Language, locales } from '../languages/locales.ts'
import { majorText, minorDigits } from './amount-text.ts'

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

/** Formats minor units with the currency symbol, without floating point. */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const text = majorText(amount, currency)
  // Intl accepts a decimal as text and keeps every digit.
  return formatOf(currency, language)
    .format(text as unknown as number)
    .replace('-', '−')
}

/** A short amount for the axis of a chart: CN¥1.5M, ¥150万. */
export function shortMoney(amount: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(locales[language], {
    ...{ style: 'currency', currency, notation: 'compact' },
  }).format(amount / 10 ** minorDigits(currency))
}
