import { approveRequest, declineRequest } from '../../src/backoffice/approvals/decide-request.ts'
import { issueDocument } from '../../src/backoffice/documents/issue-document.ts'
import { createCashUp } from '../../src/backoffice/finance/cash-up/cash-ups.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import type { Call, CallStep } from './call-step.ts'
import { type Found, pickFrom } from './found.ts'

/** The coupon that every school of the test has, with a limited number of uses and a budget. */
export const sharedCoupon = {
  coupon_id: 'shared',
  basis_points: 1000,
  max_uses: 40,
  budget_price: 100_000,
  budget_currency: 'CNY',
}

/** The id of the second person. */
const approver = 'approver'

type OfficeCall = (step: CallStep, found: Found) => Call

/** Approvals, documents, cash-ups and new orders, with input from the records found so far. */
export const officeCalls = {
  approve: ({ picks }, found) => [
    approveRequest,
    { request_id: pickFrom(found.requests, picks[0]) ?? 'none' },
    approver,
  ],
  decline: ({ picks }, found) => [
    declineRequest,
    { request_id: pickFrom(found.requests, picks[0]) ?? 'none' },
    approver,
  ],
  document({ picks }, found) {
    const subjects = {
      receipt: pickFrom(found.payments, picks[2])?.id,
      invoice: pickFrom(found.orders, picks[0]),
      credit_note: pickFrom(found.refunds, picks[2])?.id,
    }
    const kinds = Object.keys(subjects) as (keyof typeof subjects)[]
    const kind = kinds[picks[1] % kinds.length]!
    return [issueDocument, { kind, subject_id: subjects[kind] ?? 'none' }]
  },
  cashUp({ picks, price }) {
    const day = new Date().toISOString().slice(0, 10)
    const lines = ['CNY', 'EUR', 'USD'].slice(0, 1 + (picks[0] % 3)).map((currency) => ({
      ...{ method: '', currency, counted_price: price, reason: 'Counted at random' },
    }))
    return [createCashUp, { day, lines }]
  },
  order({ price, isOther }, found) {
    const plan = {
      currency: isOther ? 'USD' : 'CNY',
      listed_price: Math.min(price, 10 ** 9),
      installment_count: 2,
    }
    return [createOrder, { user_id: found.user_id, ...plan, coupon_ids: [sharedCoupon.coupon_id] }]
  },
} satisfies Record<string, OfficeCall>
