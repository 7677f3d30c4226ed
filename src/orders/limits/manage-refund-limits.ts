import { actingFor } from '../../access/staff/one-person.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, NullableString, OrganizationId, oneOf, oneOfOr } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { findSameLimitRequest, findWaitingLimitRequests, insertLimitRequest } from './limit-request-store.ts'
import {
  exampleLimitRequest,
  exampleLimits,
  LimitRequestRow,
  Limits,
  limitRequestRow,
  listed,
} from './limit-row.ts'
import { findLimits, type LimitKind, limitKinds, type MoneyLimits, storeLimits } from './money-limit-store.ts'

const shared = { group: 'Console', permission: 'admin' } as const
const corp_id = 'lakeside'
const mostShown = 100
const Kind = oneOfOr('refund', limitKinds, 'The actions that the limits are for')

export const fetchRefundLimits = endpoint({
  ...shared,
  id: 'fetchRefundLimits',
  method: 'GET',
  path: '/api/v5/console/refund-limits/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Show the limits beyond which a second person must approve',
  input: Type.Object({ corp_id: OrganizationId, kind: Kind }),
  data: Type.Object({
    limits: Limits,
    waiting: Type.Array(LimitRequestRow, { description: 'Changes that wait for a second administrator' }),
  }),
  example: { input: { corp_id }, data: { limits: exampleLimits, waiting: [exampleLimitRequest] } },

  async handle({ db, organization: { time_zone } }, { corp_id, kind = 'refund' }) {
    const { list } = await findWaitingLimitRequests(db, corp_id, { kind, limit: mostShown })
    return {
      limits: listed(await findLimits(db, corp_id, kind)),
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
  summary: 'Set the limits beyond which a second person must approve',
  description:
    'There are limits for refunds, voids, write-offs, retained money and discounts. The first limits, and lower ones, are ' +
    'in force at once. Higher ones wait until another administrator approves: then state is waiting, and the limits are ' +
    'unchanged.',
  input: Type.Object({ corp_id: OrganizationId, kind: Kind, limits: Limits }),
  data: Type.Object({
    limits: described(Limits, 'The limits that are in force now'),
    state: oneOf(['done', 'waiting'], 'waiting: for the approval of another administrator'),
    request_id: described(NullableString, 'The id for console/refund-limits/approve, if the change waits'),
  }),
  example: {
    input: { corp_id, limits: exampleLimits },
    data: { limits: exampleLimits, state: 'done', request_id: null },
  },

  async handle(context, { corp_id, kind = 'refund', limits }) {
    const wanted = Object.fromEntries(limits.map(({ currency, price }) => [currency, price]))
    if (Object.keys(wanted).length < limits.length) throw invalid('limits', 'must name each currency once')
    return context.db.transaction(async (tx) => {
      // Under the lock of every change of an order: none uses limits that were just lowered.
      await holdClock(tx, corp_id)
      const before = await findLimits(tx, corp_id, kind)
      if (letsMoreGo(before, wanted)) {
        const request_id = await askSecondAdministrator({ ...context, db: tx }, { kind, before, wanted })
        return { limits: listed(before), state: 'waiting' as const, request_id }
      }
      await changeLimits(tx, corp_id, kind, wanted, context.now)
      return { limits: listed(await findLimits(tx, corp_id, kind)), state: 'done' as const, request_id: null }
    })
  },
})

/** Without limits nothing needs a second approver. With any, a currency without one has the limit 0. */
function letsMoreGo(before: MoneyLimits, after: MoneyLimits): boolean {
  if (Object.keys(before).length === 0) return false
  if (Object.keys(after).length === 0) return true
  return Object.entries(after).some(([currency, price]) => price > (before[currency] ?? 0))
}

async function askSecondAdministrator(
  { db, organization: { corp_id }, account, newId, now }: OrganizationContext,
  change: { kind: LimitKind; before: MoneyLimits; wanted: MoneyLimits },
): Promise<string> {
  const request = { ...change, requested_by: account.app_id }
  const same = await findSameLimitRequest(db, corp_id, request)
  if (same) return same.request_id
  const request_id = newId()
  const acting_for = await actingFor(db, corp_id, account.app_id)
  await insertLimitRequest(db, corp_id, { ...request, request_id, acting_for }, now)
  return request_id
}

export async function changeLimits(
  on: Queryable,
  corp_id: string,
  kind: LimitKind,
  limits: MoneyLimits,
  now: Date,
): Promise<void> {
  for (const [currency, price] of Object.entries(limits)) {
    if (!Object.hasOwn(currencyExponents, currency) || !Number.isSafeInteger(price) || price < 0)
      throw invalid('limits', `must be amounts in minor units by currency, which ${currency} is not`)
  }
  await storeLimits(on, corp_id, kind, limits, now)
}
