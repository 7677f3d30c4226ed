import { en } from '../../console/src/languages/en.ts'
import { zh } from '../../console/src/languages/zh.ts'

const languages = { 'en-GB': en, 'zh-CN': zh }
export type Locale = keyof typeof languages

/** A text of the console from its language files: `orders.paidOf`, with the values of its placeholders. */
export type Say = (key: string, values?: Record<string, string | number>) => string

/** The texts of the console in one language, so that a test finds elements by their visible texts. */
export function sayIn(locale: Locale): Say {
  const plural = new Intl.PluralRules(locale)
  const textOf = (key: string) =>
    key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], languages[locale])
  return (key, values = {}) => {
    const { count } = values
    const text = textOf(typeof count === 'number' ? `${key}_${plural.select(count)}` : key) ?? textOf(key)
    if (typeof text !== 'string') throw new Error(`the console has no text ${key}`)
    return text.replace(/\{\{(\w+)(, number)?\}\}/g, (_, name: string, isNumber) => {
      const value = values[name]!
      return isNumber && typeof value === 'number'
        ? new Intl.NumberFormat(locale).format(value)
        : String(value)
    })
  }
}
