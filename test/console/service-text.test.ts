import { describe, expect, test } from 'vitest'
import { serviceLabels } from '../../console/src/languages/service-labels.ts'
import { serviceMessages } from '../../console/src/languages/service-messages.ts'
import { labelOf, refusalOf, sentenceOf } from '../../console/src/languages/service-text.ts'
import { errorCatalogue, invalid } from '../../src/contract/errors.ts'
import { catalogue } from '../../src/endpoints.ts'

const languages = ['en', 'zh'] as const
const owner = '0198c0de11117c41a2f0d8e6b4937215'

/** A value as the service fills it into a template. */
function sampleOf(name: string, format: string | undefined): string {
  if (/currency|^of$|^mark$/i.test(name)) return 'CNY'
  switch (format) {
    case 'money':
      return '27900000'
    case 'amounts':
      return '12.50 CNY and 3.00 USD'
    case 'date':
      return '2026-03-31'
    case 'label':
      return 'sub_orders'
    case 'labels':
      return 'payer_user_id and payer_name'
    case 'word':
      return 'success'
    case 'words':
      return 'finance, admin'
    case 'text':
      return 'must not be before start_date'
    case 'sentences':
      return 'The payer owes 12.50 CNY. No order has 3.00 USD of its money.'
    case 'person':
      return owner
    case 'none':
      return owner
    default:
      return '7'
  }
}

const samples = Object.entries(serviceMessages).map(([template, shown]) => {
  const formats = new Map(
    [...[shown].flat()[0]!.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, name, format]) => [name!, format]),
  )
  return { template, text: template.replace(/\{(\w+)\}/g, (_, name) => sampleOf(name, formats.get(name))) }
})

/** Terms, formats and codes that a Chinese reader knows in Latin letters. */
const latinInChinese =
  /CNY|USD|US\$|API|Webhook|JSON|XML|XLSX|UTF-\d+|utf-\d+(le)?|GB 18030|gb18030|windows-1252|PNG|JPEG|Base64|ASCII|HTTP|https|ISO|IANA|Asia\/Shanghai|CAMT|MT940|Unix|IPv\d|CN|GB|Excel|Google|Outlook|vCard|WPS|CSV|xlsx|xls|X-APP-ID|Authorization|Bearer|Amt|CdtDbtInd|CRDT|DBIT|BkToCstmrStmt\/Stmt|school\.example|2001:db8::\/32|anna:0\.6;li:0\.4|C261001EUR1234,56|2610141014C1234,56NTRFREFERENCE\/\/BANK-REFERENCE|:6\dF:/g

describe.each(languages)('in %s', (language) => {
  const known = { language, currency: 'CNY', nameOf: (id: string) => (id === owner ? '李雷' : undefined) }

  test('every sentence of the service is rendered without names of parameters', () => {
    const wrong = samples.flatMap(({ template, text }) => {
      const told = sentenceOf(text, known)
      if (told === undefined) return [`${template}: not found`]
      const isLatin = language === 'zh' && /[A-Za-z]{2}/.test(told.replace(latinInChinese, ''))
      const isRaw = /[a-z]_[a-z]|\{|\}|[a-z]+\/[a-z]+\/|undefined|27900000/.test(told)
      return isLatin || isRaw ? [`${template}: ${told}`] : []
    })
    expect(wrong).toEqual([])
  })

  test('every error of the catalogue has its sentence', () => {
    const untold = Object.values(errorCatalogue).filter(
      ([, message]) => refusalOf({ message, errors: [] }, known) === undefined,
    )
    expect(untold).toEqual([])
  })
})

test('every parameter of an operation has a label', () => {
  const names = catalogue.flatMap(({ input }) => namesIn(input as Schema))
  expect([...new Set(names)].filter((name) => !Object.hasOwn(serviceLabels, name))).toEqual([])
})

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

function namesIn({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...inner.flatMap(namesIn)]
}

test('an amount is formatted as money, and a field has the label of the form', () => {
  const { message, details } = invalid('to_order_id', 'must name an order in CNY, not in USD')
  const refusal = { message, errors: details.errors! }
  expect(refusalOf(refusal, { language: 'en' })).toBe('Target order must be an order in CNY, not in USD.')
  expect(refusalOf(refusal, { language: 'zh' })).toBe('目标订单须为 CNY 的订单，而不是 USD。')
  const limit = { message: 'At most 27900000 can be refunded: received less refunded.', errors: [] }
  expect(refusalOf(limit, { language: 'zh', currency: 'CNY' })).toBe('最多可退 ¥279,000.00（已收减已退）。')
  expect(refusalOf(limit, { language: 'en', currency: 'CNY' })).toBe(
    'At most CN¥279,000.00 can be refunded: received less refunded.',
  )
})

test('an amount of an unknown currency is not shown in another currency', () => {
  const limit = { message: 'At most 5000 can be moved: received less refunded.', errors: [] }
  expect(refusalOf(limit, { language: 'zh' })).toBe('最多可转出 5,000（以最小货币单位计）（已收减已退）。')
})

test('several faults are one sentence, each with its field', () => {
  const errors = [
    { param: 'sub_orders.1.total_price', reason: 'must be at least 0' },
    { param: 'email', reason: 'must be an e-mail address' },
  ]
  const message = 'sub_orders.1.total_price must be at least 0; email must be an e-mail address.'
  expect(refusalOf({ message, errors }, { language: 'zh' })).toBe(
    '分期第 2 项的总价不得小于 0；邮箱须为邮箱地址。',
  )
})

test('a text without a template is not guessed', () => {
  expect(refusalOf({ message: 'Something new.', errors: [] }, { language: 'zh' })).toBeUndefined()
  expect(labelOf('a_new_one', 'en')).toBe('a new one')
})
