import { amountIn, dayIn } from '../../../files/written-amounts.ts'
import { numberOf } from '../document-row.ts'
import type { IssuedDocument } from '../document-store.ts'
import { isKnownMethod, type PrintLanguage, wordsIn } from './document-words.ts'
import type { PresentState } from './present-state.ts'

/** A printed page: texts only, in their order. */
export interface Sheet {
  language: string
  title: string
  number: string
  /** The mark of a document that is no longer valid. */
  mark: string
  /** The colour of the school; "" without one. */
  issuer: { name: string; lines: string[]; color: string }
  fields: Field[]
  lineHeads: [string, string]
  lines: [string, string][]
  sums: [string, string][]
  /** Further tables: the payment plan, bank details, the state when printed. */
  sections: { title: string; rows: Field[]; areAmounts: boolean }[]
}

type Field = [label: string, text: string]

/** Composes the page of a document in a language. */
export function composeSheet(
  document: IssuedDocument,
  state: PresentState,
  language: PrintLanguage,
  printed: string,
): Sheet {
  const word = wordsIn(language)
  const { kind, content, personal, currency } = document
  const { issuer } = content
  const money = (price: number) => amountIn(language, price, currency)
  const day = (date: string) => dayIn(language, date)
  const payer = ({ receipt: 'receivedFrom', invoice: 'billedTo', credit_note: 'creditedTo' } as const)[kind]
  return {
    language: language === 'zh' ? 'zh-CN' : 'en',
    title: word('titles', kind),
    number: `${word('others', 'number')} ${numberOf(document)}`,
    mark: markOf(state, word),
    issuer: {
      name: issuer.legal_name,
      // Documents from before have none.
      color: issuer.color ?? '',
      lines: [
        ...issuer.address.split('\n'),
        issuer.tax_number && `${word('others', 'taxNumber')} ${issuer.tax_number}`,
      ].filter((line) => line !== ''),
    },
    fields: [
      [word('others', payer), personal.payer ?? word('others', 'erased')],
      ...field(word('others', 'payerAddress'), personal.payer_address),
      ...field(word('others', 'taxNumber'), personal.payer_tax_number),
      ...field(word('others', 'student'), personal.student),
      [word('others', 'issued'), day(document.issued.slice(0, 10))],
      ...content.facts.map(
        ({ label, text }): Field => [word('facts', label), factText(label, text, language)],
      ),
      ...field(word('others', 'reason'), personal.reason),
    ],
    lineHeads: [word('others', 'description'), word('others', 'amount')],
    lines: content.lines.map(({ label, text, price }) => [
      text === '' || label !== 'item'
        ? [word('lines', label), text].filter((part) => part !== '').join(': ')
        : text,
      money(price),
    ]),
    sums: content.sums.map(({ label, price }) => [word('sums', label), money(price)]),
    sections: [
      ...planOf(document, word, money, day),
      ...(kind === 'invoice' ? bankOf(document, word) : []),
      {
        title: `${word('others', 'printed')} · ${printed}`,
        rows: stateRows(document, state, word, money),
        areAmounts: false,
      },
    ],
  }
}

type Word = ReturnType<typeof wordsIn>

/** A fact as printed. The booked amount is stored in minor units with its currency. */
function factText(label: string, text: string, language: PrintLanguage): string {
  if (label === 'method') return isKnownMethod(text) ? wordsIn(language)('methods', text) : text
  const [price = '', currency] = text.split(' ')
  return label === 'settled' && currency !== undefined ? amountIn(language, Number(price), currency) : text
}

function field(label: string, text: string | undefined): Field[] {
  return text === undefined || text === '' ? [] : [[label, text]]
}

function planOf(
  { content }: IssuedDocument,
  word: Word,
  money: (price: number) => string,
  day: (date: string) => string,
): Sheet['sections'] {
  if (content.plan.length < 2 && !content.plan.some(({ due }) => due !== '')) return []
  return [
    {
      title: word('others', 'plan'),
      rows: content.plan.map(({ due, price }, index) => [
        `${word('others', 'instalment')} ${index + 1}${due === '' ? '' : ` · ${word('others', 'due')} ${day(due)}`}`,
        money(price),
      ]),
      areAmounts: true,
    },
  ]
}

function bankOf({ content: { issuer } }: IssuedDocument, word: Word): Sheet['sections'] {
  const rows = [
    ...field(word('others', 'bankAccountName'), issuer.bank_account_name),
    ...field(word('others', 'bankAccountNumber'), issuer.bank_account_number),
    ...field(word('others', 'bankName'), issuer.bank_name),
    ...field(word('others', 'bankCode'), issuer.bank_code),
  ]
  return rows.length === 0 ? [] : [{ title: word('others', 'bankDetails'), rows, areAmounts: false }]
}

function markOf(state: PresentState, word: Word): string {
  if (state.voided !== '') return word('others', 'void')
  if (state.replacedBy !== '') return word('others', 'replaced')
  return state.isReversed ? word('others', 'reversed') : ''
}

function stateRows(
  { kind }: IssuedDocument,
  state: PresentState,
  word: Word,
  money: (price: number) => string,
): Field[] {
  const rows: Field[] = [
    ...field(word('others', 'voidSince'), state.voided),
    ...field(word('others', 'replacedBy'), state.replacedBy),
    ...state.sums.map(({ label, price }): Field => [word('sums', label), money(price)]),
  ]
  if (rows.length > 0) return rows
  return [[word('titles', kind), word('others', state.isReversed ? 'reversed' : 'valid')]]
}
