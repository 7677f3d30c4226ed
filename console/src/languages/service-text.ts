import { formatMoney } from '../parts/format-money.ts'
import { type Language, locales } from './locales.ts'
import { serviceLabels, serviceWords } from './service-labels.ts'
import { serviceMessages } from './service-messages.ts'

/** The known context of the values of a sentence. */
export interface Known {
  language: Language
  /** The currency of amounts whose sentence names none. */
  currency?: string | undefined
  /** The name of a person, by id. */
  nameOf?: (id: string) => string | undefined
}

interface Template {
  /** The text without its holes, for the choice of the closest template. */
  fixedLength: number
  pattern: RegExp
  holes: string[]
  english: string
  chinese: string
}

const hole = /\{(\w+)(?::(\w+))?\}/g

/** Templates by their first word; those that begin with a hole are under the empty word. */
const templates = Map.groupBy(
  Object.entries(serviceMessages).map(([text, shown]) => ({ text, template: templateOf(text, shown) })),
  ({ text }) => firstWordOf(text),
)

function firstWordOf(text: string): string {
  const word = text.split(' ', 1)[0]!
  return /[{}]/.test(word) ? '' : word
}

function templateOf(text: string, shown: string | [string, string]): Template {
  const [chinese, english] = typeof shown === 'string' ? [shown, undefined] : shown
  const parts = text.split(/\{\w+\}/)
  const formats = new Map([...chinese.matchAll(hole)].map(([whole, name]) => [name!, whole]))
  return {
    fixedLength: parts.join('').length,
    pattern: new RegExp(`^${parts.map(escaped).join('(.+?)')}$`, 's'),
    holes: [...text.matchAll(hole)].map(([, name]) => name!),
    english: english ?? withLabels(text.replace(hole, (whole, name) => formats.get(name) ?? whole)),
    chinese,
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Parameters that the fixed text of a template names. */
function withLabels(text: string): string {
  return text.replace(
    /(?<![\w{/])[a-z]+(?:_[a-z0-9]+)+(?![\w:}/])/g,
    (name) => serviceLabels[name]?.[0] ?? name,
  )
}

/** A sentence of the service in the language of the reader; undefined if no template has this text. */
export function sentenceOf(text: string, known: Known): string | undefined {
  // The closest template first.
  const candidates = [
    ...(templates.get(text.split(' ', 1)[0]!) ?? []),
    ...(templates.get('') ?? []),
  ].toSorted((one, other) => other.template.fixedLength - one.template.fixedLength)
  for (const { template } of candidates) {
    const found = template.pattern.exec(text)
    if (!found) continue
    const values = Object.fromEntries(template.holes.map((name, at) => [name, found[at + 1]!]))
    return filled(template, values, known)
  }
  return
}

function filled(template: Template, values: Record<string, string>, known: Known): string {
  const named = ['currency', 'orderCurrency', 'budget_currency'].map((name) => values[name])
  const currency = named.find((value) => value !== undefined) ?? known.currency
  return template[known.language === 'zh' ? 'chinese' : 'english'].replace(hole, (_, name, format) =>
    shown(values[name] ?? '', format, name, { ...known, currency }),
  )
}

function shown(value: string, format: string | undefined, name: string, known: Known): string {
  switch (format) {
    case 'money':
      return moneyOf(value, known)
    case 'amounts':
      return amountsOf(value, known)
    case 'date':
      return dateOf(value, known.language)
    case 'label':
      return labelOf(value, known.language)
    case 'labels':
      return listOf(value, known.language, labelOf)
    case 'word':
      return wordOf(value, known.language)
    case 'words':
      return listOf(value, known.language, wordOf)
    case 'text':
      return sentenceOf(value, known) ?? value
    case 'sentences':
      return value
        .split(/(?<=\.) (?=\p{Lu})/u)
        .map((each) => sentenceOf(each, known) ?? each)
        .join(known.language === 'zh' ? '' : ' ')
    case 'person':
      return known.nameOf?.(value) ?? somebody(name, known.language)
    case 'none':
      return ''
    default:
      return value
  }
}

/** Without a currency, the amount is shown as the service states it, with a note. */
function moneyOf(value: string, { currency, language }: Known): string {
  if (!/^-?[0-9]+$/.test(value)) return value
  if (currency && /^[A-Z]{3}$/.test(currency)) return formatMoney(Number(value), currency, language)
  const number = new Intl.NumberFormat(locales[language]).format(Number(value))
  return language === 'zh'
    ? `${number}（以最小货币单位计）`
    : `${number} (in the smallest unit of the currency)`
}

/** Several amounts in major units: "12.50 CNY and 3 USD". */
function amountsOf(value: string, { language }: Known): string {
  const shownAmounts = value.split(' and ').map((each) => {
    const [, amount, currency] = /^(-?[0-9.]+) ([A-Z]{3})$/.exec(each) ?? []
    if (!amount || !currency) return each
    const format = new Intl.NumberFormat(locales[language], { style: 'currency', currency })
    return format.format(amount as unknown as number)
  })
  return new Intl.ListFormat(locales[language]).format(shownAmounts)
}

function dateOf(value: string, language: Language): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (!year) return value
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

function listOf(
  value: string,
  language: Language,
  each: (value: string, language: Language) => string,
): string {
  const items = value.split(/, | or | and /).map((item) => each(item, language))
  return new Intl.ListFormat(locales[language], { type: 'disjunction' }).format(items)
}

function wordOf(value: string, language: Language): string {
  const word = serviceWords[value]
  if (word) return word[language === 'zh' ? 1 : 0]
  return value.replaceAll('_', ' ')
}

function somebody(name: string, language: Language): string {
  const [english, chinese] = name === 'user_id' ? ['this person', '该客户'] : ['this adviser', '该顾问']
  return language === 'zh' ? chinese! : english!
}

/** The label of a parameter: `sub_orders.0.price` is "amount of instalments 1". */
export function labelOf(param: string, language: Language): string {
  const path = param.split(/[./]/)
  const names = path.filter((part) => !/^[0-9]+$/.test(part))
  const label = (name: string) =>
    serviceLabels[name]?.[language === 'zh' ? 1 : 0] ?? name.replaceAll('_', ' ')
  const own = label(names.at(-1) ?? param)
  const at = path.findIndex((part) => /^[0-9]+$/.test(part))
  if (at < 1) return own
  const item = `${Number(path[at]) + 1}`
  const list = label(path[at - 1]!)
  if (names.length === 1) return language === 'zh' ? `${list}第 ${item} 项` : `${list}, item ${item}`
  return language === 'zh' ? `${list}第 ${item} 项的${own}` : `${own} of ${list}, item ${item}`
}

interface Refusal {
  message: string
  errors: { param: string; reason: string }[]
}

/** A refusal in the language of the reader; undefined if its text is not known. */
export function refusalOf({ message, errors }: Refusal, known: Known): string | undefined {
  const isMadeOfReasons =
    errors.length > 0 && errors.every(({ param, reason }) => message.includes(`${param} ${reason}`))
  const whole = isMadeOfReasons ? undefined : sentenceOf(message, known)
  if (whole !== undefined) return capitalized(whole)
  const faults = errors.map(({ param, reason }) => {
    const told = sentenceOf(reason, known) ?? (known.language === 'en' ? withLabels(reason) : undefined)
    return told && `${labelOf(param, known.language)}${known.language === 'zh' ? '' : ' '}${told}`
  })
  if (faults.length === 0 || faults.includes(undefined)) return
  return known.language === 'zh' ? `${faults.join('；')}。` : `${capitalized(faults.join('; '))}.`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
