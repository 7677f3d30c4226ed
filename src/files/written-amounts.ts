import { majorText } from './amounts.ts'

/** One language, or a form that readers of both understand. */
export type WrittenLanguage = 'en' | 'zh' | 'both'

/** Exact, also for amounts that a floating-point number cannot hold. */
export function amountIn(language: WrittenLanguage, price: number, currency: string): string {
  const decimal = majorText(BigInt(price), currency) as `${number}`
  const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: decimals(decimal) }).format(decimal)
  if (language !== 'zh') return `${currency} ${grouped}`
  return currency === 'CNY' ? `¥${grouped}`.replace('¥-', '-¥') : `${grouped} ${currency}`
}

function decimals(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0
}

/** A day as readers of the language write it. */
export function dayIn(language: WrittenLanguage, date: string): string {
  if (language === 'both' || date === '') return date
  const options = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', options).format(
    new Date(`${date}T00:00:00Z`),
  )
}
