import type { Issuer } from '../../access/organizations/issuer-store.ts'
import {
  credited,
  held,
  type OrderState,
  outstanding,
  received,
  refunded,
} from '../../orders/rules/order-rules.ts'
import { manualDiscountOf } from '../../orders/rules/prices.ts'
import type { OrderSource, PaymentSource, RefundSource } from './document-source-store.ts'

export const documentKinds = ['receipt', 'invoice', 'credit_note'] as const
export type DocumentKind = (typeof documentKinds)[number]

export const lineLabels = ['item', 'coupon', 'discount', 'service_charge', 'unapplied', 'credit'] as const
export const sumLabels = ['total', 'received', 'credited', 'refunded', 'paid', 'due'] as const
export const factLabels = [
  'order',
  'contract',
  'paid_on',
  'method',
  'reference',
  'own_number',
  'settled',
  'invoice',
  'refunded_on',
] as const

/** The statements of a document, without personal data. Labels are translated in print. */
export interface DocumentContent {
  issuer: Issuer
  lines: DocumentLine[]
  sums: { label: (typeof sumLabels)[number]; price: number }[]
  /** The instalments of an invoice. */
  plan: { due: string; price: number }[]
  facts: { label: (typeof factLabels)[number]; text: string }[]
}

export interface DocumentLine {
  label: (typeof lineLabels)[number]
  text: string
  price: number
}

/** Personal data: names, and texts by people. */
export interface DocumentPersonal {
  payer?: string
  payer_address?: string
  payer_tax_number?: string
  /** The person that the order is for, unless that is the payer. */
  student?: string
  reason?: string
}

/** A document before it has a number. */
export interface DocumentDraft {
  order_id: string | null
  /** Null: the user of the order. */
  payer_id: string | null
  price: number
  currency: string
  content: DocumentContent
  personal: DocumentPersonal
}

export function draftReceipt(issuer: Issuer, payment: PaymentSource): DocumentDraft {
  const { order_id, price, currency, orders, refunded_price } = payment
  const isOneCurrency = payment.order_currency === currency
  const students = [...new Set(orders.map((order) => order.student))].filter((name) => name !== '')
  const names = orders.map(({ name }) => name).filter((name) => name !== '')
  const lines: DocumentLine[] =
    isOneCurrency && orders.length > 1
      ? orders.map((order) => ({ label: 'item', text: order.name || order.order_id, price: order.price }))
      : [{ label: orders.length === 0 ? 'unapplied' : 'item', text: names.join(', '), price }]
  const rest = price - lines.reduce((all, line) => all + line.price, 0)
  if (rest > 0) lines.push({ label: 'unapplied', text: '', price: rest })
  return {
    order_id,
    payer_id: payment.payer_id,
    price,
    currency,
    content: {
      issuer,
      lines,
      sums: [
        { label: 'received', price },
        ...(refunded_price > 0 ? [{ label: 'refunded' as const, price: refunded_price }] : []),
      ],
      plan: [],
      facts: given([
        { label: 'paid_on', text: payment.paid_on },
        { label: 'method', text: payment.method },
        { label: 'reference', text: payment.charge_id },
        { label: 'own_number', text: payment.own_number },
        {
          label: 'order',
          text:
            payment.is_of_account || orders.length > 0
              ? orders.map((order) => order.order_id).join(', ')
              : order_id,
        },
        { label: 'settled', text: isOneCurrency ? '' : `${payment.order_price} ${payment.order_currency}` },
      ]),
    },
    personal: namesOf({ ...payment, student: students.join(', ') }),
  }
}

export function draftInvoice(issuer: Issuer, state: OrderState, order: OrderSource): DocumentDraft {
  const { order_id, total_price, currency, coupon_lines } = state
  const charges = state.service_charge + state.foreign_service_charge
  const discount = manualDiscountOf(state)
  const some = (label: DocumentLine['label'], price: number) =>
    price === 0 ? [] : [{ label, text: '', price }]
  const sum = (label: (typeof sumLabels)[number], price: number) => (price === 0 ? [] : [{ label, price }])
  return {
    order_id,
    payer_id: null,
    price: total_price,
    currency,
    content: {
      issuer,
      lines: [
        { label: 'item', text: order.name, price: state.listed_price },
        ...coupon_lines.map(({ coupon_id, price }) => ({
          label: 'coupon' as const,
          text: coupon_id,
          price: -price,
        })),
        ...some('discount', -discount),
        ...some('service_charge', charges),
      ],
      sums: [
        { label: 'total', price: total_price },
        ...sum('credited', -credited(state)),
        { label: 'paid', price: -received(state) },
        ...sum('refunded', refunded(state)),
        { label: 'due', price: outstanding(state) },
      ],
      plan: order.plan,
      facts: given([
        { label: 'order', text: order_id },
        { label: 'contract', text: order.contract_id },
      ]),
    },
    personal: namesOf(order),
  }
}

export function draftCreditNote(issuer: Issuer, refund: RefundSource): DocumentDraft {
  return {
    order_id: refund.order_id,
    payer_id: null,
    price: refund.credited_price,
    currency: refund.order_currency,
    content: {
      issuer,
      lines: [{ label: 'credit', text: refund.name, price: refund.credited_price }],
      sums: [{ label: 'credited', price: refund.credited_price }],
      plan: [],
      facts: given([
        { label: 'order', text: refund.order_id },
        { label: 'invoice', text: refund.invoice },
        { label: 'refunded_on', text: refund.refunded_on },
        { label: 'method', text: refund.method },
        { label: 'reference', text: refund.charge_id },
      ]),
    },
    personal: { ...namesOf(refund), ...(refund.reason === '' ? {} : { reason: refund.reason }) },
  }
}

/** Whether an invoice states the same price as this draft. Later payments do not count. */
export function isSameInvoice(
  issued: { price: number; currency: string; content: DocumentContent },
  draft: DocumentDraft,
): boolean {
  const priceOf = ({ price, currency, content }: Pick<DocumentDraft, 'price' | 'currency' | 'content'>) =>
    JSON.stringify([
      [price, currency],
      content.lines.map((line) => [line.label, line.text, line.price]),
      content.plan.map((instalment) => [instalment.due, instalment.price]),
    ])
  return priceOf(issued) === priceOf(draft)
}

/** The sums of an order that a print of its invoice adds. */
export function presentSums(state: OrderState): { label: 'credited' | 'paid' | 'due'; price: number }[] {
  const credit = credited(state)
  return [
    ...(credit === 0 ? [] : [{ label: 'credited' as const, price: credit }]),
    { label: 'paid', price: held(state) },
    { label: 'due', price: outstanding(state) },
  ]
}

interface Names {
  payer: string
  payer_address?: string
  payer_tax_number?: string
  student: string
}

/** Without empty texts. The student is named only besides another payer. */
function namesOf({ payer, payer_address = '', payer_tax_number = '', student }: Names): DocumentPersonal {
  const names = { payer, payer_address, payer_tax_number, student: student === payer ? '' : student }
  return Object.fromEntries(Object.entries(names).filter(([, text]) => text !== ''))
}

function given(
  facts: { label: (typeof factLabels)[number]; text: string | null }[],
): DocumentContent['facts'] {
  return facts.flatMap(({ label, text }) => (text === null || text === '' ? [] : [{ label, text }]))
}
