import { actingFor } from '../../access/staff/one-person.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { OrderState } from '../rules/order-rules.ts'
import { type ApprovalRequest, findSameWaiting, insertRequest } from './approval-request-store.ts'
import { isBeyond, type LimitKind, type MoneyLimits } from './money-limit-store.ts'

/** A change of an order that needs a second approver. */
interface NeededApproval {
  kind: LimitKind
  order_id: string
  price: number
  currency: string
  order_status: OrderState['status']
  order_version: number
}

/** Refuses a change beyond a limit. The operation turns the refusal into a request; an import rejects the row. */
class ApprovalNeeded extends ApiError {
  readonly needed: NeededApproval

  constructor(needed: NeededApproval) {
    const { kind, price, currency } = needed
    super('stateForbids', {
      msg: `A second person must approve this ${kind.replace('_', '-')}: ${price} ${currency} is beyond the limit.`,
      allowed: ['approval/approve'],
      extra: { reason: 'approval_needed' },
    })
    this.needed = needed
  }
}

export interface Approval {
  isApproved: boolean
}

/** `price` includes what happened to the order before, so that small steps do not avoid the limit. */
export function requireWithinLimit(
  kind: LimitKind,
  limits: MoneyLimits,
  { order_id, currency, status, version }: OrderState,
  price: number,
  { isApproved }: Approval,
): void {
  if (isApproved || !isBeyond(limits, currency, price)) return
  throw new ApprovalNeeded({
    kind,
    order_id,
    price,
    currency,
    order_status: status,
    order_version: version,
  })
}

/** Makes a change, or asks a second person if it is beyond a limit. */
export async function orAskSecondPerson<Done, Waiting>(
  context: OrganizationContext,
  input: object,
  make: () => Promise<Done>,
  waiting: (needed: NeededApproval, request_id: string) => Waiting,
): Promise<Done | Waiting> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    return waiting(error.needed, await requestApproval(context, error.needed, input))
  }
}

/** The caller of an operation, or of a command. */
export type Requester = Pick<OrganizationContext, 'db' | 'newId' | 'now' | 'organization'> & {
  account: { app_id: string }
}

/** A repeated call makes no second request. */
export async function requestApproval(
  { db, account, newId, now, organization: { corp_id } }: Requester,
  { kind, order_id, price, currency }: Pick<ApprovalRequest, 'kind' | 'order_id' | 'price' | 'currency'>,
  input: object,
): Promise<string> {
  const request = { kind, order_id, price, currency, input, requested_by: account.app_id }
  const same = await findSameWaiting(db, corp_id, request)
  if (same) return same.request_id
  const request_id = newId()
  const acting_for = await actingFor(db, corp_id, account.app_id)
  await insertRequest(db, corp_id, { ...request, request_id, acting_for }, now)
  return request_id
}
