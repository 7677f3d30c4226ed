import { requireSecondPerson } from '../../access/staff/one-person.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, errorCatalogue } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { DryRun, OrderPreviews, withDryRun } from '../../orders/dry-run.ts'
import { anyOrder, Reason } from '../../orders/ledger/fields.ts'
import {
  type ApprovalKind,
  type ApprovalRequest,
  findRequest,
  insertDecision,
} from '../../orders/limits/approval-request-store.ts'
import { makeRefund } from '../../orders/payments/create-refund.ts'
import { recordVoid } from '../../orders/payments/void-payment.ts'
import { editOrder } from '../../orders/update-order.ts'
import { moveOrder } from '../../orders/update-status.ts'
import { recordWriteOff } from '../../orders/write-off-order.ts'
import { recordReversal } from '../finance/reverse-closing.ts'
import { exampleRequest, RequestRow, requestRow } from './request-row.ts'

const approval = { isApproved: true }

/** Runs the approved operation. The input was validated when the request was made. */
const carryOut: Record<
  ApprovalKind,
  // biome-ignore lint/suspicious/noExplicitAny: the input of the operation, as it was stored.
  (context: OrganizationContext, input: any, requested_by: string) => Promise<object>
> = {
  refund: (context, input) => makeRefund(context, input, approval),
  void: (context, input) => recordVoid(context, input, approval),
  write_off: (context, input) => recordWriteOff(context, input, approval),
  retention: (context, input) => moveOrder(context, input, approval),
  discount: (context, input) => editOrder(context, input, approval),
  closing_reversal: recordReversal,
}

const shared = {
  method: 'POST',
  group: 'Finance',
  permission: 'finance',
} as const
const RequestId = described(Id, 'The request_id of the operation that waits')
const named = { corp_id: 'lakeside', request_id: exampleRequest.request_id }
const decided = {
  ...exampleRequest,
  decided_by: 'lakeside-finance',
  decided_time: '2024-04-02 16:00:00',
}

/** Carries the request out by the present rules and money. If that is not possible any more, it keeps waiting. */
export const approveRequest = endpoint({
  ...shared,
  id: 'approveRequest',
  path: '/api/v5/entity/approval/approve',
  movesMoney: true,
  guard: { effect: 'irreversible', ...anyOrder, secondApprover: 'money limit' },
  summary: 'Approve a request of somebody else, and carry it out',
  input: Type.Object({ corp_id: OrganizationId, request_id: RequestId, dry_run: DryRun }),
  data: Type.Object({ ...RequestRow.properties, orders: OrderPreviews }),
  example: {
    input: named,
    data: { ...decided, state: 'approved', refund_id: '0198c0de55557c41a2f0d8e6b4937215' },
  },
  errors: [
    'approvalNotFound',
    'ownRequest',
    'stateForbids',
    'orderNotFound',
    'subOrderNotFound',
    'paymentNotFound',
    'couponNotFound',
    'staleVersion',
    'taken',
  ],

  handle: withDryRun(
    async ({ corp_id, request_id }, { db }) => {
      const request = await findRequest(db, corp_id, request_id)
      return request?.order_id ? [request.order_id] : []
    },
    (context, { request_id }) =>
      deciding(context, request_id, async (db, { kind, input, requested_by }) => {
        const made = await carryOut[kind]({ ...context, db }, input, requested_by).catch(explain)
        return {
          outcome: 'approved',
          reason: null,
          refund_id: 'refund_id' in made ? String(made.refund_id) : null,
        }
      }),
  ),
})

export const declineRequest = endpoint({
  ...shared,
  id: 'declineRequest',
  path: '/api/v5/entity/approval/decline',
  guard: { effect: 'changes', ...anyOrder, confirmed: true, secondApprover: 'money limit' },
  summary: 'Decline a request of somebody else',
  input: Type.Object({ corp_id: OrganizationId, request_id: RequestId, reason: Type.Optional(Reason) }),
  data: RequestRow,
  example: {
    input: { ...named, reason: 'The contract excludes it' },
    data: { ...decided, state: 'declined', decline_reason: 'The contract excludes it' },
  },
  errors: ['approvalNotFound', 'ownRequest', 'stateForbids'],

  async handle(context, { request_id, reason }) {
    return deciding(context, request_id, async () => ({
      outcome: 'declined',
      reason: reason ?? null,
      refund_id: null,
    }))
  },
})

type Decision = Omit<Parameters<typeof insertDecision>[3], 'request_id' | 'decided_by'>

/** The action and the decision are one transaction: of two concurrent decisions, one is made. */
async function deciding(
  { db, organization, account, now }: OrganizationContext,
  request_id: string,
  decide: (tx: Queryable, request: ApprovalRequest) => Promise<Decision>,
) {
  const { corp_id, time_zone } = organization
  return db.transaction(async (tx) => {
    const request = await findRequest(tx, corp_id, request_id)
    if (!request) throw new ApiError('approvalNotFound')
    if (request.state !== 'waiting') throw notWaiting()
    await requireSecondPerson(tx, corp_id, request, account.app_id)
    const decision = { request_id, decided_by: account.app_id, ...(await decide(tx, request)) }
    if (!(await insertDecision(tx, corp_id, request, decision, now))) throw notWaiting()
    return requestRow((await findRequest(tx, corp_id, request_id))!, time_zone)
  })
}

/** Refuses a decision if the order has changed since the request. */
function explain(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== errorCatalogue.staleVersion[0]) throw error
  const msg = `The order has changed since this was requested. ${error.message} Decline the request; it can be repeated.`
  throw new ApiError('staleVersion', { ...error.details, msg, extra: { reason: 'order_changed' } })
}

function notWaiting(): ApiError {
  return new ApiError('stateForbids', { msg: 'The request was decided before.', allowed: [] })
}
