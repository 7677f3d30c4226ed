import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { type LimitKind, limitKinds } from './money-limit-store.ts'

/** The reversal of a closing has no limit: it always needs a second approver. */
export const approvalKinds = [...limitKinds, 'closing_reversal'] as const
export type ApprovalKind = LimitKind | 'closing_reversal'

export const requestStates = ['waiting', 'approved', 'declined'] as const
export type RequestState = (typeof requestStates)[number]

/** A change of an order, or the reversal of a closing, that waits for a second approver, or waited for one. */
export interface ApprovalRequest {
  request_id: string
  kind: ApprovalKind
  /** Null for a reversal, as the user. */
  order_id: string | null
  user_id: string | null
  /** The present names of the user. */
  name: string | null
  first_name: string | null
  last_name: string | null
  price: number
  currency: string
  /** The input of the operation. */
  input: { reason?: string; until?: string }
  requested_by: string
  /** The people who may not approve it: it counts as their request. */
  acting_for: string[]
  at: Date
  state: RequestState
  decided_by: string | null
  decided_at: Date | null
  /** Why it was declined. */
  decline_reason: string | null
  refund_id: string | null
}

const columns = raw(`
  r.request_id, r.kind, r.order_id, o.user_id, u.name, u.first_name, u.last_name, r.price, r.currency, r.input, r.requested_by, r.acting_for, r.at,
  coalesce(d.outcome, 'waiting') as state, d.decided_by, d.at as decided_at, d.reason as decline_reason, d.refund_id`)

/** Requests with their decisions and users. */
function requestsOf(corp_id: string): Statement {
  return sql`
      from approval_requests r
      left join approval_decisions d on d.corp_id = ${corp_id} and d.request_id = r.request_id
      left join orders o on o.corp_id = ${corp_id} and o.order_id = r.order_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where r.corp_id = ${corp_id}`
}

export async function insertRequest(
  on: Queryable,
  corp_id: string,
  request: Pick<
    ApprovalRequest,
    'request_id' | 'kind' | 'order_id' | 'price' | 'currency' | 'requested_by' | 'acting_for'
  > & { input: object },
  now: Date,
): Promise<void> {
  const { request_id, kind, order_id } = request
  await on.transaction(async (tx) => {
    await tx.query(sql`
    insert into approval_requests (corp_id, request_id, kind, order_id, price, currency, input, requested_by, acting_for, at)
    values (${corp_id}, ${request.request_id}, ${request.kind}, ${request.order_id}, ${request.price}, ${request.currency},
            ${JSON.stringify(request.input)}::jsonb, ${request.requested_by}, ${request.acting_for}, ${now})
    returning request_id`)
    tx.note({ record_type: 'approval_requests', record_id: request_id, after: { kind, order_id } })
  })
}

export async function findRequest(
  on: Queryable,
  corp_id: string,
  request_id: string,
): Promise<ApprovalRequest | undefined> {
  const [row] = await on.query<ApprovalRequest>(sql`
    select ${columns} ${requestsOf(corp_id)} and r.request_id = ${request_id}`)
  return row
}

/** The waiting request of the same person with the same input: a repeated call makes no second one. */
export async function findSameWaiting(
  on: Queryable,
  corp_id: string,
  {
    kind,
    order_id,
    requested_by,
    input,
  }: Pick<ApprovalRequest, 'kind' | 'order_id' | 'requested_by'> & { input: object },
): Promise<ApprovalRequest | undefined> {
  const [row] = await on.query<ApprovalRequest>(sql`
    select ${columns} ${requestsOf(corp_id)}
       and r.kind = ${kind} and r.order_id is not distinct from ${order_id} and r.requested_by = ${requested_by}
       and r.input = ${JSON.stringify(input)}::jsonb and d.request_id is null
     order by r.at limit 1`)
  return row
}

/** False if it was decided before. */
export async function insertDecision(
  tx: Queryable,
  corp_id: string,
  { kind, order_id }: Pick<ApprovalRequest, 'kind' | 'order_id'>,
  decision: {
    request_id: string
    outcome: Exclude<RequestState, 'waiting'>
    reason: string | null
    refund_id: string | null
    decided_by: string
  },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into approval_decisions (corp_id, request_id, outcome, reason, refund_id, decided_by, at)
    values (${corp_id}, ${decision.request_id}, ${decision.outcome}, ${decision.reason}, ${decision.refund_id},
            ${decision.decided_by}, ${now})
    on conflict (corp_id, request_id) do nothing
    returning request_id`)
  const { request_id: record_id, outcome } = decision
  if (rows.length === 1)
    tx.note({ record_type: 'approval_decisions', record_id, after: { kind, order_id, outcome } })
  return rows.length === 1
}

export interface RequestFilter {
  state?: RequestState | undefined
  order_id?: string | undefined
  kind?: ApprovalKind | undefined
  /** Excludes requests of this person or program. */
  exceptBy?: string | undefined
}

/** In the order of the requests. */
export async function findRequestPage(
  on: Queryable,
  corp_id: string,
  { state, order_id, kind, exceptBy }: RequestFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: ApprovalRequest[] }> {
  const found = sql`
      ${requestsOf(corp_id)}
       ${state === undefined ? raw('') : sql`and coalesce(d.outcome, 'waiting') = ${state}`}
       ${order_id === undefined ? raw('') : sql`and r.order_id = ${order_id}`}
       ${kind === undefined ? raw('') : sql`and r.kind = ${kind}`}
       ${exceptBy === undefined ? raw('') : sql`and r.requested_by <> ${exceptBy}`}`
  const { counts, list } = await on.pipeline<{ counts: { total: number }; list: ApprovalRequest }>({
    counts: sql`select count(*) as total ${found}`,
    list: sql`select ${columns} ${found} order by r.at, r.request_id limit ${limit} offset ${offset}`,
  })
  return { total: firstRow(counts).total, list }
}
