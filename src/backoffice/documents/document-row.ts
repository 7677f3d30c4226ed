import { DayText, described, Id, Money, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { documentKinds, factLabels, lineLabels, sumLabels } from './document-content.ts'
import type { IssuedDocument } from './document-store.ts'

const Text = Type.String()

export const DocumentRow = namedObject('Document', {
  document_id: Id,
  kind: oneOf(documentKinds),
  number: described(Text, 'As printed: without gaps in the series of its kind and year'),
  year: Type.Integer({ description: 'In the time zone of the organization' }),
  subject_id: described(Id, 'The payment of a receipt, the order of an invoice, the refund of a credit note'),
  order_id: described(Text, 'The order, or the account of the payer; "" for money without an order'),
  order_ids: described(
    Type.Array(Id),
    'The orders that it is about; for a receipt, those that took its payment',
  ),
  revision: Type.Integer({ description: 'Above 1 if the invoice replaces one with another price' }),
  price: described(Money, 'Received, invoiced or credited'),
  currency: Text,
  payer_id: described(Text, '"" where the person of the order pays'),
  payer: described(Text, '"" after an erasure'),
  issued: Timestamp,
  executor_id: Text,
})

/** A document with its statements. */
export const WholeDocument = namedObject('WholeDocument', {
  ...DocumentRow.properties,
  issuer: namedObject('DocumentIssuer', {
    legal_name: Text,
    address: Text,
    tax_number: Text,
    bank_name: Text,
    bank_account_name: Text,
    bank_account_number: Text,
    bank_code: Text,
  }),
  student: described(Text, 'The person of the order, unless that is the payer'),
  reason: Text,
  lines: Type.Array(namedObject('DocumentLine', { label: oneOf(lineLabels), text: Text, price: Money })),
  sums: Type.Array(namedObject('DocumentSum', { label: oneOf(sumLabels), price: Money })),
  plan: Type.Array(namedObject('DocumentInstalment', { due: DayText, price: Money }), {
    description: 'The instalments of an invoice; `due` is a day, or "" without a deadline',
  }),
  facts: Type.Array(namedObject('DocumentFact', { label: oneOf(factLabels), text: Text })),
})

const prefixes = { receipt: '', invoice: 'INV-', credit_note: 'CN-' }
const digits = { receipt: 8, invoice: 6, credit_note: 6 }

/** The number as printed. Receipts keep the form that they have on the page of an order's receipts. */
export function numberOf({ kind, year, number }: Pick<IssuedDocument, 'kind' | 'year' | 'number'>): string {
  return `${prefixes[kind]}${year}-${String(number).padStart(digits[kind], '0')}`
}

export function documentRow(document: IssuedDocument): Static<typeof DocumentRow> {
  const { document_id, kind, year, subject_id, order_id, order_ids, revision, price, currency } = document
  const number = numberOf(document)
  return {
    ...{ document_id, kind, number, year, subject_id, order_id, order_ids, revision, price, currency },
    payer_id: document.payer_id,
    payer: document.personal.payer ?? '',
    issued: document.issued,
    executor_id: document.executor_id,
  }
}

export function wholeDocument(document: IssuedDocument): Static<typeof WholeDocument> {
  const { content, personal } = document
  const { logo_id: _, checkout_url: __, color: ___, ...issuer } = content.issuer
  return {
    ...documentRow(document),
    issuer,
    student: personal.student ?? '',
    reason: personal.reason ?? '',
    lines: content.lines,
    sums: content.sums,
    plan: content.plan,
    facts: content.facts,
  }
}

export const exampleDocument: Static<typeof DocumentRow> = {
  document_id: '01906bce75787a2d850afda5c7650b9a',
  kind: 'receipt',
  number: '2024-00000017',
  year: 2024,
  subject_id: '01a0121322587365aa30fc31c91b3d5f',
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
  order_ids: ['01a00491d4087169b3c88f8f9813ae4a'],
  revision: 1,
  price: 1_280_000,
  currency: 'CNY',
  payer_id: '',
  payer: 'Li Ming',
  issued: '2024-03-11 09:31:00',
  executor_id: 'lakeside-finance',
}

export const exampleWhole: Static<typeof WholeDocument> = {
  ...exampleDocument,
  issuer: {
    legal_name: 'Northgate Education Ltd.',
    address: '88 Century Avenue\nShanghai 200120',
    tax_number: '91310115MA1K3XXX0X',
    bank_name: 'ICBC Shanghai Lujiazui',
    bank_account_name: 'Northgate Education Ltd.',
    bank_account_number: '1001190009876543210',
    bank_code: 'ICBKCNBJSHI',
  },
  student: '',
  reason: '',
  lines: [{ label: 'item', text: 'Master of Finance', price: 1_280_000 }],
  sums: [{ label: 'received', price: 1_280_000 }],
  plan: [],
  facts: [
    { label: 'paid_on', text: '2024-03-11 09:30:00' },
    { label: 'order', text: '01a00491d4087169b3c88f8f9813ae4a' },
  ],
}
