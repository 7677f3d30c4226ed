import { randomBytes } from 'node:crypto'
import { findIssuer, type Issuer } from '../../access/organizations/issuer-store.ts'
import { yearOf } from '../../contract/days.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { anyOrder } from '../../orders/ledger/fields.ts'
import { readStates } from '../../orders/ledger/order-state-store.ts'
import { owingStatuses } from '../../orders/rules/status.ts'
import {
  type DocumentDraft,
  type DocumentKind,
  documentKinds,
  draftCreditNote,
  draftInvoice,
  draftReceipt,
  isSameInvoice,
} from './document-content.ts'
import { DocumentRow, documentRow, exampleDocument, numberOf } from './document-row.ts'
import { findOrderSource, findPaymentSource, findRefundSource } from './document-source-store.ts'
import { findLatest, insertDocument, lockSeries, type Series, storeNumber } from './document-store.ts'

/** Issues a receipt, an invoice or a credit note. */
export const issueDocument = endpoint({
  id: 'issueDocument',
  method: 'POST',
  path: '/api/v5/entity/document/issue',
  group: 'Finance',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Issue a receipt, invoice or credit note',
  description:
    'A receipt of a payment, an invoice of an order, or the credit note of a refund that cancels a part of the price. A ' +
    'document never changes. A second call returns the same document; the invoice of an order whose price changed is a new ' +
    'one that replaces it. Invoices and credit notes have numbers without gaps per kind and year. A receipt has the ' +
    'number of its payment.',
  input: Type.Object({
    corp_id: OrganizationId,
    kind: oneOf(documentKinds),
    subject_id: described(
      Id,
      'The payment of a receipt, the order of an invoice, the refund of a credit note',
    ),
  }),
  data: Type.Object({
    ...DocumentRow.properties,
    is_new: Type.Boolean({ description: 'Whether this call issued it' }),
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      kind: 'receipt',
      subject_id: exampleDocument.subject_id,
    },
    data: { ...exampleDocument, is_new: true },
  },
  errors: ['paymentNotFound', 'orderNotFound', 'refundNotFound', 'stateForbids'],

  async handle({ db, organization, account, newId, now }, { corp_id, ...subject }) {
    const { time_zone } = organization
    const author = {
      document_id: newId(),
      executor_id: account.app_id,
      token: randomBytes(24).toString('base64url'),
    }
    return db.transaction(async (tx) => {
      const found = await findIssuer(tx, corp_id)
      const issuer = { ...found, legal_name: found.legal_name || organization.name }
      const isNew = await issue(tx, { corp_id, time_zone, issuer, now }, subject, author)
      const document = await findLatest(tx, corp_id, subject, time_zone)
      return { ...documentRow(document!), is_new: isNew }
    })
  },
})

interface Place {
  corp_id: string
  time_zone: string
  issuer: Issuer
  now: Date
}

interface Subject {
  kind: DocumentKind
  subject_id: string
}

interface Author {
  document_id: string
  executor_id: string
  token: string
}

/** Issues the document unless it exists. Returns whether it did. */
async function issue(tx: Queryable, place: Place, subject: Subject, author: Author): Promise<boolean> {
  const { corp_id, time_zone, now } = place
  const { kind, subject_id } = subject
  if (kind === 'receipt') {
    if (await findLatest(tx, corp_id, subject, time_zone)) return false
    const receipt = await receiptOf(tx, place, subject_id)
    return insertDocument(tx, corp_id, { ...receipt, ...subject, ...author, revision: 1 }, now)
  }
  const year = yearOf(now, time_zone)
  const last = await lockSeries(tx, corp_id, kind, year)
  const before = await findLatest(tx, corp_id, subject, time_zone)
  if (before && kind === 'credit_note') return false
  const draft = await draftOf(tx, place, kind, subject_id)
  if (before && isSameInvoice(before, draft)) return false
  const number = last + 1
  const revision = (before?.revision ?? 0) + 1
  await storeNumber(tx, corp_id, { kind, year, number })
  return insertDocument(tx, corp_id, { ...draft, ...subject, ...author, year, number, revision }, now)
}

async function receiptOf(
  tx: Queryable,
  { corp_id, time_zone, issuer }: Place,
  payment_id: string,
): Promise<DocumentDraft & { year: number; number: number }> {
  const payment = await findPaymentSource(tx, corp_id, payment_id, time_zone)
  if (!payment) throw new ApiError('paymentNotFound')
  if (payment.voided !== '') throw refusal('payment_void', 'The payment is void, so it has no receipt.')
  return { ...draftReceipt(issuer, payment), year: payment.year, number: payment.number }
}

async function draftOf(tx: Queryable, place: Place, kind: Series, id: string): Promise<DocumentDraft> {
  return kind === 'invoice' ? invoiceOf(tx, place, id) : creditNoteOf(tx, place, id)
}

async function invoiceOf(
  tx: Queryable,
  { corp_id, time_zone, issuer }: Place,
  order_id: string,
): Promise<DocumentDraft> {
  const state = (await readStates(tx, corp_id, [order_id])).get(order_id)
  const order = await findOrderSource(tx, corp_id, order_id, time_zone)
  if (!state || !order) throw new ApiError('orderNotFound')
  if (!owingStatuses.includes(state.status))
    throw refusal(
      'not_invoiced',
      `The order is ${state.status}. Only an order that can be paid has an invoice.`,
    )
  return draftInvoice(issuer, state, order)
}

async function creditNoteOf(
  tx: Queryable,
  { corp_id, time_zone, issuer }: Place,
  refund_id: string,
): Promise<DocumentDraft> {
  const refund = await findRefundSource(tx, corp_id, refund_id, time_zone)
  if (!refund) throw new ApiError('refundNotFound')
  if (refund.is_reversed)
    throw refusal('refund_reversed', 'The refund is reversed, so it has no credit note.')
  if (refund.credited_price === 0)
    throw refusal('no_credit', 'The refund cancels no part of the price, so it has no credit note.')
  const invoice = await findLatest(tx, corp_id, { kind: 'invoice', subject_id: refund.order_id }, time_zone)
  return draftCreditNote(issuer, { ...refund, invoice: invoice ? numberOf(invoice) : '' })
}

function refusal(reason: string, msg: string): ApiError {
  return new ApiError('stateForbids', { msg, extra: { reason } })
}
