import type { Queryable } from '../../../database/database.ts'
import { readStates } from '../../../orders/ledger/order-state-store.ts'
import { presentSums } from '../document-content.ts'
import { numberOf } from '../document-row.ts'
import { findPaymentSource, findRefundSource } from '../document-source-store.ts'
import { findLatest, type IssuedDocument } from '../document-store.ts'

/** The state of a document's subject at the time of printing. A document itself never changes. */
export interface PresentState {
  voided: string
  replacedBy: string
  isReversed: boolean
  sums: { label: 'credited' | 'paid' | 'due' | 'refunded'; price: number }[]
}

const unchanged: PresentState = { voided: '', replacedBy: '', isReversed: false, sums: [] }

export async function readPresentState(
  on: Queryable,
  corp_id: string,
  document: IssuedDocument,
  timeZone: string,
): Promise<PresentState> {
  const { kind, subject_id } = document
  if (kind === 'receipt') {
    const payment = await findPaymentSource(on, corp_id, subject_id, timeZone)
    const refunded = payment?.refunded_price ?? 0
    const sums = refunded === 0 ? [] : [{ label: 'refunded' as const, price: refunded }]
    return { ...unchanged, voided: payment?.voided ?? '', sums }
  }
  if (kind === 'credit_note') {
    const refund = await findRefundSource(on, corp_id, subject_id, timeZone)
    return { ...unchanged, isReversed: refund?.is_reversed ?? false }
  }
  const state = (await readStates(on, corp_id, [subject_id])).get(subject_id)
  const latest = await findLatest(on, corp_id, document, timeZone)
  const isReplaced = latest !== undefined && latest.document_id !== document.document_id
  return {
    ...unchanged,
    replacedBy: isReplaced ? numberOf(latest) : '',
    sums: state && !isReplaced ? presentSums(state) : [],
  }
}
