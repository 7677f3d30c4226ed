import { Type } from 'typebox'
import { requireSecondPerson } from '../../../access/staff/one-person.ts'
import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../../contract/fields.ts'
import type { Queryable } from '../../../database/database.ts'
import { DryRun, OrderPreviews, withDryRun } from '../../dry-run.ts'
import { anyOrder, Reason } from '../../ledger/fields.ts'
import { makeRefund } from '../create-refund.ts'
import { findRequest, insertDecision, type RefundRequest } from './refund-request-store.ts'
import { exampleRequest, RequestRow, requestRow } from './request-row.ts'

const shared = {
  method: 'POST',
  group: 'Orders',
  since: 'Ver5.2026-11-15',
  permission: 'finance',
} as const
const RequestId = described(Id, 'The request that order/refund/create answered')
const named = { corp_id: '0198c0de00007c41a2f0d8e6b4937215', request_id: exampleRequest.request_id }
const decided = {
  ...exampleRequest,
  decided_by: '0198c0de99997c41a2f0d8e6b4937215',
  decided_time: '2024-04-02 16:00:00',
}

/** The refund is made now, by the rules and the money of now: one that is no longer possible goes on waiting. */
export const approveRefund = endpoint({
  ...shared,
  id: 'approveRefund',
  path: '/api/v5/entity/order/refund/approval/approve',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'refund limit' },
  summary: 'Approve a refund that somebody else asked for, and make it',
  input: Type.Object({ corp_id: OrganizationId, request_id: RequestId, dry_run: DryRun }),
  data: Type.Object({ ...RequestRow.properties, orders: OrderPreviews }),
  example: {
    input: named,
    data: { ...decided, state: 'approved', refund_id: '0198c0de55557c41a2f0d8e6b4937215' },
  },
  errors: [
    ...(['refundRequestNotFound', 'ownRequest', 'stateForbids'] as const),
    ...(['orderNotFound', 'subOrderNotFound', 'paymentNotFound', 'taken'] as const),
  ],

  handle: withDryRun(
    async ({ corp_id, request_id }, { db }) => {
      const request = await findRequest(db, corp_id, request_id)
      return request ? [request.order_id] : []
    },
    (context, { request_id }) =>
      deciding(context, request_id, async (db, { input }) => {
        const { refund_id } = await makeRefund({ ...context, db }, input, { isApproved: true })
        return { outcome: 'approved', reason: null, refund_id }
      }),
  ),
})

export const declineRefund = endpoint({
  ...shared,
  id: 'declineRefund',
  path: '/api/v5/entity/order/refund/approval/decline',
  guard: { effect: 'changes', ...anyOrder, confirmed: true, secondApprover: 'refund limit' },
  summary: 'Decline a refund that somebody else asked for',
  input: Type.Object({ corp_id: OrganizationId, request_id: RequestId, reason: Type.Optional(Reason) }),
  data: RequestRow,
  example: {
    input: { ...named, reason: 'The contract excludes it' },
    data: { ...decided, state: 'declined', decline_reason: 'The contract excludes it' },
  },
  errors: ['refundRequestNotFound', 'ownRequest', 'stateForbids'],

  async handle(context, { request_id, reason }) {
    return deciding(context, request_id, async () => ({
      ...{ outcome: 'declined', reason: reason ?? null, refund_id: null },
    }))
  },
})

type Decision = Omit<Parameters<typeof insertDecision>[2], 'request_id' | 'decided_by'>

/** What comes of it and the decision are one transaction: of two who decide at once, one does. */
async function deciding(
  { db, organization, account, now }: OrganizationContext,
  request_id: string,
  decide: (tx: Queryable, request: RefundRequest) => Promise<Decision>,
) {
  const { corp_id, time_zone } = organization
  return db.transaction(async (tx) => {
    const request = await findRequest(tx, corp_id, request_id)
    if (!request) throw new ApiError('refundRequestNotFound')
    if (request.state !== 'waiting') throw notWaiting()
    await requireSecondPerson(tx, corp_id, request, account.app_id)
    const decision = { request_id, decided_by: account.app_id, ...(await decide(tx, request)) }
    if (!(await insertDecision(tx, corp_id, decision, now))) throw notWaiting()
    return requestRow((await findRequest(tx, corp_id, request_id))!, time_zone)
  })
}

function notWaiting(): ApiError {
  return new ApiError('stateForbids', { msg: 'The refund was decided before.', allowed: [] })
}
