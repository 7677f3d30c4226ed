import { Type } from 'typebox'
import { actingFor } from '../../../access/staff/one-person.ts'
import { currencyExponents } from '../../../contract/currencies.ts'
import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { invalid } from '../../../contract/errors.ts'
import { described, NullableString, OrganizationId, oneOf } from '../../../contract/fields.ts'
import type { Queryable } from '../../../database/database.ts'
import { holdClock } from '../../ledger/ledger-clock-store.ts'
import { findSameLimitRequest, findWaitingLimitRequests, insertLimitRequest } from './limit-request-store.ts'
import {
  exampleLimitRequest,
  exampleLimits,
  LimitRequestRow,
  Limits,
  limitRequestRow,
  listed,
} from './limit-row.ts'
import { findRefundLimits, type RefundLimits, storeRefundLimits } from './refund-limit-store.ts'

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const
const corp_id = '0198c0de00007c41a2f0d8e6b4937215'
const mostShown = 100

export const fetchRefundLimits = endpoint({
  ...shared,
  id: 'fetchRefundLimits',
  method: 'GET',
  path: '/api/v5/console/refund-limits/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Show from how much on refunds wait for a second person',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({
    limits: Limits,
    waiting: Type.Array(LimitRequestRow, { description: 'Changes that wait for a second administrator' }),
  }),
  example: { input: { corp_id }, data: { limits: exampleLimits, waiting: [exampleLimitRequest] } },

  async handle({ db, organization: { time_zone } }, { corp_id }) {
    const { list } = await findWaitingLimitRequests(db, corp_id, 'refund', { limit: mostShown })
    return {
      limits: listed(await findRefundLimits(db, corp_id)),
      waiting: list.map((request) => limitRequestRow(request, time_zone)),
    }
  },
})

export const updateRefundLimits = endpoint({
  ...shared,
  id: 'updateRefundLimits',
  method: 'POST',
  path: '/api/v5/console/refund-limits/update',
  guard: { effect: 'grants', people: 'none', secondApprover: 'limit change' },
  summary: 'Say from how much on refunds wait for a second person',
  description:
    'The first limits, and lower ones, hold at once. A change that lets more go back without a second person waits until ' +
    'another administrator approves: then state is waiting, and the limits are as they were.',
  input: Type.Object({ corp_id: OrganizationId, limits: Limits }),
  data: Type.Object({
    limits: described(Limits, 'Those that hold now'),
    state: oneOf(['done', 'waiting'], 'waiting: for the approval of another administrator'),
    request_id: described(NullableString, 'Of a change that waits: for console/refund-limits/approve'),
  }),
  example: {
    input: { corp_id, limits: exampleLimits },
    data: { limits: exampleLimits, state: 'done', request_id: null },
  },

  async handle(context, { corp_id, limits }) {
    const wanted = Object.fromEntries(limits.map(({ currency, price }) => [currency, price]))
    if (Object.keys(wanted).length < limits.length) throw invalid('limits', 'must name each currency once')
    return context.db.transaction(async (tx) => {
      // Under the lock that refunds take: none is made by limits that have just been lowered.
      await holdClock(tx, corp_id)
      const before = await findRefundLimits(tx, corp_id)
      if (letsMoreGo(before, wanted)) {
        const request_id = await askSecondAdministrator({ ...context, db: tx }, { before, wanted })
        return { limits: listed(before), state: 'waiting' as const, request_id }
      }
      await changeRefundLimits(tx, corp_id, wanted, context.now)
      return { limits: listed(await findRefundLimits(tx, corp_id)), state: 'done' as const, request_id: null }
    })
  },
})

/** Without limits everything goes back at once. With any, a currency that is not named has a limit of 0. */
function letsMoreGo(before: RefundLimits, after: RefundLimits): boolean {
  if (Object.keys(before).length === 0) return false
  if (Object.keys(after).length === 0) return true
  return Object.entries(after).some(([currency, price]) => price > (before[currency] ?? 0))
}

async function askSecondAdministrator(
  { db, organization: { corp_id }, account, newId, now }: OrganizationContext,
  change: { before: RefundLimits; wanted: RefundLimits },
): Promise<string> {
  const request = { ...change, requested_by: account.app_id }
  const same = await findSameLimitRequest(db, corp_id, 'refund', request)
  if (same) return same.request_id
  const request_id = newId()
  const acting_for = await actingFor(db, corp_id, account.app_id)
  await insertLimitRequest(db, corp_id, 'refund', { ...request, request_id, acting_for }, now)
  return request_id
}

export async function changeRefundLimits(
  on: Queryable,
  corp_id: string,
  limits: RefundLimits,
  now: Date,
): Promise<void> {
  for (const [currency, price] of Object.entries(limits)) {
    if (!Object.hasOwn(currencyExponents, currency) || !Number.isSafeInteger(price) || price < 0)
      throw invalid('limits', `must be amounts in minor units by currency, which ${currency} is not`)
  }
  await storeRefundLimits(on, corp_id, limits, now)
}
