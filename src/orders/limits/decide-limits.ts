import { isDeepStrictEqual } from 'node:util'
import { requireSecondPerson } from '../../access/staff/one-person.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { findLimitRequest, insertLimitDecision, type LimitRequest } from './limit-request-store.ts'
import { exampleLimitRequest, Limits, listed } from './limit-row.ts'
import { findLimits, storeLimits } from './money-limit-store.ts'

const shared = {
  method: 'POST',
  group: 'Console',
  since: 'Ver5.2026-11-17',
  permission: 'admin',
  guard: { effect: 'grants', people: 'none', secondApprover: 'limit change' },
  input: Type.Object({
    corp_id: OrganizationId,
    request_id: described(Id, 'The request_id of console/refund-limits/update'),
  }),
} as const
const input = { corp_id: 'lakeside', request_id: exampleLimitRequest.request_id }

const decided = (outcome: LimitRequest['state']) =>
  Type.Object({
    request_id: Id,
    state: oneOf([outcome]),
    limits: described(Limits, 'The limits that are in force now'),
  })

export const approveRefundLimits = endpoint({
  ...shared,
  id: 'approveRefundLimits',
  path: '/api/v5/console/refund-limits/approve',
  summary: 'Approve limits that another administrator requested',
  description: 'If the limits have changed since the request, it is refused: request again.',
  data: decided('approved'),
  example: {
    input,
    data: {
      request_id: exampleLimitRequest.request_id,
      state: 'approved',
      limits: exampleLimitRequest.wanted,
    },
  },
  errors: ['limitRequestNotFound', 'ownRequest', 'stateForbids'],

  async handle(context, { corp_id, request_id }) {
    return deciding(context, request_id, 'approved', async (tx, { kind, before, wanted }) => {
      if (!isDeepStrictEqual(await findLimits(tx, corp_id, kind), before))
        throw new ApiError('stateForbids', {
          msg: 'The limits have changed since. Request the change again.',
          allowed: [],
          extra: { reason: 'limits_changed' },
        })
      await storeLimits(tx, corp_id, kind, wanted, context.now)
    })
  },
})

export const declineRefundLimits = endpoint({
  ...shared,
  id: 'declineRefundLimits',
  path: '/api/v5/console/refund-limits/decline',
  summary: 'Decline limits that another administrator requested',
  data: decided('declined'),
  example: {
    input,
    data: {
      request_id: exampleLimitRequest.request_id,
      state: 'declined',
      limits: exampleLimitRequest.before,
    },
  },
  errors: ['limitRequestNotFound', 'ownRequest', 'stateForbids'],

  async handle(context, { request_id }) {
    return deciding(context, request_id, 'declined', async () => undefined)
  },
})

/** The decision and its effect are one transaction, under the ledger's clock: of two concurrent decisions, one is made. */
async function deciding<Outcome extends 'approved' | 'declined'>(
  { db, organization: { corp_id }, account, now }: OrganizationContext,
  request_id: string,
  outcome: Outcome,
  carryOut: (tx: Queryable, request: LimitRequest) => Promise<void>,
) {
  return db.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const request = await findLimitRequest(tx, corp_id, request_id)
    if (!request) throw new ApiError('limitRequestNotFound')
    if (request.state !== 'waiting') throw notWaiting()
    await requireSecondPerson(tx, corp_id, request, account.app_id)
    await carryOut(tx, request)
    const decision = { request_id, outcome, decided_by: account.app_id }
    if (!(await insertLimitDecision(tx, corp_id, decision, now))) throw notWaiting()
    return { request_id, state: outcome, limits: listed(await findLimits(tx, corp_id, request.kind)) }
  })
}

function notWaiting(): ApiError {
  return new ApiError('stateForbids', { msg: 'The change was decided before.', allowed: [] })
}
